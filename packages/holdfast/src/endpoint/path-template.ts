// Path templates: `:name`, `:name?`, `:"quoted"`, `*wild`, `{optional group}`, `\escapes` and a query part. Read once, filled for
// every request and every key; path.types.ts reads the same grammar in the type system.
import { HoldfastError, nameOf } from '../support/errors.ts';
import { encodeText, urlText } from './url-text.ts';

/**
 * The parameters of a call by name: those of the path and those of the query.
 *
 * @example
 * const process = (value: unknown, params: RestEndpoint.Params) => ({ ...(value as object), list: params['list'] });
 * const getTodos = new RestEndpoint({ path: '/lists/:list', process });
 */
export type UrlParams = Readonly<Record<string, unknown>>;

export interface PathParam {
  readonly name: string;
  readonly isWildcard: boolean;
}
/** Text, a parameter, or a group: tokens that stand only when all their parameters are given. */
export type PathToken = string | PathParam | readonly PathToken[];

export interface PathTemplate {
  readonly source: string;
  /** The path, then what stands between two `&` of the query part. */
  readonly pieces: readonly (readonly PathToken[])[];
  /** Its parameters in their order; the last one names the row in a resource's path. */
  readonly names: readonly string[];
  /** True when no URL can be made without parameters. */
  readonly hasRequired: boolean;
  /** The source without its last parameter (clause M-2): the path of the resource's list. */
  readonly listPath: string;
}

// an escape; a parameter with the separator before it and its name, quoted or up to the first ASCII sign other than _ and $, and
// not beginning with a digit; text; or a sign. `http://host:8080`: a colon or star with no name behind it is itself
const PART =
  /\\([^])|([/.]?)([:*])(?:"([^"]+)"|(?!\d)([^\s!-#%-/:-@[-^`{-~]+))(\?)?|(?:[^\\:*{}?&/.]|[/.](?![:*]))+|[^]/gu;
const HOST_IS_OPEN = /^[^/]*\/\/[^/]*$/;
// the segments `.` and `..`, before the query part
const DOT_SEGMENT = /^([^?]*\/)?\.\.?([/?]|$)/;
// a template's own characters that would end the path, or split a key, or that URLs encode
const UNSAFE_LITERAL = /[\s#\\"<>^`|\x80-\u{10FFFF}]/gu;
// values that would leave their segment: none, dots, and ASCII signs that have no form on paper
const UNSAFE_VALUE = /^(?:\.|%2e){0,2}$|[^ -~\x80-\u{10FFFF}]/iu;
/** What every object seems to have, such as `constructor`: no parameter. */
const INHERITED: UrlParams = {};

/** The reason is a word, or tells an address; support/messages.ts has the sentences. */
function refusePath(path: unknown, reason: string): never {
  throw new HoldfastError('PATH_INVALID', { path, reason });
}

/** Reads a template. An endpoint keeps the result for as long as its `path` stays the same. */
export function parsePath(source: unknown): PathTemplate {
  if (typeof source !== 'string') return refusePath(source, 'type');
  const parts = source.matchAll(PART);
  const pieces: PathToken[][] = [];
  const names: string[] = [];
  let unnamed = '';
  let cut: number | undefined;

  // the tokens of a group that begins at `outermost`, or of all that is in none
  const readTokens = (outermost?: number): PathToken[] => {
    const isGroup = outermost !== undefined;
    let tokens: PathToken[] = [];
    if (!isGroup) pieces.push(tokens);
    for (const match of parts) {
      const [part, escaped, separator = '', sign, quoted, name = quoted, mark] = match;
      const isQuery = pieces.length > 1;
      const before = unnamed;
      unnamed += escaped ?? (name ? separator + sign : part);
      if (name) {
        if (HOST_IS_OPEN.test(before + separator)) refusePath(source, 'host');
        names.push(name);
        cut = outermost ?? match.index + separator.length;
        const given: PathToken[] = [separator, { name, isWildcard: sign === '*' }];
        // without its parameter goes the separator before it; in the query part, the whole piece
        if (!mark) tokens.push(...given);
        else if (!isQuery) tokens.push(given);
        else {
          const group = [...tokens.splice(0), ...given];
          tokens.push(group);
          tokens = group;
        }
      } else if (part === '?' || escaped === '?' || (part === '&' && isQuery)) {
        if (isGroup) refusePath(source, 'group');
        pieces.push((tokens = []));
      } else if (part === '{') {
        if (isQuery) refusePath(source, 'group');
        tokens.push(readTokens(outermost ?? match.index));
      } else if (part === '}') {
        return isGroup ? tokens : refusePath(source, 'group');
      } else tokens.push((escaped ?? part).replace(UNSAFE_LITERAL, encodeText));
    }
    return isGroup ? refusePath(source, 'group') : tokens;
  };
  readTokens();
  if (DOT_SEGMENT.test(unnamed)) refusePath(source, 'dots');
  return {
    source,
    pieces,
    names,
    hasRequired: pieces.some((piece) => piece.some(isParam)),

    // what led up to the parameter goes too: its slash or dot, in the query part its name. A slash at the end stays
    listPath:
      cut === undefined
        ? source
        : source.slice(0, cut).replace(/((\\?\?|&)[^/?&]*=|(?<!\\)[/.])$/, '') +
            (source.endsWith('/') ? '/' : '') || '/',
  };
}

export function isParam(token: PathToken): token is PathParam {
  return !!(token as Partial<PathParam>).name; // cast: neither texts nor arrays have one
}

/** The template with the parameters in their places: the path, then the parts of the query; empty where one is absent. */
export function fillTemplate({ source, pieces }: PathTemplate, params: UrlParams): string[] {
  const fill = (tokens: readonly PathToken[], isRequired: boolean): string => {
    let text = '';
    for (const token of tokens) {
      if (typeof token === 'string') text += token;
      else if (!isParam(token)) text += fill(token, false);
      else if (params[token.name] !== INHERITED[token.name])
        text += encodeParam(source, token, params[token.name]);
      else if (isRequired) throw new HoldfastError('PATH_PARAM_MISSING', { path: source, param: token.name });
      else return '';
    }
    return text;
  };
  const filled = pieces.map((piece) => fill(piece, true));
  const [path = ''] = filled;
  // only literals beside absent groups can lead to another host or folder
  if (path.startsWith('//') || DOT_SEGMENT.test(path)) refusePath(source, `it gives ${path}`);
  return filled;
}

/** A value stays inside its segment; what cannot be a parameter is refused before any URL or key exists. */
function encodeParam(path: string, { name, isWildcard }: PathParam, value: unknown): string {
  const refuse = (found: string): never => {
    throw new HoldfastError('PATH_PARAM_INVALID', { path, param: name, found });
  };
  const encode = (segment: unknown): string => {
    const text = urlText(segment) ?? '';
    if (UNSAFE_VALUE.test(text)) refuse(text ? 'a dot or a control character' : nameOf(segment));
    return encodeText(text);
  };
  if (!isWildcard) return encode(value);
  return Array.isArray(value) && value.length ? value.map(encode).join('/') : refuse(nameOf(value));
}

/** Prefix and path with one slash between them. A path that would change the prefix's host is refused. */
export function joinUrl(prefix: string, path: string, { source }: PathTemplate): string {
  if (path.startsWith('/')) return prefix.replace(/\/$/, '') + path;
  if (path && /[^/]$/.test(prefix)) refusePath(source, 'prefix');
  return prefix + path;
}
