// The one walk through plain data (arrays and plain objects) of any depth, circles included. Copies of payloads, local ids in
// arguments, references in stored forms and plain forms for hooks are all made by it.

type Container = Record<string, unknown> | unknown[];

export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/**
 * A copy of `root` with every leaf mapped. A leaf is what is neither an array nor a plain object; what it is
 * mapped to is mapped in turn, until it stays.
 */
export function mapPlain(root: unknown, mapLeaf: (leaf: unknown) => unknown): unknown {
  const copies = new Map<object, Container>();
  const stack: Container[] = [];
  const copyOf = (value: unknown): unknown => {
    if (!isPlain(value)) {
      const mapped = mapLeaf(value);
      return Object.is(mapped, value) ? value : copyOf(mapped); // NaN stays too
    }
    let copy = copies.get(value);
    if (!copy) {
      copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value }; // cast: any[] to unknown[]
      // a container that holds itself is copied once
      copies.set(value, copy);
      stack.push(copy);
    }
    return copy;
  };
  const result = copyOf(root);
  for (let container = stack.pop(); container; container = stack.pop()) {
    for (const name of Object.keys(container)) {
      const part = (container as Record<string, unknown>)[name]; // cast: arrays have index names
      const next = copyOf(part);
      // defined, not assigned: a payload may have a member of the name __proto__
      if (next !== part)
        Object.defineProperty(container, name, {
          value: next,
          writable: true,
          enumerable: true,
          configurable: true,
        });
    }
  }
  return result;
}

/** `root` itself when no leaf changes, else a copy with every leaf changed. */
export function changePlain(root: unknown, changeLeaf: (leaf: unknown) => unknown): unknown {
  let isChanged = false;
  const copy = mapPlain(root, (leaf) => {
    const next = changeLeaf(leaf);
    isChanged ||= !Object.is(next, leaf);
    return next;
  });
  return isChanged ? copy : root;
}
