// Finds the list that has every item of a local query: a list that is known to be whole, and whose filters are a subset of the
// query's filters. If there is no such list, the query reads its endpoint. plan.ts searches at each build of a view.
//
//   wanted   { userId: 1 } where { done: false }
//   covered by the list   {}   { userId: 1 }   { done: false }   { userId: 1, done: false }
import { isEqual, mergeFields } from '../../store/fields.ts';
import { fitOf, hasFields } from '../../store/filters.ts';
import { hasItem } from '../../store/graph.ts';
import { findLists } from '../../store/list-index.ts';
import { findPage } from '../../store/list-members.ts';
import type { Fields, List, ResponseRows, RowState, Segment } from '../../store/nodes.ts';
import { earlier, isAfter, isStale, knowsOf, latest } from '../../store/order.ts';
import type { Slot } from '../../store/slot.ts';
import type { Store } from '../../store/store.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { isPlain } from '../../support/plain.ts';
import { reportsByTimeline } from '../validate/refused-rows.ts';

/** The requirements of a query: its list, its filters and the fields that it reads. */
export interface Wanted {
  /** The list of the endpoint with the query's arguments. Perhaps no response has stored it yet. */
  readonly list: List;
  /** The fields of `where`, with their values as strings. */
  readonly where: ReadonlyMap<string, string>;
  /** The fields that every item must have for the result: the fields of `where`, of the order, and of the result. */
  readonly used: readonly string[];
  /** Whether the items have a field of this name. */
  readonly isField: (name: string) => boolean;
}

/**
 * The filters that the query must apply to the items of the list, or to all rows of the table if `list` is undefined: the filters of
 * `where`, and the filters of the query's own list that this list lacks.
 */
export function filtersBeyond(
  list: List | undefined,
  { list: own, where }: Wanted,
): ReadonlyMap<string, string> {
  const { key } = own.identity;
  return new Map([...where, ...[...(key ?? [])].filter(([name]) => !list?.identity.key?.has(name))]);
}

/**
 * Whether the fields of a row alone decide whether the row belongs to the list: every argument of the list is a filter by a field,
 * and no other rule selects or limits its rows.
 */
export function isDecidable({ identity }: List, isField: Wanted['isField']): boolean {
  const { key, filterNames, followsFields, limit, testFit } = identity;
  const areFilters = !!key && [...key.keys()].every((name) => filterNames.includes(name) && isField(name));
  return areFilters && !testFit && limit === undefined && (followsFields || key.size === 0);
}

/** The lists that have every item of the query if they are whole. The list that expires last comes first. */
export function candidatesOf(wanted: Wanted): List[] {
  const { list: own, where } = wanted;
  const { key } = own.identity;
  const found = findLists(own.table.listGroups.values(), (name) => [key?.get(name) ?? where.get(name)]);
  const others = found.filter((list) => list !== own && isSuperset(list, wanted));
  return [own, ...others].sort((left, right) => expiryOf(right) - expiryOf(left));
}

/**
 * Whether the query can be computed from the list. The list must be whole. Its responses must contain all fields that the query
 * reads. A row that only the server can judge must still have the values by which the server has judged it. In the fields by which
 * the query selects, each row must have values of one moment.
 */
export function covers(store: Store, list: List, wanted: Wanted): boolean {
  const beyond = filtersBeyond(list, wanted);
  // If the query selects among the items, the responses must also contain the fields by which the list is filtered. A field that
  // they omit may be stored with an older value than the fields by which the query selects.
  const filterNames = beyond.size > 0 ? list.identity.filterNames.filter(wanted.isField) : [];
  const filters = [...beyond.keys(), ...filterNames];
  const names = [...wanted.used, ...filters];
  return (
    isWhole(store, list) &&
    list.segments.every(({ wholeBy, pagedBy, countedBy, ...segment }) => {
      const effects = wholeBy || pagedBy || countedBy;
      const write = effects && effects.lists.find((one) => one.list === list);
      return (
        !write ||
        (containsFields(effects, write, names) &&
          isStoredAsJudged(effects, write) &&
          hasValuesOfOneMoment(effects, segment, filters))
      );
    })
  );
}

type ListInEffects = ResponseRows['lists'][number];

function fieldsByRow({ rows, fields }: ResponseRows): ReadonlyMap<unknown, Fields> {
  return new Map(rows.map((row, at) => [row, fields[at]!])); // the arrays grow together
}

/**
 * Whether a response contains these fields of every row of a list. For a field that it omits, an older value of another response
 * may be shown.
 */
function containsFields(effects: ResponseRows, write: ListInEffects, names: readonly string[]): boolean {
  const known = ensure(commonFields, write, () => new Map<string, boolean>());
  return ensure(known, names.join(), () => {
    const byRow = fieldsByRow(effects);
    return write.members.every((member) => hasFields(byRow.get(rowOf(member)) ?? {}, names));
  });
}

// For each list in a response, by the names of fields: whether all rows of the list have these fields in the response. The key is
// the part of the effects with the list, and the entry is collected together with this part.
const commonFields = new WeakMap<ListInEffects, Map<string, boolean>>();

/**
 * Whether each row had the stored values of these fields at one moment, as far as is known. A read that crossed the response, or came
 * later, may have changed one of the fields and omitted another one, which another client may have changed too.
 */
