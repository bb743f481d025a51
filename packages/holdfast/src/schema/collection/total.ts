// `totalOf`: the count of a list's rows, of those on pages that are not loaded too. An answer says it; from then on it follows
// what is decided about rows, guesses included. What cannot be decided makes the list stale. Shipped with its import alone.
//
//   total = members that are shown + rest         rest: what the answer counted beyond its members
//   a row enters or leaves the members            the members say so, the rest stays
//   a row on a page that is not loaded            was it among the rest, and is it now?
import type { Effects } from '../../store/effects.ts';
import { hasItem } from '../../store/graph.ts';
import { holds, itemOf } from '../../store/list-members.ts';
import { fits } from '../../store/membership.ts';
import { List, Row } from '../../store/nodes.ts';
import type { RowState, Table } from '../../store/nodes.ts';
import type { ServerLists } from '../../store/server-lists.ts';
import type { Store } from '../../store/store.ts';
import { ensure } from '../../support/ensure.ts';
import { copyPlain } from '../../support/plain.ts';
import { KIND, UNKNOWN } from '../protocol/protocol.ts';
import type { Kind, QueryContext } from '../protocol/protocol.ts';
import type { ARGS, OUT, OUT_NULLABLE, STORED } from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';
import { markStaleAfterRead } from './newer.ts';

/**
 * What {@link totalOf} counts: a `schema.Collection`.
 *
 * @example
 * const counted: totalOf.Countable = new schema.Collection([Todo]);
 * const total = totalOf(counted);
 */
export interface Countable {
  readonly [KIND]: Kind;
  readonly push: unknown;
}

/**
 * The member of an answer that counts a list: it moves with creations, deletions and changes, also of rows on pages that are not
 * loaded.
 *
 * @example
 * const todos = new schema.Collection([Todo]);
 * const getTodos = new RestEndpoint({ path: '/todos', schema: { results: todos, total: totalOf(todos) } });
 */
export function totalOf(list: Countable): Total {
  return new Total(list);
}

/**
 * What {@link totalOf} makes.
 *
 * @example
 * const todos = new schema.Collection([Todo]);
 * const total: totalOf.Total = totalOf(todos);
 */
export class Total implements Walkable {
  declare readonly [OUT]: number;
  declare readonly [OUT_NULLABLE]: number | undefined;
  declare readonly [STORED]: number;
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly #list: Countable;

  constructor(list: Countable) {
    this.#list = list;
    const find = (at: QueryContext): List | undefined => {
      const found = list[KIND].query?.(at.args, at);
      return found instanceof List ? found : undefined;
    };
    this[KIND] = {
      enter(value, { engine, args, effects, isOptimistic }) {
        const look = (): List | undefined => find({ engine, args, depend() {} });
        const before = look()?.base.length ?? 0;
        if (!isOptimistic)
          effects.finishes.push((_, lists: ServerLists) => {
            const found = look();
            if (found) count(lists, found, value, effects, before);
          });
        return copyPlain(value);
      },
      open(stored, at) {
        if (typeof stored !== 'number') return stored;
        const found = find(at);
        if (found?.restCount === undefined) return stored;
        at.depend(found);
        watchRestored(found, at.engine.store);
        return shownTotal(found, found.restCount, at);
      },
      query(_args, at) {
        return find(at)?.restCount === undefined ? UNKNOWN : 0;
      },
    };
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const list = this.#list;
    return { kind: 'Total', schemas: [list], with: (change) => new Total(change(list) as Countable) }; // cast: a copy of it
  }
}

/**
 * The total on screen. Pending guesses delete members, take rows beyond them out, or show those among them. The answer may have
 * counted some of these rows out already: there are never fewer rows than are shown.
 */
