// `totalOf`: the number of rows that the server has for a list, including rows on pages that are not loaded. A response contains
// the total. Afterwards, every write or optimistic update that moves a row into or out of the list changes the total. A change that
// cannot be counted may mark the list stale. This file is shipped only to applications that import `totalOf`.
//
//   total = shown members + rest                  rest: the rows that the response counted beyond the members
//   a member leaves, or an uncounted row enters   the number of members changes, the rest stays
//   any other row                                 compare: was the row part of the rest, and is it now?
import type { Effects } from '../../store/effects.ts';
import { hasItem } from '../../store/graph.ts';
import { containsRow, subjectOf } from '../../store/list-members.ts';
import { fitOf } from '../../store/filters.ts';
import { addBeforeRowWrite, List, Row } from '../../store/nodes.ts';
import type { BaseLists, RowState, Table } from '../../store/nodes.ts';
import {
  hasArrivedSince,
  isAfter,
  cameWith,
  isRead,
  isStale,
  knowsOf,
  mustRemember,
  wasChangedByReadSince,
  wasWritten,
} from '../../store/order.ts';
import type { Store } from '../../store/store.ts';
import { ensure } from '../../support/ensure.ts';
import { copyPlain } from '../../support/plain.ts';
import { KIND, queryKind, UNKNOWN } from '../protocol/protocol.ts';
import type { HasQuery, Kind, QueryContext } from '../protocol/protocol.ts';
import type { ARGS, OUT, OUT_MAYBE, STORED } from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';
import { markStaleAfterRead } from './optimistic-items.ts';

/**
 * A schema that {@link totalOf} can count: a `schema.Collection`.
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
 * A schema for the field of a response that contains the total of a list. The number changes with creations, deletions and changes
 * of rows, also of rows on pages that are not loaded.
 *
 * @example
 * const todos = new schema.Collection([Todo]);
 * const getTodos = new RestEndpoint({ path: '/todos', schema: { results: todos, total: totalOf(todos) } });
 */
export function totalOf(list: Countable): Total {
  return new Total(list);
}

/**
 * The schema that {@link totalOf} returns.
 *
 * @example
 * const todos = new schema.Collection([Todo]);
 * const total: totalOf.Total = totalOf(todos);
 */
export class Total implements Walkable {
  declare readonly [OUT]: number;
  declare readonly [OUT_MAYBE]: number | undefined;
  declare readonly [STORED]: number;
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly #list: Countable;

  constructor(list: Countable) {
    this.#list = list;
    const listOf = (at: QueryContext): List | undefined => {
      const found = queryKind(list[KIND], at.args, at);
      return found instanceof List ? found : undefined;
    };
    const kind: Kind & HasQuery = {
      enter(value, { engine, args, effects, isOptimistic }) {
        const findList = (): List | undefined => listOf({ engine, args, depend() {} });
        const before = findList()?.base.length ?? 0;
        if (!isOptimistic)
          effects.afterWrites.push((_, lists) => {
            const found = findList();
            if (found) storeTotal(lists, found, value, effects, before);
          });
        return copyPlain(value);
      },
      open(stored, at) {
        if (typeof stored !== 'number') return stored;
        const found = listOf(at);
        if (found?.restCount === undefined) return stored;
        at.depend(found);
        markUncountedStale(found, at.engine.store);
        return shownTotal(found, found.restCount, at);
      },
      query(_args, at) {
        return listOf(at)?.restCount === undefined ? UNKNOWN : 0;
      },
    };
    this[KIND] = kind;
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    const list = this.#list;
    return { kind: 'Total', schemas: [list], with: (change) => new Total(change(list) as Countable) }; // cast: still a Collection
  }
}

/**
 * The total on screen. A pending optimistic update may delete a member, remove a row from the rest, or show a row of the rest as a
 * member. The server may not have counted such a row, so the rest never falls below 0.
 */
function shownTotal(list: List, restCount: number, at: QueryContext): number {
  let count = list.shown.length;
  let rest = restCount;
  for (const row of rowsWithUpdates(at.engine.store)) {
    at.depend(row);
    const { base, listsInBase, shown } = row;
    const isShown = containsRow(list.shown, row);
    if (isShown && shown === null) count -= 1;
    const isOfRest = !hasItem(listsInBase, list) && isInList(list, base) === true;
    if (isOfRest && (isShown || isInList(list, shown) === false)) rest -= 1;
  }
  return count + Math.max(0, rest);
}

function rowsWithUpdates({ intents }: Store): ReadonlySet<Row> {
  const nodes = [...intents].flatMap(({ appliedLayers }) => [...appliedLayers.values()]);
  return new Set(nodes.filter((node) => node instanceof Row));
}

