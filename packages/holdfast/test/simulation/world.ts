// Connects server, network, time, oracle and the client under test. It sees every request leave and every response arrive, and
// gives the oracle the meaning of the response. What is right or wrong is in checks.ts; who acts when is in simulate.ts.
import { exchangeKey, isWrite, ModelNetwork, namedRows } from './model-network.ts';
import type { Exchange, Fault } from './model-network.ts';
import { ModelServer } from './model-server.ts';
import type { Filter } from './model-server.ts';
import { arrive } from './arrivals.ts';
import { Jobs } from './jobs.ts';
import { isNoteWrite, Notes } from './notes.ts';
import type { NoteLayer } from './notes-oracle.ts';
import { Oracle } from './oracle.ts';
import type { EntityFact, Fact } from './oracle.ts';
import type { Layer } from './oracle-layers.ts';
import { Requests } from './requests.ts';
import { Surroundings } from './surroundings.ts';
import { createRandom, TraceHash } from './random.ts';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import { isOfThings, manyBody } from './subject.ts';
import type {
  Call,
  CreateSubject,
  Fields,
  ManyWrite,
  JobWrite,
  NoteWrite,
  PlainRead,
  ReadCall,
  Subject,
  WriteCall,
} from './subject.ts';
import { LISTS, readKey } from './reads.ts';
import { States } from './states.ts';
import { Statements } from './statements.ts';
import { Violation } from './violation.ts';
import { VirtualTime } from './virtual-time.ts';

/** Rows that exist on the server from the start. */
const SEED_ITEMS = 3;

/** A row that the user created and the server has not confirmed. */
export interface Draft {
  name: string;
  title: string;
  /** The local id of the client, once it was on screen. */
  localId?: string;
  realId?: string;
  isOver: boolean;
}

export interface Mutation {
  call: WriteCall;
  /** The draft that it creates, or its target. */
  draft: Draft | undefined;
  layer?: Layer;
  /** The further rows, where one request is about many. */
  moreLayers?: readonly Layer[];
  /** The note, where it is about one. */
  noteLayer?: NoteLayer;
  exchange?: Exchange;
  /** The stamp of the first try, if there was one: responses are ordered by it. */
  firstSend?: number;
  /** An earlier try may have arrived. */
  isUncertain?: boolean;
  /** The response of the server once it is done, where that is decided from the start. */
  end?: Fault | undefined;
  isOver: boolean;
}

interface Handed {
  call: Call;
  /** The key of the request that serves it, for a read. */
  key: string | undefined;
  epoch: number;
  state: 'pending' | 'fulfilled' | 'rejected';
  value?: unknown;
}

export class World {
  readonly schedule: Schedule;
  readonly isOptimistic: boolean;
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly server: ModelServer;
  readonly oracle = new Oracle(() => this.time.elapsedMs);
  readonly surroundings = new Surroundings();
  readonly requests = new Requests(this);
  readonly notes = new Notes(this);
  readonly jobs = new Jobs(this);
  readonly statements = new Statements(this);
  readonly states = new States(this);
  /** How often each of the steps about late arrivals had a target. */
  readonly played = new Map<string, number>();
  /**
   * Rows whose shown values the rules leave open, until a later-sent read of the whole row: it is still checked that they are not
   * shown as fresh. Infinity: while a call is in flight.
   */
  readonly #loose = new Map<string, number>();
  /** The same for lists: whether a row is in a list is open until the list is read. */
  readonly #looseMembers = new Map<string, number>();
  /** Messages that were created and have not arrived yet. */
  readonly composed: { readonly id: string; readonly row: unknown }[] = [];
  /** Set when a collection may have removed pages that were not on screen. */
  isFeedUncertain = false;
  /** The polled reads. */
  readonly polls: PlainRead[] = [];
  readonly network: ModelNetwork;
  readonly subject: Subject;
  readonly hash = new TraceHash();
  trace: string[] | undefined;

