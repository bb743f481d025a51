// Which lists a row belongs to. A list is judged by the fields that its key names: decided when the row has all of them, in
// doubt when it has not. One judgement for creations, server truth, pending intents and late list reads; lists are indexed
// by the names they filter by, then by the values, so neither a creation nor a changed field scans them.
import { stableText } from '../support/stable-text.ts';
import { fieldOf, isEqual } from './fields.ts';
import { itemsOf } from './graph.ts';
import type { SmallSet } from './graph.ts';
import type { RowChange, Fields, JournalEntry, List, Row, RowState, Table } from './nodes.ts';
import { NamedMember, nameIn, rowOf, toPlain } from './stored-form.ts';
import { hasToJson, isObject } from '../support/plain.ts';
import { ensure } from '../support/ensure.ts';

/** What is compared with a list's filters: the values that a row, or a creation's parameters and body, have under a name. */
export type ValuesOf = (name: string) => readonly unknown[];

/**
 * Any value as the text it has in a list's key: as `String` has it, but for what that would merge. Objects with their
 * members sorted, rows as their primary key.
 */
export function argumentText(value: unknown): string {
  if (!isObject(value)) return String(value);
  const plain = hasToJson(value) ? value.toJSON() : toPlain(value);
  if (plain !== value) return argumentText(plain);
  const isFlat = Array.isArray(value) && !value.some((item) => isObject(item) || String(item).includes(','));
  return isFlat ? value.map(String).join() : stableText(value);
}

/** Texts of a key that may have been a boolean or a number: to `==` they are another value than the text is. */
const TWINS: Readonly<Record<string, number>> = { true: 1, false: 0, 0: 0 };

/** Whether a value loosely equals a text of a list's key, or what the text was made of: 1 and '1', true and 'true' agree. */
function agrees(value: unknown, text: string | undefined): boolean {
  const plain = typeof value === 'object' ? argumentText(value) : value;
  // oxlint-disable-next-line eqeqeq -- the contract asks for loose equality
  return plain == text || plain == (TWINS[text!] ?? NaN);
}

/** The default filter: every filter of the list's key agrees with one of the values. */
export function matches({ identity: { key, filterNames } }: List, valuesOf: ValuesOf): boolean {
  return !!key && filterNames.every((name) => valuesOf(name).some((value) => agrees(value, key.get(name))));
}

/** Whether the row's own fields put it into the list: false where one contradicts; undefined where one that filters is missing. */
export function fits({ identity: { key, filterNames } }: List, state: RowState): boolean | undefined {
  if (!state) return undefined;
  const isOff = (name: string): boolean => Object.hasOwn(state, name) && !agrees(state[name], key?.get(name));
  return !filterNames.some(isOff) && (hasAll(state, filterNames) || undefined);
}

// ── the index ────────────────────────────────────────────────────────────────────────────────────

const SEPARATOR = '\u0000';

/** Texts that are numbers share a key with every other spelling of that number, and with the boolean that it equals. */
function indexKey(text: string): string {
  const number = TWINS[text] ?? Number(text);
  return SEPARATOR + (Number.isNaN(number) ? text : number);
}

/** Puts a list that exists among those that take part in filters, or takes it out: `withItem`, `withoutItem`. */
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

/** The lists that match: one look-up per group of names, however many lists are cached. */
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
      // a superset of what is loosely equal: true, 'true', 1 and '1.0' are one key
      const options = valuesOf(name).map((value) => indexKey(argumentText(value)));
      keys = keys.flatMap((head) => [...new Set(options)].map((tail) => head + tail));
    }
    for (const key of keys)
      for (const list of itemsOf(byValues.get(key) ?? null)) if (matches(list, valuesOf)) found.push(list);
  }
  return found;
}

/** Whether rows of the table are looked up, or put into lists, by one of these fields. */
export function isPlacedBy(table: Table, fields: Fields): boolean {
  return [table, ...table.unions].some(({ placing }) =>
    Object.keys(fields).some((name) => placing.has(name)),
  );
}

