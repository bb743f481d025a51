// Recognises keys by a pattern, in time that grows with the key's length alone: keys hold users' texts, on which a regular
// expression with several parameters in one segment would try every split. A pattern is text with the marks below.

/** One or more characters of a parameter, of a wildcard, of a word, of anything. */
export const PARAM = '\u0001';
export const WILDCARD = '\u0002';
export const WORD = '\u0003';
export const ANYTHING = '\u0004';
/** What stands between these two may be absent. */
export const OPEN = '\u0005';
export const CLOSE = '\u0006';
/** Before each part that has to stand somewhere in the query. */
export const ASKED = '\u0007';

const REPEATED: ReadonlyMap<string, RegExp> = new Map([
  [PARAM, /[^/?\s]/],
  [WILDCARD, /[^?\s]/],
  [WORD, /\S/],
  [ANYTHING, /[^]/],
]);
// eslint-disable-next-line no-control-regex -- the marks
const PART = /[\u0001-\u0006]|[^\u0001-\u0006]+/g;

/** The test of a pattern. */
export function keyTest(pattern: string): (key: string) => boolean {
  const [whole = [], ...asked] = pattern.split(ASKED).map((text) => text.match(PART) ?? []);
  return (key) => {
    const starts = new Uint8Array(key.length + 1);
    starts[0] = 1;
    if (!endsOf(whole, key, starts)[key.length]) return false;
    starts[0] = 0;
    for (const { index } of key.matchAll(/[?&]/g)) starts[index + 1] = 1;
    return asked.every((parts) =>
      endsOf(parts, key, starts).some((isEnd, at) => isEnd === 1 && /^[& ]?$/.test(key.charAt(at))),
    );
  };
}

/** Where the parts can end (1) that begin at one of these places: all ways at once, so none is tried twice. */
function endsOf(parts: readonly string[], key: string, starts: Uint8Array): Uint8Array {
  const absent: Uint8Array[] = [];
  let places = starts;
  for (const part of parts) {
    if (part === OPEN) {
      absent.push(places);
      continue;
    }
    const repeated = REPEATED.get(part);
    const before = part === CLOSE ? absent.pop() : undefined;
    const ends = before ? places.slice() : new Uint8Array(places.length);
    for (let at = 0; at < places.length; at += 1) {
      if (before) ends[at] ||= before[at]!; // of the same length
      else if (repeated) {
        if ((places[at] || ends[at]) && repeated.test(key.charAt(at))) ends[at + 1] = 1;
      } else if (places[at] && key.startsWith(part, at)) ends[at + part.length] = 1;
    }
    places = ends;
  }
  return places;
}
