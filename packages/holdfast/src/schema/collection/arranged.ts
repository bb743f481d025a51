// Arranges one list in its declared order. It finds which members keep the position that a response gave them, which members came
// or moved later, and whether the server's responses agree with the order. This file is shipped only with list-order.ts, which uses
// it.
import { Row } from '../../store/nodes.ts';
import type { List, Place, Segment } from '../../store/nodes.ts';
import { isAfter, isStale, latest } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import { hasItem } from '../../store/graph.ts';
import { commonEnds, subjectOf } from '../../store/list-members.ts';
import type { Store } from '../../store/store.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError, toError, warnOnce } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { SortedItems } from '../kinds/sorted-items.ts';
import type { Host } from '../protocol/protocol.ts';
import { RecordedResponses } from './recorded-responses.ts';
import type { Comparison, PlacedItem } from './recorded-responses.ts';
import { markStaleAfterRead, optimisticValues, withoutOptimistic } from './optimistic-items.ts';

/**
 * The state of a member when a response gave it its position: `base` has the fields of its row, `item` is its value without
 * optimistic updates. `item` is undefined when an optimistic update hid the item, or changed the item of a row that may have moved.
 */
interface Anchor {
  readonly base: unknown;
  readonly item: unknown;
}

// For each list, the declared orders that cannot order the list, because a response contradicts them or a comparison threw. A list
// may have several such orders, because several Collections may read one list. The keys are nodes, so two stores share no entry.
const unusableOrders = new WeakMap<List, Set<ArrangedList>>();

export class ArrangedList {
  readonly list: List;
  readonly #comparison: Comparison;
  #isCopy = false;
  /** The stamps of the responses whose comparison with the order is complete, or has thrown. */
  #fullyCompared: readonly Stamp[] = [];
  /** The stamps of the responses that contradict the order. */
  #contradictions = new Set<Stamp>();
  /** True when only the server can order the list. */
  #isServerOrdered = false;
  /**
   * The stamps of the responses that were compared at least once, perhaps without the members that an optimistic update hid or
   * changed.
   */
  readonly #everCompared = new WeakSet<Stamp>();
  readonly recorded: RecordedResponses;
  #anchors = new Map<unknown, Anchor>();
  /** The first and the last item of the loaded pages, as their responses had them, and the subject of the last item. */
  #firstItem: unknown;
  #lastItem: unknown;
  #lastSubject: unknown;
  /**
   * The members that came or moved after the last response, by their row (`subjectOf`). Each has its item, and a rank that grows
   * with each move.
   */
  #moves = new Map<unknown, { readonly item: unknown; readonly rank: number }>();
  #lastRank = 0;
  /** The rank of each item that is not anchored. */
  readonly #ranks = new WeakMap<object, number>();
  #members: readonly unknown[] = [];
  #source: readonly unknown[] = [];
  #sorted: SortedItems | null = null;

  constructor(list: List, by: Comparison, recorded: RecordedResponses = new RecordedResponses(by)) {
    this.list = list;
    this.recorded = recorded;
    this.#comparison = by;
    list.arrangedBy = by.fields || ' ';
    if (list.identity.key) list.table.alwaysChecked.add(list);
  }

