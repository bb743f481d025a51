// Versioned rows in the simulator: the steps of users, other clients and streams on notes, the meaning of each arrival, and the
// checks. The response to a read may come from a replica that lags, and a message may have any version that the note has had.
import type { Exchange } from './model-network.ts';
import { NotesOracle } from './notes-oracle.ts';
import type { NoteLayer } from './notes-oracle.ts';
import { NOTES, summaryOf } from './notes-server.ts';
import type { SaidNote, ServerNote } from './notes-server.ts';
import type { Step } from './schedule.ts';
import type { ReadCall, ViewNote, WriteCall } from './subject.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

export type NoteWrite = Extract<WriteCall, { kind: 'patchNote' | 'removeNote' }>;

const SUMMARY = ['version', 'title', 'mood'] as const;
const FIELDS = [...SUMMARY, 'text'] as const;

export const isOfNotes = ({ path }: Pick<Exchange, 'path'>): boolean => path.startsWith('/notes');

export class Notes {
  readonly #world: World;
  readonly #oracle = new NotesOracle();
  /** When a call about a note ended unknown, until a later-sent payload has arrived. */
  #refetched: ReadonlySet<string> = new Set();
  readonly #doubtedAt = new Map<string, number>();
  /** The newest payload of each note, accepted or not: no earlier-sent read may report the note as deleted. */
  readonly #fences = new Map<string, number>();
  #past = new Map<string, { note: ViewNote; text: string }>();
  #titles = 0;

  constructor(world: World) {
    this.#world = world;
  }

  act(step: Step): void {
    switch (step.do) {
      case 'patchNote':
        return this.#patch(step);
      case 'removeNote':
        return this.#ifTarget(step, (id) => this.#world.issue({ kind: 'removeNote', id }));
      case 'tellNote':
        return this.#tell(step);
      case 'otherNote':
        return this.#changeElsewhere(step);
      default:
        throw new Error(`no such action: ${step.do}`);
    }
  }

  pickRead(step: Step): ReadCall {
    return step.with < 0.4 ? { kind: 'notes' } : { kind: 'note', id: pick(NOTES, step.at) };
  }

