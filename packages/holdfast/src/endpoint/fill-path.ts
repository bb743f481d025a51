// Fills a path template with parameters: the first step of every request, and of every key. A value stays inside its
// segment; what cannot be a parameter is refused with a coded error before any URL or key exists.
import { HoldfastError, nameOf } from '../support/errors.ts';
import { encodeText, isPlain, urlText } from './encode-text.ts';
import { checkPath } from './path-template.ts';
import type { PathParam, PathTemplate, PathToken } from './path-template.ts';

/** The parameters of a call by name: those of the path and those of the query. */
export type UrlParams = Readonly<Record<string, unknown>>;

const DOTS = /^(?:\.|%2e){1,2}$/i;
const CONTROL = /[^ -~\P{ASCII}]/u; // an ASCII sign that has no form on paper
/** What every object seems to have, such as `constructor`: no parameter. */
const INHERITED: UrlParams = {};

/** The path part; parameters that the template does not name are not looked at. */
export function fillPath(template: PathTemplate, params: UrlParams): string {
  return checkPath(fill(template, template.tokens, params, true) ?? '', template.source);
}

/** The key of a request with one path parameter, around that parameter. */
export interface PlainKey {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** The key, where its one parameter is all that is given and is its own text in a URL; else undefined: fillPath knows the rest. */
export function fillPlainKey({ before, name, after }: PlainKey, params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const value = (params as UrlParams)[name]; // cast: an object
  if (typeof value === 'string' ? !isPlain(value) : !Number.isSafeInteger(value)) return undefined;
  for (const other in params) if (other !== name) return undefined;
  return before + String(value) + after;
}

/** The template's own query part. */
export function fillQuery(template: PathTemplate, params: UrlParams): string {
  return template.query
    .map((piece) => fill(template, piece.tokens, params, !piece.isOptional))
    .filter((text) => text !== undefined)
    .join('&');
}

/** The parameters that are not in the path: the query. Undefined when there are none. */
export function leftovers(template: PathTemplate, params: UrlParams): UrlParams | undefined {
  let rest: Record<string, unknown> | undefined;
  // for…in has no list to make; what is inherited is no parameter
  for (const name in params) {
    if (template.names.has(name) || params[name] === undefined || !Object.hasOwn(params, name)) continue;
    // no prototype: a parameter may be named __proto__
    rest ??= Object.create(null) as Record<string, unknown>;
    rest[name] = params[name];
  }
  return rest;
}

function fill(
  template: PathTemplate,
  tokens: readonly PathToken[],
  params: UrlParams,
  isRequired: boolean,
): string | undefined {
  let text = '';
  for (const token of tokens) {
    if (typeof token === 'string') {
      text += token;
    } else if ('name' in token) {
      const value = params[token.name];
      if (value === INHERITED[token.name]) {
        if (!isRequired) return undefined;
        throw new HoldfastError('PATH_PARAM_MISSING', { path: template.source, param: token.name });
      }
      text += encodeParam(template, token, value);
    } else {
      text += fill(template, token, params, false) ?? '';
    }
  }
  return text;
}

function encodeParam({ source }: PathTemplate, { name, isWildcard }: PathParam, value: unknown): string {
  const encode = (segment: unknown): string => {
    if (typeof segment === 'string' && isPlain(segment)) return segment;
    const text = urlText(segment) ?? '';
    const found = DOTS.test(text) ? `"${text}"` : CONTROL.test(text) ? 'a control character' : undefined;
    return text && !found ? encodeText(text) : refuse(found ?? nameOf(segment));
  };
  const refuse = (found: string): never => {
    throw new HoldfastError('PATH_PARAM_INVALID', { path: source, param: name, found });
  };
  if (!isWildcard) return encode(value);
  return Array.isArray(value) && value.length > 0 ? value.map(encode).join('/') : refuse(nameOf(value));
}
