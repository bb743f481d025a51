// Structural sharing: parts of a new value that equal the same part of the old value are replaced by the old part, so that an
// unchanged array inside a changed entity is still the same array. Neither value is modified: both may be frozen. Uses a loop
// instead of recursion, as values may be deeper than the call stack. Called when views are built.
import { isEqual } from '../../store/fields.ts';
import { isObject, putField } from '../../support/plain.ts';

// Instances of entities without a row, which are built again with every rebuild of the value around them. A mark, not state.
const inline = new WeakSet<object>();

export function markInline(instance: object): void {
  inline.add(instance);
}

type SharedContainer = Record<string | number, unknown>;

/** The old and the new value of one part: two arrays, two plain objects, or two instances of one class without a row. */
interface Pair {
  readonly before: SharedContainer;
  readonly next: SharedContainer;
  /** The pair that contains this one, and in `key` the property name or index there. */
  readonly parentPair: Pair | null;
  readonly key: string | number;
  isSame: boolean;
  /** `next`, or a copy of it in which equal parts are the old ones. */
  shared: SharedContainer;
}

/** Above this number of parts, an object that occurs twice (perhaps inside itself) ends the comparison: `next` is returned. */
const FREE_PARTS = 1e4;

/** Returns `previous` when nothing differs, else `next` with equal parts shared. Entities with a row are compared by ===. */
export function share(previous: unknown, next: unknown): unknown {
  const root = createPair([previous], [next], null, 0);
  const pairs = [root];
  const seen = new Set<object>();
  // The array grows during the loop. A container precedes its parts, so the reversed loop below finishes parts first.
  for (const pair of pairs) {
    const { next: parts } = pair;
    if (pairs.length > FREE_PARTS && seen.size === seen.add(parts).size) return next;
    for (const key of Array.isArray(parts) ? parts.keys() : Object.keys(parts)) {
      const before = pair.before[key];
      const now = parts[key];
      if (isPair(before, now)) pairs.push(createPair(before, now, pair, key));
      else putPart(pair, key, now instanceof Date && isEqual(before, now) ? before : now);
    }
  }
  for (const pair of pairs.reverse())
    if (pair.parentPair) putPart(pair.parentPair, pair.key, pair.isSame ? pair.before : pair.shared);
  return root.shared[0];
}

function createPair(previous: unknown, next: unknown, around: Pair | null, key: string | number): Pair {
  const [before, now] = [previous as SharedContainer, next as SharedContainer]; // cast: lets objects and arrays be read by name or index
  return { before, next: now, parentPair: around, key, isSame: sizeOf(before) === sizeOf(now), shared: now };
}

function sizeOf(container: SharedContainer): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

function isPair(previous: unknown, next: unknown): next is SharedContainer {
  if (previous === next || !isObject(previous) || !isObject(next)) return false;
  const prototype: unknown = Object.getPrototypeOf(next);
  // Decided by the prototype of `next` first, which excludes entities: in a list of thousands all of them may have moved.
  const mayShareParts = prototype === Object.prototype || Array.isArray(next) || inline.has(next);
  return mayShareParts && prototype === Object.getPrototypeOf(previous);
}

function putPart(pair: Pair, key: string | number, value: unknown): void {
  const { before, next } = pair;
  // An instance is never copied: the copy would not be an instance of its class.
  if (!Object.is(value, next[key]) && !inline.has(next)) {
    if (pair.shared === next) {
      const copy: object = Array.isArray(next) ? next.slice() : { ...next };
      pair.shared = copy as SharedContainer; // cast: an array is read by index
    }
    putField(pair.shared, key as string, value); // cast: an index cannot be `__proto__`
  }
  if (!Object.is(value, before[key]) || (value === undefined && !Object.hasOwn(before, key)))
    pair.isSame = false;
}
