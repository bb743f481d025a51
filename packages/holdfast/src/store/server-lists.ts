// The base of lists while one payload is applied. A list in the response to a read replaces a page; rows that were deleted since
// the read was sent are left out, and rows that were created or moved since are added. Each row keeps the set of lists whose base
// holds it.
import { tryRun } from '../support/call-safely.ts';
import type { ListWrite } from './effects.ts';
import { isEqual } from './fields.ts';
import { hasItem, itemsOf, addItem, removeItem } from './graph.ts';
import {
  memberDifference,
  containsRow,
  canContain,
  isFull,
  areUntouchedInOrder,
  joinSegments,
  memberFor,
  findPage,
  pageSortKey,
  addMembers,
  withoutRows,
  withoutRepeats,
} from './list-members.ts';
import type { Members } from './list-members.ts';
import { decideMembership, isNameTakenSince, journalOf } from './membership.ts';
import type { BaseLists, List, Row, RowEvent, Segment } from './nodes.ts';
import type { Edit, Lists } from './place-rows.ts';
import {
  advance,
  isMessage,
  isRead,
  isStale,
  knowsOf,
  knowsOfDelete,
  latest,
  mayReplace,
  mustRemember,
  NO_STAMP,
  raiseFence,
} from './order.ts';
import type { Stamp } from './order.ts';
import type { Store } from './store.ts';
import { rowOf } from './stored-form.ts';

export class ServerLists implements Lists, BaseLists {
  // fast: N1-N3. V8 drops the code compiled for a class when a full garbage collection finds no instance of its layout, so this
  // instance stays. With `0` instead of Infinity the instance would have another layout.
  static readonly keptInstance: object = new this({} as never, { ...NO_STAMP, sent: Infinity }, Infinity); // cast: never used
  readonly store: Store;
  readonly origin: Stamp;
  readonly oldestOpen: number;
  readonly sent: number;
  /**
   * The lists of the payload. By default, `markStale` marks such a list stale only since `sent`, because the list and the rows of a
   * payload are of the same moment.
   */
  payloadLists: ReadonlySet<List> | null = null;
  /** The created rows. They are placed by their fields, after the placements of the payload. */
  created: Map<Row, Omit<RowEvent, 'after'>> | null = null;

  constructor(store: Store, origin: Stamp, oldestOpen: number = store.timeline.oldestOpen()) {
    this.store = store;
    this.origin = origin;
    this.oldestOpen = oldestOpen;
    this.sent = origin.sent;
  }

  of(row: Row): readonly List[] {
    return itemsOf(row.listsInBase);
  }

  has(list: List, row: Row): boolean {
    return hasItem(row.listsInBase, list);
  }

  markStale(
    list: List,
    since: number = this.payloadLists?.has(list) ? this.sent : this.origin.settled,
  ): void {
    this.store.markStale(list, since);
  }

  edit(list: List, edit: Edit, came?: Members): void {
    const { segments, base: all } = list;
    const last = segments.length - 1;
    const edited = segments.map((segment, at) => ({
      ...segment,
      members: edit(segment.members, { isFirst: at === 0, isLast: at === last, all }),
    }));
    this.#setSegments(list, edited, came);
  }

