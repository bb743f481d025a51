// Puts rows into lists and takes them out: by what their fields say, and by what a creation, a move or a removal asks for.
// Written once for every target: server truth (server-lists.ts), the layer of a pending intent (overlay.ts), and the
// rehearsal that runs users' hooks before anything is written (apply-effects.ts).
import { tryRun } from '../support/call-safely.ts';
import { isFitFor, itemOf, memberIn, without, withMembers, withoutRepeats } from './list-members.ts';
import type { Members } from './list-members.ts';
import { hasMovedOn, isReplaced, journalOf, judge, listsNear } from './membership.ts';
import type { RowChange, Fields, List, Place, Placement, Row } from './nodes.ts';
import { rowOf } from './stored-form.ts';

/** What becomes of one page of a list; of a layer, which has no pages, of all members. */
export type Edit = (page: Members, at: { isFirst: boolean; isLast: boolean; all: Members }) => Members;

/** The lists, as one target has them. */
export interface Lists {
  /** When what is written was sent; Infinity for a guess. */
  readonly sent: number;
  /** The lists that may hold the row. */
  of(row: Row): Iterable<List>;
  /** Whether the row is in the list, or among those of its members that are given. */
  has(list: List, row: Row, among?: Members): boolean;
  /** What comes, if nothing leaves: it spares a look at all members. */
  edit(list: List, edit: Edit, came?: Members): void;
  /** Only the server can tell what belongs into the list. */
  markStale(list: List, since?: number): void;
}

/** Puts members behind the last page, or in front of the first; those already in the list stay where they stand. */
function add(lists: Lists, list: List, members: Members, place?: Place, since?: number): void {
  const fitting = members.filter((member) => isFitFor(list, member));
  // nor can anyone but the server tell where it stands in an order of its own
  if (fitting.length < members.length || list.serverOrder) lists.markStale(list, since);
  // another write of the table ended unknown after this one was sent: that write may have taken the same key
  if (list.identity.isKeyed && lists.sent < list.table.staleAt) lists.markStale(list);
  // the answer to a later write may have come first and moved the row on, and a guess moves no deleted row
  const came = without(
    fitting,
    (row) => hasMovedOn(list, row, lists.sent) || (lists.sent === Infinity && row.shown === null),
  ).filter((member) => !isReplaced(journalOf(list), member, lists.sent));
  lists.edit(
    list,
    (page, { isFirst, isLast }) =>
      (place === 'start' ? isFirst : isLast)
        ? withMembers(page, came, place, (row) => lists.has(list, row, page))
        : page,
    // fast: C1, test/property/lists. In a keyed list a new member may have taken its name from another
    list.identity.isKeyed ? undefined : came,
  );
}

export function remove(lists: Lists, list: List, rows: Iterable<Row>): void {
  const gone = new Set(rows);
  lists.edit(list, (page) => without(page, (one) => gone.has(one)));
}

/** Puts a row to which something has happened where its fields belong. */
export function placeRow(lists: Lists, row: Row, after: Fields, change: RowChange): void {
  const { since, place } = change;
  const { table } = row;
  const near = [table, ...table.unions].flatMap((one) => listsNear(one, after, change));
  for (const list of new Set([...lists.of(row), ...near])) {
    const { comes, isUnsure } = judge(list, after, change, lists.has(list, row));
    if (comes === false) remove(lists, list, [row]);
    if (comes) add(lists, list, [memberIn(list, row, change)], place, since);
    if (isUnsure) lists.markStale(list, since);
  }
}

/**
 * Puts the members of a creation or a move into the lists that take them, and out of those that let them go. `ask` runs a
 * user's merge or filter: nothing may throw any more once something is written.
 */
export function placeMembers(lists: Lists, placement: Placement, call: typeof tryRun = tryRun): void {
  const { place, merge, select, matches, leaves } = placement;
  // a row that was created and is deleted since stands nowhere
  const all = without(placement.members, ({ deletedAt }) => lists.sent < deletedAt);
  // found before anything moves: a filter may look at where the rows stand
  const found = call(select) ?? [];
  for (const row of leaves ? all.map(rowOf) : []) {
    if (!row) continue;
    for (const list of lists.of(row))
      if (lists.has(list, row) && call(() => leaves!(list, row))) remove(lists, list, [row]); // asked above
  }
  for (const list of found) {
    // moved rows go each by its own fields
    const members = leaves
      ? all.filter((member) => call(() => matches(list, rowOf(member)!))) // moves are of rows
      : all;
    if (!merge) {
      add(lists, list, members, place);
      continue;
    }
    // what the merge gives is the first page; later pages keep what it kept
    lists.edit(list, (page, { isFirst, all: present }) => {
      const merged = withoutRepeats(call(() => merge(present, members)) ?? present);
      if (isFirst) return merged;
      const kept = new Set(merged.map(itemOf));
      return page.filter((member) => kept.has(itemOf(member)));
    });
  }
}
