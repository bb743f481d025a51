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

const MAX_DEPTH = 16;

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
  if (Array.isArray(value) && depth < MAX_DEPTH) {
    value.forEach((item: unknown, index) => {
      const isNested = typeof item === 'object' && item !== null && !hasToJson(item);
      writeValue(pairs, isNested ? `${name}[${index}]` : name, item, depth + 1);
    });
    return;
  }
  // maps, sets and the like have no entries of their own: written as objects they would vanish
  if (tagOf(value) === 'Object' && depth < MAX_DEPTH) {
    const members = value as UrlParams; // cast: a plain object
    for (const key of Object.keys(members).sort()) {
      writeValue(pairs, `${name}[${encodeText(key)}]`, members[key], depth + 1);
    }
    return;
  }
  throw new HoldfastError('SEARCH_PARAM_INVALID', { param: name, found: nameOf(value) });
}
