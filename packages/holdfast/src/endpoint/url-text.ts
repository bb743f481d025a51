// The texts that URLs and keys are made of: encoded values, the query string, the form of a result. Equal values give one
// text on server and client; every name and value is encoded, so none can add a parameter or a word.
import { INSIDE, isWalkable } from '../schema/protocol/walkable.ts';
import { HoldfastError, nameOf } from '../support/errors.ts';
import { hasToJson, tagOf } from '../support/plain.ts';
import { stableText } from '../support/stable-text.ts';
import { ensure } from '../support/ensure.ts';

type UrlParamsByName = Readonly<Record<string, unknown>>;

const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;
const MAX_QUERY_DEPTH = 16;
const MAX_SHAPE_DEPTH = 8;

/** The text as a URL component; a lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function encodeText(text: string): string {
  if (isUnreserved(text)) return text;
  // the quote as URL writes it in a query, so that a URL equals its parsed form
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')).replaceAll("'", '%27');
}

/** Letters, digits, `_` and `-`, at least one: the same when encoded. */
export function isUnreserved(text: string): boolean {
  // fast: K1, 'the short way to a key gives what the long way gives'. A loop: the key takes 1.2x as long with a RegExp
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const lower = code | 32; // only letters become letters
    const isLetter = lower >= 97 && lower <= 122;
    if (!isLetter && (code < 48 || code > 57) && code !== 45 && code !== 95) return false;
  }
  return text !== '';
}

/** The text of a value that has one in a URL: a string, a finite number, a boolean or a bigint. */
export function urlText(value: unknown): string | undefined {
  const isText = ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value);
  return isText ? String(value) : undefined;
}

/**
 * The query string for the parameters, without `?`.
 *
 *   { b: 2, a: 1 }                a=1&b=2          undefined is left out, null is `name=`
 *   { tag: ['x', 'y'] }           tag=x&tag=y      arrays repeat the name, in their own order
 *   { where: { age: { gt: 3 } } } where[age][gt]=3
 */
export function writeSearch(params: UrlParamsByName): string {
  return pairsOf('', params, 0).join('&');
}

function pairsOf(name: string, given: unknown, depth: number): readonly string[] {
  const value = hasToJson(given) ? given.toJSON() : given;
  if (value === undefined) return [];
  const text = value === null ? '' : urlText(value);
  if (text !== undefined) return [`${name}=${encodeText(text)}`];
  const isArray = Array.isArray(value);
  // maps, sets and the like have no entries of their own: written as objects they would vanish
  if ((!isArray && tagOf(value) !== 'Object') || depth > MAX_QUERY_DEPTH)
    throw new HoldfastError('SEARCH_PARAM_INVALID', { param: name, found: nameOf(value) });
  const members = value as UrlParamsByName; // cast: an array or a plain object
  const keys = Object.keys(members);
  return (isArray ? keys : keys.sort()).flatMap((key) => {
    const item = members[key];
    // items without members of their own repeat the name
    const isRepeated = isArray && (Object(item) !== item || hasToJson(item));
    const own = depth > 0 ? `${name}[${encodeText(key)}]` : encodeText(key);
    return pairsOf(isRepeated ? name : own, item, depth + 1);
  });
}

interface Shaped {
  readonly schema?: unknown;
  readonly content?: string | undefined;
}

// keyed by the users' own schemas: a memo, not state
const shapes = new WeakMap<object, string>();

/**
 * The last word of a key, the form of the result: that of the schema, and of a body that is not read as data. Two endpoints
 * with one URL and different schemas must not read each other's answer. ` [Todo]`, ` {"cursor":"","results":[Todo]}`; nothing
 * when there is no schema.
 */
export function resultShape({ schema, content = 'json' }: Shaped): string {
  const suffix = content === 'json' ? '' : ` (${content})`;
  if (!isSchema(schema)) return suffix;
  return ensure(shapes, schema, () => ` ${shapeOf(schema, 0)}`) + suffix;
}

export function isSchema(value: unknown): value is object {
  return Object(value) === value;
}

/** Made of entity keys and names: the same text on server and client. */
function shapeOf(schema: unknown, depth: number): string {
  return stableText(schema, (part) => {
    const { key, name, schema: only } = part as UrlParamsByName; // cast: asking is the check
    if (isWalkable(part)) {
      const { kind, schemas } = part[INSIDE];
      const inside = depth > MAX_SHAPE_DEPTH ? [] : schemas.length ? schemas : [only];
      return `${encodeText(kind)}(${inside.map((each) => shapeOf(each, depth + 1)).join('|')})`;
    }
    if (typeof key === 'string') return encodeText(key);
    return typeof part === 'function' ? encodeText(String(name)) : undefined;
  });
}
