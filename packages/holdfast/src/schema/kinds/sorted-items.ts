// A filtered and sorted array that is updated incrementally after small changes: removed items are cut out and new items are
// inserted by binary search, so that one change among 10,000 items does not sort them again. schema.Query, `orderBy` and local
// queries use it.
import { hasSameItems } from '../../store/graph.ts';
import { commonEnds } from '../../store/list-members.ts';

/**
 * A declared filter and order. `orderBy` is the name of a field, or a function that compares two items.
 *
 * @example
 * const open: Query.Arrangement<Todo, []> = { filter: (todo) => !todo.done, orderBy: 'title', descending: true };
 * const openTodos = new schema.Query(new schema.All(Todo), open);
 */
export interface Arrangement<T, Args extends readonly unknown[]> {
  readonly filter?: (item: T, ...args: Args) => boolean;
  readonly orderBy?: (keyof T & string) | ((left: T, right: T) => number);
  readonly descending?: boolean;
}

/** With more changed items than this, sorting the whole array again is cheaper. */
const MOST_CHANGES = 64;

export class SortedItems {
  readonly #filter: (item: unknown) => boolean;
  readonly #compare: Compare | null;
  #source: readonly unknown[] = [];
  #result: readonly unknown[] = [];

  constructor(arrangement: Arrangement<unknown, readonly unknown[]>, args: readonly unknown[]) {
    const { filter } = arrangement;
    this.#filter = filter ? (item) => filter(item, ...args) : () => true;
    this.#compare = comparatorOf(arrangement);
  }

  /** Returns the filtered and sorted items of `source`; returns the same array as before if the result is equal. */
  update(source: readonly unknown[]): readonly unknown[] {
    const before = this.#source;
    if (source === before) return this.#result;
    const [left, came] = itemDifference(before, source);
    const compare = this.#compare;
    this.#source = source;
    const isSmall = left.length + came.length <= MOST_CHANGES && before.length > 0;
    const next = compare && isSmall ? this.#patch(left, came, compare) : this.#arrange(source, compare);
    if (!hasSameItems(next, this.#result)) this.#result = next;
    return this.#result;
  }

  #arrange(source: readonly unknown[], compare: Compare | null): readonly unknown[] {
    const kept = source.filter(this.#filter);
    return compare ? kept.sort(compare) : kept;
  }

  #patch(left: readonly unknown[], came: readonly unknown[], compare: Compare): readonly unknown[] {
    const source = this.#source;
    const result = [...this.#result];
    // fast: Q1 and L1. For a few removed items, indexOf is cheaper than testing each item of the array
    for (const item of left) {
      const at = result.indexOf(item);
      if (at >= 0) result.splice(at, 1);
    }
    for (const item of came.filter(this.#filter)) {
      let low = 0;
      let high = result.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = result[middle];
        // Items that compare equal keep the order of the source.
        if ((compare(other, item) || source.indexOf(other) - source.indexOf(item)) <= 0) low = middle + 1;
        else high = middle;
      }
      result.splice(low, 0, item);
    }
    return result;
  }
}

type Compare = (left: unknown, right: unknown) => number;
type Item = Readonly<Record<string, unknown>>;

function comparatorOf({ orderBy, descending }: Arrangement<unknown, readonly unknown[]>): Compare | null {
  if (orderBy === undefined) return null;
  const compare =
    typeof orderBy === 'function'
      ? orderBy
      : (left: unknown, right: unknown): number =>
          compareValues((left as Item)[orderBy], (right as Item)[orderBy]); // cast: arrangements are typed by the item's fields
  return descending ? (left, right) => compare(right, left) : compare;
}

/**
 * Compares numbers and dates by value, and strings by code unit; null and undefined are equal, and greater than any other value.
 */
export function compareValues(one: unknown, other: unknown): number {
  const left = one ?? null;
  const right = other ?? null;
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0; // cast: `<` accepts any operands
}

/** The items in which the two arrays differ, between their common start and their common end. */
function itemDifference(
  before: readonly unknown[],
  now: readonly unknown[],
): [left: unknown[], came: unknown[]] {
  const [head, tail] = commonEnds(before, now);
  const left = before.slice(head, before.length - tail);
  const came = now.slice(head, now.length - tail);
  // If the counts are equal, items that are at the same index in both arrays are omitted.
  const differs = (_item: unknown, at: number): boolean =>
    left.length !== came.length || left[at] !== came[at];
  return [left.filter(differs), came.filter(differs)];
}
