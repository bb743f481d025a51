// The keys of tables that store lists over several entity types. The engine makes these keys; from them, a saved state finds the
// tables of the single types.
import { tryRun } from '../support/call-safely.ts';

/** The first character of a union's key, which no entity's key has. */
const UNION = '\u0000';

/**
 * The key of the table whose lists are over these types. It contains the keys of all types, so that a restored list follows the
 * rows of each type.
 */
export function unionKey(keys: ReadonlySet<string>): string {
  const [only = '', ...others] = keys;
  return others.length ? UNION + JSON.stringify([...keys].sort()) : only;
}

/** The keys of the types in a union's key; empty for the key of a single type. */
export function unionParts(key: string): readonly string[] {
  if (!key.startsWith(UNION)) return [];
  // A saved state may contain any string, so parsing may fail.
  return tryRun(() => (JSON.parse(key.slice(1)) as unknown[]).map(String)) ?? []; // cast: anything else throws
}
