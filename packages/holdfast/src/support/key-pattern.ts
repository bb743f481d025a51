// Recognises keys by a pattern, in time that grows with the key's length alone: keys hold users' texts, on which a regular
// expression with several parameters in one segment would try every split.

/** Text, one or more characters of the set with this number, or parts that may be absent together. */
export type PatternPart = string | number | readonly PatternPart[];

/** The characters of a parameter, of a wildcard, of a word, of anything. */
const SETS: readonly RegExp[] = [/^[^/?\s]+/, /^[^?\s]+/, /^\S+/, /^[^]+/];
export const WORD = 2;
export const ANYTHING = 3;

/** The test of a pattern: the parts of the whole key, and the parts of each piece that has to stand in its query. */
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

/** Where the parts can end (1) that begin at one of these places: all ways at once, so none is tried twice. */
function endsOf(parts: readonly PatternPart[], key: string, starts: Uint8Array): Uint8Array {
  return parts.reduce<Uint8Array>((places, part) => {
    const isGroup = typeof part === 'object';
    const set = SETS[part as number]; // cast: undefined for texts and groups
    const ends = isGroup ? endsOf(part, key, places) : new Uint8Array(places.length);
    for (let at = 0; at < places.length; at += 1) {
      if (!places[at]) continue;
      if (isGroup) ends[at] = 1;
      else if (set) {
        // a place inside the run would end at the same places
        const run = set.exec(key.slice(at))?.[0].length ?? 0;
        ends.fill(1, at + 1, at + 1 + run);
        at += run;
      } else if (key.startsWith(part as string, at)) ends[at + (part as string).length] = 1; // cast: what is left
    }
    return ends;
  }, starts);
}
