// Which lists a row belongs to. A list is judged by the fields that its key names: decided when the row has all of them, in
// doubt when it has not. One judgement for creations, server truth, pending intents and late list reads; lists are indexed
// by the names they filter by, then by the values, so neither a creation nor a changed field scans them.
import { stableText } from '../support/stable-text.ts';
import { fieldOf, isEqual } from './fields.ts';
import { itemsOf } from './graph.ts';
import type { SmallSet } from './graph.ts';
import type { Change, Fields, List, Row, RowState, Table } from './nodes.ts';
import { toPlain } from './stored-form.ts';
import { isObject } from '../support/plain.ts';

/** What is compared with a list's filters: the values that a row, or a creation's parameters and body, have under a name. */
export type ValuesOf = (name: string) => readonly unknown[];

/** Any value as the text it has in a list's key: objects with their members sorted, rows as their primary key. */
export function textOf(value: unknown): string {
  if (!isObject(value)) return String(value);
  const plain = toPlain(value);
  return plain === value ? stableText(value) : textOf(plain);
}

/** The default filter: every filter of the list's key loosely equals one of the values, so that 1 and '1', true and 'true' agree. */
export function matches({ identity: { key, filterNames } }: List, valuesOf: ValuesOf): boolean {
  const isEqualTo = (text: string | undefined) => (value: unknown) =>
    // oxlint-disable-next-line eqeqeq -- the contract asks for loose equality
    value !== undefined && ((typeof value !== 'object' && value == text) || textOf(value) === text);
  return key !== null && filterNames.every((name) => valuesOf(name).some(isEqualTo(key.get(name))));
}

/** Whether the row's own fields put it into the list; undefined where they cannot tell, as it lacks one that filters. */
function fits(list: List, state: RowState): boolean | undefined {
  if (!state || !list.identity.filterNames.every((name) => Object.hasOwn(state, name))) return undefined;
  return matches(list, (name) => [state[name]]);
}

// ── the index ────────────────────────────────────────────────────────────────────────────────────

const SEPARATOR = '\u0000';

/** Texts that are numbers share a key with every other spelling of that number. */
function indexKey(text: string): string {
  const number = Number(text);
  return SEPARATOR + (Number.isNaN(number) ? text : number);
}

/** Puts a list that exists among those that take part in filters, or takes it out: `withItem`, `withoutItem`. */
export function indexList(list: List, change: (lists: SmallSet<List>, list: List) => SmallSet<List>): void {
  const { key, filterNames: names } = list.identity;
  if (key === null) return;
  const { listGroups } = list.table;
  const groupKey = JSON.stringify(names);
  const group = listGroups.get(groupKey) ?? { names, byValues: new Map<string, SmallSet<List>>() };
  const values = names.map((name) => indexKey(key.get(name) ?? '')).join('');
  const lists = change(group.byValues.get(values) ?? null, list);
  if (lists) group.byValues.set(values, lists);
  else group.byValues.delete(values);
  if (group.byValues.size > 0) listGroups.set(groupKey, group);
  else listGroups.delete(groupKey);
}

/** The lists that match: one look-up per group of names, however many lists are cached. */
export function findLists(
  table: Table,
  valuesOf: ValuesOf,
  isAsked: (names: readonly string[]) => boolean = () => true,
): List[] {
  const found: List[] = [];
  for (const { names, byValues } of table.listGroups.values()) {
    if (!isAsked(names)) continue;
    let keys = [''];
    for (const name of names) {
      // a superset of what is loosely equal: true equals 'true' and '1'
      const options = valuesOf(name).flatMap((value) => [
        indexKey(textOf(value)),
        ...(typeof value === 'boolean' ? [indexKey(value ? '1' : '0')] : []),
      ]);
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

/** What a change means for one list: the row goes, comes, or only the server can tell. */
export type Verdict = 'leave' | 'enter' | 'doubt' | 'none';

export function judge(list: List, after: Fields, change: Change): Verdict {
  const { followsFields, filterNames } = list.identity;
  if (!followsFields) return 'none';
  const isFit = fits(list, after);
  // a search text or a page: any change may matter
  if (isFit === undefined) return 'doubt';
  if (!isAbout(filterNames, after, change)) return 'none';
  if (list.isByServer) return 'doubt';
  if (!isFit) return 'leave';
  // a read that shows a field for the first time does not tell which list the row was in before
  return change.said || fits(list, change.before) === false ? 'enter' : 'none';
}

/** Whether the change is about one of these fields. */
function isAbout(names: readonly string[], after: Fields, { before, said }: Change): boolean {
  return names.some((name) =>
    said ? Object.hasOwn(said, name) : !isEqual(fieldOf(before, name), fieldOf(after, name)),
  );
}

/** The lists that take the row in: found by the values it has now. */
export function listsToEnter(table: Table, after: Fields, change: Change): List[] {
  return findLists(
    table,
    (name) => [fieldOf(after, name)],
    (names) => isAbout(names, after, change),
  ).filter((list) => judge(list, after, change) === 'enter');
}

/** Whether a write that was sent later, and answered before, took the row out of the list. */
export function hasMovedOn(list: List, { base, stamp }: Row, sent: number): boolean {
  return !!base && stamp.writeSent > sent && judge(list, base, { said: base }) === 'leave';
}

/**
 * Whether an answer shows that the list's filters are not equality: it has rows that do not equal its key. Undefined where
 * none of its rows can tell.
 */
export function isByServer(list: List, rows: Iterable<RowState>): boolean | undefined {
  let verdict: boolean | undefined;
  for (const said of list.identity.followsFields ? rows : []) {
    const isFit = fits(list, said);
    if (isFit === false) return true;
    if (isFit) verdict = false;
  }
  return verdict;
}