// ── judgement ────────────────────────────────────────────────────────────────────────────────────

/** What an event in a row's life means for one list. */
export interface Verdict {
  /** True where the row enters, false where it leaves. */
  readonly comes?: boolean | undefined;
  /** Only the server can tell whether the row belongs there. */
  readonly isUnsure?: boolean | undefined;
}

export function judge(list: List, after: Fields, change: RowChange, isHeld: boolean): Verdict {
  const { before, incoming, isNew, isStale, isKnown } = change;
  const { followsFields, filterNames } = list.identity;
  const { isByServer: isServers } = list;
  const isFit = isServers ? undefined : fits(list, after);
  const isMoved = !isInPlace(list, after, change);
  // nor can anyone but the server tell where it stands
  const isLost = !!list.serverOrder && (!isHeld || isMoved);
  if (isNew) {
    if (!followsFields || !isFit)
      return { isUnsure: isHeld ? isServers || isFit === false || isLost : isFit !== false };
  } else {
    const isWhole = hasAll(after, filterNames);
    // from a page that is not loaded to one that is
    const mayCome = !isHeld && isMoved && isFit !== false && !!(list.unloaded ?? list.segments.length > 1);
    const stays: Verdict = { isUnsure: isHeld ? isLost : mayCome };
    const isIn = mayCome && isFit && list.unloaded;
    if (!followsFields || (isWhole && !isIn && !isAbout(filterNames, after, change))) return stays;
    // a search text or a page: any change may matter
    if (isFit === undefined) return { isUnsure: isStale || !isKnown };
    // which other row a limit lets in, only the server knows
    if (!isFit && isHeld) return { comes: false, isUnsure: isStale || !isWhole };
    // a read that shows a field for the first time does not tell which list the row was in before
    if (!isFit || !(incoming || isIn || fits(list, before) === false)) return stays;
  }
  return { comes: !isHeld || undefined, isUnsure: isStale || isLost };
}

/** Whether a row stays where it stands: no field changed that the order names, or none at all where it names none. */
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

/** Whether the change is about one of these fields. */
function isAbout(names: readonly string[], after: Fields, { before, incoming }: RowChange): boolean {
  return names.some((name) =>
    incoming ? Object.hasOwn(incoming, name) : !isEqual(fieldOf(before, name), fieldOf(after, name)),
  );
}

/** The lists that a row with these fields belongs to, and those of which not all entries are fields, or do not say all. */
export function listsNear(table: Table, after: Fields, change: RowChange): List[] {
  const found = findLists(
    table,
    (name) => [fieldOf(after, name)],
    (names) => change.isNew || isAbout(names, after, change),
  );
  for (const { names, byValues } of table.listGroups.values())
    if (!hasAll(after, names)) for (const lists of byValues.values()) found.push(...itemsOf(lists));
  for (const list of table.open) found.push(list);
  return found;
}

/** Whether a write that was sent later, and answered before, took the row out of the list. */
export function hasMovedOn(list: List, { base, stamp }: Row, sent: number): boolean {
  return !!base && stamp.writeSent > sent && judge(list, base, { incoming: base }, true).comes === false;
}

/** Whether a write that was sent later has put another member under the same name of a map. */
export function isReplaced(journal: readonly JournalEntry[], member: unknown, sent: number): boolean {
  const isNamesake = ({ member: later, sent: at }: JournalEntry): boolean =>
    at > sent && nameIn(later) === nameIn(member);
  return member instanceof NamedMember && journal.some(isNamesake);
}

/** What has happened to the rows of a list that a request in flight cannot know of. */
export function journalOf({ table }: List): readonly JournalEntry[] {
  return [...table.parts].flatMap(({ journal }) => journal);
}

/**
 * Whether an answer shows that the list's filters are not equality: it has rows that do not equal its key. Undefined where
 * none of its rows can tell.
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
