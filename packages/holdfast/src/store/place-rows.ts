// Adds rows to lists and removes them: by the fields of the rows, and by the placements of a payload. The same code works on three
// targets: base (server-lists.ts), the layers of a pending intent (overlay.ts), and a target that changes nothing, with which
// apply-effects.ts runs users' hooks before anything is written.
import { tryRun } from '../support/call-safely.ts';
import {
  canContain,
  isFull,
  subjectOf,
  memberFor,
  withoutRows,
  addMembers,
  withoutRepeats,
} from './list-members.ts';
import type { Members } from './list-members.ts';
import { listsConcerned } from './list-index.ts';
import { decideMembership, hasLeftSince, isNameTakenSince } from './membership.ts';
import type { List, Place, Placement, Row, RowEvent } from './nodes.ts';
import { knowsOf, knowsOfDelete } from './order.ts';
import { rowOf } from './stored-form.ts';

/** Returns the new members of one page of a list. A layer has no pages, so there `page` is the whole list. */
export type Edit = (page: Members, at: { isFirst: boolean; isLast: boolean; all: Members }) => Members;

/** The lists of one target: of base, of an intent, or of a rehearsal. */
export interface Lists {
  /** When the request of the payload was sent; Infinity for an optimistic update. */
  readonly sent: number;
  /** The lists that may hold the row. */
  of(row: Row): Iterable<List>;
  /** Whether the list contains the row. `among` are the members to search; only the overlay uses this parameter. */
  has(list: List, row: Row, among?: Members): boolean;
  /**
   * Edits the pages of a list. If no member leaves, a caller may pass the new members as `came`, so that they are not searched for.
   */
  edit(list: List, edit: Edit, came?: Members): void;
  /** Called when only the server knows which rows belong to the list, or in which order. */
  markStale(list: List, since?: number): void;
}

/**
 * Adds members to one list, after its last page or before its first. Members that are already in the list keep their position. A
 * full list gets no members: it is marked stale.
 */
function addToList(lists: Lists, list: List, members: Members, place?: Place, since?: number): void {
  if (isFull(list)) return lists.markStale(list, since);
  const fitting = members.filter((member) => canContain(list, member));
  // The list is stale if it has a server order, because only the server knows the positions of the new members, or if a member does
  // not have the list's form and is left out.
  if (fitting.length < members.length || list.serverOrder) lists.markStale(list, since);
  // The members of a map have names. If it became unknown after this write was sent which rows belong to the lists, another row may
  // have got one of the names: the map is stale.
  if (list.identity.isKeyed && !knowsOf(lists.sent, list.table.listsStaleAt)) lists.markStale(list);
  // Three more kinds of members are left out: rows that a later write, already acknowledged, has moved out of the list; in an
  // optimistic update, deleted rows; in a map, members under whose name a later write has put a member.
  const came = withoutRows(
    fitting,
    (row) => hasLeftSince(list, row, lists.sent) || (lists.sent === Infinity && row.shown === null),
  ).filter((member) => !isNameTakenSince(list, member, lists.sent));
  lists.edit(
    list,
    (page, { isFirst, isLast }) =>
      (place === 'start' ? isFirst : isLast)
        ? addMembers(page, came, place, (row) => lists.has(list, row, page))
        : page,
    // fast: C1, test/property/lists. A map is compared, because a new member may replace another member of the same name.
    list.identity.isKeyed ? undefined : came,
  );
}

export function removeFromList(lists: Lists, list: List, rows: Iterable<Row>): void {
  const gone = new Set(rows);
  if (isFull(list)) lists.markStale(list);
  lists.edit(list, (page) => withoutRows(page, (one) => gone.has(one)));
}

/** Adds the row to lists, removes it from lists and marks lists stale, as `decideMembership` decides for each. */
export function placeRow(lists: Lists, row: Row, event: RowEvent): void {
  const { fence, place } = event;
  const concerned = listsConcerned(row, event);
  const held = lists.of(row);
  for (const list of concerned.length ? new Set([...held, ...concerned]) : held) {
    const { move, isUnsure } = decideMembership(list, row, event, lists.has(list, row));
    if (move === 'leave') removeFromList(lists, list, [row]);
    if (move === 'enter') addToList(lists, list, [memberFor(list, row, event)], place, fence);
    if (isUnsure) lists.markStale(list, fence);
  }
}

/**
 * Adds the members of a creation or a move to the lists that take them, and removes the members of a move or a removal from the
 * lists that they leave. `call` runs a user's merge or filter; the default ignores errors, because nothing may throw after the
 * first write.
 */
export function placeMembers(lists: Lists, placement: Placement, call: typeof tryRun = tryRun): void {
  const { place, merge, selectLists, takes, mustLeave } = placement;
  // A row that was deleted after this request was sent is placed nowhere.
  const all = withoutRows(placement.members, (row) => !knowsOfDelete(lists.sent, row));
  // The lists are selected before anything moves, because a filter may read the present lists.
  const found = call(selectLists) ?? [];
  for (const row of mustLeave ? all.map(rowOf) : []) {
    if (!row) continue;
    for (const list of lists.of(row))
      if (lists.has(list, row) && call(() => mustLeave!(list, row))) removeFromList(lists, list, [row]); // checked above
  }
  for (const list of found) {
    // A move decides for each row whether the list takes it.
    const members = mustLeave
      ? all.filter((member) => call(() => takes(list, rowOf(member)!))) // a move has only rows
      : all;
    // The request has given a name of the map to a row that was deleted since. The map may have lost the member that had the name
    // before.
    if (list.identity.isKeyed && all !== placement.members) lists.markStale(list);
    if (!merge) {
      addToList(lists, list, members, place);
      continue;
    }
    // The result of the merge becomes the first page; later pages keep only members that the result contains.
    lists.edit(list, (page, { isFirst, all: present }) => {
      const merged = withoutRepeats(call(() => merge(present, members)) ?? present);
      if (isFirst) return merged;
      const kept = new Set(merged.map(subjectOf));
      return page.filter((member) => kept.has(subjectOf(member)));
    });
  }
}
