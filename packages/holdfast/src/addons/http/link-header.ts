// Parses the header `Link` of RFC 8288: addresses in angle brackets, each with its relations, such as `next`. Malformed links are
// skipped, and so are links with an `anchor`, because they describe another document than the response.

/** An address in angle brackets. */
const LINK_ADDRESS = /^\s*<([^>]*)>/;
/** Matches `; name=value`. The value is a token or a string in quotes. */
const LINK_PARAMETER = /^\s*;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/;
/** The rest of a link, with the comma before the next link. */
const LINK_REST = /^[^,]*(?:,|$)/;

/** The base of relative addresses. Any base is correct, because only the query of an address is read. */
export const ANY_BASE = 'http://any.invalid';

/** The address of each relation. Relations are in lower case. If a relation has several addresses, the first address counts. */
export function readLinks(text: string | null | undefined): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  let rest = text ?? '';
  while (rest !== '') {
    const target = LINK_ADDRESS.exec(rest);
    if (target) rest = rest.slice(target[0].length);
    const parameters = new Map<string, string>();
    for (let found = target && LINK_PARAMETER.exec(rest); found; found = LINK_PARAMETER.exec(rest)) {
      const [whole, name = '', quoted, token = ''] = found;
      const key = name.toLowerCase();
      // If a parameter is repeated, the first value counts.
      if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
      rest = rest.slice(whole.length);
    }
    rest = rest.slice(LINK_REST.exec(rest)![0].length); // LINK_REST matches every string
    if (!target || parameters.has('anchor')) continue;
    for (const relation of (parameters.get('rel') ?? '').toLowerCase().split(/\s+/))
      if (relation !== '' && !links.has(relation)) links.set(relation, target[1] ?? '');
  }
  return links;
}
