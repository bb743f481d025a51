// Assigns the fields of a row to an instance. A field may have the name of an accessor or of a readonly property of the class or of
// Object.prototype, which a plain assignment cannot set. entity-read.ts calls `unassignableNamesOf` once for each class, and `canAssign` for
// the fields of a row.
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { setOwn } from '../../support/plain.ts';

/** The value of `__proto__` when an object has no own field of that name; undefined when the platform has no such accessor. */
const DEFAULT_PROTO = tryRun(() => ({} as Fields)['__proto__']); // cast: lets `__proto__` be read like any field

/**
 * The names, except `__proto__`, that a plain assignment cannot set, because a prototype has an accessor or a readonly property
 * with the name.
 */
export function unassignableNamesOf(prototype: object): string[] {
  const found: string[] = [];
  for (let level: object | null = prototype; level; level = Object.getPrototypeOf(level) as object | null)
    for (const [name, { writable }] of Object.entries(Object.getOwnPropertyDescriptors(level)))
      if (!writable && name !== '__proto__') found.push(name);
  return found;
}

/** Whether a plain assignment sets every field as an own property. */
export function canAssign(fields: Fields, unassignableNames: readonly string[]): boolean {
  // This runs for nearly every row: in V8, reading `__proto__` is faster than Object.hasOwn.
  if (DEFAULT_PROTO ? fields['__proto__'] !== DEFAULT_PROTO : Object.hasOwn(fields, '__proto__'))
    return false;
  for (const name of unassignableNames) if (Object.hasOwn(fields, name)) return false;
  return true;
}

/** Sets an own property of any name. The property hides a getter of the class with the same name. */
export function putOwn(instance: Record<string, unknown>, name: string, value: unknown): void {
  if (Object.hasOwn(instance, name) || !(name in instance)) instance[name] = value;
  else setOwn(instance, name, value);
}
