// Reads a path template: `:name`, `:name?`, `:"quoted"`, `*wild`, `{optional group}`, `\escapes` and a query part.
// One pass. fill-path.ts makes URLs from the result, test-key.ts recognises them, path.types.ts reads the same grammar in
// the type system.
import { HoldfastError } from '../support/errors.ts';
import { encodeText } from './encode-text.ts';

export interface PathParam {
  readonly name: string;
  readonly isWildcard: boolean;
}
/** Text, a parameter, or a group: tokens that stand only when all their parameters are given. */
export type PathToken = string | PathParam | readonly PathToken[];

/** What stands between two `&` of the query part. */
export interface QueryPiece {
  readonly tokens: readonly PathToken[];
  /** Left out when a parameter is absent. */
  readonly isOptional: boolean;
}

export interface PathTemplate {
  readonly source: string;
  readonly tokens: readonly PathToken[];
  readonly query: readonly QueryPiece[];
  readonly names: ReadonlySet<string>;
  /** True when no URL can be made without parameters. */
  readonly hasRequired: boolean;
  /** The source without the names of its parameters: equal for templates that fill alike. */
  readonly unnamed: string;
  /** The last parameter: in a resource's path it names the row. */
  readonly lastName: string | undefined;
  /** The source without its last parameter (clause M-2): the path of the resource's list. */
  readonly listPath: string;
}

// an escape; a parameter with its name, quoted or up to the first ASCII sign other than _ and $, and not beginning with a
// digit; or any one character. `http://host:8080`: a colon or star with no name behind it is itself
const PART = /\\([^])|([:*])(?:"([^"]+)"|([^\d\s!-#%-/:-@[-^`{-~][^\s!-#%-/:-@[-^`{-~]*))(\?)?|[^]/gu;
const HOST_IS_OPEN = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*$/i;
// the segments `.` and `..`, before the query part
const DOT_SEGMENT = /^(?:[^?]*\/)?\.{1,2}(?:[/?]|$)/;
// a template's own characters that would end the path, or split a key, or that URLs encode are written encoded
const UNSAFE_LITERAL = /[\s#\\"<>^`|]|\P{ASCII}/u;

function refusePath(path: unknown, reason: string): never {
  throw new HoldfastError('PATH_INVALID', { path, reason });
}

/** Refuses addresses that lead to another host or folder: only literals beside absent groups can make them. */
export function checkPath(path: string, source: string): string {
  return path.startsWith('//') || DOT_SEGMENT.test(path) ? refusePath(source, `it gives ${path}`) : path;
}

/** Prefix and path with one slash between them. A path that would change the prefix's host is refused. */
export function joinUrl(prefix: string, path: string, source: string): string {
  const isSlashed = path.startsWith('/');
  if (prefix && path && !isSlashed && !prefix.endsWith('/'))
    refusePath(source, 'after a urlPrefix it must begin with /');
  return (isSlashed ? prefix.replace(/\/$/, '') : prefix) + path;
}

export function isParam(token: PathToken): token is PathParam {
  return typeof token === 'object' && 'name' in token;
}

/** Reads a template. An endpoint keeps the result for as long as its `path` stays the same. */
export function parsePath(source: unknown): PathTemplate {
  if (typeof source !== 'string') return refusePath(source, 'it is no text');
  const top: PathToken[] = [];
  const query: { tokens: PathToken[]; isOptional: boolean }[] = [];
  const enclosing: PathToken[][] = [];
  const names = new Set<string>();
  let tokens = top;
  let unnamed = '';
  let groupStart = 0;
  let cut = -1;
  let lastName: string | undefined;
  const addText = (text: string): void => {
    const before = tokens.at(-1);
    if (typeof before === 'string') tokens[tokens.length - 1] = before + text;
    else tokens.push(text);
  };

  for (const match of source.matchAll(PART)) {
    const [part, escaped, sign, quoted, name = quoted, mark] = match;
    const piece = query.at(-1);
    const isInGroup = enclosing.length > 0;
    if (name !== undefined) {
      if (HOST_IS_OPEN.test(unnamed)) refusePath(source, 'a parameter may not choose the host');
      names.add((lastName = name));
      cut = isInGroup ? groupStart : match.index;
      const param: PathParam = { name, isWildcard: sign === '*' };
      if (mark && piece) piece.isOptional = true;
      tokens.push(mark && !piece ? [takeSeparator(tokens), param] : param);
    } else if (part === '?' || escaped === '?' || (part === '&' && piece)) {
      if (isInGroup) refusePath(source, 'the query part may not begin inside a group');
      query.push({ tokens: (tokens = []), isOptional: false });
    } else if (part === '{') {
      if (piece) refusePath(source, 'a group may not stand in the query part');
      if (!isInGroup) groupStart = match.index;
      enclosing.push(tokens);
      tokens = [];
    } else if (part === '}') {
      const outer = enclosing.pop() ?? refusePath(source, 'a } closes nothing');
      outer.push(tokens);
      tokens = outer;
    } else {
      const text = escaped ?? part;
      addText(UNSAFE_LITERAL.test(text) ? encodeText(text) : text);
    }
    unnamed += escaped ?? (name === undefined ? part : sign);
  }
  if (enclosing.length > 0) refusePath(source, 'a { is not closed');
  if (DOT_SEGMENT.test(unnamed)) refusePath(source, 'a segment may not be . or ..');
  return {
    source,
    tokens: top,
    query: query.filter((piece) => piece.tokens.length > 0),
    names,
    hasRequired: top.some(isParam) || query.some((piece) => !piece.isOptional && piece.tokens.some(isParam)),
    unnamed,
    lastName,
    listPath: cut < 0 ? source : cutPath(source.slice(0, cut)),
  };
}

/** Takes the `/` or `.` before an optional parameter: it goes when the parameter is absent. */
function takeSeparator(tokens: PathToken[]): string {
  const before = tokens.at(-1);
  if (typeof before !== 'string' || !/[/.]$/.test(before)) return '';
  tokens[tokens.length - 1] = before.slice(0, -1);
  return before.slice(-1);
}

/** Drops what led up to the parameter: its slash or dot, in the query part its name. */
function cutPath(before: string): string {
  return before.replace(/(?:(?:\\?\?|&)[^/?&]*=|(?<!\\)[/.])$/, '') || '/';
}
