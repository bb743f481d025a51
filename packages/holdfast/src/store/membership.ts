// Which lists a changed row leaves and enters. A list is judged by the fields its key names: decided when the row has
// all of them, in doubt when it has not. The same judgement serves server truth, pending intents and late list reads.
import { isEqual } from './fields.ts';
import { findLists, isDecidable, matchesFields } from './list-index.ts';
import { fieldOf } from './merge-row.ts';
import type { Fields, List, Row, RowState, Table } from './nodes.ts';

/** What a change means for one list: the row goes, comes, or only the server can tell. */
export type Verdict = 'leave' | 'enter' | 'doubt' | 'none';

export function judge(list: List, before: RowState, after: RowState): Verdict {
  const { followsFields, filterNames } = list.identity;
  if (!followsFields || (after && filterNames.length === 0)) return 'none';
  // a search text or a page: any change may matter, and only the server can tell
  if (!isDecidable(list, after)) return 'doubt';
  if (!changesAny(filterNames, before, after)) return 'none';
  if (list.isByServer) return 'doubt';
  if (!matchesFields(list, after)) return 'leave';
  // a field seen for the first time says nothing about the list it would have been in
  return isDecidable(list, before) && !matchesFields(list, before) ? 'enter' : 'none';
}

/** For a row that a write has stated: whether it belongs, if the write said anything about the list's filters. */
export function judgeByFields(list: List, state: RowState, said: Fields): Verdict {
  const { followsFields, filterNames } = list.identity;
  if (!followsFields || filterNames.length === 0) return 'none';
  if (!isDecidable(list, state)) return 'doubt';
  if (!filterNames.some((name) => Object.hasOwn(said, name))) return 'none';
  if (list.isByServer) return 'doubt';
  return matchesFields(list, state) ? 'enter' : 'leave';
}

/**
 * Whether an answer shows that the list's filters are not equality: it has rows that do not equal its key. Undefined where
 * none of its rows can tell.
 */
export function isByServer(list: List, rows: Iterable<RowState>): boolean | undefined {
  const { followsFields, filterNames } = list.identity;
  if (!followsFields || filterNames.length === 0) return undefined;
  let verdict: boolean | undefined;
  for (const said of rows) {
    if (!isDecidable(list, said)) continue;
    if (!matchesFields(list, said)) return true;
    verdict = false;
  }
  return verdict;
}

/** Whether a write that was sent after the creation, and answered before it, took the row out of the list. */
export function hasMovedOn(list: List, row: Row, creationSent: number): boolean {
  return (
    !!row.base && row.stamp.writeSent > creationSent && judgeByFields(list, row.base, row.base) === 'leave'
  );
}

/** The lists that a write which stated these fields finds the row to belong to. */
export function listsThatFit(table: Table, state: RowState, said: Fields): List[] {
  const found: List[] = [];
  for (const group of table.listGroups.values()) {
    if (!group.names.some((name) => Object.hasOwn(said, name))) continue;
    for (const list of findLists(group, (name) => [fieldOf(state, name)])) {
      if (judgeByFields(list, state, said) === 'enter') found.push(list);
    }
  }
  return found;
}

/** The lists that may have to take the row in: found by the values it has now. */
export function listsToEnter(table: Table, before: RowState, after: RowState): List[] {
  const found: List[] = [];
  for (const group of table.listGroups.values()) {
    if (!changesAny(group.names, before, after)) continue;
    for (const list of findLists(group, (name) => [fieldOf(after, name)])) {
      if (judge(list, before, after) === 'enter') found.push(list);
    }
  }
  return found;
}

function changesAny(names: readonly string[], before: RowState, after: RowState): boolean {
  return names.some((name) => !isEqual(fieldOf(before, name), fieldOf(after, name)));
}
