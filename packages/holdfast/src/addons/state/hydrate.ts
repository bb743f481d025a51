// Takes a saved state in. It counts as a read that was sent before anything that this engine did: it fills what is not there, and
// replaces only what an older state brought, or what has a lower version. What was written here is judged anew for its lists; where
// the store cannot tell whether something was written, the part is stale. A state of another version is left alone as a whole; of a damaged one the parts that are
// as they were written are taken, and what misses one of the others is stale. Members of a state are written as texts: the
// build shortens members of these names, and no text.
import type { Controller } from '../../controller/controller.ts';
import { CORE } from '../../controller/state/core.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, ListIdentity, List, Row, Segment, Slot, Table } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { withItem, withoutItem } from '../../store/graph.ts';
import type { Stamp } from '../../store/stamp.ts';
import { NEVER } from '../../store/stamp.ts';
import { joinSegments, placeOf } from '../../store/list-members.ts';
import type { DehydratedList, DehydratedRow, DehydratedSlot } from './dehydrate.ts';
import { noteVersions, STATE_VERSION, versionFields } from './dehydrate.ts';
import type { Engine } from '../../normalize/engine.ts';
import { changesIn, judgeSaved } from './saved-lists.ts';
import { markStaleNow, isOpenTo, mergeSaved, showSaved } from './saved-rows.ts';
import { readSound } from './sums.ts';
import type { SoundParts } from './sums.ts';
import { decode } from './stored-json.ts';
import type { References } from './stored-json.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { isRecord, leavesIn } from '../../support/plain.ts';

/**
 * Takes a saved state in, an object or its JSON text. It counts as read before anything that this controller did: it fills what
 * is not there and replaces only what an older state brought, or what has a lower version. A state of another version is
 * dropped with one warning, and so are the damaged parts of one.
 *
 * @example hydrate(controller, localStorage.getItem('state'));
 */
export function hydrate(controller: Controller, state: unknown): void {
  if (state === null || state === undefined) return;
  const core = controller[CORE];
  hydrateEngine(core.engine, state, core.environment.clock.now());
  core.emit({ type: 'set' });
}

/**
 * Takes a state in, an object or its JSON text; nothing and a warning when it cannot be read. Failures in it stand for `errorMs`
 * from `now` on, if that is later than they say.
 */
export function hydrateEngine(engine: Engine, given: unknown, now: number, errorMs: number = -now): void {
  const state = typeof given === 'string' ? parseState(given) : given;
  if (!isRecord(state)) return refuseState(engine, 'it is no state');
  if (state['version'] !== STATE_VERSION)
    return refuseState(engine, `it is of another version than ${STATE_VERSION}`);
  const parts = readSound(state);
  const { length } = parts.lost;
  if (length > 0) {
    const names = [...new Set(parts.lost)].join(', ');
    engine.warn('STATE_DAMAGED', names, { count: length, what: names });
  }
  engine.store.batch(() => new Hydration(engine, parts, now + errorMs).run(state['last'], now));
}

function refuseState(engine: Engine, reason: string): void {
  engine.warn('STATE_UNREADABLE', reason, { reason });
}

function parseState(text: string): unknown {
  try {
    return JSON.parse(text) as unknown; // cast: that is what JSON is
  } catch {
    return undefined;
  }
}

/** Parts in their own form. Cast: their sums say that they are what was written. */
const asRow = (part: unknown): DehydratedRow => part as DehydratedRow;
const asList = (part: unknown): DehydratedList => part as DehydratedList;
const asSlot = (part: unknown): DehydratedSlot => part as DehydratedSlot;

class Hydration {
  readonly #engine: Engine;
  readonly #parts: SoundParts;
  readonly #stamps: Stamp[] = [];
  readonly #identities = new Map<string, ListIdentity>();
  readonly #references: References;
  readonly #errorsUntil: number;
  /** What this state says of rows. */
  readonly #rows = new Map<Row, { readonly saved: DehydratedRow; readonly fields: Fields | null }>();
  /** What has happened here to rows that the state knows nothing of, by the table of their lists. */
  readonly #changes = new Map<Table, ReturnType<typeof changesIn>>();
  /** By how much the clock of those who made the state is ahead: its data is fresh for no longer than there. */
  #aheadMs = 0;
  /** Whether something that was written is not here. */
  #isTorn: boolean;
  /** Whether the form that was decoded last refers to a list that is nowhere. */
  #lacksList = false;