  /** One in five bodies contains the version that the user has seen, and so does its optimistic update. */
  #patch(step: Step): void {
    this.#ifTarget(step, (id) => {
      const [version] = this.#oracle.view(id)!.get('version')!; // a target is on screen
      const body = { ...this.#part(step), ...(step.fault > 0.8 && { version: version as number }) }; // cast: notes have one
      this.#world.issue({ kind: 'patchNote', id, body });
    });
  }

  #ifTarget(step: Step, act: (id: string) => void): void {
    const ids = this.#oracle.visible({ isBase: false });
    if (ids.length > 0) act(pick(ids, step.at));
  }

  #part({ with: fraction }: Step): Partial<ServerNote> {
    const value = `v${++this.#titles}`;
    return fraction < 0.5 ? { title: value } : fraction < 0.7 ? { mood: value } : { text: value };
  }

  /**
   * A message about a note, with its newest version or an earlier one: whole or in part, as a value or as the response of a read.
   */
  #tell({ at, with: fraction, fault }: Step): void {
    const world = this.#world;
    const id = pick(NOTES, at);
    const versions = world.server.notes.versions(id);
    const note = versions[Math.floor(fault * (versions.length + 1))] ?? versions.at(-1);
    if (!note) return;
    const part = { id, version: note.version, title: note.title };
    const said = fraction < 0.55 ? note : fraction < 0.75 ? summaryOf(note) : part;
    const isAnswer = fraction < 0.25;
    world.note(`tell ${JSON.stringify(said)}${isAnswer ? ' as an answer' : ''}`);
    const stamp = ++world.stamp;
    world.mayBeFreshSince = stamp;
    this.#state([said], stamp, stamp);
    world.subject.tellNote?.(said, isAnswer);
  }

  /** Others change a note. A note that this client knows as deleted is created again under its id. */
  #changeElsewhere(step: Step): void {
    const { server, network, mutations, ambiguous } = this.#world;
    const id = pick(NOTES, step.at);
    this.#world.note(`elsewhere ${id}`);
    if (server.notes.current(id)) {
      server.notes.change(id, this.#part(step));
      return;
    }
    const isUnderWay = network.exchanges.some(isOfNotes) || mutations.some(({ call }) => isNoteWrite(call));
    if (!isUnderWay && !this.#oracle.row(id) && !ambiguous.has(id))
      server.notes.create(id, `new ${++this.#titles}`);
  }

  /** The optimistic update of a call. */
  begin(call: NoteWrite): NoteLayer {
    const layer = { id: call.id, fields: call.kind === 'patchNote' ? call.body : undefined };
    this.#oracle.addLayer(layer);
    return layer;
  }

  finish(layer: NoteLayer): void {
    this.#oracle.removeLayer(layer);
  }

  /** A response that contains notes. */
  record(value: unknown, { send, at, isRead }: { send: number; at: number; isRead: boolean }): void {
    const notes = [value].flat() as SaidNote[]; // cast: own server
    this.#state(notes, send, isRead ? send : at);
    // a payload of a lower version may make the row stale: its readers may fetch again
    this.#world.mayBeFreshSince = at;
  }

  #state(notes: readonly SaidNote[], send: number, stamp: number): void {
    for (const note of notes) {
      if (send > (this.#doubtedAt.get(note.id) ?? 0)) this.#doubtedAt.delete(note.id);
      this.#fences.set(note.id, Math.max(stamp, this.#fences.get(note.id) ?? 0));
      this.#oracle.state(note, { send, stamp, atMs: this.#world.time.elapsedMs });
    }
  }

  /** "Not found", or the acknowledgement of a delete. For a read that was sent before a newer payload the client may choose. */
  remove(exchange: Exchange, id: string, at: number): void {
    const isOld = exchange.method === 'GET' && exchange.send < (this.#fences.get(id) ?? 0);
    if (isOld) this.#world.ambiguous.add(id);
    else {
      this.#oracle.remove(id, at);
      this.#doubtedAt.delete(id);
      this.#world.ambiguous.delete(id);
    }
  }

  /** A call about the note ended unknown. */
  doubt(id: string): void {
    if (this.#oracle.row(id)) this.#doubtedAt.set(id, this.#world.stamp);
  }

  reset(): void {
    this.#oracle.reset();
    this.#doubtedAt.clear();
    this.#fences.clear();
    this.#past.clear();
  }

  reopened(): void {
    this.#oracle.restore();
    this.#past.clear();
  }

  /** After a slice of a collection: removes the notes that may be removed and are. */
  forgetCollected(readers: readonly ReadCall[]): void {
    const { subject, network, epoch, schedule, time } = this.#world;
    const underWay = network.exchanges.filter((exchange) => exchange.epoch === epoch && !exchange.ended);
    const oldestSend = Math.min(...underWay.map((exchange) => exchange.send));
    const youngMs = time.elapsedMs - (schedule.keepMs ?? Infinity);
    for (const id of this.#oracle.visible({ isBase: true })) {
      const { stamp, atMs } = this.#oracle.row(id)!; // visible
      const isRead = readers.some((call) => call.kind === 'note' && call.id === id);
      const isNamed = underWay.some(({ path }) => path === `/notes/${id}`);
      if (stamp > oldestSend || atMs > youngMs || isRead || isNamed || this.#oracle.hasLayer(id)) continue;
      if (subject.readNote?.(id)) continue;
      this.#oracle.forget(id);
      this.#doubtedAt.delete(id);
    }
  }

  check(): void {
    if (!this.#world.subject.readNote) return;
    for (const id of NOTES) this.#checkRow(id);
    for (const id of NOTES) this.#checkFresh({ kind: 'note', id }, id, FIELDS);
    for (const id of this.#world.subject.readNoteIds?.() ?? [])
      this.#checkFresh({ kind: 'notes' }, id, SUMMARY);
  }

  #checkRow(id: string): void {
    const { subject, ambiguous, endedInStep } = this.#world;
    const note = subject.readNote?.(id);
    const text = note && FIELDS.map((name) => note[name]).join('|');
    const wanted = this.#oracle.view(id);
    const isRight =
      note && wanted
        ? FIELDS.every((name) => (wanted.get(name) ?? [DEFAULTS[name]]).includes(note[name]))
        : !note && !wanted;
    if (!isRight && !ambiguous.has(id))
      throw new Violation('I8', `note ${id} is ${text}, expected ${wanted && JSON.stringify([...wanted])}`);
    const past = this.#past.get(id);
    if (past && past.note === note && past.text !== text)
      throw new Violation('I17', `note ${id} changed in place: ${past.text} → ${text}`);
    if (past && note && past.note !== note && past.text === text && endedInStep < 2)
      throw new Violation('I9', `note ${id} is a new object with the same content: ${text}`);
    if (note) this.#past.set(id, { note, text: text! });
    else this.#past.delete(id);
  }

  /** A fresh note has the newest value of each field, and no field that a call with an unknown end may have changed. */
  #checkFresh(call: ReadCall, id: string, names: readonly (typeof FIELDS)[number][]): void {
    const { subject, ambiguous } = this.#world;
    const note = subject.readNote?.(id);
    if (!note || ambiguous.has(id) || this.#oracle.hasLayer(id) || !subject.isFresh(call)) return;
    if (this.#doubtedAt.has(id))
      throw new Violation('F1', `${call.kind} ${id} is fresh after a call that ended unknown`);
    const outdated = this.#oracle.findOutdated(id, { ...note }, names);
    if (outdated)
      throw new Violation(
        'I2',
        `${call.kind} ${id} is fresh with ${outdated} ${String(note[outdated as 'title'])}, newer was said`,
      );
  }

  /** The reads that fetch everything again. */
  refetch(): void {
    if (!this.#world.subject.readNote) return;
    this.#refetched = new Set(this.#oracle.visible({ isBase: true }));
    for (const id of this.#refetched) this.#world.issue({ kind: 'note', id });
  }

  /** After it all notes equal those of the server; a list has fewer fields. */
  checkRefetched(): void {
    const { subject, server } = this.#world;
    for (const id of this.#oracle.visible({ isBase: true })) {
      if (!this.#refetched.has(id)) continue;
      const note = subject.readNote?.(id);
      const truth = server.notes.current(id);
      if (FIELDS.some((name) => note?.[name] !== truth?.[name]))
        throw new Violation(
          'I1',
          `after a refetch note ${id} is ${JSON.stringify(note)}, the server has ${JSON.stringify(truth)}`,
        );
    }
  }
}

const DEFAULTS = { version: 0, title: '', mood: '', text: '' };

export function isNoteWrite(call: WriteCall): call is NoteWrite {
  return call.kind === 'patchNote' || call.kind === 'removeNote';
}

const pick = (ids: readonly string[], fraction: number): string => ids[Math.floor(fraction * ids.length)]!;
