// Keeps references across rebuilds: the parts of a new value that equal the old one are replaced by the old one, so
// that an unchanged array inside a changed entity is still the same array. Neither side is changed: both may be frozen.
// A loop, not a recursion: values may be deeper than the call stack.
import { isEqual, putField } from '../../store/fields.ts';

// instances without a row of their own, which are built again with what is around them. Keyed by those, no state
const inline = new WeakSet<object>();

export function markInline(instance: object): void {
  inline.add(instance);
}

type Container = Record<string | number, unknown>;

/** Two arrays, plain objects or instances without a row, of one class: what was there and what is there now. */
interface Pair {
  readonly previous: Container;
  readonly next: Container;
  /** The pair that it is a part of, and where. */
  readonly around: Pair | null;
  readonly key: string | number;
  isSame: boolean;
  /** A copy of `next` with the parts that were there before. */
  copy: Container | null;
}

/** `next`, or `previous` where nothing differs. Looks into plain arrays and objects; rows' entities are compared by ===. */
export function share(previous: unknown, next: unknown): unknown {
  let shared: unknown = next;
  const pairs: Pair[] = [];
  const settle = (value: unknown, around: Pair | null, key: string | number): void => {
    if (around === null) shared = value;
    else put(around, key, value);
  };
  const visit = (before: unknown, item: unknown, around: Pair | null, key: string | number): void => {
    if (isPair(before, item)) {
      // cast: read by name or by place
      pairs.push({ previous: before as Container, next: item, around, key, isSame: true, copy: null });
    } else settle(item instanceof Date && isEqual(before, item) ? before : item, around, key);
  };
  visit(previous, next, null, '');
  // grows; what is around a pair comes before it, so the way back settles parts first
  for (const pair of pairs) visitParts(pair, visit);
  for (const pair of pairs.toReversed()) {
    // an instance is kept whole or not at all: a copy of it would be none
    const changed = inline.has(pair.next) ? pair.next : (pair.copy ?? pair.next);
    settle(pair.isSame ? pair.previous : changed, pair.around, pair.key);
  }
  return shared;
}

function isPair(previous: unknown, next: unknown): next is Container {
  if (previous === next || typeof previous !== 'object' || typeof next !== 'object') return false;
  if (previous === null || next === null) return false;
  const prototype: unknown = Object.getPrototypeOf(next);
  // entities first: a sorted list of thousands has moved by one place
  const isOpen = prototype === Object.prototype || Array.isArray(next) || inline.has(next);
  return isOpen && prototype === Object.getPrototypeOf(previous);
}

function visitParts(
  pair: Pair,
  visit: (before: unknown, item: unknown, around: Pair, key: string | number) => void,
): void {
  const { previous, next } = pair;
  if (Array.isArray(next)) {
    pair.isSame = next.length === previous['length'];
    for (let at = 0; at < next.length; at += 1)
      if (!Object.is(next[at], previous[at])) visit(previous[at], next[at], pair, at);
    return;
  }
  const names = Object.keys(next);
  pair.isSame = names.length === Object.keys(previous).length;
  for (const name of names) {
    if (!Object.hasOwn(previous, name)) pair.isSame = false;
    else if (!Object.is(next[name], previous[name])) visit(previous[name], next[name], pair, name);
  }
}

function put(pair: Pair, key: string | number, value: unknown): void {
  const { previous, next } = pair;
  if (value !== next[key]) {
    pair.copy ??= Array.isArray(next) ? (next.slice() as unknown as Container) : { ...next }; // cast: by place
    putField(pair.copy, key as string, value); // cast: a place is no built-in name
  }
  if (!Object.is(value, previous[key])) pair.isSame = false;
}