  /** A copy for a read without memo. The copy neither marks the list stale nor warns. */
  copy(): ArrangedList {
    const copy = new ArrangedList(this.list, this.#comparison, this.recorded);
    copy.#isCopy = true;
    copy.#fullyCompared = this.#fullyCompared;
    copy.#contradictions = new Set(this.#contradictions);
    copy.#isServerOrdered = this.#isServerOrdered;
    copy.#anchors = new Map(this.#anchors);
    [copy.#firstItem, copy.#lastItem, copy.#lastSubject] = [
      this.#firstItem,
      this.#lastItem,
      this.#lastSubject,
    ];
    copy.#moves = new Map(this.#moves);
    copy.#lastRank = this.#lastRank;
    copy.#members = this.#members;
    return copy;
  }

  /**
   * Returns the items of the loaded pages in the declared order; or, when only the server can order them, all items in stored
   * order. `items` has one item for each member.
   */
  arrange(items: readonly unknown[], members: readonly unknown[], engine: Host): readonly unknown[] {
    const { store } = engine;
    const seen = this.#source;
    const optimistic = optimisticValues(store);
    const newSegments = this.list.segments.filter(({ stamp }) => !this.#fullyCompared.includes(stamp));
    this.#forgetLeftMembers(members);
    try {
      if (newSegments.length > 0 && !this.#compareResponses(newSegments, items, optimistic, engine))
        this.#markStale(store);
      if (!this.#isServerOrdered) {
        this.#rankMoved(items, optimistic);
        this.#sorted ??= new SortedItems({ orderBy: (left, right) => this.#compareItems(left, right) }, []);
        const sorted = this.#sorted.update(items);
        this.#setServerOrder();
        return this.list.unloadedEnds ? this.#loadedPart(sorted) : sorted;
      }
    } catch (thrown) {
      const isUnknown = thrown instanceof HoldfastError && thrown.code === 'ORDER_UNKNOWN';
      const params = isUnknown ? thrown.params : { reason: toError(thrown).message };
      this.#fullyCompared = this.list.segments.map(({ stamp }) => stamp);
      this.#isServerOrdered = true;
      this.#warn(engine, isUnknown ? thrown.code : 'ORDER_THREW', params);
    }
    this.#sorted = null;
    this.#source = items;
    this.#setServerOrder();
    // The members of the new responses are in the server's order. The position of any other member that came or changed is unknown,
    // so the list is stale.
    if (this.#mayBeMisplaced(newSegments, new Set([...seen, ...optimistic]), store)) this.#markStale(store);
    return items;
  }

  #markStale(store: Store): void {
    if (!this.#isCopy) markStaleAfterRead(store, this.list);
  }

  #hasUnloadedPages(place: Place): boolean {
    return [place, 'both'].includes(this.list.unloadedEnds ?? '');
  }

  /**
   * The items of the loaded pages. An item that came or moved beyond the ends of these pages belongs to a page that is not
   * loaded.
   */
  #loadedPart(sorted: readonly unknown[]): readonly unknown[] {
    const [{ compare }, first, last] = [this.#comparison, this.#firstItem, this.#lastItem];
    const hasEnd = this.#hasUnloadedPages('end') && last !== undefined;
    const hasStart = this.#hasUnloadedPages('start') && first !== undefined;
    let [start, end] = [0, sorted.length];
    /**
     * Whether the item came or moved after the response, so that it follows the items that compare as equal. False for the last
     * member of the loaded pages, because that member may have left and come back.
     */
    const followsEquals = (item: unknown): boolean =>
      this.#rankOf(item) > 0 && subjectOf(this.#members[this.#source.indexOf(item)]) !== this.#lastSubject;
    const isPastEnd = (item: unknown): boolean => compare(item, last) >= (followsEquals(item) ? 0 : 1);
    while (hasEnd && end > 0 && isPastEnd(sorted[end - 1])) end -= 1;
    while (hasStart && start < end && compare(sorted[start], first) < 0) start += 1;
    return sorted.slice(start, end);
  }

  /** Removes the anchors and moves of members that have left. */
  #forgetLeftMembers(members: readonly unknown[]): void {
    const before = this.#members;
    this.#members = members;
    const [head, tail] = members === before ? [members.length, 0] : commonEnds(before, members);
    const subjects = new Set(members.slice(head, members.length - tail).map(subjectOf));
    for (const subject of before.slice(head, before.length - tail).map(subjectOf)) {
      if (!subjects.has(subject)) this.#moves.delete(subject);
      // If base still contains the member, an optimistic update has removed it: the anchor is needed if the update is rolled back.
      if (!subjects.has(subject) && !this.#isInBase(subject)) this.#anchors.delete(subject);
    }
  }

  #isInBase(subject: unknown): boolean {
    return subject instanceof Row && hasItem(subject.listsInBase, this.list);
  }

  /**
   * Compares new responses with the order, and stores anchors for their members. Returns false if an item at an end of the loaded
   * pages is unknown, although the declared order can be used.
   */
  #compareResponses(
    newSegments: readonly Segment[],
    items: readonly unknown[],
    optimistic: ReadonlySet<unknown>,
    engine: Host,
  ): boolean {
    const { segments } = this.list;
    let areEndsKnown = true;
    const shown = new Map(this.#members.map((member, at) => [subjectOf(member), items[at]]));
    for (const subject of this.#anchors.keys())
      if (!shown.has(subject) && !this.#isInBase(subject)) this.#anchors.delete(subject);
    const complete = new Set(this.#fullyCompared);
    for (const segment of newSegments) {
      const { stamp } = segment;
      const placed = this.#placedItemsOf(segment, shown);
      const unaltered = placed.filter(({ item }) => item !== undefined && !optimistic.has(item));
      for (const member of unaltered) this.recorded.requireOrderFields(member);
      // A row that was written, or brought by another response, after this request was sent may have moved, so its position does
      // not contradict the order.
      const arrivals = new Set([stamp.settled]);
      const isSurelyPlaced = (subject: unknown): boolean =>
        !this.recorded.mayHaveMoved(subject, stamp, arrivals);
      const surelyPlaced = unaltered.filter(({ subject }) => isSurelyPlaced(subject));
      const isInOrder = !this.recorded.findInversion(unaltered);
      const contradiction = isInOrder ? null : this.recorded.findInversion(surelyPlaced);
      const wasCompared = this.#everCompared.has(stamp);
      const unalteredItem = ({ subject, item }: PlacedItem): unknown =>
        optimistic.has(item) && subject instanceof Row ? withoutOptimistic(subject, item, engine) : item;
      /**
       * The item at this end of the loaded pages. Undefined if no page is missing at this end, if the response was empty, or if the
       * item is unknown. If the item is unknown, `areEndsKnown` becomes false, unless the list is stale already.
       */
      const endItem = (place: Place): unknown => {
        if (!this.#hasUnloadedPages(place)) return undefined;
        const end = this.recorded.findEnd(place, stamp, surelyPlaced, shown);
        const item = end && unalteredItem(end);
        const known = end && this.#anchors.get(end.subject)?.item;
        const isUnmoved = known !== undefined && this.#comparison.compare(known, item) === 0;
        if (place === 'end') this.#lastSubject = end?.subject;
        if (end && (isUnmoved || isSurelyPlaced(end.subject))) return item;
        if (end !== undefined && !isStale(this.list, stamp.settled)) areEndsKnown = false;
        return undefined;
      };
      if (segment === segments[0]) this.#firstItem = endItem('start');
      if (segment === segments.at(-1)) this.#lastItem = endItem('end');
      if (!wasCompared) for (const { subject } of unaltered) this.#anchors.delete(subject);
      for (const member of isInOrder && !wasCompared ? unaltered : surelyPlaced) this.#anchor(member);
      for (const member of placed) {
        const { subject, item } = member;
        const isShown = item !== undefined && isSurelyPlaced(subject);
        if (item === undefined || optimistic.has(item))
          this.#anchor({ subject, item: isShown ? unalteredItem(member) : undefined });
      }
      if (contradiction) {
        const [first, second] = contradiction.map(String);
        this.#contradictions.add(stamp);
        this.#warn(engine, 'ORDER_CONTRADICTED', { first, second });
      }
      this.#everCompared.add(stamp);
      // Members that an optimistic update hides or changes are compared after the update has ended.
      if (contradiction || optimistic.size === 0 || unaltered.length === placed.length) complete.add(stamp);
    }
    const stamps = segments.map(({ stamp }) => stamp);
    this.#fullyCompared = stamps.filter((stamp) => complete.has(stamp));
    this.#isServerOrdered = stamps.some((stamp) => this.#contradictions.has(stamp));
    this.#sorted = null;
    return areEndsKnown || this.#isServerOrdered;
  }

  #placedItemsOf({ members }: Segment, shown: ReadonlyMap<unknown, unknown>): PlacedItem[] {
    const { segments, base } = this.list;
    // For a single page, the members of `base` are used: a response with equal members does not replace `base`, and members without
    // a row are found by identity.
    return (segments.length === 1 ? base : members).map((member) => {
      const subject = subjectOf(member);
      return { subject, item: shown.get(subject) };
    });
  }

  /** Stores the state of the member as its anchor. If `item` is undefined, a present anchor with the same fields stays. */
  #anchor({ subject, item }: PlacedItem): void {
    const base = subject instanceof Row ? subject.base : undefined;
    if (item !== undefined || this.#anchors.get(subject)?.base !== base)
      this.#anchors.set(subject, { base, item });
  }

  /** Gives a rank to each item that came or moved since the last call. */
  #rankMoved(items: readonly unknown[], optimistic: ReadonlySet<unknown>): void {
    const [head, tail] = this.#sorted ? commonEnds(this.#source, items) : [0, 0];
    this.#source = items;
    for (let at = head; at < items.length - tail; at += 1) {
      const item = items[at];
      const subject = subjectOf(this.#members[at]);
      if (!isObject(item)) continue;
      const isOptimistic = optimistic.has(item);
      if (!isOptimistic) this.recorded.requireOrderFields({ subject, item });
      if (this.#isAnchored(subject, item, isOptimistic)) {
        this.#moves.delete(subject);
        this.#ranks.delete(item);
        continue;
      }
      const known = this.#moves.get(subject);
      const isSame = known && this.#comparison.compare(known.item, item) === 0;
      const rank = isSame ? known.rank : (this.#lastRank += 1);
      this.#moves.set(subject, { item, rank });
      this.#ranks.set(item, rank);
    }
  }

  /** Whether the member still has the position that its response gave it. */
  #isAnchored(subject: unknown, item: unknown, isOptimistic: boolean): boolean {
    const anchor = this.#anchors.get(subject);
    if (!anchor) return false;
    if (anchor.item !== undefined) return this.#comparison.compare(anchor.item, item) === 0;
    return !isOptimistic && subject instanceof Row && subject.base === anchor.base;
  }

  #compareItems(left: unknown, right: unknown): number {
    return this.#comparison.compare(left, right) || this.#rankOf(left) - this.#rankOf(right);
  }

  #rankOf(item: unknown): number {
    return (isObject(item) && this.#ranks.get(item)) || 0;
  }

  /**
   * Whether a member may have another position on the server than in the store. `seen` has the items of the last call of `arrange`,
   * and the items that optimistic updates change.
   */
  #mayBeMisplaced(newSegments: readonly Segment[], seen: ReadonlySet<unknown>, { timeline }: Store): boolean {
    const arrivals = new Set(newSegments.map(({ stamp }) => stamp.settled));
    if (newSegments.length > 0 && isAfter(timeline.last, latest(...arrivals))) return true;
    const stamps = new Map(
      newSegments.flatMap(({ stamp, members }) => members.map((member) => [subjectOf(member), stamp])),
    );
    return this.#members.some((member, at) => {
      const subject = subjectOf(member);
      const stamp = stamps.get(subject);
      if (stamp) return this.recorded.mayHaveMoved(subject, stamp, arrivals);
      return this.#moves.has(subject) || !seen.has(this.#source[at]);
    });
  }

  /** Sets `serverOrder` of the list: a blank while one of its declared orders cannot order the list, else ''. */
  #setServerOrder(): void {
    const { list } = this;
    if (this.#isCopy) return;
    const orders = ensure(unusableOrders, list, () => new Set());
    if (this.#isServerOrdered) orders.add(this);
    else orders.delete(this);
    // An order counts as unused, and is removed, if none of the present responses was fully compared with it.
    for (const order of orders)
      if (!list.segments.some(({ stamp }) => order.#fullyCompared.includes(stamp))) orders.delete(order);
    list.serverOrder = orders.size > 0 ? ' ' : '';
  }

  #warn(engine: Host, code: string, params: Readonly<Record<string, unknown>>): void {
    const path = String(this.list);
    if (!this.#isCopy) warnOnce(engine, code, path, { path, ...params });
  }
}
