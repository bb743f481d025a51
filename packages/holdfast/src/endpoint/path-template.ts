// Path templates: `:name`, `:name?`, `:"quoted"`, `*wild`, `{optional group}`, `\escapes` and a query part. Read once, filled for
// every request and every key. `patternOf` recognises what was filled, path.types.ts reads the same grammar in the type system.
import { HoldfastError, nameOf } from '../support/errors.ts';
import { encodeText, isPlain, urlText } from './url-text.ts';

/** The parameters of a call by name: those of the path and those of the query. */
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
  readonly names: ReadonlySet<string>;
  /** True when no URL can be made without parameters. */
  readonly hasRequired: boolean;
  /** The last parameter: in a resource's path it names the row. */
  readonly lastName: string | undefined;
  /** The source without its last parameter (clause M-2): the path of the resource's list. */
  readonly listPath: string;
}

// an escape; a parameter with its name, quoted or up to the first ASCII sign other than _ and $, and not beginning with a
// digit; text; or a sign. `http://host:8080`: a colon or star with no name behind it is itself
const PART =
  /\\([^])|([:*])(?:"([^"]+)"|([^\d\s!-#%-/:-@[-^`{-~][^\s!-#%-/:-@[-^`{-~]*))(\?)?|[^\\:*{}?&]+|[^]/gu;
const HOST_IS_OPEN = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*$/i;
// the segments `.` and `..`, before the query part
const DOT_SEGMENT = /^(?:[^?]*\/)?\.{1,2}(?:[/?]|$)/;
// a template's own characters that would end the path, or split a key, or that URLs encode
const UNSAFE_LITERAL = /[\s#\\"<>^`|]|\P{ASCII}/gu;
// values that would leave their segment: dots, and ASCII signs that have no form on paper
const UNSAFE_VALUE = /^(?:\.|%2e){1,2}$|[^ -~\P{ASCII}]/iu;
/** What every object seems to have, such as `constructor`: no parameter. */
const INHERITED: UrlParams = {};

function refusePath(path: unknown, reason: string): never {
  throw new HoldfastError('PATH_INVALID', { path, reason });
}

/** Reads a template. An endpoint keeps the result for as long as its `path` stays the same. */
export function parsePath(source: unknown): PathTemplate {
  if (typeof source !== 'string') return refusePath(source, 'it is no text');
  let tokens: PathToken[] = [];
  const pieces = [tokens];
  const enclosing: PathToken[][] = [];
  const names = new Set<string>();
  let unnamed = '';
  let groupStart = 0;
  let cut: number | undefined;
  let lastName: string | undefined;

  for (const match of source.matchAll(PART)) {
    const [part, escaped, sign, quoted, name = quoted, mark] = match;
    const isQuery = pieces.length > 1;
    const isGroup = enclosing.length > 0;
    const startsPiece = part === '?' || escaped === '?' || (part === '&' && isQuery);
    if (isQuery ? part === '{' : isGroup && startsPiece)
      refusePath(source, 'a group may not hold a part of the query');
    if (name !== undefined) {
      if (HOST_IS_OPEN.test(unnamed)) refusePath(source, 'a parameter may not choose the host');
      names.add((lastName = name));
      cut = isGroup ? groupStart : match.index;
      const param: PathParam = { name, isWildcard: sign === '*' };
      if (mark) {
        // without its parameter goes the separator before it; in the query part, the whole piece
        const group = isQuery ? tokens.splice(0) : [takeSeparator(tokens)];
        tokens.push(group);
        if (isQuery) tokens = group;
        group.push(param);
      } else tokens.push(param);
    } else if (startsPiece) {
      pieces.push((tokens = []));
    } else if (part === '{') {
      if (!isGroup) groupStart = match.index;
      enclosing.push(tokens);
      tokens = [];
    } else if (part === '}') {
      const outer = enclosing.pop() ?? refusePath(source, 'a } closes nothing');
      outer.push(tokens);
      tokens = outer;
    } else tokens.push((escaped ?? part).replace(UNSAFE_LITERAL, encodeText));
    unnamed += escaped ?? (name === undefined ? part : sign);
  }
  if (enclosing.length > 0) refusePath(source, 'a { is not closed');
  if (DOT_SEGMENT.test(unnamed)) refusePath(source, 'a segment may not be . or ..');
  return {
    source,
    pieces,
    names,
    hasRequired: pieces.some((piece) => piece.some(isParam)),
    lastName,
    // what led up to the parameter goes too: its slash or dot, in the query part its name
    listPath:
      cut === undefined
        ? source
        : source.slice(0, cut).replace(/(?:(?:\\?\?|&)[^/?&]*=|(?<!\\)[/.])$/, '') || '/',
  };
}

/** Takes the `/` or `.` at the end of the tokens away from them. */
function takeSeparator(tokens: PathToken[]): PathToken {
  const last = tokens.at(-1);
  if (typeof last !== 'string' || !/[/.]$/.test(last)) return '';
  tokens[tokens.length - 1] = last.slice(0, -1);
  return last.slice(-1);
}

export function isParam(token: PathToken): token is PathParam {
  return typeof token === 'object' && 'name' in token;
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
    const text = urlText(segment);
    if (text && UNSAFE_VALUE.test(text)) refuse('a dot or a control character');
    return text ? encodeText(text) : refuse(nameOf(segment));
  };
  if (!isWildcard) return encode(value);
  return Array.isArray(value) && value.length > 0 ? value.map(encode).join('/') : refuse(nameOf(value));
}

/** Prefix and path with one slash between them. A path that would change the prefix's host is refused. */
export function joinUrl(prefix: string, path: string, source: string): string {
  const isSlashed = path.startsWith('/');
  if (prefix && path && !isSlashed && !prefix.endsWith('/'))
    refusePath(source, 'after a urlPrefix it must begin with /');
  return (isSlashed ? prefix.replace(/\/$/, '') : prefix) + path;
}

/** The key of a request with one path parameter, around that parameter. */
export interface PlainKey {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** The key, where its one parameter is all that is given and is its own text in a URL; else undefined: fillTemplate knows the rest. */
export function fillPlainKey(plain: PlainKey | false, params: unknown): string | undefined {
  if (!plain || typeof params !== 'object' || params === null) return undefined;
  const { before, name, after } = plain;
  const value = (params as UrlParams)[name]; // cast: an object
  if (typeof value === 'string' ? !isPlain(value) : !Number.isSafeInteger(value)) return undefined;
  for (const other in params) if (other !== name) return undefined;
  return before + String(value) + after;
}

/** A regular expression, as text, for what the tokens are filled with. */
export function patternOf(tokens: readonly PathToken[]): string {
  return tokens
    .map((token) =>
      typeof token === 'string'
        ? token.replace(/[^\w/]/g, '\\$&')
        : !isParam(token)
          ? `(?:${patternOf(token)})?`
          : token.isWildcard
            ? '[^?\\s]+'
            : '[^/?\\s]+',
    )
    .join('');
}
