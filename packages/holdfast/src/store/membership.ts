// Decides which lists a row belongs to, by the row's fields that the list's key names. When such a field is missing and no other
// one contradicts the key, only the server knows. The same rule serves creations, reads, pending intents and late list reads.
// Lists are indexed by the names they filter by, then by the values, so that neither a creation nor a changed field scans all
// lists.
import { stableText } from '../support/stable-text.ts';
import { fieldOf, isEqual } from './fields.ts';
import { itemsOf } from './graph.ts';
import type { SmallSet } from './graph.ts';
import type { RowChange, Fields, JournalEntry, List, Row, RowState, Table } from './nodes.ts';
import { hasLaterWrite, knowsOf } from './order.ts';
import { NamedMember, nameOfMember, rowOf, toPlain } from './stored-form.ts';
import { hasToJson, isObject } from '../support/plain.ts';
import { ensure } from '../support/ensure.ts';

/** The values that a row, or a creation's parameters and body, have under a name. They are compared with a list's filters. */
export type ValuesOf = (name: string) => readonly unknown[];

/**
 * The string that a value has in a list's key: `String(value)`, except for values that `String` would make equal. Objects are
 * written with sorted properties, rows as their primary key.
 */
export function argumentText(value: unknown): string {
  if (!isObject(value)) return String(value);
  const plain = hasToJson(value) ? value.toJSON() : toPlain(value);
  if (plain !== value) return argumentText(plain);
  const isFlat = Array.isArray(value) && !value.some((item) => isObject(item) || String(item).includes(','));
  return isFlat ? value.map(String).join() : stableText(value);
}

/**
 * Strings in a key that may have been made from a boolean or a number, each with the number that a value may also loosely equal,
 * because `true == 'true'` is false.
 */
const TWINS: Readonly<Record<string, number>> = { true: 1, false: 0, 0: 0 };

/**
 * Whether a value loosely equals a string of a list's key, or the value that the string was made from: 1 and '1', true and 'true'
 * agree.
 */
function agrees(value: unknown, text: string | undefined): boolean {
  const plain = typeof value === 'object' ? argumentText(value) : value;
  // oxlint-disable-next-line eqeqeq -- the contract asks for loose equality
  return plain == text || plain == (TWINS[text!] ?? NaN);
}

/** The default filter: every filter of the list's key agrees with one of the values. */
export function matches({ identity: { key, filterNames } }: List, valuesOf: ValuesOf): boolean {
  return !!key && filterNames.every((name) => valuesOf(name).some((value) => agrees(value, key.get(name))));
}

/**
 * Whether the row's fields put it into the list: false when a field contradicts a filter; undefined when none does, but a field
 * that filters is missing.
 */
export function fits({ identity: { key, filterNames } }: List, state: RowState): boolean | undefined {
  if (!state) return undefined;
  const isOff = (name: string): boolean => Object.hasOwn(state, name) && !agrees(state[name], key?.get(name));
  return !filterNames.some(isOff) && (hasAll(state, filterNames) || undefined);
}

// ── the index ────────────────────────────────────────────────────────────────────────────────────

const SEPARATOR = '\u0000';

/**
 * The part of an index key for one value: the same for all spellings of a number ('1' and '1.0'), and for a boolean and its number
 * ('true' and '1').
 */
function indexKey(text: string): string {
  const number = TWINS[text] ?? Number(text);
  return SEPARATOR + (Number.isNaN(number) ? text : number);
}

/** Adds a list to the index of filters, or removes it: `change` is `withItem` or `withoutItem`. */
export function indexList(list: List, change: (lists: SmallSet<List>, list: List) => SmallSet<List>): void {
  const { key, filterNames: names } = list.identity;
  if (!key) return;
  const { listGroups } = list.table;
  const groupKey = JSON.stringify(names);
  const { byValues } = ensure(listGroups, groupKey, () => ({ names, byValues: new Map() }));
  const values = names.map((name) => indexKey(key.get(name) ?? '')).join('');
  const lists = change(byValues.get(values) ?? null, list);
  if (lists) byValues.set(values, lists);
  else byValues.delete(values);
  if (byValues.size === 0) listGroups.delete(groupKey);
}

/**
 * The lists that match: one look-up for each group of filter names, however many lists are cached. Groups for which `isAsked`
 * returns false are left out.
 */
export function findLists(
  table: Table,
  valuesOf: ValuesOf,
  isAsked?: (names: readonly string[]) => boolean,
): List[] {
  const found: List[] = [];
  for (const { names, byValues } of table.listGroups.values()) {
    if (isAsked?.(names) === false) continue;
    let keys = [''];
    for (const name of names) {
      // The index finds more than loosely equal values, because true, 'true', 1 and '1.0' share a key. `matches` removes the
      // others.
      const options = valuesOf(name).map((value) => indexKey(argumentText(value)));
      keys = keys.flatMap((head) => [...new Set(options)].map((tail) => head + tail));
    }
    for (const key of keys)
      for (const list of itemsOf(byValues.get(key) ?? null)) if (matches(list, valuesOf)) found.push(list);
  }
  return found;
}