  readonly drafts: Draft[] = [];
  readonly handed: Handed[] = [];
  /** Promises that resolved in this step, to be compared with the stored data. */
  resolved: Handed[] = [];
  mutations: Mutation[] = [];
  /** Everything that the client received or requested since the last reset. */
  readonly knownItems = new Set<string>();
  readonly gets = new Set<string>();
  readonly users = new Set<string>();
  /** The lists that readers may show: those of other shapes from their first use on. */
  readonly lists: Filter[] = [...LISTS];
  /** Items of which the client received all fields, not only the summary of a list. */
  readonly detailed = new Set<string>();
  readonly deletedForGood = new Set<string>();
  /** The sends of the reads that found rows gone. */
  readonly goneByRead = new Map<string, number>();
  readonly createdAcknowledged = new Set<string>();
  /** Rows that changed in a way no client can know of: exempt from "fresh equals server". */
  readonly tainted = new Set<string>();
  /** Rows about which the rules leave a choice (a 404 to a write). */
  readonly ambiguous = new Set<string>();
  /** The fields of each row that mutations of this client have sent lately, with their acknowledgement. */
  readonly acknowledged = new Map<string, Map<string, { at: number; ms: number }>>();
  /** Stamp of the last invalidation per read, until the response to a later-sent read arrives. */
  readonly invalidatedAt = new Map<string, number>();
  /** Reads that got a response since the last reset. */
  readonly answered = new Set<string>();
  /** The same, never cleared: an older request stays too old to join. */
  readonly lastInvalidatedAt = new Map<string, number>();
  /** Since when a fetch must not join an older request. */
  freshSince = 0;
  /** Since when it need not join one: a refused write or a local one may count as news. */
  mayBeFreshSince = 0;
  /** Calls that were pending when the store was reset, and that the reset has to reject. */
  orphans: Handed[] = [];
  /** Requests given up in this step: with two, a value may change and change back. */
  endedInStep = 0;
  /** Rows of the writes whose responses arrived in this step, and when those were sent. */
  writtenInStep: { id: string; send: number }[] = [];
  /** A write that no user made; reported at the end of the step. */
  unexpected: string | undefined;
  epoch = 0;
  stamp = 0;
  /** When the network was last away, or the page hidden. */
  awayUntilMs = -Infinity;

  constructor(schedule: Schedule, createSubject: CreateSubject, isOptimistic: boolean) {
    this.schedule = schedule;
    this.isOptimistic = isOptimistic;
    this.random = createRandom(schedule.seed ^ 0x9e3779b9);
    this.server = new ModelServer(schedule.itemCount ?? SEED_ITEMS);
    this.network = new ModelNetwork({
      server: this.server,
      stampSend: () => ({
        send: ++this.stamp,
        epoch: this.epoch,
        beside: this.endedInStep > 1 ? this.writtenInStep.map(({ id }) => id) : [],
      }),
      onSend: (exchange) => this.#onSend(exchange),
      onEnd: (exchange) => this.#onEnd(exchange),
      chance: () => this.random.chance(0.5),
    });
    this.network.isDeaf = schedule.isDeaf;
    const subjectRandom = createRandom(schedule.seed ^ 0x51ed270b);
    this.subject = createSubject({
      fetch: this.network.fetch,
      clock: this.time.clock,
      timers: this.time.timers,
      random: () => subjectRandom.next(),
      isOptimistic,
      surroundings: this.surroundings,
      hasRetries: schedule.hasRetries ?? false,
      lifeMs: schedule.lifeMs,
      errorMs: schedule.errorMs,
      keepMs: schedule.keepMs,
    });
  }

  note(text: string): void {
    this.hash.add(text);
    this.trace?.push(text);
  }

  /** A step about late arrivals had a target. */
  play(step: string): void {
    this.played.set(step, (this.played.get(step) ?? 0) + 1);
  }

  /** True when expiry times are checked: only where time passes. */
  get hasAges(): boolean {
    return (
      this.schedule.itemCount !== undefined && this.schedule.lifeMs !== undefined && !!this.subject.hasShapes
    );
  }

