// Keeps references across rebuilds: the parts of a new value that equal the old one are replaced by the old one, so
// that an unchanged array inside a changed entity is still the same array.

/** `next`, or `previous` where nothing differs. Looks into plain arrays and objects only; entities are compared by ===. */
export function share(previous: unknown, next: unknown): unknown {
  if (previous === next || typeof previous !== 'object' || typeof next !== 'object') return next;
  if (previous === null || next === null) return next;
  const prototype: unknown = Object.getPrototypeOf(next);
  if (prototype !== Object.getPrototypeOf(previous)) return next;
  if (Array.isArray(next)) return shareArray(previous as readonly unknown[], next as unknown[]); // cast: same prototype
  if (prototype !== Object.prototype) return next;
  return shareObject(previous as Record<string, unknown>, next as Record<string, unknown>); // cast: plain objects
}

function shareArray(previous: readonly unknown[], next: unknown[]): unknown {
  let isSame = previous.length === next.length;
  for (let i = 0; i < next.length; i += 1) {
    const item = next[i];
    if (i < previous.length && item !== previous[i]) next[i] = share(previous[i], item);
    isSame &&= next[i] === previous[i];
  }
  return isSame ? previous : next;
}

function shareObject(previous: Record<string, unknown>, next: Record<string, unknown>): unknown {
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(previous).length;
  for (const name of names) {
    const isKnown = Object.hasOwn(previous, name);
    if (isKnown && next[name] !== previous[name] && name !== '__proto__')
      next[name] = share(previous[name], next[name]);
    isSame &&= isKnown && next[name] === previous[name];
  }
  return isSame ? previous : next;
}
