// The header `Link`, as RFC 8288 writes it: addresses in angle brackets, each with its relations. A part that is malformed is left
// out, and so are links that start from another address than the answer's own.

/** An address in angle brackets. */
const TARGET = /^\s*<([^>]*)>/;
/** `; name=value`, the value as a token or between quotes. */
const PARAMETER = /^\s*;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/;
/** Up to the next link. */
const REST = /^[^,]*(?:,|$)/;

/** The addresses by relation, in lower case; of several for one relation the first counts. */
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
      // said again it says nothing
      if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
      rest = rest.slice(whole.length);
    }
    rest = rest.slice(REST.exec(rest)![0].length); // matches every text
    if (!target || parameters.has('anchor')) continue;
    for (const relation of (parameters.get('rel') ?? '').toLowerCase().split(/\s+/))
      if (relation !== '' && !links.has(relation)) links.set(relation, target[1] ?? '');
  }
  return links;
}