  /** The shown row is open until a read that was sent after this place in the order. */
  loosen(id: string, stamp: number): void {
    for (const book of [this.#loose, this.#looseMembers]) book.set(id, Math.max(stamp, book.get(id) ?? 0));
  }

  /** True when the rules leave the shown row open. */
  isOpen(id: string): boolean {
    return this.ambiguous.has(id) || this.#loose.has(id);
  }

  /** True when the rules leave open whether it is in a list that was requested at this place in the order. */
  isOpenIn(id: string, listSend: number): boolean {
    return this.ambiguous.has(id) || (this.#looseMembers.get(id) ?? 0) > listSend;
  }

  /** True when a call about the row is in flight. */
  isWriting(table: EntityFact['table'], id: string): boolean {
    return this.mutations.some(({ call, draft }) => {
      if ((call.kind === 'rename' ? 'users' : 'items') !== table) return false;
      return 'ids' in call ? call.ids.includes(id) : (draft?.realId ?? ('id' in call ? call.id : '')) === id;
    });
  }

  /** Messages about rows, of any kind. */
  record(fact: Fact & { kind: 'read' | 'write' }, by: 'read' | 'write' | 'message', atMs?: number): void {
    this.oracle.record(fact);
    this.statements.hear(fact, by, atMs);
    if (fact.kind !== 'read') return;
    for (const { table, id, fields } of fact.entities)
      if (fact.send > (this.#loose.get(id) ?? Infinity) && (table === 'users' || 'body' in fields))
        this.#loose.delete(id);
  }

  /** A call about a row that was never read: what is shown of the row before it is read is the choice of the client. */
  writeUnread(call: WriteCall & { id: string }, end: Fault | undefined): void {
    if (call.kind === 'rename') this.users.add(call.id);
    else this.knownItems.add(call.id);
    this.loosen(call.id, Infinity);
    if (end !== undefined) this.play(end);
    this.issue(call, undefined, end);
  }

  /** A fetch by the user. Its promise is observed until it settles. */
  issue(call: Call, draft?: Draft, end?: Fault): void {
    this.note(`call ${JSON.stringify(call)}`);
    const key = isRead(call) ? readKey(call) : undefined;
    if (call.kind === 'list') this.use(call.filter);
    if (key !== undefined) this.requests.wish(key);
    if (!isRead(call)) this.#begin(call, draft, end);
    if (call.kind === 'get') {
      this.gets.add(call.id);
      this.knownItems.add(call.id);
    }
    if (call.kind === 'user') this.users.add(call.id);
    const handed: Handed = { call, key, epoch: this.epoch, state: 'pending' };
    this.handed.push(handed);
    const promise = this.subject.fetch(call);
    promise.then(
      (value) => this.#settle(handed, 'fulfilled', value),
      (error: unknown) => this.#settle(handed, 'rejected', error),
    );
  }

  /** From now on this list has a reader. */
  use(filter: Filter): void {
    if (!('cursor' in filter) && !this.lists.includes(filter)) this.lists.push(filter);
  }

  setRow(id: string, fields: Readonly<Record<string, string>>): void {
    this.note(`set ${id} ${JSON.stringify(fields)}`);
    const at = ++this.stamp;
    this.mayBeFreshSince = at;
    this.tainted.add(id);
    const entities = this.#withoutOwn([{ table: 'items', id, fields }]);
    this.record({ kind: 'write', send: at, at, entities, main: id }, 'message');
    this.subject.set(id, fields);
  }

  /** A message about a row: a write that is sent and acknowledged at this moment. */
  pushRow(id: string, composed?: unknown): void {
    if (composed === undefined && !this.server.items.has(id)) return;
    this.note(`push ${id}`);
    const row = composed ?? this.sayRow(id);
    const at = ++this.stamp;
    this.mayBeFreshSince = at;
    this.tainted.add(id);
    const { id: key, owner, ...fields } = row as { id: string; owner: { id: string; name: string } }; // cast: own server
    this.users.add(owner.id);
    this.tainted.add(owner.id);
    const entities: EntityFact[] = [
      { table: 'users', id: owner.id, fields: { name: owner.name } },
      { table: 'items', id: key, fields: { ...fields, owner: owner.id } },
    ];
    this.detailed.add(id);
    this.record({ kind: 'write', send: at, at, entities: this.#withoutOwn(entities), main: id }, 'message');
    this.invalidatedAt.delete(readKey({ kind: 'get', id }));
    this.subject.push(id, row);
  }

  /** A row as the server would send it now. */
  sayRow(id: string): unknown {
    return this.server.answer({ method: 'GET', path: `/items/${id}`, query: {}, body: undefined }).value;
  }

  /** A message is created now, and arrives later. */
  compose(id: string): void {
    this.note(`compose ${id}`);
    this.composed.push({ id, row: this.sayRow(id) });
  }

  /**
   * A message does not change fields that mutations of this client have sent: in flight, or acknowledged lately and not read
   * since.
   */
  #withoutOwn(entities: readonly EntityFact[]): EntityFact[] {
    const now = this.time.clock.now();
    return entities.map((entity) => {
      const { table, id, fields } = entity;
      // a row that is not stored takes the whole message
      if (!this.oracle.view(false)[table].has(id)) return entity;
      const isAbout = ({ call, draft }: Mutation): boolean =>
        (call.kind === 'rename' ? 'users' : 'items') === table &&
        ('ids' in call ? call.ids.includes(id) : (draft?.realId ?? ('id' in call ? call.id : '')) === id);
      const flying = this.mutations
        .filter(isAbout)
        .flatMap(({ call }) => Object.keys('body' in call ? call.body : {}));
      const isOwn = (name: string): boolean => {
        const own = this.acknowledged.get(`${table} ${id}`)?.get(name);
        return flying.includes(name) || (own !== undefined && own.ms <= now && now - own.ms <= 10_000);
      };
      return {
        ...entity,
        fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !isOwn(name))),
      };
    });
  }

  reset(): void {
    this.note('reset');
    this.epoch++;
    this.isFeedUncertain = false;
    this.stamp++;
    this.oracle.reset();
    this.notes.reset();
    this.statements.reset();
    this.states.reset();
    this.#loose.clear();
    this.#looseMembers.clear();
    this.composed.length = 0;
    for (const draft of this.drafts) {
      draft.isOver = true;
      delete draft.localId;
    }
    for (const mutation of this.mutations) mutation.isOver = true;
    this.mutations = [];
    for (const book of [
      this.knownItems,
      this.gets,
      this.users,
      this.detailed,
      this.ambiguous,
      this.createdAcknowledged,
      this.answered,
    ])
      book.clear();
    this.invalidatedAt.clear();
    this.acknowledged.clear();
    this.freshSince = this.stamp;
    this.requests.wishAll();
    this.orphans = this.handed.filter((handed) => handed.state === 'pending');
    this.network.decideAll();
    this.subject.reset();
  }

  /** Marks a read as invalid now; every request for it that is in flight is too old to end that. */
  markInvalid(call: ReadCall): void {
    this.requests.wish(readKey(call));
    this.invalidatedAt.set(readKey(call), ++this.stamp);
    this.lastInvalidatedAt.set(readKey(call), this.stamp);
  }

  goOnline(isOnline: boolean): void {
    this.note(isOnline ? 'online' : 'offline');
    this.network.online = isOnline;
    this.awayUntilMs = this.time.elapsedMs;
    this.surroundings.online.turn(isOnline);
  }

  /** Starts a poll, or ends the poll at this position. */
  poll(call: PlainRead): void {
    if (!this.subject.poll) return;
    this.note(`poll ${readKey(call)}`);
    this.polls.push(call);
    this.requests.poll(readKey(call));
    this.subject.poll(call);
  }

  unpoll(at: number): void {
    const [call] = this.polls.splice(at, 1);
    if (!call) return;
    this.note(`unpoll ${readKey(call)}`);
    this.requests.unpoll(readKey(call));
    this.subject.unpoll?.(call);
  }

  deliver(exchange: Exchange): void {
    this.note(`deliver ${exchange.number} ${exchange.fault ?? ''}`);
    if (isWrite(exchange))
      for (const id of namedRows(exchange)) this.writtenInStep.push({ id, send: exchange.send });
    if (!exchange.ended && exchange.epoch === this.epoch) arrive(this, exchange);
    this.network.deliver(exchange);
  }

  #begin(call: WriteCall, draft: Draft | undefined, end: Fault | undefined): void {
    const mutation: Mutation = { call, draft, end, isOver: false };
    if (call.kind === 'create') {
      mutation.draft = { name: `draft ${this.drafts.length + 1}`, title: call.body['title']!, isOver: false };
      this.drafts.push(mutation.draft);
    } else if (call.kind === 'remove' && draft && !draft.isOver) {
      // an edit of a draft that is deleted before it was sent is never sent
      for (const other of this.mutations) {
        if (other.draft === draft && other.call.kind !== 'create' && !other.exchange) this.finish(other);
      }
    }
    this.mutations.push(mutation);
    const target = mutation.draft;
    if (!this.isOptimistic || call.kind === 'createThing' || call.kind === 'close' || isJobWrite(call))
      return;
    if (isNoteWrite(call)) {
      mutation.noteLayer = this.notes.begin(call);
      return;
    }
    if (call.kind === 'patchMany' || call.kind === 'removeMany') {
      const layers = call.ids.map((one): Layer =>
        call.kind === 'removeMany'
          ? { kind: 'remove', id: () => one }
          : { kind: 'patch', id: () => one, fields: call.body },
      );
      mutation.moreLayers = layers;
      for (const layer of layers) this.oracle.addLayer(layer);
      return;
    }
    const id = (): string => target?.realId ?? target?.name ?? (call.kind === 'create' ? '' : call.id);
    const layer = layerOf(call, id);
    mutation.layer = layer;
    this.oracle.addLayer(layer);
  }

  finish(mutation: Mutation): void {
    mutation.isOver = true;
    const { call } = mutation;
    if ('id' in call)
      for (const book of [this.#loose, this.#looseMembers])
        if (book.get(call.id) === Infinity) book.set(call.id, this.stamp);
    if (mutation.layer) this.oracle.removeLayer(mutation.layer);
    if (mutation.noteLayer) this.notes.finish(mutation.noteLayer);
    for (const layer of mutation.moreLayers ?? []) this.oracle.removeLayer(layer);
    this.mutations = this.mutations.filter((other) => other !== mutation);
  }

  #settle(handed: Handed, state: 'fulfilled' | 'rejected', value: unknown): void {
    const text = state === 'fulfilled' ? 'ok' : String((value as Error | undefined)?.name);
    this.note(`settled ${handed.call.kind} ${text}`);
    if (handed.state !== 'pending') throw new Violation('I12', 'a promise settled twice');
    handed.state = state;
    handed.value = value;
    if (state === 'fulfilled') this.resolved.push(handed);
  }

  #onSend(exchange: Exchange): void {
    this.note(`send ${exchange.number} ${exchangeKey(exchange)} ${JSON.stringify(exchange.body)}`);
    if (!isWrite(exchange)) {
      this.requests.onSend(exchange);
      return;
    }
    const id = exchange.path.split('/')[2];
    const mutation = this.mutations.find((other) => {
      const { call } = other;
      if (other.exchange || METHODS[call.kind] !== exchange.method) return false;
      if (exchange.path.endsWith('/vote') !== (call.kind === 'vote')) return false;
      if (exchange.path.endsWith('/close') !== (call.kind === 'close')) return false;
      const body = exchange.body as Fields | undefined; // cast: bodies are made by the simulator
      if (exchange.path.startsWith('/things') !== isOfThings(call)) return false;
      if (call.kind === 'create' || call.kind === 'createThing' || call.kind === 'createJob')
        return call.body['title'] === body?.['title'];
      if (call.kind === 'patchMany' || call.kind === 'removeMany')
        return JSON.stringify(manyBody(call)) === JSON.stringify(body);
      if ((other.draft?.realId ?? call.id) !== id) return false;
      return !('body' in call) || JSON.stringify(call.body) === JSON.stringify(body);
    });
    if (mutation) {
      mutation.exchange = exchange;
      exchange.send = mutation.firstSend ?? exchange.send;
    } else this.unexpected = `${exchange.method} ${exchange.path} ${JSON.stringify(exchange.body)}`;
  }

  /** The client gave up a request: by its time limit, or because of a reset. */
  #onEnd(exchange: Exchange): void {
    this.note(`gave up ${exchange.number}`);
    this.endedInStep++;
    if (!isWrite(exchange)) this.requests.giveUp(exchange);
    if (exchange.epoch !== this.epoch || !isWrite(exchange) || this.repeats(exchange, true)) return;
    this.fail(exchange, true);
  }

  /** True when the client will send this once more: then the call continues. `isPassing`: a failure that may be temporary. */
  repeats(exchange: Exchange, isPassing: boolean): boolean {
    const mutation = this.mutations.find((other) => other.exchange === exchange);
    const isSafe = exchange.method === 'PUT' || exchange.method === 'DELETE';
    if (!mutation || !this.schedule.hasRetries || !isSafe || !isPassing || mutation.firstSend !== undefined)
      return false;
    mutation.firstSend = exchange.send;
    mutation.isUncertain = exchange.handledByServer;
    delete mutation.exchange;
    return true;
  }

  /** Whether a call waits to be sent once more. */
  get isRepeating(): boolean {
    return this.mutations.some(({ firstSend, exchange }) => firstSend !== undefined && !exchange);
  }

  /** A write was acknowledged, or ended unknown: earlier reads of its rows are outdated. */
  endWrite(exchange: Exchange, at: number, created?: string): void {
    this.requests.stir();
    const table = exchange.path.startsWith('/users') ? 'users' : 'items';
    const sent = [exchange.body as Fields | undefined].flat().flatMap((one) => Object.keys(one ?? {})); // cast: own bodies
    // a message about a row that is being created is newer than the creation
    if (created !== undefined) this.statements.end(table, created, at, []);
    else for (const id of namedRows(exchange)) this.statements.end(table, id, at, sent);
  }

  /** A write that failed, or (`isUnknown`) whose effect is unknown. */
  fail(exchange: Exchange, isUnknown: boolean): void {
    const mutation = this.mutations.find((other) => other.exchange === exchange);
    this.mayBeFreshSince = ++this.stamp;
    const isDoubted = isUnknown || mutation?.isUncertain === true;
    if (isDoubted) this.freshSince = this.stamp;
    if (isDoubted) this.requests.wishAll();
    if (isDoubted) this.endWrite(exchange, this.stamp);
    if (isDoubted && !exchange.path.startsWith('/users'))
      for (const id of namedRows(exchange))
        if (this.oracle.view(false).items.has(id)) this.oracle.doubted.set(id, this.stamp);
    if (!mutation) return;
    this.finish(mutation);
    if (isDoubted && isNoteWrite(mutation.call)) this.notes.doubt(mutation.call.id);
    if (mutation.call.kind !== 'create') return;
    const draft = mutation.draft!;
    draft.isOver = true;
    for (const other of this.mutations) if (other.draft === draft) this.finish(other);
  }
}

/** The optimistic update of a call about one row. */
function layerOf(
  call: Exclude<WriteCall, ManyWrite | NoteWrite | JobWrite | { kind: 'createThing' | 'close' }>,
  id: () => string,
): Layer {
  if (call.kind === 'vote') return { kind: 'vote', id };
  if (call.kind === 'remove' || call.kind === 'removeThing') return { kind: 'remove', id };
  const { kind: _kind, ...fields } = call.body;
  return { kind: call.kind === 'create' || call.kind === 'rename' ? call.kind : 'patch', id, fields };
}

const isJobWrite = (call: WriteCall): call is JobWrite => call.kind.endsWith('Job');

function isRead(call: Call): call is ReadCall {
  return READS.has(call.kind);
}

const READS: ReadonlySet<string> = new Set<ReadCall['kind']>([
  'get',
  'list',
  'user',
  'note',
  'notes',
  'jobs',
]);

const METHODS = {
  createJob: 'POST',
  patchJob: 'PATCH',
  removeJob: 'DELETE',
  patchNote: 'PATCH',
  removeNote: 'DELETE',
  create: 'POST',
  patch: 'PATCH',
  put: 'PUT',
  remove: 'DELETE',
  rename: 'PATCH',
  vote: 'POST',
  close: 'POST',
  move: 'PATCH',
  patchMany: 'PATCH',
  removeMany: 'DELETE',
  createThing: 'POST',
  patchThing: 'PATCH',
  removeThing: 'DELETE',
};
