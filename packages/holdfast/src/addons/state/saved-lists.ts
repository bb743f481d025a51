// The members that a saved state gives a list, against what has happened to rows here: the state was made before it.
import { holds, isFitFor, withMembers, without } from '../../store/list-members.ts';
import type { Members } from '../../store/list-members.ts';
import { judge } from '../../store/membership.ts';
import type { RowChange, Fields, List, Row, Table } from '../../store/nodes.ts';

/** What the state says of rows. */
export type SavedRows = ReadonlyMap<Row, { readonly fields: Fields | null }>;

/** What a read has told here of a row, and not the state: its fields before. None where the row was written here. */
type SavedBefore = Fields | undefined;

/** The rows of a list's table that were written here, or of which something else is known than the state says. */
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

/** Takes rows out of the pages of a saved list, or puts them in, as their changes ask; whether only the server can tell. */
export function judgeSaved(
  list: List,
  segments: { members: Members }[],
  changes: ReadonlyMap<Row, SavedBefore>,
): boolean {
  const { table, identity, unloaded, restCount } = list;
  // which rows stand on pages that are not loaded, and which names they were given, the rows do not tell
  const isBeyondRows = !!unloaded || !!restCount || identity.isKeyed;
  let isUnsure = changes.size > 0 && isBeyondRows;
  for (const { staleAt } of [table, ...table.rowTables]) isUnsure ||= staleAt > 0;
  for (const [row, before] of changes) {
    const isHeld = segments.some(({ members }) => holds(members, row));
    const verdict = row.base
      ? judge(list, row.base, changeOf(row.base, before, isHeld), isHeld)
      : // deleted here: behind a limit another row has taken its place
        { comes: isHeld ? false : undefined, isUnsure: isHeld && identity.filterNames.length > 0 };
    const { comes } = verdict;
    if (comes === false)
      for (const segment of segments) segment.members = without(segment.members, (one) => one === row);
    const last = segments.at(-1);
    const isPut = comes && last && isFitFor(list, row);
    if (isPut) last.members = withMembers(last.members, [row], 'end', () => false);
    isUnsure ||= verdict.isUnsure || (comes && !(isPut && before)) || row.staleSince > 0;
  }
  return isUnsure;
}

/** A row that was written here and that the list lacks may have been created here. */
function changeOf(incoming: Fields, before: SavedBefore, isHeld: boolean): RowChange {
  return before ? { before } : isHeld ? { incoming } : { isNew: true };
}
