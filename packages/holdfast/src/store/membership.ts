// Which lists a changed row leaves and enters. A list is judged by the fields that its key names: decided when the row
// has all of them, in doubt when it has not. One judgement for server truth, pending intents and late list reads.
import { isEqual } from './fields.ts';
import { findLists, fits } from './list-index.ts';
import { fieldOf } from './merge-row.ts';
import type { Change, Fields, List, Row, RowState, Table } from './nodes.ts';

/** What a change means for one list: the row goes, comes, or only the server can tell. */
export type Verdict = 'leave' | 'enter' | 'doubt' | 'none';

export function judge(list: List, after: Fields, change: Change): Verdict {
  const { followsFields, filterNames } = list.identity;
  if (!followsFields || filterNames.length === 0) return 'none';
  const isFit = fits(list, after);
  // a search text or a page: any change may matter
  if (isFit === undefined) return 'doubt';
  if (!isAbout(filterNames, after, change)) return 'none';
  if (list.isByServer) return 'doubt';
  if (!isFit) return 'leave';
  // a read that shows a field for the first time does not tell which list the row was in before
  return change.said !== null || fits(list, change.before) === false ? 'enter' : 'none';
}

/** Whether the change is about one of these fields. */
function isAbout(names: readonly string[], after: Fields, { before, said }: Change): boolean {
  return names.some((name) =>
    said === null ? !isEqual(fieldOf(before, name), fieldOf(after, name)) : Object.hasOwn(said, name),
  );
}

/** The lists that take the row in: found by the values it has now. */
export function listsToEnter(table: Table, after: Fields, change: Change): List[] {
  const found: List[] = [];
  for (const group of table.listGroups.values()) {
    if (!isAbout(group.names, after, change)) continue;
    for (const list of findLists(group, (name) => [fieldOf(after, name)]))
      if (judge(list, after, change) === 'enter') found.push(list);
  }
  return found;
}

/** Whether a write that was sent later, and answered before, took the row out of the list. */
export function hasMovedOn(list: List, { base, stamp }: Row, sent: number): boolean {
  return !!base && stamp.writeSent > sent && judge(list, base, { before: undefined, said: base }) === 'leave';
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
    const isFit = fits(list, said);
    if (isFit === false) return true;
    if (isFit) verdict = false;
  }
  return verdict;
}