/** Whether rows of the table are looked up, or placed into lists, by one of these fields. */
export function isPlacedBy(table: Table, fields: Fields): boolean {
  return [table, ...table.unions].some(({ placing }) =>
    Object.keys(fields).some((name) => placing.has(name)),
  );
}

// ── the rule ─────────────────────────────────────────────────────────────────────────────────────

/** What a change of a row means for one list. */
export interface Verdict {
  /** True when the row enters the list, false when it leaves, undefined when nothing changes. */
  readonly comes?: boolean | undefined;
  /** True when only the server can decide: the list becomes stale. */
  readonly isUnsure?: boolean | undefined;
}

export function judge(list: List, after: Fields, change: RowChange, isHeld: boolean): Verdict {
  const { before, incoming, isNew, isStale, isKnown } = change;
  const { followsFields, filterNames } = list.identity;
  const { isByServer: isServers } = list;
  const isFit = isServers ? undefined : fits(list, after);
  const isMoved = !isInPlace(list, after, change);
  // In a server order, only the server knows the row's position.
  const isLost = !!list.serverOrder && (!isHeld || isMoved);
  if (isNew) {
    if (!followsFields || !isFit)
      return { isUnsure: isHeld ? isServers || isFit === false || isLost : isFit !== false };
  } else {
    const isWhole = hasAll(after, filterNames);
    // The row may move from a page that is not loaded to a loaded one.
    const mayCome = !isHeld && isMoved && isFit !== false && !!(list.unloaded ?? list.segments.length > 1);
    const stays: Verdict = { isUnsure: isHeld ? isLost : mayCome };
    const isIn = mayCome && isFit && list.unloaded;
    if (!followsFields || (isWhole && !isIn && !isAbout(filterNames, after, change))) return stays;
    // The key contains a filter that is no field, such as a search string or a page: any change may matter.
    if (isFit === undefined) return { isUnsure: isStale || !isKnown };
    // A filter that is no field may be a limit: only the server knows which row takes the free place.
    if (!isFit && isHeld) return { comes: false, isUnsure: isStale || !isWhole };
    // A read that brings a field for the first time does not show that the row was in another list before.
    if (!isFit || !(incoming || isIn || fits(list, before) === false)) return stays;
  }
  return { comes: !isHeld || undefined, isUnsure: isStale || isLost };
}

/**
 * Whether the row keeps its position: no field changed that the order names. When the order names no fields of the row, any
 * changed field counts.
 */
function isInPlace({ serverOrder, arrangedBy }: List, after: Fields, change: RowChange): boolean {
  const order = serverOrder || arrangedBy;
  if (!order) return true;
  const names = order.match(/\b(?!(a|de)sc\b)\w+/gi);
  return (
    change.isKnown ?? !isAbout(names && hasAll(after, names) ? names : Object.keys(after), after, change)
  );
}

export function hasAll(state: Fields, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(state, name));
}

/** Whether the change concerns one of these fields. */
function isAbout(names: readonly string[], after: Fields, { before, incoming }: RowChange): boolean {
  return names.some((name) =>
    incoming ? Object.hasOwn(incoming, name) : !isEqual(fieldOf(before, name), fieldOf(after, name)),
  );
}

/**
 * The lists that the change may concern: those that match the row's fields, those with a filter that is no field of the row, and
 * those in `table.alwaysChecked`.
 */
export function listsNear(table: Table, after: Fields, change: RowChange): List[] {
  const found = findLists(
    table,
    (name) => [fieldOf(after, name)],
    (names) => change.isNew || isAbout(names, after, change),
  );
  for (const { names, byValues } of table.listGroups.values())
    if (!hasAll(after, names)) for (const lists of byValues.values()) found.push(...itemsOf(lists));
  for (const list of table.alwaysChecked) found.push(list);
  return found;
}

/** Whether a write that was sent after `sent`, and is already acknowledged, took the row out of the list. */
export function hasMovedOn(list: List, { base, stamp }: Row, sent: number): boolean {
  return !!base && hasLaterWrite(stamp, sent) && judge(list, base, { incoming: base }, true).comes === false;
}

/** Whether a write that was sent after `sent` has put another member under the same name of a map. */
export function isReplaced(journal: readonly JournalEntry[], member: unknown, sent: number): boolean {
  const isNamesake = ({ member: later, sent: at }: JournalEntry): boolean =>
    !knowsOf(sent, at) && nameOfMember(later) === nameOfMember(member);
  return member instanceof NamedMember && journal.some(isNamesake);
}

/** The journal of the list's tables: changes of rows that a request in flight cannot know of. */
export function journalOf({ table }: List): readonly JournalEntry[] {
  return [...table.rowTables].flatMap(({ journal }) => journal);
}

/**
 * Whether the response has rows whose fields differ from the values in the list's key: then the server filters by a rule of its own.
 * Undefined when no row has the fields to decide.
 */
export function isByServer(
  list: List,
  members: readonly unknown[],
  response: { incomingOf(row: Row): RowState },
): boolean | undefined {
  let verdict: boolean | undefined;
  for (const member of list.identity.followsFields ? members : []) {
    const row = rowOf(member);
    const isFit = row && fits(list, response.incomingOf(row));
    if (isFit !== undefined) verdict = !isFit;
    if (verdict) break;
  }
  return verdict;
}