/** Whether the server counts a row with these fields as part of the list; undefined when the fields do not decide. */
function isInList(list: List, state: RowState): boolean | undefined {
  if (state === null) return false;
  const fit = list.hasServerMembership || !list.identity.followsFields ? 'unknown' : fitOf(list, state);
  return fit === 'unknown' ? undefined : fit === 'in';
}

// ── the total in a response ──────────────────────────────────────────────────────────────────────

/**
 * A row that a write or a read has changed, and the fence of that payload. A total that was requested before the fence may include
 * the change or not.
 */
interface UncertainWrite {
  readonly row: Row;
  readonly fence: number;
}

// For each table, the lists whose rows are counted. Each list has the writes that the next total may include or not. The keys are
// nodes, so two stores share no entry.
const countedLists = new WeakMap<Table, Map<List, UncertainWrite[]>>();

/** Stores the total of a response, after the members of the same response were written. */
function storeTotal(lists: BaseLists, list: List, value: unknown, effects: Effects, before: number): void {
  const { origin, store } = lists;
  list.segments = list.segments.map((one) =>
    cameWith(one.stamp, origin) ? { ...one, countedBy: effects } : one,
  );
  const { segments } = list;
  const servedMembers = new Set(
    effects.lists.flatMap((write) => (write.list === list ? write.members : [])).map(subjectOf),
  );
  const page = segments.find(({ stamp }) => cameWith(stamp, origin));
  store.mark(list);
  // The stored page is newer than this response, or another page was requested later, so the known total stays: what the members
  // gain or lose by this response, the rest loses or gains.
  if (!page || segments.some(({ stamp }) => isAfter(stamp.sent, origin.sent))) {
    if (list.restCount !== undefined)
      list.restCount = Math.max(0, list.restCount + before - list.base.length);
    return;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    list.restCount = undefined;
    return;
  }
  const uncertain = startCounting(list).filter(({ fence }) => !knowsOf(origin.sent, fence));
  const writtenRows = new Set<unknown>(uncertain.map(({ row }) => row));
  // The server has also counted the members of the other pages. Rows in `uncertain` are left out, because a write may have added
  // them after this request was sent.
  const otherMembers = list.base
    .map(subjectOf)
    .filter((item) => !servedMembers.has(item) && !writtenRows.has(item));
  const rest = value - servedMembers.size - otherMembers.length;
  list.restCount = Math.max(0, rest);
  // If the rest is above 0, it may include the rows in `uncertain` or not, so the list is stale.
  for (const { fence } of rest > 0 ? uncertain : []) store.markStale(list, fence);
  if (rest < 0) store.markStale(list, origin.settled);
}

/** Marks a restored list stale if rows were written before its total was first read, because those writes were not counted. */
function markUncountedStale(list: List, store: Store): void {
  if (countedLists.get(list.table)?.has(list)) return;
  if (startCounting(list).length > 0) markStaleAfterRead(store, list);
}

// ── changes of rows ──────────────────────────────────────────────────────────────────────────────

/**
 * Counts changes of the list's rows from now on. Returns the uncertain writes of the list. The first call returns one for each
 * stored row that was ever written.
 */
function startCounting(list: List): UncertainWrite[] {
  const known = countedLists.get(list.table)?.get(list);
  if (known) return known;
  list.isRestUnread = false;
  const rows = [...list.table.rowTables].flatMap((table) => [...table.rows.values()]);
  const written = rows.filter(({ stamp }) => wasWritten(stamp));
  const uncertain = written.map((row) => ({ row, fence: row.stamp.fence }));
  for (const table of list.table.rowTables) startCountingTable(table).set(list, uncertain);
  return uncertain;
}