  constructor(engine: Engine, parts: SoundParts, errorsUntil: number) {
    this.#engine = engine;
    this.#parts = parts;
    this.#errorsUntil = errorsUntil;
    this.#isTorn = parts.lost.length > 0;
    const { store } = engine;
    this.#references = {
      row: (table, pk) => store.row(store.table(String(table)), String(pk)),
      list: (name, id) => {
        const table = store.table(String(name));
        const identity = this.#identities.get(`${table.key} ${String(id)}`);
        // an earlier state may have brought it
        const list = identity ? store.list(table, identity) : table.lists.get(String(id));
        this.#lacksList ||= !list;
        return list;
      },
    };
  }

  run(last: unknown, now: number): void {
    const { store } = this.#engine;
    const { tables, slots } = this.#parts;
    const madeAt = this.#isTorn ? this.#latest() : Number(last);
    this.#stamps.length = 0;
    // less than a millisecond is the order of stamps
    this.#aheadMs = Math.max(0, Math.floor(madeAt - now)) || 0;
    store.timeline.tick(madeAt);
    for (const table of tables) {
      const field = table['versionBy'];
      if (typeof field === 'string') versionFields.set(store.table(table.key), field);
      for (const { 'identity': saved } of table['lists'].map(asList)) {
        this.#identities.set(`${table.key} ${saved.id}`, {
          id: saved.id,
          key: saved.key && new Map(saved.key),
          filterNames: saved['filterNames'],
          followsFields: saved['followsFields'],
          isServers: saved['isServers'],
          isKeyed: saved['isKeyed'],
        });
      }
    }
    noteVersions(this.#engine);
    for (const table of tables) {
      for (const saved of table['rows'].map(asRow)) {
        const fields = this.#decode(saved['fields']) as Fields | null; // cast: that is what was written
        if (this.#lacksList) this.#isTorn = true;
        else this.#rows.set(store.row(store.table(table.key), saved.pk), { saved, fields });
      }
    }
    for (const [row, { saved, fields }] of this.#rows) this.#fillRow(row, saved, fields);
    for (const table of tables) {
      for (const list of table['lists'].map(asList))
        this.#fillList(this.#references.list(table.key, list['identity'].id)!, list); // its identity is known
    }
    for (const slot of slots) this.#fillSlot(asSlot(slot));
  }

  /** The latest time that a part names: what the state itself says may be damaged. */
  #latest(): number {
    const { tables, slots } = this.#parts;
    const segments = tables.flatMap((table) => table['lists'].flatMap((list) => asList(list)['segments']));
    const parts = [...tables.flatMap((table) => table['rows'].map(asRow)), ...segments, ...slots.map(asSlot)];
    return parts.reduce((latest, part) => Math.max(latest, this.#stamp(part['stamp']).date), 0);
  }

  #decode(saved: unknown): unknown {
    this.#lacksList = false;
    return decode(saved, this.#references);
  }

  /** Whether a row that a stored form refers to is lost: without it the form is stale. */
  #misses(stored: unknown): boolean {
    return (
      this.#isTorn &&
      leavesIn(stored).some((leaf) => {
        const row = rowOf(leaf);
        return row !== undefined && row.base === undefined && !this.#rows.has(row);
      })
    );
  }

  #stamp(at: number): Stamp {
    const saved = this.#parts.stamps[at];
    return saved === undefined
      ? NEVER
      : (this.#stamps[at] ??= readStamp(decode(saved, this.#references), this.#aheadMs));
  }

  #fillRow(row: Row, saved: DehydratedRow, fields: Fields | null): void {
    const { store } = this.#engine;
    const stamp = this.#stamp(saved['stamp']);
    const { base, table } = row;
    const isOpen = isOpenTo(stamp, row.stamp);
    // deleted here: that is newer
    if (base === null && !isOpen) return;
    const localId = saved['localId'];
    // the row may have been written before it came, or have been forgotten since
    const isUntold = base === undefined && row.stamp.fence + table.staleAt > 0;
    if (isUntold || (isOpen && (saved['isStale'] === true || this.#misses(fields)))) markStaleNow(store, row);
    if (isOpen) {
      const deletedAt = saved['deletedAt'] ?? 0;
      // deleted and created again since: nothing of what is here is left
      if (deletedAt > row.stamp.date) row.base = undefined;
      if (deletedAt !== row.deletedAt) row.deletedAt = deletedAt;
      if (localId !== undefined && localId !== row.pk) {
        row.localId = localId;
        table.aliases.set(localId, row);
      }
    }
    if (fields) mergeSaved(this.#engine, row, fields, stamp);
    else if (isOpen) {
      row.stamp = stamp;
      row.fieldStamps = null;
      showSaved(store, row, null);
    }
  }

  #fillList(list: List, saved: DehydratedList): void {
    const { store } = this.#engine;
    const segments = saved['segments'].map((segment, at) => ({
      cursor: segment['cursor'],
      place: placeOf(segment['cursor'], at),
      stamp: this.#stamp(segment['stamp']),
      members: this.#decode(segment['members']) as readonly unknown[], // cast: that is what was written
    }));
    if (list.exists && !isLaterList(segments, list.segments)) return;
    list.isByServer = saved['isByServer'] === true;
    list.unloaded = saved['unloaded'] ?? '';
    list.restCount = typeof saved['restCount'] === 'number' ? saved['restCount'] : undefined;
    list.isUnread = list.restCount !== undefined;
    const changes = ensure(this.#changes, list.table, () => changesIn(list.table, this.#rows));
    const isOutdated = judgeSaved(list, segments, changes);
    const base = joinSegments(segments);
    for (const row of rowsIn(list)) row.holders = withoutItem(row.holders, list);
    list.segments = segments;
    if (!isEqual(base, list.base)) list.base = base;
    for (const row of rowsIn(list)) row.holders = withItem(row.holders, list);
    store.show(list);
    store.reapplyLayersOf(list);
    store.establish(list);
    // what a lost answer said beside its list is not found by arguments
    const isStale = this.#parts.lacksResponses || saved['isStale'] === true || this.#misses(base);
    if (isStale || isOutdated) markStaleNow(store, list);
  }

  #fillSlot(saved: DehydratedSlot): void {
    const { store } = this.#engine;
    const slot = store.slot(saved.key);
    if (slot.keyPatterns.length === 0) slot.keyPatterns = saved['keyPatterns'] ?? [];
    const stamp = this.#stamp(saved['stamp']);
    const errorStamp = this.#stamp(saved['errorStamp'] ?? -1);
    const present = slot.error === undefined ? slot.stamp : slot.errorStamp;
    const incoming = saved.error === undefined ? stamp : errorStamp;
    if ((slot.hasResult || slot.error !== undefined) && !isOpenTo(incoming, present)) return;
    const stored = this.#decode(saved['stored']);
    if (Object.hasOwn(saved, 'stored') && !this.#lacksList) {
      if (!slot.hasResult || !isEqual(slot.stored, stored)) slot.stored = stored;
      slot.hasResult = true;
      slot.stamp = stamp;
    }
    const error = decode(saved.error, this.#references);
    slot.error = error instanceof Error ? error : undefined;
    if (slot.error) {
      const expiresAt = Math.max(errorStamp.expiresAt, this.#errorsUntil);
      slot.errorStamp = { ...errorStamp, expiresAt };
    }
    const aged = [...store.aged].filter(([of]) => isMeant(slot, of)).map(([, type]) => type);
    if (saved['isInvalidated'] === true || aged.includes('invalidate'))
      slot.invalidatedAt = store.timeline.tick();
    if (saved['isStale'] === true || aged.includes('expire') || this.#misses(stored))
      slot.staleSince = store.timeline.tick();
    store.mark(slot);
  }
}

function isLaterList(incoming: readonly Segment[], present: readonly Segment[]): boolean {
  const newest = incoming.reduce(
    (stamp, segment) => (segment.stamp.date > stamp.date ? segment.stamp : stamp),
    NEVER,
  );
  return present.every(({ stamp }) => isOpenTo(newest, stamp));
}

/** Whether a slot is among those of a pattern, or of what tests keys; '' means all. */
function isMeant({ key, keyPatterns }: Slot, of: string | object): boolean {
  if (typeof of === 'string') return of === '' || keyPatterns.includes(of);
  const { testKey } = of as { testKey?(tested: string): boolean }; // cast: asking is the check
  return tryRun(() => testKey?.call(of, key)) !== false;
}

function rowsIn(list: List): Row[] {
  return list.base.flatMap((member) => rowOf(member) ?? []);
}

/** Times for expiry; nothing to order by: any answer to this engine's own requests is newer. */
function readStamp(saved: unknown, aheadMs: number): Stamp {
  const time = (name: string): number => Number((isRecord(saved) && saved[name]) || 0);
  return {
    fence: 0,
    writeSent: 0,
    fetchedAt: time('fetchedAt'),
    date: time('date'),
    expiresAt: time('expiresAt') - aheadMs,
    // stamps of one millisecond are told apart by less than one
    storedAt: time('date') - aheadMs - 1,
  };
}
