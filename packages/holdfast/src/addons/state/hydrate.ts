// Applies a saved state to the store. A state counts as a read that was sent before all reads and writes of this engine: it adds
// missing data, and replaces only data of an older state or of a lower version. Rows that this engine has changed are placed again
// in the lists of the state. If the store cannot decide about a list, the list is stale. A state of another format version is
// ignored. Of a damaged state, the parts with a correct checksum are used, and data that refers to a lost row is stale. As in
// dehydrate.ts, a property name that the build would shorten is quoted.
import type { Controller } from '../../controller/controller.ts';
import { CORE } from '../../controller/state/core.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, ListIdentity, ListRule, List, Row, Segment, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { rowOf } from '../../store/stored-form.ts';
import { addItem, removeItem } from '../../store/graph.ts';
import type { Stamp } from '../../store/order.ts';
import { isAfter, mayRestore, NO_STAMP } from '../../store/order.ts';
import type { Store } from '../../store/store.ts';
import { unionParts } from '../../store/union-name.ts';
import { joinSegments, pageSortKey } from '../../store/list-members.ts';
import type { DehydratedList, DehydratedRow, DehydratedSlot } from './dehydrate.ts';
import { noteVersions, STATE_VERSION, versionFields } from './dehydrate.ts';
import type { Engine } from '../../normalize/engine.ts';
import { changesInStore, placeChangedRows } from './saved-lists.ts';
import { noteCoverage, withCommonNames } from './saved-coverage.ts';
import { markStaleNow, mergeSaved, setSavedBase } from './saved-rows.ts';
import { readIntactParts } from './sums.ts';
import type { IntactParts } from './sums.ts';
import { decode } from './stored-json.ts';
import type { References } from './stored-json.ts';
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { warnOnce } from '../../support/errors.ts';
import { isRecord, someLeaf } from '../../support/plain.ts';

/**
 * Applies a saved state, which is an object or a JSON string. The state counts as older than all data that this controller has read
 * or written: it adds missing data, and replaces only data of an older state or of a lower version. A state of another format
 * version is ignored with a warning, and so are damaged parts of a state.
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
 * Applies a state, which is an object or a JSON string. If the state cannot be read, only a warning is printed. A request's error
 * in the state is shown until it expires, and at least until `now + errorMs`. By default, only the expiry of the error counts.
 */
export function hydrateEngine(engine: Engine, given: unknown, now: number, errorMs: number = -now): void {
  const state = typeof given === 'string' ? parseState(given) : given;
  if (!isRecord(state)) return refuseState(engine, 'it is no state');
  if (state['version'] !== STATE_VERSION)
    return refuseState(engine, `it is of another version than ${STATE_VERSION}`);
  const parts = readIntactParts(state);
  const { length } = parts.damagedPlaces;
  if (length > 0) {
    const names = [...new Set(parts.damagedPlaces)].join(', ');
    warnOnce(engine, 'STATE_DAMAGED', names, { count: length, what: names });
  }
  engine.store.batch(() => new Hydration(engine, parts, now + errorMs).run(state['last'], now));
}

function refuseState(engine: Engine, reason: string): void {
  warnOnce(engine, 'STATE_UNREADABLE', reason, { reason });
}

function parseState(text: string): unknown {
  try {
    return JSON.parse(text) as unknown; // cast: JSON.parse returns any
  } catch {
    return undefined;
  }
}

/** Casts parts to their types. A correct checksum proves that a part is as `dehydrate` wrote it. */
const asRow = (part: unknown): DehydratedRow => part as DehydratedRow;
const asList = (part: unknown): DehydratedList => part as DehydratedList;
const asSlot = (part: unknown): DehydratedSlot => part as DehydratedSlot;

class Hydration {
  readonly #engine: Engine;
  readonly #parts: IntactParts;
  readonly #stamps: Stamp[] = [];
  readonly #identities = new Map<string, ListIdentity>();
  readonly #references: References;
  readonly #errorsUntil: number;
  /** The rows of this state, with their decoded fields. A row that refers to a list that does not exist is left out. */
  readonly #rows = new Map<Row, { readonly saved: DehydratedRow; readonly fields: Fields | null }>();
  /** By the table of a list, the rows that this engine has changed. These changes count as later than the state. */
  readonly #changes = new Map<Table, ReturnType<typeof changesInStore>>();
  /**
   * How far the clock that made the state is ahead of this clock. The difference is subtracted from expiry times, so that data is
   * not fresh for longer.
   */
  #aheadMs = 0;
  /** Whether parts of the state could not be read. */
  #isIncomplete: boolean;
  /** Whether the stored form that was last decoded refers to a list that does not exist. */
  #lacksList = false;

