// Path templates: `:name`, `:name?`, `:"quoted"`, `*wild`, `{optional group}`, `\escapes` and a query part. An endpoint keeps its
// parsed template, and fills it for requests and keys. path.types.ts implements the same grammar in the type system.
import { HoldfastError, describeType } from '../support/errors.ts';
import { encodeText, urlText } from './url-text.ts';

/**
 * The parameters of a call by name, both of the path and of the query.
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
/** A literal string, a parameter, or a group of tokens. A group is left out unless all its own parameters are given. */
export type PathToken = string | PathParam | readonly PathToken[];

export interface PathTemplate {
  readonly source: string;
  /** The tokens of the path, then the tokens of each piece of the query part. `&` separates the pieces. */
  readonly pieces: readonly (readonly PathToken[])[];
  /** The names of the parameters, in order. In a resource's path, the last parameter identifies the row. */
  readonly names: readonly string[];
  readonly hasRequiredParam: boolean;
  /** The path of the resource's list: usually the source up to its last parameter, without the separator before it. */
  readonly listPath: string;
}

// Matches an escape, a parameter, literal characters, or one special character. A parameter includes the separator before it. A
// name without quotes does not start with a digit, and ends before white space or an ASCII sign other than _ and $. A colon or
// star without a name after it is a literal, as in `http://host:8080`.
const PATH_PART =
  /\\([^])|([/.]?)([:*])(?:"([^"]+)"|(?!\d)([^\s!-#%-/:-@[-^`{-~]+))(\?)?|(?:[^\\:*{}?&/.]|[/.](?![:*]))+|[^]/gu;
const OPEN_HOST = /^[^/]*\/\/[^/]*$/;
// A path segment `.` or `..`, before the query part.
const DOT_SEGMENT = /^([^?]*\/)?\.\.?([/?]|$)/;
// Literal characters of a template that would end the path or split a key, or that URLs encode.
const UNSAFE_LITERAL = /[\s#\\"<>^`|\x80-\u{10FFFF}]/gu;
// Values that are refused: empty, only one or two dots (also encoded), or with an ASCII control character.
const UNSAFE_VALUE = /^(?:\.|%2e){0,2}$|[^ -~\x80-\u{10FFFF}]/iu;
/**
 * An empty object, with which parameters are compared. A parameter that is undefined, or inherited like `constructor`, has the same
 * value in this object and counts as absent.
 */
const NO_OWN_PARAMS: UrlParams = {};

/** `reason` is a phrase, or a keyword for which support/messages.ts has the sentence. */
function refusePath(path: unknown, reason: string): never {
  throw new HoldfastError('PATH_INVALID', { path, reason });
}

/** Parses a template. An endpoint keeps the result as long as its `path` does not change. */
export function parsePath(source: unknown): PathTemplate {
  if (typeof source !== 'string') return refusePath(source, 'type');
  const parts = source.matchAll(PATH_PART);
  const pieces: PathToken[][] = [];
  const names: string[] = [];
  let withoutNames = '';
  let lastParamStart: number | undefined;

  // Reads tokens up to the end of the source; inside a group, only up to the end of the group. `outermost` is the index at which
  // the outermost open group begins; undefined outside of groups.
  const readTokens = (outermost?: number): PathToken[] => {
    const isGroup = outermost !== undefined;
    let tokens: PathToken[] = [];
    if (!isGroup) pieces.push(tokens);
    for (const match of parts) {
      const [part, escaped, separator = '', sign, quoted, name = quoted, mark] = match;
      const isQuery = pieces.length > 1;
      const before = withoutNames;
      withoutNames += escaped ?? (name ? separator + sign : part);
      if (name) {
        if (OPEN_HOST.test(before + separator)) refusePath(source, 'host');
        names.push(name);
        lastParamStart = outermost ?? match.index + separator.length;
        const given: PathToken[] = [separator, { name, isWildcard: sign === '*' }];
        // If an optional parameter is absent, the separator before it is left out too. In the query part, the whole piece is left
        // out.
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
  if (DOT_SEGMENT.test(withoutNames)) refusePath(source, 'dots');
  return {
    source,
    pieces,
    names,
    hasRequiredParam: pieces.some((piece) => piece.some(isParam)),

    // The path before its last parameter, without the slash or dot before the parameter, or without the parameter's `name=` in the
    // query part. A slash at the end is kept.
    listPath:
      lastParamStart === undefined
        ? source
        : source.slice(0, lastParamStart).replace(/((\\?\?|&)[^/?&]*=|(?<!\\)[/.])$/, '') +
            (source.endsWith('/') ? '/' : '') || '/',
  };
}

export function isParam(token: PathToken): token is PathParam {
  return !!(token as Partial<PathParam>).name; // cast: neither strings nor arrays have a name
}

/** Fills in the parameters. Returns the path, then each piece of the query. A piece is '' if its optional parameter is absent. */
export function fillTemplate({ source, pieces }: PathTemplate, params: UrlParams): string[] {
  const fill = (tokens: readonly PathToken[], isRequired: boolean): string => {
    let text = '';
    for (const token of tokens) {
      if (typeof token === 'string') text += token;
      else if (!isParam(token)) text += fill(token, false);
      else if (params[token.name] !== NO_OWN_PARAMS[token.name])
        text += encodeParam(source, token, params[token.name]);
      else if (isRequired) throw new HoldfastError('PATH_PARAM_MISSING', { path: source, param: token.name });
      else return '';
    }
    return text;
  };
  const filled = pieces.map((piece) => fill(piece, true));
  const [path = ''] = filled;
  // A parameter's value cannot lead to another host or folder, but literals can, if a group between them is left out.
  if (path.startsWith('//') || DOT_SEGMENT.test(path)) refusePath(source, `it gives ${path}`);
  return filled;
}

/**
 * Encodes a value as one path segment, or the array of a wildcard as several segments. Throws for a value that cannot be a
 * parameter.
 */
function encodeParam(path: string, { name, isWildcard }: PathParam, value: unknown): string {
  const refuse = (found: string): never => {
    throw new HoldfastError('PATH_PARAM_INVALID', { path, param: name, found });
  };
  const encode = (segment: unknown): string => {
    const text = urlText(segment) ?? '';
    if (UNSAFE_VALUE.test(text)) refuse(text ? 'dots' : describeType(segment));
    return encodeText(text);
  };
  if (!isWildcard) return encode(value);
  return Array.isArray(value) && value.length ? value.map(encode).join('/') : refuse(describeType(value));
}

/** Joins prefix and path. Throws when no slash separates a prefix from the path: the path could change the host. */
export function joinUrl(prefix: string, path: string, { source }: PathTemplate): string {
  if (path.startsWith('/')) return prefix.replace(/\/$/, '') + path;
  if (path && /[^/]$/.test(prefix)) refusePath(source, 'prefix');
  return prefix + path;
}
