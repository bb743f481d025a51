// Structural sharing: parts of a new value that equal the old value's parts at the same place are replaced by the old parts, so
// that an unchanged array inside a changed entity is still the same array. Neither value is modified, because both may be frozen.
// Views call this when they are built.
import { isEqual } from '../../store/fields.ts';
import { isObject, putField } from '../../support/plain.ts';

// Instances of entities without a row, which are built again with every rebuild of the value around them. This set is a mark, not
// state.
const inline = new WeakSet<object>();

export function markInline(instance: object): void {
  inline.add(instance);
}

type SharedContainer = Record<string | number, unknown>;

/** Above this number of parts, an object that occurs twice (perhaps inside itself) is not visited again. */
const FREE_PARTS = 1e4;

/** Below this depth, a part is shared only as a whole: values may be deeper than the call stack. */
const DEEPEST = 100;

/**
 * Returns `previous` if the two values are equal, else `next` with equal parts of `previous`. In a very large or very deep value,
 * not all equal parts are found. Entities with a row are compared by ===.
 */
export function share(previous: unknown, next: unknown): unknown {
  const met = new Set<object>();
  let partCount = 0;
  const shareParts = (before: unknown, now: unknown, depth: number): unknown => {
    const isContainer = areAlikeContainers(before, now);
    const isWhole = depth > DEEPEST;
    if (isContainer) {
      // A deep value may contain itself, so from the first deep part on, each object is visited once.
      partCount += isWhole ? FREE_PARTS : 1;
      if (partCount > FREE_PARTS && met.size === met.add(now).size) return now;
    }
    if (!isContainer || isWhole)
      return (isContainer || now instanceof Date) && isEqual(before, now, isOpen) ? before : now;
    const old = before as SharedContainer; // cast: has the prototype of `now`
    let shared = now;
    let isSame = sizeOf(old) === sizeOf(now);
    for (const key of Array.isArray(now) ? now.keys() : Object.keys(now)) {
      const part = shareParts(old[key], now[key], depth + 1);
      // An instance is never copied, because the copy would not be an instance of its class.
      if (!Object.is(part, now[key]) && !inline.has(now)) {
        // cast: an array is read by index
        if (shared === now) shared = (Array.isArray(now) ? now.slice() : { ...now }) as SharedContainer;
        putField(shared, key as string, part); // cast: an index cannot be `__proto__`
      }
      isSame &&= Object.is(part, old[key]) && (part !== undefined || Object.hasOwn(old, key));
    }
    return isSame ? before : shared;
  };
  return shareParts(previous, next, 0);
}

function sizeOf(container: SharedContainer): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

/** Whether the values are two different arrays, plain objects, or inline entities of one class. */
function areAlikeContainers(previous: unknown, next: unknown): next is SharedContainer {
  // `isOpen` comes before the comparison of prototypes, because it excludes entities with a row: a list may have thousands of them,
  // each at a new place.
  return (
    previous !== next &&
    isObject(previous) &&
    isObject(next) &&
    isOpen(next) &&
    Object.getPrototypeOf(previous) === Object.getPrototypeOf(next)
  );
}

function isOpen(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value) || inline.has(value);
}