function shownTotal(list: List, restCount: number, at: QueryContext): number {
  let count = list.shown.length;
  let rest = restCount;
  for (const row of optimisticRows(at.engine.store)) {
    at.depend(row);
    const { base, holders, shown } = row;
    const isShown = holds(list.shown, row);
    if (isShown && shown === null) count -= 1;
    const isOfRest = !hasItem(holders, list) && isIn(list, base) === true;
    if (isOfRest && (isShown || isIn(list, shown) === false)) rest -= 1;
  }
  return count + Math.max(0, rest);
}

function optimisticRows({ intents }: Store): ReadonlySet<Row> {
  const nodes = [...intents].flatMap(({ applied }) => [...applied.values()]);
  return new Set(nodes.filter((node) => node instanceof Row));
}

/** Whether the server has a row with these fields in the list; undefined where its fields do not tell. */
function isIn(list: List, state: RowState): boolean | undefined {
  if (state === null) return false;
  return list.isByServer || !list.identity.followsFields ? undefined : fits(list, state);
}

// ── what an answer says ──────────────────────────────────────────────────────────────────────────

/** What decided about a row, while a request is in flight that was sent before. */
interface Decided {
  readonly row: Row;
  readonly fence: number;
}

// the lists of a table that are counted, and what was decided about their rows. Keyed by nodes, no state of its own
const counted = new WeakMap<Table, Map<List, Decided[]>>();

/** Takes the count of an answer in, which stands beside the members that it wrote. */
function count(lists: ServerLists, list: List, value: unknown, effects: Effects, before: number): void {
  const { origin, store } = lists;
  const { segments } = list;
  const served = new Set(
    effects.lists.flatMap((write) => (write.list === list ? write.members : [])).map(itemOf),
  );
  const page = segments.find(({ stamp }) => stamp.date === origin.settled);
  store.mark(list);
  // an older answer than the one that is there; and of several pages the one that was asked for last counts
  if (!page || segments.some(({ stamp }) => stamp.fetchedAt > origin.sent)) {
    if (list.restCount !== undefined)
      list.restCount = Math.max(0, list.restCount + before - list.base.length);
    return;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    list.restCount = undefined;
    return;
  }
  const decided = watchList(list).filter(({ fence }) => fence > origin.sent);
  const news = new Set<unknown>(decided.map(({ row }) => row));
  // members that the answer did not bring were counted all the same, but for those that have come since it was asked for
  const others = list.base.map(itemOf).filter((item) => !served.has(item) && !news.has(item));
  const rest = value - served.size - others.length;
  list.restCount = Math.max(0, rest);
  // the server may have counted them, or not yet
  for (const { fence } of rest > 0 ? decided : []) store.markStale(list, fence);
  if (rest < 0) store.markStale(list, origin.settled);
}

/** Of a restored list nothing is known of what was written before it was first read. */
function watchRestored(list: List, store: Store): void {
  if (counted.get(list.table)?.has(list)) return;
  if (watchList(list).length > 0) markStaleAfterRead(store, list);
}

// ── what happens to rows ─────────────────────────────────────────────────────────────────────────

/** Follows the list's rows from now on; gives what was decided about them, at first all that was ever written. */
function watchList(list: List): Decided[] {
  const known = counted.get(list.table)?.get(list);
  if (known) return known;
  list.isUnread = false;
  const rows = [...list.table.parts].flatMap((table) => [...table.rows.values()]);
  const written = rows.filter(({ stamp }) => stamp.writeSent > 0);
  const decided = written.map((row) => ({ row, fence: row.stamp.fence }));
  for (const table of list.table.parts) watchTable(table).set(list, decided);
  return decided;
}

