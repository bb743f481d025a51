// A set that is nearly always empty or holds one item: edges of the dependency graph and the lists a row stands in.
// Nothing, the item itself, a short array, or a Set for hubs that have thousands of dependents.

/** Items must be class instances that are neither arrays nor Sets. */
export type SmallSet<T extends object> = T | T[] | Set<T> | null;

const LONGEST_ARRAY = 8;

export function withItem<T extends object>(set: SmallSet<T>, item: T): SmallSet<T> {
  if (set === null || set === item) return item;
  if (set instanceof Set) return set.add(item);
  if (!Array.isArray(set)) return [set, item];
  if (set.includes(item)) return set;
  if (set.length >= LONGEST_ARRAY) return new Set<T>(set).add(item);
  set.push(item);
  return set;
}

export function withoutItem<T extends object>(set: SmallSet<T>, item: T): SmallSet<T> {
  if (set === item) return null;
  if (set instanceof Set) set.delete(item);
  else if (Array.isArray(set)) {
    const at = set.indexOf(item);
    if (at >= 0) set.splice(at, 1);
  }
  return countItems(set) === 0 ? null : set;
}

export function countItems<T extends object>(set: SmallSet<T>): number {
  if (set === null) return 0;
  if (set instanceof Set) return set.size;
  return Array.isArray(set) ? set.length : 1;
}

export function hasItem<T extends object>(set: SmallSet<T>, item: T): boolean {
  if (set instanceof Set) return set.has(item);
  return Array.isArray(set) ? set.includes(item) : set === item;
}

/** The items as something to loop over; copied, so that the loop's body may change the set. */
export function itemsOf<T extends object>(set: SmallSet<T>): readonly T[] {
  if (set === null) return [];
  return Array.isArray(set) || set instanceof Set ? [...set] : [set];
}