  /** Replaces the pages; returns true when a member has left the list. */
  #setSegments(list: List, segments: readonly Segment[], known?: Members): boolean {
    const { store } = this;
    const before = list.base;
    const base = joinSegments(segments);
    list.segments = segments;
    // A new page does not make the other pages fresh: the list stays stale until no page has a fence that is earlier than
    // `staleSince`.
    store.clearStale(list, Math.min(...segments.map(({ stamp }) => stamp.fence)));
    if (isEqual(before, base)) return false;
    list.base = base;
    const [came, left] = known ? [known, null] : memberDifference(before, base);
    const linkRow = (row: Row | undefined, change: typeof addItem<List>): void => {
      if (!row) return;
      row.listsInBase = change(row.listsInBase, list);
      // A pending update may move the row between lists, and the lists below that update have changed: the update is applied again.
      store.reapplyLayersOf(row);
    };
    for (const member of came) linkRow(rowOf(member), addItem);
    for (const row of left ?? []) linkRow(row, removeItem);
    store.reportChange(list);
    store.show(list);
    return !!left?.size;
  }

  /**
   * Writes a page of a list: the payload's members replace the members of the page, unless the stored page is newer, or `merge`
   * decides.
   */
  write({
    list,
    members: given,
    cursor,
    merge,
    hasServerMembership = list.hasServerMembership,
    whole,
  }: ListWrite): void {
    const { store, origin } = this;
    const { segments } = list;
    const isPage = cursor !== null;
    const present = findPage(list, cursor);
    const stamp = present?.stamp ?? NO_STAMP;
    const isLate = !mayReplace(origin, stamp);
    let members = withoutRepeats(given);
    if (present && merge) {
      members = withoutRepeats(tryRun(() => merge(present.members, members, stamp, origin)) ?? members);
    } else if (isLate) members = present!.members; // late: there is a newer page
    if (!isLate) {
      // Pending updates were placed by the former rule of membership, so all of them are applied again.
      if (list.hasServerMembership !== hasServerMembership) store.reapply(0);
      list.hasServerMembership = hasServerMembership;
      // fast: N1 and N3, test/property/lists. If all members are untouched, no row was deleted, so nothing is filtered.
      const alive = areUntouchedInOrder(members)
        ? members
        : withoutRows(members, (row) => !row.base && !knowsOfDelete(origin.sent, row));
      // The response contains a row that was deleted since. Another row may now have its place in a full list, or in a list with a
      // filter, which may be a limit: the list is stale.
      if (alive !== members && (list.identity.filterNames.length || isFull(list, members.length)))
        this.markStale(list, origin.settled);
      members = this.#withJournal(list, alive, isPage);
    }
    const page: Segment = {
      cursor,
      sortKey: pageSortKey(cursor, origin.sent),
      ...present,
      ...(isLate ? null : { wholeBy: whole }),
      stamp: (isLate ? raiseFence : advance)(stamp, origin),
      members,
    };
    // When a new page comes after the first page has changed, the further pages that were requested before that change leave the
    // list. A page with a number depends on no token, so it stays if the new page has a higher number.
    const remains = ({ cursor: at, stamp: { fence } }: Segment): boolean =>
      !isPage || at === null || knowsOf(fence, list.firstPageChangedAt) || Number(at) < Number(cursor);
    const hasLeft = this.#setSegments(
      list,
      present
        ? segments.map((segment) => (segment === present ? page : segment))
        : [...segments.filter(remains), page].sort((left, right) => left.sortKey - right.sortKey),
    );
    // The pages make the list stale in three cases:
    // - A row has left this page, and the list has other pages: the row may now be on a page that was not requested again.
    // - A row was written after the first page was requested: it may be missing from the first page and from this one. This counts
    //   if this page is new, or if the list has the limit 0.
    // - This page is new, and was requested before the first page changed, perhaps with a token of the former first page.
    // If a rule reads the pages together, which sets `unloadedEnds`, no page counts as new.
    const { fence: requestedAt = Infinity } = findPage(list, null)?.stamp ?? {};
    const isPagedByHand = list.unloadedEnds === undefined;
    const isNewPage = isPage && !present && isPagedByHand;
    if (hasLeft && !isPage && isPagedByHand) list.firstPageChangedAt = origin.settled;
    const mayMissRow =
      (isNewPage || isFull(list, 0)) &&
      [...list.table.rowTables].some((one) => !knowsOf(requestedAt, one.writtenAt));
    const mayHaveOldToken = isNewPage && !knowsOf(origin.sent, list.firstPageChangedAt);
    const hasPages = list.segments.length > 1;
    // Without further pages, this page itself is requested again.
    if ((hasLeft && hasPages) || mayMissRow || mayHaveOldToken)
      this.markStale(list, hasPages ? latest(origin.sent, list.firstPageChangedAt) : origin.settled);
    store.registerList(list);
    // The views are marked even if no member changed: an empty new page makes the list known, and a declared order checks each
    // response.
    if (!present || list.arrangedBy) store.mark(list);
    // A list that a read has brought is stale if it became unknown, after the read was sent, which rows belong to the table's
    // lists.
    for (const { listsStaleAt } of list.table.rowTables)
      if (isRead(origin) && !knowsOf(origin.sent, listsStaleAt)) store.markStale(list, listsStaleAt);
  }

  /**
   * Corrects the members of a response by the journal: adds rows that were created or moved since the list was requested, and
   * removes rows that have left since. No row is added to a further page, or to a response that reaches the limit of the list.
   */
  #withJournal(list: List, read: Members, isPage: boolean): Members {
    let members = read;
    const isFullResponse = isFull(list, read.length);
    // The entries of each table are applied in their order. An entry without a placement is decided by the fields that its row has
    // now, not by the fields that the row had at the time of the entry.
    for (const entry of journalOf(list)) {
      const { fence, row, placement } = entry;
      if (knowsOf(this.origin.sent, fence) || !row.base) continue;
      const member = memberFor(list, row, entry);
      // In a map, the row may also be present under another name; only a member with the same name counts.
      const isHeld = containsRow(members, row, member) || (isPage && this.has(list, row));
      const event = { ...entry, after: row.base };
      // If a user's filter throws, the entry moves no row.
      const { move, isUnsure } = tryRun(() => decideMembership(list, row, event, isHeld)) ?? {};
      const enters = move === 'enter' && !isPage && !isNameTakenSince(list, member, entry.sent);
      const isContainable = canContain(list, member);
      const isChanged = enters || (move === 'leave' && isHeld);
      if (isUnsure || (isFullResponse && isChanged) || (enters && !isContainable))
        this.store.markStale(list, fence);
      // A message may be older than the response, so the list is stale if the two disagree.
      if (entry.isMessage && (isChanged || (!isHeld && this.has(list, row))))
        this.markStale(list, this.origin.settled);
      if (move === 'leave') members = withoutRows(members, (one) => one === row);
      if (!enters || !isContainable || isFullResponse) continue;
      const merge = placement?.merge;
      members = merge
        ? (tryRun(() => withoutRepeats(merge(members, [member]))) ?? members)
        : addMembers(members, [member], entry.place, () => false);
    }
    return members;
  }

  addCreated(row: Row, event: Omit<RowEvent, 'after'>): void {
    (this.created ??= new Map<Row, Omit<RowEvent, 'after'>>()).set(row, event);
  }

  /**
   * Adds an event of a row to the journal if a request that was sent before the event may still bring lists: a request in flight,
   * or the read that is being applied.
   */
  addToJournal(row: Row, event: Omit<RowEvent, 'after'>): void {
    const { origin } = this;
    const { placement, fence = origin.fence } = event;
    if ((event.fence && isRead(origin)) || mustRemember(fence, this.oldestOpen))
      (placement ?? row).table.journal.push({
        ...event,
        row,
        sent: origin.sent,
        fence,
        isMessage: isMessage(origin),
      });
  }
}

/**
 * Removes the journal entries, and the rows in `rowsOfUnknownWrites`, that no request in flight needs, because all requests in
 * flight were sent later.
 */
export function pruneJournals(store: Store): void {
  const oldestOpen = store.timeline.oldestOpen();
  for (const row of store.rowsOfUnknownWrites) {
    if (isStale(row, oldestOpen)) continue;
    store.rowsOfUnknownWrites.delete(row);
    // The row is kept if a payload or an optimistic update has changed it, or if a reader or a list refers to it.
    if (row.base !== undefined || row.shown || row.dependents || row.listsInBase) continue;
    row.table.rows.delete(row.pk);
    store.staleNodes.delete(row);
  }
  for (const table of store.tables.values())
    table.journal = table.journal.filter(({ fence }) => mustRemember(fence, oldestOpen));
}
