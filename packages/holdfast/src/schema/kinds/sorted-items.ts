// A filtered and sorted list that is kept up to date: what left is taken out and what came is put in at its place,
// found by halving, so that one change among 10,000 is an insert and not a sort. Used by schema.Query.
import { hasSameItems } from '../../store/graph.ts';
import { commonEnds } from '../../store/list-members.ts';

/** A declared filter and order. `orderBy` names a field, or compares two items. */
export interface Arrangement<T, Args extends readonly unknown[]> {
  readonly filter?: (item: T, ...args: Args) => boolean;
  readonly orderBy?: (keyof T & string) | ((left: T, right: T) => number);
  readonly descending?: boolean;
}

/** Past this share of changed items sorting again is cheaper. */
const MOST_CHANGES = 64;

export class SortedItems {
  readonly #filter: (item: unknown) => boolean;
  readonly #compare: ((left: unknown, right: unknown) => number) | null;
  #source: readonly unknown[] = [];
  #result: readonly unknown[] = [];
  /** Where each item stood in the source: equal items keep the source's order. */
  #places = new Map<unknown, number>();

  constructor(arrangement: Arrangement<unknown, readonly unknown[]>, args: readonly unknown[]) {
    const { filter } = arrangement;
    this.#filter = filter ? (item) => filter(item, ...args) : () => true;
    this.#compare = comparatorOf(arrangement);
  }

  /** The arranged items of the source as it is now; the same array when nothing in it changed. */
  update(source: readonly unknown[]): readonly unknown[] {
    if (source === this.#source) return this.#result;
    const [left, came] = difference(this.#source, source);
    const isSmall = this.#compare && left.length + came.length <= MOST_CHANGES && this.#source.length > 0;
    const next = isSmall ? this.#patch(source, left, came) : this.#arrange(source);
    this.#source = source;
    if (!hasSameItems(next, this.#result)) this.#result = next;
    return this.#result;
  }

  #arrange(source: readonly unknown[]): readonly unknown[] {
    this.#places = new Map(source.map((item, place) => [item, place]));
    const kept = source.filter(this.#filter);
    const compare = this.#compare;
    return compare ? kept.toSorted((a, b) => compare(a, b)) : kept;
  }

  #patch(source: readonly unknown[], left: readonly unknown[], came: readonly unknown[]): readonly unknown[] {
    const gone = new Set(left);
    const result = this.#result.filter((item) => !gone.has(item));
    if (source.length !== this.#source.length)
      this.#places = new Map(source.map((item, place) => [item, place]));
    else {
      for (const item of left) this.#places.delete(item);
      for (const item of came) this.#places.set(item, source.indexOf(item));
    }
    for (const item of came) if (this.#filter(item)) result.splice(this.#placeFor(result, item), 0, item);
    return result;
  }

  #placeFor(items: readonly unknown[], item: unknown): number {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(items[middle], item) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #order(left: unknown, right: unknown): number {
    const order = this.#compare?.(left, right) ?? 0;
    return order === 0 ? (this.#places.get(left) ?? 0) - (this.#places.get(right) ?? 0) : order;
  }
}

type Item = Readonly<Record<string, unknown>>;

function comparatorOf({
  orderBy,
  descending,
}: Arrangement<unknown, readonly unknown[]>): ((left: unknown, right: unknown) => number) | null {
  if (orderBy === undefined) return null;
  const compare =
    typeof orderBy === 'function'
      ? orderBy
      : (left: unknown, right: unknown): number =>
          compareValues((left as Item)[orderBy], (right as Item)[orderBy]); // cast: arrangements are typed by the item's fields
  return descending === true ? (left, right) => compare(right, left) : compare;
}

/** Numbers, dates and the like by value, texts by code unit, nothing last. */
function compareValues(left: unknown, right: unknown): number {
  if (left === right) return 0;
  if (left === undefined || left === null) return 1;
  if (right === undefined || right === null) return -1;
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0; // cast: compared as they are
}

/** What is in one and not in the other, found between the common head and tail. */
function difference(before: readonly unknown[], now: readonly unknown[]): [left: unknown[], came: unknown[]] {
  const [head, tail] = commonEnds(before, now);
  const left = before.slice(head, before.length - tail);
  const came = now.slice(head, now.length - tail);
  // of as many only those that differ
  const differs = (_item: unknown, at: number): boolean =>
    left.length !== came.length || left[at] !== came[at];
  return [left.filter(differs), came.filter(differs)];
}
