// The names of the tables that keep lists over several entity types. Used by the engine, which names them, and the store, which
// finds their parts by the name.
import { tryRun } from '../support/call-safely.ts';

/** The mark in front of the name of a union's table keeps it apart from every entity's key. */
const UNION = '\u0000';

/** The name of the table of lists over these types. That of several tells their keys: a restored list hears of their rows too. */
export function unionKey(keys: ReadonlySet<string>): string {
  const [only = '', ...others] = keys;
  return others.length ? UNION + JSON.stringify([...keys].sort()) : only;
}

/** The keys in such a name; none in that of one type. */
export function unionParts(key: string): readonly string[] {
  if (!key.startsWith(UNION)) return [];
  // a saved state may say anything
  return tryRun(() => (JSON.parse(key.slice(1)) as unknown[]).map(String)) ?? []; // cast: else it throws
}