function watchTable(table: Table): Map<List, Decided[]> {
  return ensure(counted, table, () => {
    const ofTable = new Map<List, Decided[]>();
    table.onRow = (given, row, payload) => {
      const lists = given as ServerLists; // cast: opaque to tables, and what is asked first a guess has too
      const effects = payload as Effects | undefined; // cast: opaque to tables
      if (lists.sent === Infinity) {
        // a guess may change what is shown of rows beyond the members
        for (const list of ofTable.keys()) lists.store.mark(list);
        return undefined;
      }
      const { base: before } = row;
      const wasStale = row.staleSince > 0;
      // the server has counted what a read shows for the first time
      if (before === undefined && lists.origin.isRead) return undefined;
      const held = new Set(lists.of(row));
      const creations = (effects?.placements ?? []).filter(
        ({ members, leaves }) => !leaves && holds(members, row),
      );
      const hasMessage = !!before && row.messageAt > lists.sent && !lists.origin.isRead;
      // a row that was known when the write was sent is moved, not created
      const isCreated = creations.length > 0 && (!before || hasMessage);
      const notify = (): void => {
        for (const [list, decided] of ofTable) {
          if (list.table.lists.get(list.identity.id) !== list) ofTable.delete(list);
          else if (!effects?.lists.some((write) => write.list === list))
            decideTotal(
              lists,
              list,
              {
                row,
                before,
                wasHeld: held.has(list),
                wasStale,
                isCreated,
                hasMessage,
                // a filter of the user's own may throw, and something is written already
                isTaken: creations.some(({ hasHooks, matches }) => !hasHooks && matches(list, row)),
                isDeleted: !effects,
              },
              decided,
            );
        }
      };
      if (effects) return notify;
      notify();
      return undefined;
    };
    return ofTable;
  });
}

/** What has happened to a row: its fields before, and whether it was a member. */
interface Happened {
  readonly row: Row;
  readonly before: RowState;
  readonly wasHeld: boolean;
  /** Whether the fields before may not have been so any more. */
  readonly wasStale: boolean;
  /** Whether a creation made it. */
  readonly isCreated: boolean;
  /** Whether a read told of it while the write was in flight: the fields before may be those that the write has made. */
  readonly hasMessage: boolean;
  /** Whether the creation puts it into the list. */
  readonly isTaken: boolean;
  /** Whether it is about to be deleted. */
  readonly isDeleted: boolean;
}

/** Counts a row of the rest in or out; where nobody can tell, the list is stale. */
function decideTotal(lists: ServerLists, list: List, happened: Happened, decided: Decided[]): void {
  const { origin, oldestOpen, store } = lists;
  const { row, before, wasHeld, wasStale, isCreated, hasMessage, isTaken, isDeleted } = happened;
  const base = isDeleted ? null : row.base;
  // the write puts a known row into the list as soon as this count is over: the row counts as a member already
  const isPlaced = isTaken && !isCreated;
  const isHeld = !isDeleted && (isPlaced || hasItem(row.holders, list));
  // the row may have been read before the answer to its creation came, and been counted or not
  const isSeen = hasMessage && !isDeleted;
  if (list.restCount === undefined || (base === before && wasHeld === isHeld && !isSeen)) return;
  const wasIn = isCreated ? false : wasStale ? undefined : isIn(list, before);
  const was = isSeen ? undefined : wasHeld || wasIn;
  const is = isHeld || isTaken || isIn(list, base);
  if (was === is && wasHeld === isHeld) return;
  const { fence } = origin.stamp;
  decided.splice(0, decided.length, ...decided.filter((one) => one.fence > oldestOpen));
  if (fence > oldestOpen) decided.push({ row, fence });
  // a read showed the row before the answer to its creation came, and a write then made the row a member: the count took the row out
  // of the rest, where the row stood only if the list was read after the creation
  if (isCreated && wasHeld && (list.restCount || list.unloaded)) store.markStale(list, fence);
  // all rows are members, and say it themselves
  if (list.restCount === 0 || wasHeld) return;
  const wasRequested = list.segments.some(({ stamp }) => stamp.date > origin.sent);
  // others have changed it, before the answer or after it; or the answer may know of the write
  if (origin.isRead || wasRequested || was === undefined || is === undefined) {
    if (was !== is || isHeld) store.markStale(list, fence);
  }
  if (was === undefined || is === undefined || isCreated) return;
  list.restCount += Number(is) - Number(was) - Number(isHeld);
  store.mark(list);
}

export declare namespace totalOf {
  export type { Countable, Total };
}
