// Rows' fields: compared before they are copied, so that an identical answer allocates nothing and changes no
// reference, and written so that any string is a legal name (`__proto__` included, frozen built-ins too).
import type { Fields } from './nodes.ts';

/**
 * A stored form around another one: a reference with a tag, a member with a name, a parsed field, an entity without a key.
 * Rows and lists stand for themselves, and all else that is stored is plain data.
 */
export class Wrapped<Inside = unknown, Mark = unknown> {
  /** The stored form inside. */
  readonly inside: Inside;
  /** What tells two of one class with the same content apart. */
  readonly mark: Mark;

  constructor(inside: Inside, mark: Mark) {
    this.inside = inside;
    this.mark = mark;
  }

  /** What users' hooks see, with stored forms still inside. */
  toPlain(): unknown {
    return this.inside;
  }
}

/** `base` with `incoming` laid over it: `base` itself when nothing differs. */
export function mergeFields(base: Fields, incoming: Fields): Fields {
  if (incoming === base) return base;
  let merged: Record<string, unknown> | undefined;
  for (const name of Object.keys(incoming)) {
    const value = incoming[name];
    // nearly every field of a refetch: only an inherited function could be equal without being a field
    if (base[name] === value && value !== undefined && typeof value !== 'function') continue;
    if (isEqual(ownValue(base, name), value) && Object.hasOwn(base, name)) continue;
    merged ??= { ...base };
    putField(merged, name, value);
  }
  return merged ?? base;
}

export function ownValue(fields: Fields, name: string): unknown {
  const value = fields[name];
  // inherited names such as `constructor` and `__proto__` are not fields
  return (typeof value === 'function' || name === '__proto__') && !Object.hasOwn(fields, name)
    ? undefined
    : value;
}

/** Whether there is such a field. Asked of every nested part: only what an object may inherit has to be looked for. */
export function hasField(fields: Fields, name: string): boolean {
  const value = fields[name];
  const isCertain = value !== undefined && typeof value !== 'function' && name !== '__proto__';
  return isCertain || Object.hasOwn(fields, name);
}

const builtInNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Makes an own field whatever its name: assignment would call the `__proto__` setter, or trip on a frozen prototype. */
export function putField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (builtInNames.has(name))
    Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
  else fields[name] = value;
}

/** Whether two stored values mean the same. Iterative: plain JSON inside a field may be deep. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Number.isNaN(left) && Number.isNaN(right);
  }
  const stack: unknown[] = [left, right];
  while (stack.length > 0) {
    const b = stack.pop();
    const a = stack.pop();
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const prototype: unknown = Object.getPrototypeOf(a);
    if (prototype !== Object.getPrototypeOf(b)) return false;
    if (Array.isArray(a)) {
      const other = b as unknown[]; // cast: same prototype as an array
      if (a.length !== other.length) return false;
      for (let i = 0; i < a.length; i += 1) if (a[i] !== other[i]) stack.push(a[i], other[i]);
    } else if (prototype === Object.prototype || prototype === null) {
      const names = Object.keys(a);
      if (names.length !== Object.keys(b).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(b, name)) return false;
        stack.push((a as Fields)[name], (b as Fields)[name]); // cast: plain objects
      }
    } else if (a instanceof Wrapped) {
      const other = b as Wrapped; // cast: same prototype
      if (a.mark !== other.mark) return false;
      stack.push(a.inside, other.inside);
    } else if (!(a instanceof Date && a.getTime() === (b as Date).getTime())) return false; // cast: same prototype
  }
  return true;
}

/**
 * How many fields there are, if every one is there already with the very same value; else -1. Objects count as new: they
 * would have to be compared.
 */
export function countSame(fields: Fields, known: Fields): number {
  let count = 0;
  for (const name in fields) {
    const value = fields[name];
    if (
      known[name] !== value ||
      typeof value === 'object' ||
      typeof value === 'function' ||
      value === undefined
    )
      return -1;
    count += 1;
  }
  return count;
}

/** How many fields there are, without making a list of them. */
export function countNames(fields: Fields): number {
  let count = 0;
  for (const _name in fields) count += 1;
  return count;
}