  constructor(engine: Engine, parts: IntactParts, errorsUntil: number) {
    this.#engine = engine;
    this.#parts = parts;
    this.#errorsUntil = errorsUntil;
    this.#isIncomplete = parts.damagedPlaces.length > 0;
    const { store } = engine;
    this.#references = {
      row: (table, pk) => store.row(tableNamed(store, table), String(pk)),
      list: (name, id) => {
        const table = tableNamed(store, name);
        const identity = this.#identities.get(`${table.key} ${String(id)}`);
        // If a list is not in this state, the store may have it already.
        const list = identity ? store.list(table, identity) : table.lists.get(String(id));
        this.#lacksList ||= !list;
        return list;
      },
    };
  }

  run(last: unknown, now: number): void {
    const { store } = this.#engine;
    const { tables, slots } = this.#parts;
    const madeAt = this.#isIncomplete ? this.#latestTime() : Number(last);
    this.#stamps.length = 0;
    // Fractions of a millisecond only put times of one millisecond in order. They are not a difference between clocks.
    this.#aheadMs = Math.max(0, Math.floor(madeAt - now)) || 0;
    store.timeline.tick(madeAt);
    for (const table of tables) {
      const field = table['versionBy'];
      if (typeof field === 'string') versionFields.set(tableNamed(store, table.key), field);
      for (const { 'identity': saved } of table['lists'].map(asList)) {
        this.#identities.set(`${table.key} ${saved.id}`, {
          id: saved.id,
          key: saved.key && new Map(saved.key),
          filterNames: saved['filterNames'],
          followsFields: saved['followsFields'],
          declaresServerMembership: saved['isServers'],
          isKeyed: saved['isKeyed'],
          ...(saved['rule'] && readRule(saved['rule'])),
        });
      }
    }
    noteVersions(this.#engine);
    for (const table of tables) {
      for (const saved of table['rows'].map(asRow)) {
        const fields = this.#decode(saved['fields']) as Fields | null; // cast: as dehydrate wrote it
        if (this.#lacksList) this.#isIncomplete = true;
        else this.#rows.set(store.row(tableNamed(store, table.key), saved.pk), { saved, fields });
      }
    }
    for (const [row, { saved, fields }] of this.#rows) this.#fillRow(row, saved, fields);
    for (const table of tables) {
      for (const list of table['lists'].map(asList))
        this.#fillList(this.#references.list(table.key, list['identity'].id)!, list); // its identity was recorded above
    }
    for (const slot of slots) this.#fillSlot(asSlot(slot));
  }

  /**
   * The latest `settled` in the stamps of intact rows, pages and responses. It replaces `last`, which may be wrong in a damaged
   * state.
   */
  #latestTime(): number {
    const { tables, slots } = this.#parts;
    const segments = tables.flatMap((table) => table['lists'].flatMap((list) => asList(list)['segments']));
    const parts = [...tables.flatMap((table) => table['rows'].map(asRow)), ...segments, ...slots.map(asSlot)];
    return parts.reduce((latest, part) => Math.max(latest, this.#stampAt(part['stamp']).settled), 0);
  }

  #decode(saved: unknown): unknown {
    this.#lacksList = false;
    return decode(saved, this.#references);
  }

  /** Whether a stored form refers to a row that is neither in this state nor in the store. The data of the form is then stale. */
  #refersToLostRow(stored: unknown): boolean {
    return (
      this.#isIncomplete &&
      someLeaf(stored, (leaf) => {
        const row = rowOf(leaf);
        return row !== undefined && row.base === undefined && !this.#rows.has(row);
      })
    );
  }

  #stampAt(at: number): Stamp {
    const saved = this.#parts.stamps[at];
    return saved === undefined
      ? NO_STAMP
      : (this.#stamps[at] ??= readStamp(decode(saved, this.#references), this.#aheadMs));
  }

  #fillRow(row: Row, saved: DehydratedRow, fields: Fields | null): void {
    const { store } = this.#engine;
    const stamp = this.#stampAt(saved['stamp']);
    const { base, table } = row;
    const isLater = mayRestore(stamp, row.stamp);
    // The row was deleted by this engine or in a later state.
    if (base === null && !isLater) return;
    const localId = saved['localId'];
    // The stored row has no fields, but it has a fence, or the lists of its table became stale: a write of this engine may have
    // changed the row after the state was saved.
    const mayBeOutdated = base === undefined && isAfter(row.stamp.fence + table.listsStaleAt, 0);
    if (mayBeOutdated || (isLater && (saved['isStale'] === true || this.#refersToLostRow(fields))))
      markStaleNow(store, row);
    if (isLater) {
      const deletedAt = saved['deletedAt'] ?? 0;
      // The row was deleted after its stored fields had arrived, so these fields are discarded.
      if (isAfter(deletedAt, row.stamp.settled)) row.base = undefined;
      if (deletedAt !== row.deletedAt) row.deletedAt = deletedAt;
      if (localId !== undefined && localId !== row.pk) {
        row.localId = localId;
        table.rowsByLocalId.set(localId, row);
      }
    }
    if (fields) {
      mergeSaved(this.#engine, row, fields, stamp);
      noteCoverage(row, base, fields, saved['lacks']);
    } else if (isLater) {
      row.stamp = stamp;
      row.fieldStamps = null;
      setSavedBase(store, row, null);
    }
  }

  #fillList(list: List, saved: DehydratedList): void {
    const { store } = this.#engine;
    const segments = saved['segments'].map((segment, at) => {
      const members = this.#decode(segment['members']) as readonly unknown[]; // cast: as dehydrate wrote it
      return {
        cursor: segment['cursor'],
        sortKey: pageSortKey(segment['cursor'], at),
        stamp: withCommonNames(this.#stampAt(segment['stamp']), members),
        members,
      };
    });
    if (list.exists && !mayRestoreList(segments, list.segments)) return;
    list.hasServerMembership = saved['isByServer'] === true;
    list.unloadedEnds = saved['unloaded'];
    list.restCount = typeof saved['restCount'] === 'number' ? saved['restCount'] : undefined;
    list.isRestUnread = list.restCount !== undefined;
    const changes = ensure(this.#changes, list.table, () => changesInStore(list.table, this.#rows));
    const isUndecided = placeChangedRows(list, segments, changes);
    const base = joinSegments(segments);
    for (const row of rowsIn(list)) row.listsInBase = removeItem(row.listsInBase, list);
    list.segments = segments;
    if (!isEqual(base, list.base)) list.base = base;
    for (const row of rowsIn(list)) row.listsInBase = addItem(row.listsInBase, list);
    store.show(list);
    store.reapplyLayersOf(list);
    store.registerList(list);
    // If a response is lost, its list can still be looked up by arguments, but the other data of the response cannot. The list is
    // therefore stale, so that the response is fetched again.
    const isStale = this.#parts.lacksResponses || saved['isStale'] === true || this.#refersToLostRow(base);
    if (isStale || isUndecided) markStaleNow(store, list);
  }

  #fillSlot(saved: DehydratedSlot): void {
    const { store } = this.#engine;
    const slot = store.slot(saved.key);
    if (slot.keyPatterns.length === 0) slot.keyPatterns = saved['keyPatterns'] ?? [];
    const stamp = this.#stampAt(saved['stamp']);
    const errorStamp = this.#stampAt(saved['errorStamp'] ?? -1);
    const present = slot.error === undefined ? slot.stamp : slot.errorStamp;
    const incoming = saved.error === undefined ? stamp : errorStamp;
    if ((slot.hasResult || slot.error !== undefined) && !mayRestore(incoming, present)) return;
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
    const marks = [...store.markedEndpoints].filter(([of]) => isKeyMatched(slot, of)).map(([, type]) => type);
    if (saved['isInvalidated'] === true || marks.includes('invalidate'))
      slot.invalidatedAt = store.timeline.tick();
    if (saved['isStale'] === true || marks.includes('expire') || this.#refersToLostRow(stored))
      slot.staleSince = store.timeline.tick();
    store.mark(slot);
  }
}

/** The table of a key in a saved state, which may contain any string. */
function tableNamed(store: Store, key: unknown): Table {
  const name = String(key);
  return store.table(name, unionParts(name));
}

function mayRestoreList(incoming: readonly Segment[], present: readonly Segment[]): boolean {
  const newest = incoming.reduce(
    (stamp, segment) => (isAfter(segment.stamp.settled, stamp.settled) ? segment.stamp : stamp),
    NO_STAMP,
  );
  return present.every(({ stamp }) => mayRestore(newest, stamp));
}

/**
 * Whether `of` includes the slot. '' includes all slots; any other string, the slots with this key pattern; an endpoint, all slots
 * except those that its `testKey` rejects.
 */
function isKeyMatched({ key, keyPatterns }: Slot, of: string | object): boolean {
  if (typeof of === 'string') return of === '' || keyPatterns.includes(of);
  const { testKey } = of as { testKey?(tested: string): boolean }; // cast: called only if present
  return tryRun(() => testKey?.call(of, key)) !== false;
}

/** The rule of a saved list. As long as the functions of the rule are missing, only the server knows which rows fit. */
function readRule(saved: NonNullable<DehydratedList['identity']['rule']>): ListRule {
  return {
    testFit: saved['hasFit'] ? () => 'unknown' : undefined,
    limit: saved['limit'],
    order: saved['order'],
  };
}

function rowsIn(list: List): Row[] {
  return list.base.flatMap((member) => rowOf(member) ?? []);
}

/** A stamp with the saved times. Its fence is 0, so that every response to a request of this engine counts as newer. */
function readStamp(saved: unknown, aheadMs: number): Stamp {
  const time = (name: string): number => Number((isRecord(saved) && saved[name]) || 0);
  return {
    ...NO_STAMP,
    sent: time('fetchedAt'),
    settled: time('date'),
    expiresAt: time('expiresAt') - aheadMs,
    // One millisecond is subtracted, because `date` may be ahead of its clock by a fraction of a millisecond: see `Timeline.tick`.
    storedAt: time('date') - aheadMs - 1,
  };
}
