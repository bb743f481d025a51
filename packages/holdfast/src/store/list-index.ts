// Finds the lists that a creation or a change concerns: grouped by the names they filter by, then looked up by the
// values. One look-up per group of names, however many lists are cached.
import { indexKey, indexKeysOf, isLooselyEqual } from './loose-match.ts';
import type { List, ListGroup, RowState, Table } from './nodes.ts';

const SEPARATOR = '\u0000';

export function indexList(list: List): void {
  const { key, filterNames } = list.identity;
  if (key === null) return;
  const group = ensureGroup(list.table, filterNames);
  const values = valuesKey(filterNames.map((name) => indexKey(key.get(name) ?? '')));
  const lists = group.byValues.get(values);
  if (lists) lists.add(list);
  else group.byValues.set(values, new Set([list]));
}

export function unindexList(list: List): void {
  const { key, filterNames } = list.identity;
  if (key === null) return;
  const groupKey = JSON.stringify(filterNames);
  const group = list.table.listGroups.get(groupKey);
  if (!group) return;
  const values = valuesKey(filterNames.map((name) => indexKey(key.get(name) ?? '')));
  const lists = group.byValues.get(values);
  lists?.delete(list);
  if (lists?.size === 0) group.byValues.delete(values);
  if (group.byValues.size === 0) list.table.listGroups.delete(groupKey);
}

function ensureGroup(table: Table, names: readonly string[]): ListGroup {
  const groupKey = JSON.stringify(names);
  let group = table.listGroups.get(groupKey);
  if (!group) table.listGroups.set(groupKey, (group = { names, byValues: new Map() }));
  return group;
}

function valuesKey(parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** The lists whose every filter loosely equals one of the candidates for its name. */
export function findLists(group: ListGroup, candidatesOf: (name: string) => readonly unknown[]): List[] {
  const found: List[] = [];
  let keys = [''];
  for (const [at, name] of group.names.entries()) {
    const options = new Set(candidatesOf(name).flatMap(indexKeysOf));
    keys = keys.flatMap((head) => [...options].map((tail) => (at === 0 ? tail : head + SEPARATOR + tail)));
  }
  for (const key of keys) {
    for (const list of group.byValues.get(key) ?? []) {
      if (passes(list, (name, text) => candidatesOf(name).some((value) => isLooselyEqual(value, text)))) {
        found.push(list);
      }
    }
  }
  return found;
}

/** Whether every filter of the list's key says yes. */
export function passes(list: List, test: (name: string, text: string) => boolean): boolean {
  const { key, filterNames } = list.identity;
  return key !== null && filterNames.every((name) => test(name, key.get(name) ?? ''));
}

/** Whether the row's own fields put it into the list; undefined where they cannot tell, as it lacks one that filters. */
export function fits(list: List, state: RowState): boolean | undefined {
  if (!state || !list.identity.filterNames.every((name) => Object.hasOwn(state, name))) return undefined;
  return passes(list, (name, text) => isLooselyEqual(state[name], text));
}
