// Puts rows into lists and takes them out: by what their fields say, and by what a creation, a move or a removal asks for.
// Written once for every target: server truth (server-lists.ts), the layer of a pending intent (overlay.ts), and the
// rehearsal that runs users' hooks before anything is written (rehearse.ts).
import { judge, listsToEnter } from './membership.ts';
import type { Change, Fields, List, Place, Placement, Row } from './nodes.ts';
import { rowOf } from './reference.ts';

/** The lists, as one target has them. */
export interface Lists {
  /** The lists that may hold the row. */
  of(row: Row): Iterable<List>;
  has(list: List, row: Row): boolean;
  add(list: List, members: readonly unknown[], place: Place): void;
  remove(list: List, row: Row): void;
  merge(list: List, merge: (present: readonly unknown[]) => readonly unknown[]): void;
  /** Only the server can tell what belongs into the list. */
  doubt(list: List): void;
  /** Runs a user's merge or filter; undefined when it throws where nothing may throw any more. */
  ask<T>(hook: () => T): T | undefined;
}

/** Puts a changed row where its fields belong. What is known of a row in doubt leaves its lists in doubt too. */
export function placeRow(lists: Lists, row: Row, after: Fields, change: Change, isInDoubt: boolean): void {
  const { table } = row;
  for (const list of lists.of(row)) {
    const verdict = judge(list, after, change);
    if (verdict === 'leave' && lists.has(list, row)) lists.remove(list, row);
    // a write that states what is known already changes no search
    if (verdict === 'doubt' ? isInDoubt || change.said === null : isInDoubt && verdict !== 'none')
      lists.doubt(list);
  }
  for (const list of listsToEnter(table, after, change)) {
    const isHeld = lists.has(list, row);
    if (!isHeld) lists.add(list, [row], 'end');
    // a creation may have put it at the end before its fields said so: only the server knows where a sorted list has it
    if (isInDoubt || (list.identity.hasOrder && !(isHeld && change.said))) lists.doubt(list);
  }
  // lists over several types hold tagged references, which a row alone cannot make
  if (change.said === null)
    for (const union of table.unions)
      for (const list of listsToEnter(union, after, change)) lists.doubt(list);
}

/** Puts the members of a creation or a move into the lists that take them, and out of those that let them go. */
export function placeMembers(lists: Lists, placement: Placement): void {
  const { members, place, merge, select, leaves } = placement;
  // found before anything moves: a filter may look at where the rows stand
  const found = lists.ask(select) ?? [];
  for (const row of leaves === null ? [] : members.map(rowOf)) {
    if (row === undefined) continue;
    for (const list of lists.of(row))
      if (lists.has(list, row) && lists.ask(() => leaves!(list, row))) lists.remove(list, row); // asked above
  }
  for (const list of found) {
    if (merge === null) lists.add(list, members, place);
    else lists.merge(list, (present) => lists.ask(() => merge(present, members)) ?? present);
  }
}
