// Updates the members of a list from a saved state by the rows that were changed here after the state was saved. Used by
// hydrate.ts.
import { holds, isFitFor, withMembers, without } from '../../store/list-members.ts';
import type { Members } from '../../store/list-members.ts';
import { judge } from '../../store/membership.ts';
import type { RowChange, Fields, List, Row, Table } from '../../store/nodes.ts';

/** The rows of the state, with their fields. */
export type SavedRows = ReadonlyMap<Row, { readonly fields: Fields | null }>;

/** The fields of a changed row in the state, when a read changed the row here; undefined when it was written here. */
type SavedBefore = Fields | undefined;

/** The rows of a list's table that were written here, or that a read has changed or removed since the state was saved. */
export function changesIn({ rowTables }: Table, saved: SavedRows): ReadonlyMap<Row, SavedBefore> {
  const changes = new Map<Row, SavedBefore>();
  for (const row of [...rowTables].flatMap(({ rows }) => [...rows.values()])) {
    const { base, stamp } = row;
    const before = saved.get(row)?.fields ?? undefined;
    if (base === undefined) continue;
    if (stamp.writeSent > 0) changes.set(row, undefined);
    else if (stamp.fence > 0 && (before || base === null)) changes.set(row, before);
  }
  return changes;
}

/** Removes changed rows from the segments of a saved list, or adds them; true when only the server knows the right members. */
export function judgeSaved(
  list: List,
  segments: { members: Members }[],
  changes: ReadonlyMap<Row, SavedBefore>,
): boolean {
  const { table, identity, unloaded, restCount } = list;
  // The fields of a row do not determine whether it is on an unloaded page, nor its name in a map.
  const isBeyondRows = !!unloaded || !!restCount || identity.isKeyed;
  let isUnsure = changes.size > 0 && isBeyondRows;
  for (const { staleAt } of [table, ...table.rowTables]) isUnsure ||= staleAt > 0;
  for (const [row, before] of changes) {
    const isHeld = segments.some(({ members }) => holds(members, row));
    const verdict = row.base
      ? judge(list, row.base, changeOf(row.base, before, isHeld), isHeld)
      : // Deleted here. The server may limit a list with filters, so another row may now belong to it.
        { comes: isHeld ? false : undefined, isUnsure: isHeld && identity.filterNames.length > 0 };
    const { comes } = verdict;
    if (comes === false)
      for (const segment of segments) segment.members = without(segment.members, (member) => member === row);
    const last = segments.at(-1);
    const isPut = comes && last && isFitFor(list, row);
    if (isPut) last.members = withMembers(last.members, [row], 'end', () => false);
    isUnsure ||= verdict.isUnsure || (comes && !(isPut && before)) || row.staleSince > 0;
  }
  return isUnsure;
}

/** The change of a row, for `judge`. A row that was written here and that the list lacks may have been created here. */
function changeOf(incoming: Fields, before: SavedBefore, isHeld: boolean): RowChange {
  return before ? { before } : isHeld ? { incoming } : { isNew: true };
}