function hasValuesOfOneMoment(
  effects: ResponseRows,
  { members, stamp }: Segment,
  names: readonly string[],
): boolean {
  if (names.length < 2) return true;
  const byRow = fieldsByRow(effects);
  return members.every((member) => {
    const row = rowOf(member);
    const { base, changedByReadAt = 0, stamp: last } = row ?? {};
    const read = byRow.get(row);
    return (
      !base ||
      !isAfter(changedByReadAt, stamp.sent) ||
      // If the response did not contain the row, a mutation or a message has put the row into the list, or a read has moved it there.
      // The values of such a row count as values of one moment only if its last payload was a write, or if a write was sent after the
      // last read that changed the row.
      (read
        ? new Set(names.map((name) => isEqual(base[name], read[name]))).size < 2
        : knowsOf(last!.writeSent, earlier(last!.sent, changedByReadAt)))
    );
  });
}

/**
 * Whether each row that only the server can judge still has the values by which the server has judged the row. The response to a
 * later request may have come first: then the values of that response are stored, and it is unknown whether a row with these values
 * belongs to the list. When a row changes later, the store marks the list stale.
 */
function isStoredAsJudged({ rows, fields }: ResponseRows, { list }: ListInEffects): boolean {
  const isUnjudged = (state: RowState): boolean => fitOf(list, state) === 'unknown';
  // fast: Q2. A list without filters takes even a row without fields, so none of its rows is examined.
  return (
    !isUnjudged({}) ||
    rows.every(({ base, listsInBase }, at) => {
      const read = fields[at]!; // the arrays grow together
      const isJudged = !base || !hasItem(listsInBase, list) || !isUnjudged(read) || !isUnjudged(base);
      return isJudged || mergeFields(base, read) === base;
    })
  );
}

/**
 * Whether the list, if it is whole, has every item of the query: it differs from the query's own list only in filters, and the
 * query applies its filters itself.
 */
function isSuperset(list: List, wanted: Wanted): boolean {
  const { identity: own } = wanted.list;
  const { key, filterNames, testFit, limit } = list.identity;
  const firstRule = own.testFit ?? testFit ?? own.limit ?? limit;
  if (!key || !own.key || firstRule !== undefined || scopeOf(list) !== scopeOf(wanted.list)) return false;
  return [...new Set([...key.keys(), ...own.key.keys()])].every((name) => {
    const text = own.key?.get(name);
    if (text === undefined) return filterNames.includes(name);
    // An item is compared with one value of each field, so `where` must not ask for another value than the list's argument.
    const asked = own.filterNames.includes(name) && wanted.isField(name) && (wanted.where.get(name) ?? text);
    return (key.get(name) ?? asked) === text;
  });
}

/** The scope of a list. Lists of another path, or in another form, have other rows under the same key. */
function scopeOf({ identity: { id } }: List): string {
  return (JSON.parse(id) as readonly unknown[]).slice(0, 2).join(); // cast: [form, scope, key], see `createIdentity` in collection-key.ts
}

/** Whether the list is known to have every row that belongs to it. The expiry of the list is not considered: see `isUnexpired`. */
export function isWhole(store: Store, list: List): boolean {
  const { segments, unloadedEnds, restCount, identity, table } = list;
  if (isStale(list) || list.hasServerMembership || !findPage(list, null)) return false;
  const refusals = reportsByTimeline.get(store.timeline)?.refusedAt;
  for (const { key } of table.rowTables)
    if (!segments.every(({ stamp }) => isAfter(stamp.sent, refusals?.get(key) ?? -1))) return false;
  // Segments of a saved state, and segments of responses that do not show whether the list is whole, have none of `wholeBy`, `pagedBy`
  // and `countedBy`.
  return (
    (segments.every(({ wholeBy }) => wholeBy) && segments.length === 1 && identity.limit === undefined) ||
    (segments.every(({ pagedBy }) => pagedBy) && unloadedEnds === '') ||
    (segments.every(({ countedBy }) => countedBy) && restCount === 0)
  );
}

/**
 * Whether every page of the list was requested after the last stale or invalid mark of `slots`, which are the responses that
 * contain the list. The slots are compared because `invalidate` and `expireAll` mark responses and not lists.
 */
export function isConfirmed({ segments }: List, slots: readonly Slot[]): boolean {
  return slots.every(({ staleSince, invalidatedAt }) =>
    segments.every(({ stamp: { sent } }) => knowsOf(sent, latest(staleSince, invalidatedAt))),
  );
}

/** Whether the list has not expired. If the clock was set back, the age of the list is unknown, so the list counts as expired. */
export function isUnexpired(list: List, now: number): boolean {
  return now <= expiryOf(list) && list.segments.every(({ stamp: { storedAt } }) => storedAt <= now);
}

/** The earliest time of day at which a page of the list expires. */
export function expiryOf({ segments }: List): number {
  return Math.min(...segments.map(({ stamp }) => stamp.expiresAt));
}

/** The stored responses that contain the list outside of arrays. Each response with the list replaces its `segments`. */
export function slotsOf({ slots }: Store, list: List): readonly Slot[] {
  return ensure(slotsBySegments, list.segments, () =>
    [...slots.values()].filter(({ stored }) => {
      const parts = [stored];
      // The loop also visits the parts that it adds.
      for (const part of parts) {
        if (part === list) return true;
        if (isPlain(part) && !Array.isArray(part)) parts.push(...Object.values(part));
      }
      return false;
    }),
  );
}

// A memo. The key of each entry is the array `segments` of a list, and the entry is collected together with this array.
const slotsBySegments = new WeakMap<List['segments'], readonly Slot[]>();
