// Finds the lists that a row or a request may concern. Lists are indexed by the names of their filters, then by the values of the
// filters, so that neither a creation nor a changed field scans all lists.
import { ensure } from '../support/ensure.ts';
import { fieldOf } from './fields.ts';
import {
  argumentText,
  confirmedFields,
  touchesAny,
  hasFields,
  matchesFilters,
  LOOSE_NUMBERS,
} from './filters.ts';
import { itemsOf } from './graph.ts';
import type { SmallSet } from './graph.ts';
import type { Fields, List, ListGroup, Row, RowEvent, Table, ValuesOf } from './nodes.ts';

const SEPARATOR = '\u0000';

/**
 * The part of an index key for one value. All spellings of a number have one part ('1' and '1.0'), and so do a boolean and its
 * number ('true' and '1').
 */
function indexKeyPart(text: string): string {
  const number = LOOSE_NUMBERS[text] ?? Number(text);
  return SEPARATOR + (Number.isNaN(number) ? text : number);
}

/** Adds a list to the index of filters, or removes it: `change` is `addItem` or `removeItem`. */
export function indexList(list: List, change: (lists: SmallSet<List>, list: List) => SmallSet<List>): void {
  const { key, filterNames: names } = list.identity;
  if (!key) return;
  const { listGroups } = list.table;
  const groupKey = JSON.stringify(names);
  const { byValues } = ensure(listGroups, groupKey, () => ({ names, byValues: new Map() }));
  const values = names.map((name) => indexKeyPart(key.get(name) ?? '')).join('');
  const lists = change(byValues.get(values) ?? null, list);
  if (lists) byValues.set(values, lists);
  else byValues.delete(values);
  if (byValues.size === 0) listGroups.delete(groupKey);
}

/**
 * The lists of these groups whose filters match the values. They are looked up by key, so that not all stored lists are scanned.
 */
export function findLists(groups: Iterable<ListGroup>, valuesOf: ValuesOf): List[] {
  const found: List[] = [];
  for (const { names, byValues } of groups) {
    let keys = [''];
    for (const name of names) {
      // The index finds more than loosely equal values, because true, 'true', 1 and '1.0' share a key. `matchesFilters` removes the
      // lists that do not match.
      const options = valuesOf(name).map((value) => indexKeyPart(argumentText(value)));
      keys = keys.flatMap((head) => [...new Set(options)].map((tail) => head + tail));
    }
    for (const key of keys)
      for (const list of itemsOf(byValues.get(key))) if (matchesFilters(list, valuesOf)) found.push(list);
  }
  return found;
}

/** Whether one of these fields is used to look up rows of the table, or to place them into lists. */
export function affectsPlacing(table: Table, fields: Fields): boolean {
  return [table, ...table.unions].some(({ placingFields }) =>
    Object.keys(fields).some((name) => placingFields.has(name)),
  );
}

/**
 * The lists that the event may concern, besides the lists that hold the row. A list that matches the row's confirmed fields
 * (`confirmedFields`) is included if the row was created or the event touches a field of the list's filters. Lists with a filter
 * that is none of these fields, and the lists in `alwaysChecked` of a table, are always included.
 */
export function listsConcerned(row: Row, event: RowEvent): List[] {
  const after = confirmedFields(row, event.after ?? {});
  const found: List[] = [];
  for (const { listGroups, alwaysChecked } of [row.table, ...row.table.unions]) {
    for (const group of listGroups.values()) {
      const { names, byValues } = group;
      if (!hasFields(after, names)) for (const lists of byValues.values()) found.push(...itemsOf(lists));
      else if (event.type === 'created' || touchesAny(names, event))
        found.push(...findLists([group], (name) => [fieldOf(after, name)]));
    }
    found.push(...alwaysChecked);
  }
  return found;
}
