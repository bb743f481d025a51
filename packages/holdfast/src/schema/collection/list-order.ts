// `orderBy`: the declared order of a Collection. Members stay stored as the server gave them; this file arranges what readers
// get, so rows move with their fields and with guesses, and no list is asked for again. Shipped with its import alone.
//
//   the answer    [a:1  b:2  c:2  d:4]       anchors: they stand among their equals as the server had them
//   now           [a:3  b:2  c:2  d:4  e:2]  a has moved, e has come
//   shown         [b:2  c:2  e:2  a:3  d:4]  behind their equals, in the order in which that happened
import { Row } from '../../store/nodes.ts';
import type { List } from '../../store/nodes.ts';
import type { Stamp } from '../../store/stamp.ts';
import { isEqual } from '../../store/fields.ts';
import { hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import { commonEnds, itemOf } from '../../store/list-members.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { beginList, endList } from '../kinds/list-read.ts';
import { compareValues, SortedItems } from '../kinds/sorted-items.ts';
import { isThere } from '../protocol/protocol.ts';
import type { Host, Kind, ListForm, ReadContext } from '../protocol/protocol.ts';
import { arrayForm, memberReader } from './collection-kind.ts';
import type { CollectionKey } from './placement-kind.ts';

/** Compares two items of a list; the third argument is the list's key. */
export type CompareItems<T> = (left: T, right: T, key: CollectionKey) => number;

/** What an order compares for a name in the argument: a field of that name where there is no function. */
export type OrderValues<T> = Readonly<Record<string, (item: T) => unknown>>;

type Compare = (left: unknown, right: unknown) => number;

declare const ITEM: unique symbol;

/** A declared order of items, made by {@link orderBy}. */
export interface ListOrder<in T = never> {
  readonly [ITEM]: (item: T) => void;
}

/** What {@link orderBy} makes. */
export class DeclaredOrder {
  /** The argument that names the order; undefined where every list has it. */
  readonly argument: string | undefined;
  readonly form: ListForm;

  constructor(argument: string | undefined, comparatorOf: (key: CollectionKey) => Compare) {
    this.argument = argument;
    const arranged = new WeakMap<List, Map<Kind, Arranged>>();
    this.form = {
      ...arrayForm,
      readers: new WeakMap(),
      read: (view, item, members, at) => {
        const list = view.subject as List; // cast: this form reads lists only
        const { key: names } = list.identity;
        if (argument !== undefined && !names?.has(argument)) return arrayForm.read(view, item, members, at);
        const key: CollectionKey = Object.fromEntries(names ?? []);
        const ofList = ensure(arranged, list, () => new Map<Kind, Arranged>());
        readArranged(
          view,
          item,
          members,
          at,
          ensure(ofList, item, () => new Arranged(list, comparatorOf(key))),
        );
      },
    };
  }
}

/**
 * Declares the order of a Collection: by the argument that names it, or by a comparator.
 *
 * @example
 * // ?sort=-id, ?sort=completed,title: fields by name, a minus in front for descending
 * new schema.Collection([Todo], { order: orderBy('sort') });
 * new schema.Collection([Todo], { order: orderBy('sort', { title: (todo) => todo.title.toLowerCase() }) });
 * new schema.Collection([Todo], { order: orderBy((left, right) => left.title.localeCompare(right.title)) });
 */
export function orderBy<T>(compare: CompareItems<T>): ListOrder<T>;
export function orderBy<T>(argument: string, values?: OrderValues<T>): ListOrder<T>;
export function orderBy(
  given: string | CompareItems<unknown>,
  values: OrderValues<unknown> = {},
): ListOrder<unknown> {
  const order =
    typeof given === 'function'
      ? new DeclaredOrder(undefined, (key) => (left, right) => given(left, right, key))
      : new DeclaredOrder(given, (key) => byNames(key[given] ?? '', values));
  return order as unknown as ListOrder<unknown>; // cast: the slot is for the type checker
}

/** Compares by the names in an argument: `-updatedAt,title`. */
function byNames(text: string, values: OrderValues<unknown>): Compare {
  const parts = text.split(',').map((part) => {
    const name = part.replace(/^[-+]/, '');
    const own = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = own ?? ((item: unknown) => fieldOf(item, name));
    return { value, direction: part.startsWith('-') ? -1 : 1 };
  });
  return (left, right) => {
    for (const { value, direction } of parts) {
      const order = direction * compareValues(value(left), value(right));
      if (order !== 0) return order;
    }
    return 0;
  };
}

function fieldOf(item: unknown, name: string): unknown {
  if (isObject(item) && name in item) return (item as Readonly<Record<string, unknown>>)[name]; // cast: it has the field
  throw new HoldfastError('ORDER_UNKNOWN', { name });
}

/** Reads the list's view: the members as they are stored, arranged. */
function readArranged(
  view: View,
  item: Kind,
  members: readonly unknown[],
  at: ReadContext,
  arranged: Arranged,
): void {
  const values = beginList(view, (at.madeOf(view) ?? []) as unknown[]); // cast: made here before
  values.length = 0;
  const source = at.view(arranged.list, memberReader(item, arrayForm)) as readonly unknown[]; // cast: it reads as an array
  // a member that is not there has no item
  const isWhole = source.length === members.length;
  const shown = isWhole ? members : members.filter((member) => isThere(at.open(item, member)));
  if (at.isWaiting) return;
  const items = arranged.arrange(source, shown, at.engine);
  if (!at.isShared(view)) return at.complete(view, items);
  values.push(...items);
  endList(values);
  at.complete(view, values);
}

/** What an answer said of a member: the fields of its row, and the item they made; none where a guess lay over them. */
interface Anchor {
  readonly base: unknown;
  readonly item: unknown;
}

/** A list in its order, and what is known of its answers. */
class Arranged {
  readonly list: List;
  readonly #compare: Compare;
  #answers: readonly Stamp[] = [];
  /** The answers that contradict the order. */
  readonly #contradictions = new WeakSet<Stamp>();
  readonly #anchors = new Map<unknown, Anchor>();
  /** The members that have come or moved since, each with the count of such moves when it did. */
  readonly #moves = new Map<unknown, { readonly item: unknown; readonly rank: number }>();
  #lastRank = 0;
  /** The ranks of the items that are no anchors. */
  readonly #ranks = new WeakMap<object, number>();
  #source: readonly unknown[] = [];
  #sorted: SortedItems | null = null;

  constructor(list: List, compare: Compare) {
    this.list = list;
    this.#compare = compare;
  }

  /** The items, one for each member, in order; as they are stored where only the server can order them. */
  arrange(items: readonly unknown[], members: readonly unknown[], engine: Host): readonly unknown[] {
    const { list } = this;
    const answers = list.segments.map(({ stamp }) => stamp);
    const isAnswered = !hasSameItems(answers, this.#answers);
    try {
      if (isAnswered) this.#hear(answers, items, members, engine);
      if (list.serverOrder) return items;
      this.#rank(items, members);
      this.#sorted ??= new SortedItems({ orderBy: (left, right) => this.#order(left, right) }, []);
      return this.#sorted.update(items);
    } catch (thrown) {
      const { message } = toError(thrown);
      const isUnknown = thrown instanceof HoldfastError && thrown.code === 'ORDER_UNKNOWN';
      list.serverOrder = ' ';
      engine.warn(isUnknown ? thrown.code : 'ORDER_THREW', String(list), {
        path: String(list),
        reason: message,
        ...(isUnknown && thrown.params),
      });
      // what an answer brought stands as it came; after a change of ours nothing is known
      if (!isAnswered) engine.store.doubt(list, engine.store.timeline.tick());
      return items;
    }
  }

  /** Takes new answers in: their rows are anchors, unless something newer is known of them. */
  #hear(
    answers: readonly Stamp[],
    items: readonly unknown[],
    members: readonly unknown[],
    engine: Host,
  ): void {
    const { list } = this;
    const known = this.#answers;
    this.#answers = answers;
    this.#sorted = null;
    list.serverOrder = '';
    const itemsOf = new Map(members.map((member, at) => [itemOf(member), items[at]]));
    for (const subject of this.#moves.keys()) if (!itemsOf.has(subject)) this.#moves.delete(subject);
    for (const { stamp, members: page } of list.segments) {
      let last: { readonly subject: unknown; readonly item: unknown } | undefined;
      for (const subject of known.includes(stamp) ? [] : page.map(itemOf)) {
        const row = subject instanceof Row ? subject : null;
        // an answer that changes nothing is met only when something else has: what was known of the row is what it said
        if (row && Math.max(row.stamp.fence, row.staleSince) > stamp.fence) continue;
        const before = this.#anchors.get(subject);
        const item =
          !row || isBare(row) ? itemsOf.get(subject) : before?.base === row.base ? before?.item : undefined;
        this.#anchors.set(subject, { base: row?.base, item });
        if (item === undefined) continue;
        if (last && this.#compare(last.item, item) > 0) {
          this.#contradictions.add(stamp);
          const [first, second] = [String(last.subject), String(subject)];
          engine.warn('ORDER_CONTRADICTED', String(list), { path: String(list), first, second });
        }
        last = { subject, item };
      }
      if (this.#contradictions.has(stamp)) list.serverOrder = ' ';
    }
  }

  /** Notes when the items that are new here came or moved. */
  #rank(items: readonly unknown[], members: readonly unknown[]): void {
    const [head, tail] = this.#sorted ? commonEnds(this.#source, items) : [0, 0];
    this.#source = items;
    for (let at = head; at < items.length - tail; at += 1) {
      const item = items[at];
      const subject = itemOf(members[at]);
      if (!isObject(item)) continue;
      if (this.#isAnchored(subject, item)) {
        this.#moves.delete(subject);
        this.#ranks.delete(item);
        continue;
      }
      const known = this.#moves.get(subject);
      const isSame = known && this.#compare(known.item, item) === 0;
      const rank = isSame ? known.rank : (this.#lastRank += 1);
      this.#moves.set(subject, { item, rank });
      this.#ranks.set(item, rank);
    }
    this.list.isRearranged = this.#moves.size > 0;
  }

  /** Whether the member stands where its answer put it. */
  #isAnchored(subject: unknown, item: unknown): boolean {
    const anchor = this.#anchors.get(subject);
    if (!anchor) return false;
    if (subject instanceof Row && subject.base === anchor.base && isBare(subject)) return true;
    return anchor.item !== undefined && this.#compare(anchor.item, item) === 0;
  }

  #order(left: unknown, right: unknown): number {
    return this.#compare(left, right) || this.#rankOf(left) - this.#rankOf(right);
  }

  #rankOf(item: unknown): number {
    return (isObject(item) && this.#ranks.get(item)) || 0;
  }
}

/** Whether no guess changes the row. */
function isBare(row: Row): boolean {
  return !row.layers || isEqual(row.shown, row.base);
}
