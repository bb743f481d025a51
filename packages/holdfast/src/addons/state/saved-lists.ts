// Adds rows that this engine has changed to the lists of a saved state, or removes them, because these changes count as later than
// the state.
import { containsRow, canContain, addMembers, withoutRows } from '../../store/list-members.ts';
import type { Members } from '../../store/list-members.ts';
import { decideMembership } from '../../store/membership.ts';
import { isAfter, isRestoredOrAbsent, isStale, wasWritten } from '../../store/order.ts';
import type { Fields, List, Row, RowEvent, Table } from '../../store/nodes.ts';

/** The rows of the state, with their fields. */
export type SavedRows = ReadonlyMap<Row, { readonly fields: Fields | null }>;

/**
 * The fields that a changed row has in the state. Undefined if a write changed the row, or if the state has no fields of the row.
 */
type FieldsBeforeRead = Fields | undefined;

/**
 * The rows of a list's types that have changed in this store: rows that a write has changed, and rows that a read has brought or
 * found deleted. A row that only a read has brought counts if the state contains the row.
 */
export function changesInStore({ rowTables }: Table, saved: SavedRows): ReadonlyMap<Row, FieldsBeforeRead> {
  const changes = new Map<Row, FieldsBeforeRead>();
  for (const row of [...rowTables].flatMap(({ rows }) => [...rows.values()])) {
    const { base, stamp } = row;
    const before = saved.get(row)?.fields ?? undefined;
    if (base === undefined) continue;
    if (wasWritten(stamp)) changes.set(row, undefined);
    else if (!isRestoredOrAbsent(stamp) && (before || base === null)) changes.set(row, before);
  }
  return changes;
}

/** Removes changed rows from the segments of a saved list, or adds them. Returns true when it is unknown which rows belong to the list. */
export function placeChangedRows(
  list: List,
  segments: { members: Members }[],
  changes: ReadonlyMap<Row, FieldsBeforeRead>,
): boolean {
  const { table, identity, unloadedEnds, restCount } = list;
  // The fields of a row do not show whether the row is on an unloaded page, or which name the row has in a map.
  const isBeyondRows = !!unloadedEnds || !!restCount || identity.isKeyed;
  let isUnsure = changes.size > 0 && isBeyondRows;
  for (const { listsStaleAt } of [table, ...table.rowTables]) isUnsure ||= isAfter(listsStaleAt, 0);
  for (const [row, before] of changes) {
    const isHeld = segments.some(({ members }) => containsRow(members, row));
    const verdict = decideMembership(list, row, eventOf(row, before, isHeld), isHeld);
    const isEntering = verdict.move === 'enter';
    if (verdict.move === 'leave')
      for (const segment of segments)
        segment.members = withoutRows(segment.members, (member) => member === row);
    const last = segments.at(-1);
    const isPut = isEntering && last && canContain(list, row);
    if (isPut) last.members = addMembers(last.members, [row], 'end', () => false);
    isUnsure ||= verdict.isUnsure || (isEntering && !(isPut && before)) || isStale(row);
  }
  return isUnsure;
}

/**
 * The event by which a row of this store is judged. If this engine has written the row, and the list does not contain it, this
 * engine may have created it.
 */
function eventOf({ base: after }: Row, before: FieldsBeforeRead, isHeld: boolean): RowEvent {
  if (!after) return { after };
  if (before) return { before, after };
  return isHeld ? { type: 'written', incoming: after, after } : { type: 'created', after };
}
