// Decides which lists a row belongs to. `decideMembership` serves every event of a row, whether it comes from a response, an
// optimistic update, a message, a late list read or a saved state. Its callers carry out the decisions.
//
//   fields of the row, key of the list ─▶ fit: in, out, unknown ─┐
//   server order, pages that are not loaded ─▶ position          ├─▶ decideMembership ─▶ enter, leave, stay; is the list stale?
//   event ─▶ does it concern the filters?                       ─┘
import { confirmedFields, touchesAny, fitOf, hasFields } from './filters.ts';
import { isFull } from './list-members.ts';
import type { JournalEntry, List, Placement, Row, RowEvent, RowState } from './nodes.ts';
import { hasLaterWrite, isAfter, knowsOf } from './order.ts';
import { NamedMember, nameOfMember, rowOf } from './stored-form.ts';

/** The decision about one list for an event of a row. */
export interface Membership {
  readonly move: 'enter' | 'leave' | 'stay';
  /** True when only the server can decide: the list becomes stale, except under an optimistic update. */
  readonly isUnsure: boolean;
}

export function decideMembership(list: List, row: Row, event: RowEvent, isHeld: boolean): Membership {
  const { type, after, before, read, sent, needsNoMove } = event;
  const { followsFields, filterNames, fields = filterNames, testFit: test } = list.identity;
  const isComplete = hasFields(after ?? before ?? {}, filterNames);
  // A list that holds the row loses it. A filter that is not a field of the row may be a limit, so another row may take the free
  // place. If the list may be a single page, a row that it does not hold may have been on an earlier page. If that row goes, the
  // rows of this page move up.
  const leave = isHeld ? 'leave' : 'stay';
  const leavesGap = isHeld ? !isComplete : !needsNoMove && isFull(list, 0) && fitOf(list, before) !== 'out';
  if (!after) return { move: leave, isUnsure: leavesGap };
  if (event.placement) return decidePlacement(list, row, event, event.placement, isHeld);
  const fit = list.hasServerMembership ? 'unknown' : fitOf(list, after);
  const hasMoved = !keepsPosition(list, event);
  // In a server order, only the server knows the row's position. In a full list, the row may belong after the last loaded row.
  const isMisplaced = (!!list.serverOrder || isFull(list)) && (!isHeld || hasMoved);
  // When a read has shown that another client changed the row (`read`), a field that the read omits may have changed too. So may a
  // field of a stale row that no response has confirmed.
  const isDoubtful = isMisplaced || !hasFields(confirmedFields(row, read ?? after), fields);
  const enter = isHeld ? 'stay' : 'enter';
  if (type === 'created') {
    if (fit === 'in' && followsFields) return { move: enter, isUnsure: isDoubtful };
    const isContradicted = list.hasServerMembership || fit === 'out' || isMisplaced;
    return { move: 'stay', isUnsure: isHeld ? isContradicted : fit !== 'out' };
  }
  // The row may move from a page that is not loaded to a loaded page.
  const hasUnloadedRows = list.unloadedEnds ?? (list.segments.length > 1 || isFull(list));
  const mayEnter = !isHeld && hasMoved && fit !== 'out' && !!hasUnloadedRows;
  const entersPage = mayEnter && list.unloadedEnds;
  const touchesFilters = test || touchesAny(filterNames, event);
  if (!followsFields || (isComplete && !entersPage && !touchesFilters))
    return { move: 'stay', isUnsure: isHeld ? isMisplaced : mayEnter };
  // It is unknown whether the row fits: the server decides, the key contains a filter that is not a field of the row, or a test or
  // a search cannot decide. Or a response has put the row into the list although a field of the row contradicts the key: then only
  // a change of a filtered field removes the row.
  if (fit === 'unknown' || (fit === 'out' && isHeld && !touchesFilters))
    return { move: 'stay', isUnsure: !needsNoMove };
  // If only unconfirmed fields of a stale row contradict the key, the row may belong to the list.
  if (fit === 'out')
    return { move: leave, isUnsure: leavesGap || fitOf(list, confirmedFields(row, after)) !== 'out' };
  // A read adds no row to a list of which a page was requested later, because the response of that page did not contain the row.
  const isOutdated = read && list.segments.some(({ stamp }) => isAfter(stamp.sent, sent!)); // a read has it
  // The row matches now. A written row enters, and so does a row that may come from a page that is not loaded, or that did not
  // match before. Any other row may have been in the list already, because `before` matches too or lacks a field of a filter. Such
  // a row does not enter, and the list is stale unless the event has `needsNoMove`.
  return isHeld || type === 'written' || (!isOutdated && (entersPage || fitOf(list, before) === 'out'))
    ? { move: enter, isUnsure: isDoubtful }
    : { move: 'stay', isUnsure: !needsNoMove };
}

