// Writes the query string of a URL. Names are sorted, so equal parameters give one URL and one key; every name and
// value is encoded, so none can add a parameter. `RestEndpoint.searchToString` is this function and may be overridden.
//
//   { b: 2, a: 1 }              a=1&b=2          undefined is left out, null is `name=`
//   { tag: ['x', 'y'] }         tag=x&tag=y      arrays repeat the name, in their own order
//   { where: { age: { gt: 3 } } } where[age][gt]=3
import { HoldfastError, nameOf } from '../support/errors.ts';
import { hasToJson, tagOf } from '../support/value-kind.ts';
import { encodeText, urlText } from './encode-text.ts';
import type { UrlParams } from './fill-path.ts';

const MAX_DEPTH = 15;

/** The query string for the parameters, without `?`. */
export function writeSearch(params: UrlParams): string {
  const pairs: string[] = [];
  for (const name of Object.keys(params).sort()) writeValue(pairs, encodeText(name), params[name], 0);
  return pairs.join('&');
}

function writeValue(pairs: string[], name: string, given: unknown, depth: number): void {
  const value = hasToJson(given) ? given.toJSON() : given;
  if (value === undefined) return;
  const text = value === null ? '' : urlText(value);
  if (text !== undefined) {
    pairs.push(`${name}=${text && encodeText(text)}`);
    return;
  }
  // maps, sets and the like have no entries of their own: written as objects they would vanish
  if (!/^(Array|Object)$/.test(tagOf(value)) || depth > MAX_DEPTH)
    throw new HoldfastError('SEARCH_PARAM_INVALID', { param: name, found: nameOf(value) });
  const entries = Object.entries(value as object); // cast: an array or a plain object
  if (!Array.isArray(value)) entries.sort(([left], [right]) => (left < right ? -1 : 1));
  for (const [key, item] of entries as [string, unknown][]) {
    // items without members of their own repeat the name
    const isPlainItem = Array.isArray(value) && (Object(item) !== item || hasToJson(item));
    writeValue(pairs, isPlainItem ? name : `${name}[${encodeText(key)}]`, item, depth + 1);
  }
}
