// Keeps references across rebuilds: the parts of a new value that equal the old one are replaced by the old one, so
// that an unchanged array inside a changed entity is still the same array. Neither side is changed: both may be frozen.
// A loop, not a recursion: values may be deeper than the call stack.
import { isEqual } from '../../store/fields.ts';
import { isObject, putField } from '../../support/plain.ts';

// instances without a row of their own, which are built again with what is around them. Keyed by those, no state
const inline = new WeakSet<object>();

export function markInline(instance: object): void {
  inline.add(instance);
}

type SharedContainer = Record<string | number, unknown>;

/** Two arrays, plain objects or instances without a row, of one class: what was there and what is there now. */
interface Pair {
  readonly before: SharedContainer;
  readonly next: SharedContainer;
  /** The pair that it is a part of, and where. */
  readonly around: Pair | null;
  readonly key: string | number;
  isSame: boolean;
  /** `next`, or a copy of it with the parts that were there before. */
  shared: SharedContainer;
}

/** After so many parts they are noted: where one stands in several places, perhaps in itself, `next` stays as it came. */
const FREE_PARTS = 1e4;

/** `next`, or `previous` where nothing differs. Looks into plain arrays and objects; rows' entities are compared by ===. */
export function share(previous: unknown, next: unknown): unknown {
  const root = createPair([previous], [next], null, 0);
  const pairs = [root];
  const met = new Set<object>();
  // grows; what is around a pair comes before it, so the way back settles parts first
  for (const pair of pairs) {
    const { next: parts } = pair;
    if (pairs.length > FREE_PARTS && met.size === met.add(parts).size) return next;
    for (const key of Array.isArray(parts) ? parts.keys() : Object.keys(parts)) {
      const before = pair.before[key];
      const now = parts[key];
      if (isPair(before, now)) pairs.push(createPair(before, now, pair, key));
      else put(pair, key, now instanceof Date && isEqual(before, now) ? before : now);
    }
  }
  for (const pair of pairs.reverse())
    if (pair.around) put(pair.around, pair.key, pair.isSame ? pair.before : pair.shared);
  return root.shared[0];
}

function createPair(previous: unknown, next: unknown, around: Pair | null, key: string | number): Pair {
  const [before, now] = [previous as SharedContainer, next as SharedContainer]; // cast: read by name or by place
  return { before, next: now, around, key, isSame: sizeOf(before) === sizeOf(now), shared: now };
}

function sizeOf(container: SharedContainer): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

function isPair(previous: unknown, next: unknown): next is SharedContainer {
  if (previous === next || !isObject(previous) || !isObject(next)) return false;
  const prototype: unknown = Object.getPrototypeOf(next);
  // entities first: a sorted list of thousands has moved by one place
  const isOpen = prototype === Object.prototype || Array.isArray(next) || inline.has(next);
  return isOpen && prototype === Object.getPrototypeOf(previous);
}

function put(pair: Pair, key: string | number, value: unknown): void {
  const { before, next } = pair;
  // an instance is kept whole or not at all: a copy of it would be none
  if (!Object.is(value, next[key]) && !inline.has(next)) {
    if (pair.shared === next)
      pair.shared = Array.isArray(next) ? (next.slice() as unknown as SharedContainer) : { ...next }; // cast: by place
    putField(pair.shared, key as string, value); // cast: a place is no built-in name
  }
  if (!Object.is(value, before[key]) || (value === undefined && !Object.hasOwn(before, key)))
    pair.isSame = false;
}
