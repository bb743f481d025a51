// Finds the lists that a creation or a change concerns: grouped by the names they filter by, then looked up by the
// values. One look-up per group of names, however many lists are cached.
import { indexKey, indexKeysOf, isLooselyEqual } from './loose-match.ts';
import type { List, ListGroup, RowState } from './nodes.ts';

const SEPARATOR = '\u0000';

/** A list that exists takes part in filters. */
export function indexList(list: List): void {
  if (list.identity.key === null) return;
  const { group, values } = placeOf(list);
  const lists = group.byValues.get(values);
  if (lists) lists.add(list);
  else group.byValues.set(values, new Set([list]));
}

export function unindexList(list: List): void {
  if (list.identity.key === null) return;
  const { group, groupKey, values } = placeOf(list);
  const lists = group.byValues.get(values);
  lists?.delete(list);
  if (lists?.size === 0) group.byValues.delete(values);
  if (group.byValues.size === 0) list.table.listGroups.delete(groupKey);
}

/** The group of a list, made where there is none, and the list's values in it. */
function placeOf({ identity: { key, filterNames }, table: { listGroups } }: List): {
  group: ListGroup;
  groupKey: string;
  values: string;
} {
  const groupKey = JSON.stringify(filterNames);
  let group = listGroups.get(groupKey);
  if (!group) listGroups.set(groupKey, (group = { names: filterNames, byValues: new Map() }));
  const values = filterNames.map((name) => indexKey(key?.get(name) ?? '')).join(SEPARATOR);
  return { group, groupKey, values };
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
