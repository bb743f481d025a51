// Reads a path template: `:name`, `:name?`, `:"quoted"`, `*wild`, `{optional group}`, `\escapes` and a query part.
// One pass, no regular expression made from user text. fill-path.ts makes URLs from the result, match-path.ts
// recognises them, path.types.ts reads the same grammar in the type system.
import { HoldfastError } from '../support/errors.ts';
import { encodeText } from './encode-text.ts';

export interface PathParam {
  readonly name: string;
  readonly isWildcard: boolean;
  /** True for `constructor` and the like, which every object seems to have. */
  readonly isInherited: boolean;
}
/** A part that stands only when all its parameters are given. */
export interface PathGroup {
  readonly tokens: readonly PathToken[];
}
export type PathToken = string | PathParam | PathGroup;

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
  /** True when literals could make `//` or `..` where a group is absent. */
  readonly isLoose: boolean;
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
export const DOT_SEGMENT: RegExp = /(?:^|\/)\.{1,2}(?:\/|$)/;
// a template's own characters that would end the path, or split a key, or that URLs encode are written encoded
const UNSAFE_LITERAL = /[\s#\\"<>^`|]|\P{ASCII}/u;

export function refusePath(path: string, reason: string): never {
  throw new HoldfastError('PATH_INVALID', { path, reason });
}

export function isParam(token: PathToken): token is PathParam {
  return typeof token !== 'string' && 'name' in token;
}

/** Reads a template. An endpoint keeps the result for as long as its `path` stays the same. */
export function parsePath(source: string): PathTemplate {
  const top: PathToken[] = [];
  const query: { tokens: PathToken[]; isOptional: boolean }[] = [];
  const enclosing: PathToken[][] = [];
  const names = new Set<string>();
  let tokens = top;
  let groupStart = 0;
  let cut = -1;
  let lastName: string | undefined;
  let unnamed = '';

  for (const match of source.matchAll(PART)) {
    const [part, escaped, sign, quoted, name = quoted, mark] = match;
    const piece = query.at(-1);
    unnamed += escaped ?? (name === undefined ? part : sign);
    if (name !== undefined) {
      if (top.length < 2 && HOST_IS_OPEN.test(String(top[0])))
        refusePath(source, 'a parameter may not choose the host');
      names.add((lastName = name));
      cut = enclosing.length > 0 ? groupStart : match.index;
      const param: PathParam = { name, isWildcard: sign === '*', isInherited: name in Object.prototype };
      if (mark && piece) piece.isOptional = true;
      tokens.push(mark && !piece ? { tokens: [takeSeparator(tokens), param] } : param);
    } else if (part === '?' || escaped === '?' || (part === '&' && piece)) {
      if (enclosing.length > 0) refusePath(source, 'the query part may not begin inside a group');
      query.push({ tokens: (tokens = []), isOptional: false });
    } else if (part === '{') {
      if (piece) refusePath(source, 'a group may not stand in the query part');
      if (enclosing.length === 0) groupStart = match.index;
      enclosing.push(tokens);
      tokens = [];
    } else if (part === '}') {
      const outer = enclosing.pop() ?? refusePath(source, 'a } closes nothing');
      outer.push({ tokens });
      tokens = outer;
    } else {
      addText(tokens, escaped ?? part);
    }
  }
  if (enclosing.length > 0) refusePath(source, 'a { is not closed');
  if (DOT_SEGMENT.test(top.map((token) => (typeof token === 'string' ? token : ':')).join(''))) {
    refusePath(source, 'a segment may not be . or ..');
  }
  return {
    source,
    tokens: top,
    query: query.filter((piece) => piece.tokens.length > 0),
    names,
    isLoose:
      source.includes('.') ||
      source.startsWith('//') ||
      !top.every((token) => typeof token === 'string' || isParam(token)),
    hasRequired: top.some(isParam) || query.some((piece) => !piece.isOptional && piece.tokens.some(isParam)),
    unnamed,
    lastName,
    listPath: cut < 0 ? source : cutPath(source.slice(0, cut)),
  };
}

function addText(tokens: PathToken[], char: string): void {
  const text = UNSAFE_LITERAL.test(char) ? encodeText(char) : char;
  const last = tokens.length - 1;
  const before = tokens[last];
  if (typeof before === 'string') tokens[last] = before + text;
  else tokens.push(text);
}

/** Takes the `/` or `.` before an optional parameter: it goes when the parameter is absent. */
function takeSeparator(tokens: PathToken[]): string {
  const last = tokens.length - 1;
  const before = tokens[last];
  if (typeof before !== 'string' || !/[/.]$/.test(before)) return '';
  tokens[last] = before.slice(0, -1);
  return before.slice(-1);
}

/** Drops what led up to the parameter: its slash or dot, in the query part its name. */
function cutPath(before: string): string {
  const query = /(?:\\?\?|&)[^/?&]*=$/.exec(before);
  const kept = query ? before.slice(0, query.index) : before.replace(/(?<!\\)[/.]$/, '');
  return kept === '' ? '/' : kept;
}
