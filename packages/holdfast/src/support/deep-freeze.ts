// Makes values that leave the store immutable, in development: a reader that changes one gets an error at the line
import { isObject } from './plain.ts';
// that does it. Iterative: plain JSON inside a field may be deep. Stops at what is frozen already.

/** Freezes a value and the arrays and plain objects inside it; `isOpen` names arrays that are still being filled. */
export function deepFreeze(root: unknown, isOpen: (value: object) => boolean = () => false): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (!isObject(value) || Object.isFrozen(value)) continue;
    if (value !== root && (!isFreezable(value) || isOpen(value))) continue;
    Object.freeze(value);
    for (const inner of Object.values(value)) stack.push(inner);
  }
}

/** The same for a value that may be anything: only arrays and plain objects are touched. */
export function freezePlain(value: unknown): void {
  if (isObject(value) && isFreezable(value)) deepFreeze(value);
}

/** Only arrays and plain objects: other entities freeze themselves, and a user's own classes may need their insides. */
function isFreezable(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