/**
 * Decides about a row that a request adds to lists or removes from lists, by the functions of the placement. Throws the error of a
 * user's filter.
 */
function decidePlacement(
  list: List,
  row: Row,
  { after, sent = 0 }: RowEvent,
  placement: Placement,
  isHeld: boolean,
): Membership {
  const enters = !isHeld && placement.takes(list, row) && !hasLeftSince(list, row, sent);
  const move = placement.mustLeave?.(list, row) ? 'leave' : enters ? 'enter' : 'stay';
  // The request puts the row into the list, but the row's fields may contradict the list's key.
  const isContradicted = () => decideMembership(list, row, { type: 'created', after }, true).isUnsure;
  return { move, isUnsure: move === 'enter' && placement.isByRow && isContradicted() };
}

/**
 * Whether the row keeps its position in the order of the list; true for a list without an order. If the event has `needsNoMove`,
 * that value is returned. Else the row keeps its position if the event touches no field of the order (`touchesAny`). When the order
 * names no field, or a field that the row does not have, every field counts.
 */
function keepsPosition({ serverOrder, arrangedBy }: List, event: RowEvent): boolean {
  const order = serverOrder || arrangedBy;
  if (!order) return true;
  const after = event.after ?? {};
  const names = order.match(/\b(?!(a|de)sc\b)[a-z_]\w*/gi);
  return (
    event.needsNoMove ?? !touchesAny(names && hasFields(after, names) ? names : Object.keys(after), event)
  );
}

/**
 * Whether a write of the row that was sent after `sent` is already acknowledged, and the row's fields contradict the key of the
 * list. Always false for a list to which rows do not belong by their fields.
 */
export function hasLeftSince(list: List, { base, stamp }: Row, sent: number): boolean {
  const { hasServerMembership, identity } = list;
  return (
    hasLaterWrite(stamp, sent) &&
    identity.followsFields &&
    !hasServerMembership &&
    fitOf(list, base) === 'out'
  );
}

/** Whether a write that was sent after `sent` has put a member into the map under the name of this member. */
export function isNameTakenSince(list: List, member: unknown, sent: number): boolean {
  return (
    member instanceof NamedMember &&
    journalOf(list).some(
      (entry) =>
        !knowsOf(sent, entry.sent) &&
        nameOfMember(entry.member) === member.qualifier &&
        entry.placement?.takes(list, entry.row),
    )
  );
}

/** The journals of the list's tables. They contain the changes that a request in flight may not know of. */
export function journalOf({ table }: List): readonly JournalEntry[] {
  return [...table.rowTables].flatMap(({ journal }) => journal);
}

/**
 * Whether the response has a row whose fields contradict the list's key, so that only the server knows which rows belong to the
 * list. Undefined if no row's fields decide.
 */
export function provesServerMembership(
  list: List,
  members: readonly unknown[],
  response: { incomingOf(row: Row): RowState },
): boolean | undefined {
  let isProved: boolean | undefined;
  for (const member of list.identity.followsFields ? members : []) {
    const row = rowOf(member);
    const fit = row && fitOf(list, response.incomingOf(row));
    if (fit === 'out') return true;
    if (fit === 'in') isProved = false;
  }
  return isProved;
}
