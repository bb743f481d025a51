// Whether two values are the same graph: structure, classes, values and cycles. Written as a loop, because graphs here
// are deep and refer to themselves.

export function isSameGraph(left: unknown, right: unknown): boolean {
  const compared = new Map<object, Set<object>>();
  const stack: unknown[] = [left, right];
  while (stack.length > 0) {
    const b = stack.pop();
    const a = stack.pop();
    if (Object.is(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const partners = compared.get(a) ?? new Set<object>();
    if (partners.has(b)) continue;
    compared.set(a, partners.add(b));
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (a instanceof Date) {
      if (a.getTime() !== (b as Date).getTime()) return false; // cast: same prototype
      continue;
    }
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      stack.push((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]); // cast: read by name
    }
  }
  return true;
}
