// Fills a path template with parameters: the first step of every request, and of every key. A value stays inside its
// segment; what cannot be a parameter is refused with a coded error before any URL or key exists.
import { HoldfastError, nameOf } from '../support/errors.ts';
import { encodeText, isPlain } from './encode-text.ts';
import { DOT_SEGMENT, isParam, refusePath } from './path-template.ts';
import type { PathParam, PathTemplate, PathToken } from './path-template.ts';

export type UrlParams = Readonly<Record<string, unknown>>;

const DOTS = /^(?:\.|%2e){1,2}$/i;
const CONTROL = /[^ -~\P{ASCII}]/u; // an ASCII sign that has no form on paper

/** The path part; parameters that the template does not name are not looked at. */
export function fillPath(template: PathTemplate, params: UrlParams): string {
  const path = fill(template, template.tokens, params, true) ?? '';
  // only literals beside absent groups can still make `//host` or `..`
  if (template.isLoose && (path.startsWith('//') || DOT_SEGMENT.test(path))) {
    refusePath(template.source, `it gives ${path}`);
  }
  return path;
}

/**
 * A function that makes keys: the head, the path and the tail, or undefined when there are more parameters than the
 * path's. Keys are made at every render, nearly all of them of one plain id: whether that can be is decided once for the
 * template, and whatever else is given goes the way of fillPath.
 */
export function createPlainKey(
  head: string,
  template: PathTemplate,
  tailOf: () => string,
): (params: UrlParams) => string | undefined {
  let known: string | undefined;
  const tail = (): string => (known ??= tailOf());
  const fillAny = (params: UrlParams): string | undefined => {
    const path = fillPath(template, params);
    return leftovers(template, params) === undefined ? head + path + tail() : undefined;
  };
  const [before, param, after = '', ...further] = template.tokens;
  if (typeof before !== 'string' || typeof after !== 'string' || further.length > 0 || template.isLoose)
    return fillAny;
  if (param === undefined || !isParam(param) || param.isWildcard || param.isInherited) return fillAny;
  const { name } = param;
  const start = head + before;
  return (params) => {
    const value = params[name];
    if (!isSimple(value)) return fillAny(params);
    for (const other in params) if (other !== name) return fillAny(params);
    return start + String(value) + after + tail();
  };
}

/** The template's own query part. */
export function fillQuery(template: PathTemplate, params: UrlParams): string {
  return template.query
    .map((piece) => fill(template, piece.tokens, params, !piece.isOptional))
    .filter((text) => text !== undefined)
    .join('&');
}

/** Prefix and path with one slash between them. A path that would change the prefix's host is refused. */
export function joinUrl(prefix: string, path: string, source: string): string {
  if (prefix === '' || path === '') return prefix + path;
  const isSlashed = path.startsWith('/');
  if (prefix.endsWith('/')) return isSlashed ? prefix + path.slice(1) : prefix + path;
  return isSlashed ? prefix + path : refusePath(source, 'after a urlPrefix it must begin with /');
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
    } else if ('tokens' in token) {
      text += fill(template, token.tokens, params, false) ?? '';
    } else {
      const value = token.isInherited && !Object.hasOwn(params, token.name) ? undefined : params[token.name];
      if (value !== undefined) {
        text += encodeParam(template, token, value);
      } else if (isRequired) {
        throw new HoldfastError('PATH_PARAM_MISSING', { path: template.source, param: token.name });
      } else {
        return undefined;
      }
    }
  }
  return text;
}

/** Whether a value is its own text in a URL, as nearly all are. */
function isSimple(value: unknown): boolean {
  return typeof value === 'string' ? isPlain(value) : Number.isSafeInteger(value);
}

function encodeParam(template: PathTemplate, param: PathParam, value: unknown): string {
  if (isSimple(value) && !param.isWildcard) return String(value);
  if (param.isWildcard && Array.isArray(value) && value.length > 0) {
    return value.map((segment) => encodeParam(template, { ...param, isWildcard: false }, segment)).join('/');
  }
  const isText =
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    Number.isFinite(value);
  const text = isText && !param.isWildcard ? String(value) : '';
  if (text === '' || DOTS.test(text) || CONTROL.test(text)) {
    const found = text === '' ? nameOf(value) : DOTS.test(text) ? `"${text}"` : 'a control character';
    throw new HoldfastError('PATH_PARAM_INVALID', { path: template.source, param: param.name, found });
  }
  return encodeText(text);
}
