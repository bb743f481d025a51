// Finds the list that has everything a local query asks for: a fresh list that is known to be whole, and whose filters are a subset
// of those wanted. When none is known to be whole, the query reads its endpoint. Called by plan.ts for each build of a view.
//
//   wanted   { userId: 1 } where { done: false }
//   covered by the list   {}   { userId: 1 }   { done: false }   { userId: 1, done: false }
import { hasField, mergeFields } from '../../store/fields.ts';
import { fitOf } from '../../store/filters.ts';
import { hasItem } from '../../store/graph.ts';
import { findLists } from '../../store/list-index.ts';
import { findPage } from '../../store/list-members.ts';
import type { Fields, List } from '../../store/nodes.ts';
import { isAfter, isStale, knowsOf, latest } from '../../store/order.ts';
import type { Slot } from '../../store/slot.ts';
import type { Store } from '../../store/store.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { isPlain } from '../../support/plain.ts';
import { quarantines } from '../validate/refused-rows.ts';

/** What a query wants of the lists of one table. */
export interface Wanted {
  /** The list of the endpoint with the query's arguments; perhaps it was never stored. */
  readonly list: List;
  /** The fields of `where`, with their values as strings. */
  readonly where: ReadonlyMap<string, string>;
  /** The fields that every item must have for the result: those of `where`, of the order, and of the result. */
  readonly used: readonly string[];
  /** Whether the items have a field of this name. */
  readonly isField: (name: string) => boolean;
}

/** The filters of the query that the list does not have: by them its items are selected. */
export function filtersBeyond(list: List, { list: own, where }: Wanted): ReadonlyMap<string, string> {
  const { key } = own.identity;
  const beyond = [...(key ?? [])].filter(([name]) => list !== own && !list.identity.key?.has(name));
  return new Map([...where, ...beyond]);
}

/** Whether every row of the table can be judged by its fields alone: no argument of the query is one that only the server knows. */
export function isDecidable({ list: { identity }, isField }: Wanted): boolean {
  const { key, filterNames, followsFields, limit, testFit } = identity;
  const names = key && [...key.keys()];
  const areFilters = names?.every((name) => filterNames.includes(name) && isField(name));
  return !!areFilters && !testFit && limit === undefined && (followsFields || names?.length === 0);
}

/** The lists that have every item of the query if they are whole: the one that expires last first. */
export function candidatesOf(wanted: Wanted): List[] {
  const { list: own, where } = wanted;
  const { key } = own.identity;
  const found = findLists(own.table, (name) => [key?.get(name) ?? where.get(name)]);
  return [...new Set([own, ...found])]
    .filter((list) => list === own || isSuperset(list, wanted))
    .sort((left, right) => expiryOf(right) - expiryOf(left));
}

/**
 * Whether the list is whole, its responses contained all fields that the query reads, and its rows are stored with the fields by
 * which the server judged them.
 */
export function covers(store: Store, list: List, wanted: Wanted): boolean {
  const beyond = filtersBeyond(list, wanted);
  // A field that the list's responses left out may be older than the fields by which the query selects.
  const own = beyond.size > 0 ? list.identity.filterNames.filter(wanted.isField) : [];
  const names = [...wanted.used, ...beyond.keys(), ...own];
  return isWhole(store, list) && contains(list, names) && isStoredAsJudged(list);
}

/**
 * Whether each row that only the server can judge is stored with the fields by which the server has judged the row. The response to
 * a later request may have come first: then its fields are stored, and whether a row with these fields belongs to the list is
 * unknown. When a row changes later, the store marks the list stale.
 */
function isStoredAsJudged(list: List): boolean {
  return list.segments.every(({ whole, paged, counted }) => {
    const effects = whole || paged || counted;
    return (
      !effects ||
      effects.rows.every(({ base, listsInBase }, at) => {
        const isUnjudged = base && hasItem(listsInBase, list) && fitOf(list, base) === 'unknown';
        return !isUnjudged || mergeFields(base, effects.fields[at]!) === base; // the arrays grow together
      })
    );
  });
}

