// Makes the strings of which URLs and keys consist: encoded values, the query string, and a text of the schema's structure at the
// end of a key. Equal values give equal strings on server and client. Every name and value is encoded, so that no value can add a
// parameter to the URL or a piece to the key.
import { INSIDE, isWalkable } from '../schema/protocol/walkable.ts';
import { HoldfastError, describeType } from '../support/errors.ts';
import { hasToJson, tagOf } from '../support/plain.ts';
import { stableText } from '../support/stable-text.ts';
import { ensure } from '../support/ensure.ts';

type UrlParamsByName = Readonly<Record<string, unknown>>;

const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;
const MAX_QUERY_DEPTH = 16;
const MAX_SHAPE_DEPTH = 8;

/** Encodes a string as a URL component. A lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function encodeText(text: string): string {
  if (isUnreserved(text)) return text;
  // The platform's URL class encodes the quote ' in a query. It is encoded here too, so that parsing does not change the URL.
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')).replaceAll("'", '%27');
}

/** True for one or more ASCII letters, digits, `_` and `-`: encoding does not change such a string. */
export function isUnreserved(text: string): boolean {
  // fast: K1, 'the short way to a key gives what the long way gives'. This is a loop, because with a RegExp a key takes 1.2 times
  // as long.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const lower = code | 32; // maps capital letters to small letters, and no other character to a letter
    const isLetter = lower >= 97 && lower <= 122;
    if (!isLetter && (code < 48 || code > 57) && code !== 45 && code !== 95) return false;
  }
  return text !== '';
}

/** A string, finite number, boolean or bigint as a string; undefined for a value that has no form in a URL. */
export function urlText(value: unknown): string | undefined {
  const isText = ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value);
  return isText ? String(value) : undefined;
}

/**
 * Writes the parameters as a query string, without `?` and sorted by name.
 *
 *   { b: 2, a: 1 }                a=1&b=2          undefined is left out, null is `name=`
 *   { tag: ['x', 'y'] }           tag=x&tag=y      arrays repeat the name, in their own order
 *   { where: { age: { gt: 3 } } } where[age][gt]=3
 */
export function writeSearch(params: UrlParamsByName): string {
  return queryPairsOf('', params, 0).join('&');
}

function queryPairsOf(name: string, given: unknown, depth: number): readonly string[] {
  const value = hasToJson(given) ? given.toJSON() : given;
  if (value === undefined) return [];
  const text = value === null ? '' : urlText(value);
  if (text !== undefined) return [`${name}=${encodeText(text)}`];
  const isArray = Array.isArray(value);
  // Refuses a value that is nested too deep, perhaps in itself, and an instance such as a Map, which has no own properties: if a
  // Map were written like an object, its content would silently be left out.
  if ((!isArray && tagOf(value) !== 'Object') || depth > MAX_QUERY_DEPTH)
    throw new HoldfastError('SEARCH_PARAM_INVALID', { param: name, found: describeType(value) });
  const keys = Object.keys(value as object); // cast: an array or a plain object
  return (isArray ? keys : keys.sort()).flatMap((key) => {
    const item = (value as UrlParamsByName)[key]; // cast: as above
    // An item that is a primitive value, or has toJSON, repeats the name of the array. Any other item gets its index in brackets.
    const isRepeated = isArray && (Object(item) !== item || hasToJson(item));
    const ownName = depth > 0 ? `${name}[${encodeText(key)}]` : encodeText(key);
    return queryPairsOf(isRepeated ? name : ownName, item, depth + 1);
  });
}

interface ShapedEndpoint {
  readonly schema?: unknown;
  readonly content?: string | undefined;
}

// A memo by schema, which all controllers share, because a shape depends on the schema alone.
const shapesBySchema = new WeakMap<object, string>();

/**
 * The end of a key: the shape of the schema, and the `content` option when it is not JSON. So two endpoints with the same URL and
 * schemas of different shapes do not read each other's response. Examples: ` [Todo]`, ` {"cursor":"","results":[Todo]}`,
 * ` (blob)`; an empty string for JSON without a schema.
 */
export function resultShape({ schema, content = 'json' }: ShapedEndpoint): string {
  const suffix = content === 'json' ? '' : ` (${content})`;
  if (!isSchema(schema)) return suffix;
  return ensure(shapesBySchema, schema, () => ` ${shapeOf(schema, 0)}`) + suffix;
}

export function isSchema(value: unknown): value is object {
  return Object(value) === value;
}

/** Describes a schema by its keys and names only, so that server and client make the same string. */
function shapeOf(schema: unknown, depth: number): string {
  return stableText(schema, (part) => {
    const { key, name, schema: only } = part as UrlParamsByName; // cast: the properties are tested below
    if (isWalkable(part)) {
      const { kind, schemas } = part[INSIDE];
      const inside = depth > MAX_SHAPE_DEPTH ? [] : schemas.length ? schemas : [only];
      return `${encodeText(kind)}(${inside.map((each) => shapeOf(each, depth + 1)).join('|')})`;
    }
    if (typeof key === 'string') return encodeText(key);
    return typeof part === 'function' ? encodeText(String(name)) : undefined;
  });
}
