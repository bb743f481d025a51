// Type checks beyond `typeof`, and walks through plain data (arrays and plain objects) of any depth, circular data included.
import { ensure } from './ensure.ts';

/**
 * The class name of a value of the platform by its tag, such as `Map` or `FormData`; `Object` for plain objects and usually for
 * instances of users' classes. It also works if the platform lacks the class.
 */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The tag is tested, because naming the class `FormData` makes Node load its whole network stack. */
export function isForm(value: unknown): value is FormData {
  return tagOf(value) === 'FormData';
}

/** Whether a value has its own JSON form: dates, decimals, and the like. */
export function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return isObject(value) && typeof (value as { toJSON?: unknown }).toJSON === 'function'; // cast: any object may have a property
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object but not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** The object itself; for a form, an object of its fields; for any other value, an empty object. */
export function asObject(value: unknown): object {
  if (isForm(value)) return Object.fromEntries(value);
  return isObject(value) ? value : {};
}

/** Whether the value is an array or an object without a class. False for an array or object of another frame. */
export function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/** Defines an own property, even when a prototype has an accessor or a frozen property of this name. */
export function setOwn(target: object, name: PropertyKey, value: unknown, enumerable: boolean = true): void {
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}

/**
 * Sets a property of plain data. Only names of `Object.prototype` need a definition: an assignment to `__proto__` would call its
 * setter.
 */
export function putField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name in Object.prototype) setOwn(fields, name, value);
  else fields[name] = value;
}

type Container = Record<string, unknown>;

/**
 * A copy of `root` with every leaf mapped. A leaf is a value that is neither an array nor a plain object. The result of `mapLeaf`
 * is mapped again until it no longer changes.
 */
export function mapPlain(root: unknown, mapLeaf: (leaf: unknown) => unknown): unknown {
  // The copies by their originals: with this map, a container that contains itself is copied once. The map grows while the loop
  // runs.
  const copies = new Map<unknown, Container>();
  const copyOf = (value: unknown): unknown => {
    if (!isPlain(value)) {
      const mapped = mapLeaf(value);
      return Object.is(mapped, value) ? value : copyOf(mapped); // `is`: NaN equals NaN
    }
    // cast: both are read by property names
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

/** Whether the test holds for a leaf of `root`. The leaves after the first such leaf are not tested. */
export function someLeaf(root: unknown, test: (leaf: unknown) => boolean): boolean {
  if (!isPlain(root)) return test(root);
  const containers = new Set([root]); // grows while the loop runs
  for (const container of containers)
    for (const value of Object.values(container) as unknown[])
      if (isPlain(value)) containers.add(value);
      else if (test(value)) return true;
  return false;
}

/** `root` itself when `changeLeaf` changes no leaf, else a copy with the changed leaves. */
export function changePlain(root: unknown, changeLeaf: (leaf: unknown) => unknown): unknown {
  return someLeaf(root, (leaf) => !Object.is(changeLeaf(leaf), leaf)) ? mapPlain(root, changeLeaf) : root;
}

/**
 * Copies the arrays and plain objects of a payload or of arguments that belong to the caller, so that later changes by the caller
 * do not reach the library. Other objects (dates, instances of users' classes) are not copied.
 */
export function copyPlain(root: unknown): unknown {
  return isPlain(root) ? mapPlain(root, (leaf) => leaf) : root;
}
