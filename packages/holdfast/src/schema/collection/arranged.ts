// One list in its declared order, over what is stored: which rows stand where an answer put them, which have come or moved since,
// and whether the server's answers agree with the order at all. Read through list-order.ts, and shipped with it alone.
import { Row } from '../../store/nodes.ts';
import type { List, Place, Segment } from '../../store/nodes.ts';
import type { Stamp } from '../../store/stamp.ts';
import { hasItem } from '../../store/graph.ts';
import { commonEnds, itemOf } from '../../store/list-members.ts';
import type { Store } from '../../store/store.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { SortedItems } from '../kinds/sorted-items.ts';
import type { Host } from '../protocol/protocol.ts';
import { HeardAnswers } from './heard-answers.ts';
import type { Comparison, Placed } from './heard-answers.ts';
import { markStaleAfterRead, optimisticRowsIn, withoutOptimistic } from './newer.ts';

/** What an answer said of a member: the fields of its row, and the item they made; none where a guess lay over them. */
interface Anchor {
  readonly base: unknown;
  readonly item: unknown;
}

// the orders that a list's answers contradict: several Collections may read one list. Keyed by lists, no state
const contradicted = new WeakMap<List, Set<Arranged>>();

export class Arranged {
  readonly list: List;
  readonly #by: Comparison;
  #isCopy = false;
  /** The answers that were judged. */
  #judged: readonly Stamp[] = [];
  /** Those that contradict the order. */
  #contradictions = new Set<Stamp>();
  /** Whether only the server can order the list. */
  #isByServer = false;
  readonly #met = new WeakSet<Stamp>();
  readonly heard: HeardAnswers;
  #anchors = new Map<unknown, Anchor>();
  /** The first and the last item of the loaded pages, as their answers had them, and whose the last is. */
  #first: unknown;
  #last: unknown;
  #lastSubject: unknown;
  /** The members that have come or moved since, each with the count of such moves when it did. */
  #moves = new Map<unknown, { readonly item: unknown; readonly rank: number }>();
  #lastRank = 0;
  /** The ranks of the items that are no anchors. */
  readonly #ranks = new WeakMap<object, number>();
  #members: readonly unknown[] = [];
  #source: readonly unknown[] = [];
  #sorted: SortedItems | null = null;

  constructor(list: List, by: Comparison, heard: HeardAnswers = new HeardAnswers(by)) {
    this.list = list;
    this.heard = heard;
    this.#by = by;
    list.arrangedBy = by.fields || ' ';
    if (list.identity.key) list.table.open.add(list);
  }

