// Copies the arrays and plain objects of a payload that belongs to somebody else, so that a change to it afterwards
// cannot reach the store. Iterative: plain JSON may be deep. Other objects (dates, users' classes) are kept.

type Container = Record<string, unknown> | unknown[];

export function copyPlain(root: unknown): unknown {
  if (!isPlain(root)) return root;
  const copies = new Map<object, Container>();
  const result = shallow(root, copies);
  const stack: Container[] = [result];
  for (let container = stack.pop(); container !== undefined; container = stack.pop()) {
    for (const name of Object.keys(container)) {
      const inner = (container as Record<string, unknown>)[name]; // cast: arrays have index names
      if (!isPlain(inner)) continue;
      // a payload that contains itself is copied once
      let copy = copies.get(inner);
      if (copy === undefined) stack.push((copy = shallow(inner, copies)));
      Object.defineProperty(container, name, {
        value: copy,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return result;
}

function shallow(value: object, copies: Map<object, Container>): Container {
  const copy: Container = Array.isArray(value) ? [...(value as unknown[])] : { ...value }; // cast: any[] to unknown[]
  copies.set(value, copy);
  return copy;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
