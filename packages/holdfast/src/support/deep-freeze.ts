// Freezes values that leave the store, in development: a reader that changes a value gets an error at that line. `deepFreeze` is a
// loop without recursion, because plain JSON inside a field may be deep. It does not look into objects that are frozen already.
import { isObject } from './plain.ts';

/** Freezes a value, and the arrays and plain objects inside it that are not still being filled (`isUnfinished`). */
export function deepFreeze(root: unknown, isUnfinished: (value: object) => boolean = () => false): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (!isObject(value) || Object.isFrozen(value)) continue;
    if (value !== root && (!isFreezable(value) || isUnfinished(value))) continue;
    Object.freeze(value);
    for (const inner of Object.values(value)) stack.push(inner);
  }
}

/** Does the same as `deepFreeze` if the value is an array or a plain object; else does nothing. */
export function freezePlain(value: unknown): void {
  if (isObject(value) && isFreezable(value)) deepFreeze(value);
}

/**
 * True for arrays, and for objects whose prototype is `Object.prototype`. Nested entities are frozen by their own reads, and
 * instances of users' classes may have to change.
 */
function isFreezable(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