  /** One that knows the same and tells nobody what it finds. */
  copy(): Arranged {
    const copy = new Arranged(this.list, this.#by, this.heard);
    copy.#isCopy = true;
    copy.#judged = this.#judged;
    copy.#contradictions = new Set(this.#contradictions);
    copy.#isByServer = this.#isByServer;
    copy.#anchors = new Map(this.#anchors);
    [copy.#first, copy.#last, copy.#lastSubject] = [this.#first, this.#last, this.#lastSubject];
    copy.#moves = new Map(this.#moves);
    copy.#lastRank = this.#lastRank;
    copy.#members = this.#members;
    return copy;
  }

  /** The items, one for each member, in order; as they are stored where only the server can order them. */
  arrange(items: readonly unknown[], members: readonly unknown[], engine: Host): readonly unknown[] {
    const { store } = engine;
    const seen = this.#source;
    const optimistic = optimisticRowsIn(store);
    const news = this.list.segments.filter(({ stamp }) => !this.#judged.includes(stamp));
    this.#forget(members);
    try {
      if (news.length > 0 && !this.#judge(news, items, optimistic, engine)) this.#markStale(store);
      if (!this.#isByServer) {
        this.#rank(items, optimistic);
        this.#sorted ??= new SortedItems({ orderBy: (left, right) => this.#order(left, right) }, []);
        const sorted = this.#sorted.update(items);
        this.#notify();
        return this.list.unloaded ? this.#loadedPart(sorted) : sorted;
      }
    } catch (thrown) {
      const isUnknown = thrown instanceof HoldfastError && thrown.code === 'ORDER_UNKNOWN';
      const params = isUnknown ? thrown.params : { reason: toError(thrown).message };
      this.#judged = this.list.segments.map(({ stamp }) => stamp);
      this.#isByServer = true;
      this.#warn(engine, isUnknown ? thrown.code : 'ORDER_THREW', params);
    }
    this.#sorted = null;
    this.#source = items;
    this.#notify();
    // what the server put there stands as it came; where something else has come or changed, nobody here knows its place
    if (this.#isOutdated(news, new Set([...seen, ...optimistic]), store)) this.#markStale(store);
    return items;
  }

  #markStale(store: Store): void {
    if (!this.#isCopy) markStaleAfterRead(store, this.list);
  }

  #isOpen(place: Place): boolean {
    return [place, 'both'].includes(this.list.unloaded ?? '');
  }

  /** The items that belong to the loaded pages: what came or moved beyond their ends is on one that is not. */
  #loadedPart(sorted: readonly unknown[]): readonly unknown[] {
    const [{ compare }, first, last] = [this.#by, this.#first, this.#last];
    const hasEnd = this.#isOpen('end') && last !== undefined;
    const hasStart = this.#isOpen('start') && first !== undefined;
    let [start, end] = [0, sorted.length];
    /** Whether the item has come or moved behind its equals at the end; the member at the end that left and came back has not. */
    const isBehind = (item: unknown): boolean =>
      this.#rankOf(item) > 0 && itemOf(this.#members[this.#source.indexOf(item)]) !== this.#lastSubject;
    const isBeyond = (item: unknown): boolean => compare(item, last) >= (isBehind(item) ? 0 : 1);
    while (hasEnd && end > 0 && isBeyond(sorted[end - 1])) end -= 1;
    while (hasStart && start < end && compare(sorted[start], first) < 0) start += 1;
    return sorted.slice(start, end);
  }

  /** Drops what is known of members that have left. */
  #forget(members: readonly unknown[]): void {
    const before = this.#members;
    this.#members = members;
    const [head, tail] = members === before ? [members.length, 0] : commonEnds(before, members);
    const subjects = new Set(members.slice(head, members.length - tail).map(itemOf));
    for (const subject of before.slice(head, before.length - tail).map(itemOf)) {
      if (!subjects.has(subject)) this.#moves.delete(subject);
      // a guess may have taken it out: it comes back where it stood
      if (!subjects.has(subject) && !this.#isHeld(subject)) this.#anchors.delete(subject);
    }
  }

  #isHeld(subject: unknown): boolean {
    return subject instanceof Row && hasItem(subject.holders, this.list);
  }

  /** Takes new answers in; where they agree with the order, their rows are anchors. Gives whether the ends of the pages are known. */
  #judge(
    news: readonly Segment[],
    items: readonly unknown[],
    optimistic: ReadonlySet<unknown>,
    engine: Host,
  ): boolean {
    const { segments } = this.list;
    let isKnown = true;
    const shown = new Map(this.#members.map((member, at) => [itemOf(member), items[at]]));
    for (const subject of this.#anchors.keys())
      if (!shown.has(subject) && !this.#isHeld(subject)) this.#anchors.delete(subject);
    const judged = new Set(this.#judged);
    for (const segment of news) {
      const { stamp } = segment;
      const placed = this.#placesIn(segment, shown);
      const bare = placed.filter(({ item }) => item !== undefined && !optimistic.has(item));
      for (const one of bare) this.heard.check(one);
      // what is newer than the answer, by another page too, need not be where it stands, and says nothing against the order
      const dates = new Set([stamp.date]);
      const isSure = (subject: unknown): boolean => !this.heard.isNewer(subject, stamp, dates);
      const sure = bare.filter(({ subject }) => isSure(subject));
      const isInOrder = !this.heard.inversion(bare);
      const pair = isInOrder ? null : this.heard.inversion(sure);
      const isAgain = this.#met.has(stamp);
      const bareOf = ({ subject, item }: Placed): unknown =>
        optimistic.has(item) && subject instanceof Row ? withoutOptimistic(subject, item, engine) : item;
      /** Undefined, and the list is in doubt from now on, where nobody can tell. */
      const endOf = (place: Place): unknown => {
        if (!this.#isOpen(place)) return undefined;
        const end = this.heard.endOf(place, stamp, sure, shown);
        const item = end && bareOf(end);
        const known = end && this.#anchors.get(end.subject)?.item;
        const isUnmoved = known !== undefined && this.#by.compare(known, item) === 0;
        if (place === 'end') this.#lastSubject = end?.subject;
        if (end && (isUnmoved || isSure(end.subject))) return item;
        if (end !== undefined && this.list.staleSince <= stamp.date) isKnown = false;
        return undefined;
      };
      if (segment === segments[0]) this.#first = endOf('start');
      if (segment === segments.at(-1)) this.#last = endOf('end');
      if (!isAgain) for (const { subject } of bare) this.#anchors.delete(subject);
      for (const one of isInOrder && !isAgain ? bare : sure) this.#anchor(one);
      for (const one of placed) {
        const { subject, item } = one;
        const isShown = item !== undefined && isSure(subject);
        if (item === undefined || optimistic.has(item))
          this.#anchor({ subject, item: isShown ? bareOf(one) : undefined });
      }
      if (pair) {
        const [first, second] = pair.map(String);
        this.#contradictions.add(stamp);
        this.#warn(engine, 'ORDER_CONTRADICTED', { first, second });
      }
      this.#met.add(stamp);
      // what a guess hides is judged when it has ended
      if (pair || optimistic.size === 0 || bare.length === placed.length) judged.add(stamp);
    }
    const stamps = segments.map(({ stamp }) => stamp);
    this.#judged = stamps.filter((stamp) => judged.has(stamp));
    this.#isByServer = stamps.some((stamp) => this.#contradictions.has(stamp));
    this.#sorted = null;
    return isKnown || this.#isByServer;
  }

  #placesIn({ members }: Segment, shown: ReadonlyMap<unknown, unknown>): Placed[] {
    const { segments, base } = this.list;
    // an answer that equals what was known keeps the members that were there
    return (segments.length === 1 ? base : members).map((member) => {
      const subject = itemOf(member);
      return { subject, item: shown.get(subject) };
    });
  }

  /** Notes what an answer said of the member; without an item, which a guess hides, what is known of it already stays. */
  #anchor({ subject, item }: Placed): void {
    const base = subject instanceof Row ? subject.base : undefined;
    if (item !== undefined || this.#anchors.get(subject)?.base !== base)
      this.#anchors.set(subject, { base, item });
  }

  /** Notes when the items that are new here came or moved. */
  #rank(items: readonly unknown[], optimistic: ReadonlySet<unknown>): void {
    const [head, tail] = this.#sorted ? commonEnds(this.#source, items) : [0, 0];
    this.#source = items;
    for (let at = head; at < items.length - tail; at += 1) {
      const item = items[at];
      const subject = itemOf(this.#members[at]);
      if (!isObject(item)) continue;
      const isOptimistic = optimistic.has(item);
      if (!isOptimistic) this.heard.check({ subject, item });
      if (this.#isAnchored(subject, item, isOptimistic)) {
        this.#moves.delete(subject);
        this.#ranks.delete(item);
        continue;
      }
      const known = this.#moves.get(subject);
      const isSame = known && this.#by.compare(known.item, item) === 0;
      const rank = isSame ? known.rank : (this.#lastRank += 1);
      this.#moves.set(subject, { item, rank });
      this.#ranks.set(item, rank);
    }
  }

  /** Whether the member stands where its answer put it. */
  #isAnchored(subject: unknown, item: unknown, isOptimistic: boolean): boolean {
    const anchor = this.#anchors.get(subject);
    if (!anchor) return false;
    if (anchor.item !== undefined) return this.#by.compare(anchor.item, item) === 0;
    return !isOptimistic && subject instanceof Row && subject.base === anchor.base;
  }

  #order(left: unknown, right: unknown): number {
    return this.#by.compare(left, right) || this.#rankOf(left) - this.#rankOf(right);
  }

  #rankOf(item: unknown): number {
    return (isObject(item) && this.#ranks.get(item)) || 0;
  }

  /** Whether something may stand elsewhere on the server than it is stored. `seen` are the items that were there, and guesses. */
  #isOutdated(news: readonly Segment[], seen: ReadonlySet<unknown>, { timeline }: Store): boolean {
    const dates = new Set(news.map(({ stamp }) => stamp.date));
    if (news.length > 0 && Math.max(...dates) < timeline.last) return true;
    const stamps = new Map(
      news.flatMap(({ stamp, members }) => members.map((member) => [itemOf(member), stamp])),
    );
    return this.#members.some((member, at) => {
      const subject = itemOf(member);
      const stamp = stamps.get(subject);
      if (stamp) return this.heard.isNewer(subject, stamp, dates);
      return this.#moves.has(subject) || !seen.has(this.#source[at]);
    });
  }

  /** Tells the list whether only the server can order it, for one of those that read it at least. */
  #notify(): void {
    const { list } = this;
    if (this.#isCopy) return;
    const orders = ensure(contradicted, list, () => new Set());
    if (this.#isByServer) orders.add(this);
    else orders.delete(this);
    // those that read it no more
    for (const one of orders)
      if (!list.segments.some(({ stamp }) => one.#judged.includes(stamp))) orders.delete(one);
    list.serverOrder = orders.size > 0 ? ' ' : '';
  }

  #warn(engine: Host, code: string, params: Readonly<Record<string, unknown>>): void {
    const path = String(this.list);
    if (!this.#isCopy) engine.warn(code, path, { path, ...params });
  }
}