function startCountingTable(table: Table): Map<List, UncertainWrite[]> {
  return ensure(countedLists, table, () => {
    const countedInTable = new Map<List, UncertainWrite[]>();
    addBeforeRowWrite(table, (lists, row, effects) => {
      if (!lists.origin) {
        // An optimistic update may change rows of the rest, so the shown total may change.
        for (const list of countedInTable.keys()) lists.store.mark(list);
        return undefined;
      }
      const { base: before } = row;
      const wasStale = isStale(row);
      // A read brings the row for the first time: the server has already counted the row.
      if (before === undefined && isRead(lists.origin)) return undefined;
      const heldBy = new Set(lists.of(row));
      const creations = (effects?.placements ?? []).filter(
        ({ members, mustLeave }) => !mustLeave && containsRow(members, row),
      );
      const wasReadMeanwhile = !!before && wasChangedByReadSince(row, lists.sent) && !isRead(lists.origin);
      // A row that was stored when the write was sent is moved, not created. If `wasReadMeanwhile`, this is unknown, and the row
      // counts as created.
      const isCreated = creations.length > 0 && (!before || wasReadMeanwhile);
      const updateTotals = (): void => {
        for (const [list, uncertain] of countedInTable) {
          if (list.table.lists.get(list.identity.id) !== list) countedInTable.delete(list);
          else if (!effects?.lists.some((write) => write.list === list))
            updateTotal(
              lists,
              list,
              {
                row,
                before,
                wasHeld: heldBy.has(list),
                wasStale,
                isCreated,
                wasReadMeanwhile,
                // A user's own filter is not called here, because it may throw, and rows are already written.
                isAdded: creations.some(({ hasHooks, takes }) => !hasHooks && takes(list, row)),
                isDeleted: !effects,
              },
              uncertain,
            );
        }
      };
      if (effects) return updateTotals;
      updateTotals();
      return undefined;
    });
    return countedInTable;
  });
}

/** A change of one row: the row's fields before the change, and whether the row was a member. */
interface RowChange {
  readonly row: Row;
  readonly before: RowState;
  readonly wasHeld: boolean;
  /** True when the row was stale, so that the server's fields may have differed from `before`. */
  readonly wasStale: boolean;
  /** True when a creation has created the row, or may have. */
  readonly isCreated: boolean;
  /**
   * True when a read changed the row, or a response brought it, while the mutation was in flight, so that `before` may already
   * contain the mutation's change.
   */
  readonly wasReadMeanwhile: boolean;
  /** True when a creation without a user's merge or filter puts the row into the list. */
  readonly isAdded: boolean;
  /** True when the row is about to be deleted. */
  readonly isDeleted: boolean;
}

/**
 * Decides whether a change adds the row to the rest, or removes the row from the rest. If that is unknown, the list may become
 * stale.
 */
function updateTotal(lists: BaseLists, list: List, change: RowChange, uncertain: UncertainWrite[]): void {
  const { origin, oldestOpen, store } = lists;
  const { row, before, wasHeld, wasStale, isCreated, wasReadMeanwhile, isAdded, isDeleted } = change;
  const base = isDeleted ? null : row.base;
  // If the payload adds a known row to the list, it does so after this function, but the row counts as a member already.
  const becomesMember = isAdded && !isCreated;
  const isHeld = !isDeleted && (becomesMember || hasItem(row.listsInBase, list));
  // If the row was brought or changed while the write was in flight, the server may have counted the row before the write or after
  // it.
  const mayBeCounted = wasReadMeanwhile && !isDeleted;
  // If the row was stale, its fields on the server may have differed from `before`: a write may have moved the row even if its
  // fields are equal.
  const mayHaveMoved = wasStale && !isRead(origin);
  const isUnmoved = wasHeld === isHeld && !mayHaveMoved;
  if (list.restCount === undefined || (base === before && isUnmoved && !mayBeCounted)) return;
  const wasInList = isCreated ? false : wasStale ? undefined : isInList(list, before);
  const wasCounted = mayBeCounted ? undefined : wasHeld || wasInList;
  const isCounted = isHeld || isAdded || isInList(list, base);
  if (wasCounted === isCounted && isUnmoved) return;
  const { fence } = origin;
  uncertain.splice(0, uncertain.length, ...uncertain.filter((one) => mustRemember(one.fence, oldestOpen)));
  if (mustRemember(fence, oldestOpen)) uncertain.push({ row, fence });
  // A read brought the created row before the response to its creation came. A write that made the row a member since then has
  // reduced the rest by one. But the rest included the row only if the list was read after the creation, so the list is stale.
  if (isCreated && wasHeld && (list.restCount || list.unloadedEnds)) store.markStale(list, fence);
  // If the rest is 0, or the row was a member, the number of members already includes the change.
  if (list.restCount === 0 || wasHeld) return;
  const hasNewerPage = list.segments.some(({ stamp }) => hasArrivedSince(stamp, origin.sent));
  // The total is uncertain in three cases: a read shows another client's change, which the total may include or not; a page that
  // arrived after this write was sent may include the write; or the fields do not decide.
  if (isRead(origin) || hasNewerPage || wasCounted === undefined || isCounted === undefined) {
    if (wasCounted !== isCounted || isHeld) store.markStale(list, fence);
  }
  if (wasCounted === undefined || isCounted === undefined || isCreated) return;
  list.restCount += Number(isCounted) - Number(wasCounted) - Number(isHeld);
  store.mark(list);
}

export declare namespace totalOf {
  export type { Countable, Total };
}
