// Parses the header `Link` of RFC 8288: addresses in angle brackets, each with its relations. A malformed link is skipped, and so
// is a link with an `anchor`, because it belongs to another address than the response's. Called by linked.ts.

/** An address in angle brackets. */
const TARGET = /^\s*<([^>]*)>/;
/** `; name=value`, the value as a token or in quotes. */
const PARAMETER = /^\s*;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/;
/** The rest of a link, up to the next one. */
const REST = /^[^,]*(?:,|$)/;

/** The addresses by relation, in lower case. Of several addresses for one relation the first counts. */
export function readLinks(text: string | null | undefined): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  let rest = text ?? '';
  while (rest !== '') {
    const target = TARGET.exec(rest);
    if (target) rest = rest.slice(target[0].length);
    const parameters = new Map<string, string>();
    for (let found = target && PARAMETER.exec(rest); found; found = PARAMETER.exec(rest)) {
      const [whole, name = '', quoted, token = ''] = found;
      const key = name.toLowerCase();
      // of a repeated parameter the first counts
      if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
      rest = rest.slice(whole.length);
    }
    rest = rest.slice(REST.exec(rest)![0].length); // REST matches every string
    if (!target || parameters.has('anchor')) continue;
    for (const relation of (parameters.get('rel') ?? '').toLowerCase().split(/\s+/))
      if (relation !== '' && !links.has(relation)) links.set(relation, target[1] ?? '');
  }
  return links;
}
