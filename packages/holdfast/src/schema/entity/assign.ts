// Puts a payload's fields on an instance, whatever their names: a class, or every object, may have an accessor or a frozen
// member of that name. Used by entity-read.ts for every row.
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { setOwn } from '../../support/plain.ts';

/** What an object without such a field answers to `__proto__`; undefined on platforms without that accessor, or that forbid it. */
const PLAIN = tryRun(() => ({} as Fields)['__proto__']); // cast: asked by name

/** The names that assignment cannot put on an instance: accessors, and members that are frozen. */
export function trapsOf(prototype: object): string[] {
  const found: string[] = [];
  for (let one: object | null = prototype; one; one = Object.getPrototypeOf(one) as object | null)
    for (const [name, { writable }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (!writable && name !== '__proto__') found.push(name);
  return found;
}

/** Whether assigning all fields makes own members. */
export function canAssign(fields: Fields, traps: readonly string[]): boolean {
  // asked of every row: V8 answers `__proto__` faster than it searches the fields for it
  if (PLAIN ? fields['__proto__'] !== PLAIN : Object.hasOwn(fields, '__proto__')) return false;
  for (const name of traps) if (Object.hasOwn(fields, name)) return false;
  return true;
}

/** An own member whatever the name; a getter of the class gives way to what the server sent under its name. */
export function putOwn(instance: Record<string, unknown>, name: string, value: unknown): void {
  if (Object.hasOwn(instance, name) || !(name in instance)) instance[name] = value;
  else setOwn(instance, name, value);
}
