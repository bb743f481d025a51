// Keeps references across rebuilds: the parts of a new value that equal the old one are replaced by the old one, so
// that an unchanged array inside a changed entity is still the same array. Neither side is changed: both may be frozen.
import { isEqual, putField } from '../../store/fields.ts';

/** Past this depth parts are compared but not taken apart: plain JSON may be deeper than the stack. */
const DEEPEST = 200;

// instances without a row of their own, which are made anew with what is around them. Keyed by those, no state
const inline = new WeakSet<object>();

export function markInline(instance: object): void {
  inline.add(instance);
}

/** `next`, or `previous` where nothing differs. Looks into plain arrays and objects; rows' entities are compared by ===. */
export function share(previous: unknown, next: unknown, depth = 0): unknown {
  if (previous === next || typeof previous !== 'object' || typeof next !== 'object') return next;
  if (previous === null || next === null) return next;
  const prototype: unknown = Object.getPrototypeOf(next);
  if (next instanceof Date) return isEqual(previous, next) ? previous : next;
  // entities first: a sorted list of thousands has moved by one place
  if (!Array.isArray(next) && prototype !== Object.prototype && !inline.has(next)) return next;
  if (prototype !== Object.getPrototypeOf(previous)) return next;
  if (depth > DEEPEST) return isEqual(previous, next) ? previous : next;
  // cast: same prototype on both sides
  if (Array.isArray(next))
    return shareArray(previous as readonly unknown[], next as readonly unknown[], depth);
  const shared = shareObject(previous as Record<string, unknown>, next as Record<string, unknown>, depth);
  // an instance is kept whole or not at all: a copy of it would be none
  return prototype === Object.prototype || shared === previous ? shared : next;
}

function shareArray(previous: readonly unknown[], next: readonly unknown[], depth: number): unknown {
  let isSame = previous.length === next.length;
  let shared: unknown[] | undefined;
  for (let i = 0; i < next.length; i += 1) {
    const item = next[i];
    const kept = i < previous.length && item !== previous[i] ? share(previous[i], item, depth + 1) : item;
    if (kept !== item) (shared ??= next.slice())[i] = kept;
    isSame &&= Object.is(kept, previous[i]);
  }
  return isSame ? previous : (shared ?? next);
}

function shareObject(
  previous: Record<string, unknown>,
  next: Record<string, unknown>,
  depth: number,
): unknown {
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(previous).length;
  let shared: Record<string, unknown> | undefined;
  for (const name of names) {
    const isKnown = Object.hasOwn(previous, name);
    const item = next[name];
    const kept = isKnown && item !== previous[name] ? share(previous[name], item, depth + 1) : item;
    if (kept !== item) putField((shared ??= { ...next }), name, kept);
    isSame &&= isKnown && Object.is(kept, previous[name]);
  }
  return isSame ? previous : (shared ?? next);
}