/** Whether the list has every item of the query, if it is whole: it differs only in filters, which the query applies itself. */
function isSuperset(list: List, wanted: Wanted): boolean {
  const { identity: own } = wanted.list;
  const { key, filterNames, testFit, limit } = list.identity;
  const hasOwnRules = own.testFit ?? testFit ?? own.limit ?? limit;
  if (!key || !own.key || hasOwnRules !== undefined || scopeOf(list) !== scopeOf(wanted.list)) return false;
  return [...new Set([...key.keys(), ...own.key.keys()])].every((name) => {
    if (!own.key?.has(name)) return filterNames.includes(name);
    if (key.has(name)) return key.get(name) === own.key.get(name);
    return own.filterNames.includes(name) && wanted.isField(name);
  });
}

/** Lists of another path, or in another form, have other rows under the same key. */
function scopeOf({ identity: { id } }: List): string {
  const [form, scope] = JSON.parse(id) as readonly unknown[]; // cast: see `identify` in collection-key.ts
  return JSON.stringify([form, scope]);
}

/** Whether the list is known to have every row that belongs to it. Its expiry is another question: `isInTime`. */
export function isWhole(store: Store, list: List): boolean {
  const { segments, unloaded, restCount, identity, table } = list;
  if (isStale(list) || list.hasServerMembership || !findPage(list, null)) return false;
  const refusals = quarantines.get(store.timeline)?.refusedAt;
  for (const { key } of table.rowTables)
    if (!segments.every(({ stamp }) => isAfter(stamp.sent, refusals?.get(key) ?? -1))) return false;
  // The segments of a saved state, and those of responses that cannot tell, have no effects.
  return (
    (segments.every(({ whole }) => whole) && segments.length === 1 && identity.limit === undefined) ||
    (segments.every(({ paged }) => paged) && unloaded === '') ||
    (segments.every(({ counted }) => counted) && restCount === 0)
  );
}

/** Whether the responses of the list contained these fields of every row: else an older value of another response may be shown. */
function contains(list: List, names: readonly string[]): boolean {
  return list.segments.every(({ whole, paged, counted }) => {
    const effects = whole || paged || counted;
    const write = effects && effects.lists.find((one) => one.list === list);
    if (!write) return true;
    const known = ensure(commonFields, write, () => new Map<string, boolean>());
    const isInAll = (name: string): boolean => {
      const fieldsOf = new Map<unknown, Fields>(effects.rows.map((row, at) => [row, effects.fields[at]!])); // the arrays grow together
      return write.members.every((member) => hasField(fieldsOf.get(rowOf(member)) ?? {}, name));
    };
    return names.every((name) => ensure(known, name, () => isInAll(name)));
  });
}

// Which fields all rows of a list in a response have. Keyed by the part of the effects that has the list, and collected with it.
const commonFields = new WeakMap<object, Map<string, boolean>>();

/** Whether the list was requested after its stored responses were marked stale or invalid, which leaves the list itself as it is. */
export function isConfirmed({ segments }: List, slots: readonly Slot[]): boolean {
  return slots.every(({ staleSince, invalidatedAt }) =>
    segments.every(({ stamp: { sent } }) => knowsOf(sent, latest(staleSince, invalidatedAt))),
  );
}

/** Whether the list has not expired. When the clock was set back, the age of the list is unknown. */
export function isInTime(list: List, now: number): boolean {
  return now <= expiryOf(list) && list.segments.every(({ stamp: { storedAt } }) => storedAt <= now);
}

/** The time of day at which the first of the list's pages expires. */
export function expiryOf({ segments }: List): number {
  return Math.min(...segments.map(({ stamp }) => stamp.expiresAt));
}

/** The stored responses that contain the list. */
export function slotsOf({ slots }: Store, list: List): Slot[] {
  return [...slots.values()].filter(({ stored }) => {
    const parts = [stored];
    // The loop also takes the parts that it adds.
    for (const part of parts) {
      if (part === list) return true;
      if (isPlain(part) && !Array.isArray(part)) parts.push(...Object.values(part));
    }
    return false;
  });
}
