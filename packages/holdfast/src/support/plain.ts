// What a value is beyond `typeof`, and the one walk through plain data (arrays and plain objects) of any depth, circles
// included. Copies of payloads, local ids in arguments, references in stored forms and plain forms for hooks are made by it.
import { ensure } from './ensure.ts';

/** The class that a value says it is of, such as `Map` or `FormData`; `Object` for plain ones. The platform may lack the class. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** By its tag: where the class is named, Node loads its whole network stack, for the first list that is stored. */
export function isForm(value: unknown): value is FormData {
  return tagOf(value) === 'FormData';
}

/** Whether a value says itself how it is written: dates, decimals, and the like. */
export function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return isObject(value) && 'toJSON' in value && typeof value.toJSON === 'function';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with members by name. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** An object as it is, a form as an object of its fields; of all else an empty one. */
export function asObject(value: unknown): object {
  if (isForm(value)) return Object.fromEntries(value);
  return isObject(value) ? value : {};
}

/** Whether it is an array or an object of no class. */
export function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/** Makes an own member, whatever accessors or frozen members the prototypes have. */
export function setOwn(target: object, name: PropertyKey, value: unknown, enumerable: boolean = true): void {
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}

/** The same for plain data, where only a few names need more than an assignment: `__proto__`, whose setter it would call. */
export function putField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name in Object.prototype) setOwn(fields, name, value);
  else fields[name] = value;
}

type Container = Record<string, unknown>;

/**
 * A copy of `root` with every leaf mapped. A leaf is what is neither an array nor a plain object; what it is
 * mapped to is mapped in turn, until it stays.
 */
export function mapPlain(root: unknown, mapLeaf: (leaf: unknown) => unknown): unknown {
  // by what they are copies of: a container that holds itself is copied once. Grows while it is walked
  const copies = new Map<unknown, Container>();
  const copyOf = (value: unknown): unknown => {
    if (!isPlain(value)) {
      const mapped = mapLeaf(value);
      return Object.is(mapped, value) ? value : copyOf(mapped); // NaN stays too
    }
    // cast: by place or name
    return ensure(copies, value, () => (Array.isArray(value) ? [...value] : { ...value }) as Container);
  };
  const result = copyOf(root);
  for (const copy of copies.values()) {
    for (const name of Object.keys(copy)) {
      const next = copyOf(copy[name]);
      if (next !== copy[name]) putField(copy, name, next);
    }
  }
  return result;
}

/** Every leaf of `root`, once. */
export function leavesIn(root: unknown): unknown[] {
  const seen = new Set([root]); // grows while it is walked
  for (const value of seen) if (isPlain(value)) for (const inner of Object.values(value)) seen.add(inner);
  return [...seen].filter((value) => !isPlain(value));
}

/** `root` itself when no leaf changes, else a copy with every leaf changed. */
export function changePlain(root: unknown, changeLeaf: (leaf: unknown) => unknown): unknown {
  const isSame = leavesIn(root).every((leaf) => Object.is(changeLeaf(leaf), leaf));
  return isSame ? root : mapPlain(root, changeLeaf);
}

/**
 * A copy of the arrays and plain objects of a payload that belongs to its caller: a change to it afterwards cannot reach the
 * store. Other objects (dates, users' classes) are kept.
 */
export function copyPlain(root: unknown): unknown {
  return isPlain(root) ? mapPlain(root, (leaf) => leaf) : root;
}
