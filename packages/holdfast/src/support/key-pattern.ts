// Matches keys against a pattern without trying each possible split. Keys contain users' strings, for which a regular expression
// with several parameters in one segment would try every split.

/**
 * A literal string; the number of a set in `SETS`, which matches one or more characters of the set; or a group of parts, which may
 * be absent.
 */
export type PatternPart = string | number | readonly PatternPart[];

/** The sets of characters by number: the characters of a parameter, of a wildcard and of a word, and all characters. */
const SETS: readonly RegExp[] = [/^[^/?\s]+/, /^[^?\s]+/, /^\S+/, /^[^]+/];
export const WORD = 2;
export const ANYTHING = 3;

/**
 * Returns the test for a pattern: `whole` must match the entire key, and each of `requested` must match a part of the key, such as
 * an entry of its query, that begins after a `?` or `&` and ends before a `&`, before a space or at the end.
 */
export function keyTest(
  whole: readonly PatternPart[],
  requested: readonly (readonly PatternPart[])[] = [],
): (key: string) => boolean {
  return (key) => {
    const starts = new Uint8Array(key.length + 1);
    starts[0] = 1;
    if (!endsOf(whole, key, starts)[key.length]) return false;
    starts[0] = 0;
    for (const { index } of key.matchAll(/[?&]/g)) starts[index + 1] = 1;
    return requested.every((parts) =>
      endsOf(parts, key, starts).some((isEnd, at) => isEnd === 1 && /^[& ]?$/.test(key.charAt(at))),
    );
  };
}

/**
 * Marks with 1 each index at which the parts can end if they begin at an index that is marked in `starts`. All ways to match are
 * followed together, so that no way is tried twice.
 */
function endsOf(parts: readonly PatternPart[], key: string, starts: Uint8Array): Uint8Array {
  return parts.reduce<Uint8Array>((places, part) => {
    const isGroup = typeof part === 'object';
    const set = SETS[part as number]; // cast: undefined for strings and groups
    const ends = isGroup ? endsOf(part, key, places) : new Uint8Array(places.length);
    for (let at = 0; at < places.length; at += 1) {
      if (!places[at]) continue;
      if (isGroup) ends[at] = 1;
      else if (set) {
        // A start inside this run would add no other ends, so it is skipped.
        const run = set.exec(key.slice(at))?.[0].length ?? 0;
        ends.fill(1, at + 1, at + 1 + run);
        at += run;
      } else if (key.startsWith(part as string, at)) ends[at + (part as string).length] = 1; // cast: a string
    }
    return ends;
  }, starts);
}
