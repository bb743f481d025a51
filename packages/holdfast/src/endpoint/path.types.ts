// The grammar of path-template.ts in the type system: computes a path's parameters and its list path. A path with groups, stars,
// quotes or escapes is read letter by letter; other paths are split at their colons, which costs the compiler less.

/**
 * The value of one path parameter.
 *
 * @example const toId = (value: RestEndpoint.ParamValue) => String(value);
 */
export type PathValue = string | number;

/**
 * The parameters of a path: `PathParams<'/users/:id/posts/:slug?'>` is `{ id: string | number; slug?: string | number }`.
 *
 * @example const params: PathParams<'/users/:id/posts/:slug?'> = { id: 5 };
 */
export type PathParams<Path extends string> = string extends Path
  ? LooseParams
  : Path extends `${string}${Special}${string}`
    ? ParamsOf<Scan<Path>>
    : PlainParams<Path>;

/**
 * The path of a resource's list: `/users/:id` becomes `/users`, `/users/:id/` becomes `/users/`, `/:id` becomes `/`.
 *
 * @example const path: ShortenPath<'/users/:id'> = '/users';
 */
export type ShortenPath<Path extends string> = string extends Path
  ? string
  : Path extends `${infer Whole}/`
    ? WithSlash<Shorten<Whole>>
    : Shorten<Path>;
type Shorten<Path extends string> = Path extends `${string}${Special}${string}`
  ? ShortenScanned<Path, Scan<Path>>
  : ShortenSegments<Path, Path>;
type WithSlash<Path extends string> = Path extends '/' ? '/' : `${Path}/`;

/**
 * ListParams<'/users/:user/posts/:post'> → { user }. For a plain path with two parameters, this costs the compiler less than
 * ShortenPath.
 */
export type ListParams<Path extends string> = Path extends `${string}${Special}${string}`
  ? PathParams<ShortenPath<Path>>
  : Path extends `${string}:${infer First}/${string}:${infer Last}`
    ? AreNames<First, Last> extends true
      ? { [Name in First]: PathValue }
      : PathParams<ShortenPath<Path>>
    : PathParams<ShortenPath<Path>>;
type AreNames<First extends string, Last extends string> = IsName<First> extends true ? IsName<Last> : false;

/** The parameters of a path that is only known as `string`. */
export interface LooseParams {
  readonly [name: string]: unknown;
}

type Special = '{' | '*' | '\\' | '"';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
/** The characters that end a parameter's name: space, tab, line feed, and ASCII signs other than `_` and `$`. */
type NameEnd =
  | (
      | '!'
      | '"'
      | '#'
      | '%'
      | '&'
      | "'"
      | '('
      | ')'
      | '*'
      | '+'
      | ','
      | '-'
      | '.'
      | '/'
      | ':'
      | ';'
      | '<'
      | '='
      | '>'
    )
  | ('?' | '@' | '[' | '\\' | ']' | '^' | '`' | '{' | '|' | '}' | '~' | ' ' | '\t' | '\n');

/** The parameters of a plain path, from colon to colon. Most names fill their path segment, so that case is tested first. */
type PlainParams<
  Rest extends string,
  Required extends string = never,
  Optional extends string = never,
> = Rest extends `${string}:${infer Name}/${infer After}`
  ? IsName<Name> extends true
    ? PlainParams<After, Required | Name, Optional>
    : PartialSegmentParams<TakeNameByLetter<`${Name}/${After}`>, Required, Optional>
  : Rest extends `${string}:${infer Name}`
    ? IsName<Name> extends true
      ? NamedParams<Required | Name, Optional>
      : PartialSegmentParams<TakeNameByLetter<Name>, Required, Optional>
    : NamedParams<Required, Optional>;

/** Continues PlainParams after a name that does not fill its path segment: `:id?`, `:a-:b`, or no name at all. */
type PartialSegmentParams<Taken, Required extends string, Optional extends string> = Taken extends [
  infer Name extends string,
  infer After extends string,
]
  ? Name extends ''
    ? PlainParams<After, Required, Optional>
    : After extends `?${infer Further}`
      ? PlainParams<Further, Required, Optional | Name>
      : PlainParams<After, Required | Name, Optional>
  : never;

type NamedParams<Required extends string, Optional extends string> = [Optional] extends [never]
  ? { [Name in Required]: PathValue }
  : FlattenMembers<{ [Name in Required]: PathValue } & { [Name in Optional]?: PathValue | undefined }>;

/** Shortens a path whose last segment is its last parameter, as in most paths. Passes other paths to ShortenPlain. */
type ShortenSegments<
  Rest extends string,
  Path extends string,
  Before extends string = '',
> = Rest extends `${infer Head}/:${infer Tail}`
  ? Tail extends `${string}/:${string}`
    ? ShortenSegments<Tail, Path, `${Before}${Head}/:`>
    : IsName<Tail> extends true
      ? `${Before}${Head}` extends ''
        ? '/'
        : `${Before}${Head}`
      : ShortenPlain<Path, Path>
  : ShortenPlain<Path, Path>;

/**
 * Cuts a plain path before its last parameter, which begins at the last colon that a name follows. No name follows the colon of a
 * port.
 */
type ShortenPlain<
  Rest extends string,
  Path extends string,
  Before extends string = '',
  Cut extends string | undefined = undefined,
> = Rest extends `${infer Head}:${infer Tail}`
  ? ShortenPlain<Tail, Path, `${Before}${Head}:`, StartsName<Tail> extends true ? `${Before}${Head}` : Cut>
  : Cut extends string
    ? CutPath<Cut>
    : Path;

type StartsName<Text extends string> = Text extends `${infer Char}${string}`
  ? Char extends NameEnd | Digit
    ? false
    : true
  : false;

type ShortenScanned<Path extends string, R> = R extends { cut: infer Before extends string }
  ? CutPath<Before>
  : Path;

/** TakeName<'id/posts'>  →  ['id', '/posts'];  TakeName<'8080/x'>  →  ['', '8080/x'] */
type TakeName<Text extends string> = Text extends `${infer Segment}/${infer Rest}`
  ? IsName<Segment> extends true
    ? [Segment, `/${Rest}`]
    : TakeNameByLetter<Text>
  : IsName<Text> extends true
    ? [Text, '']
    : TakeNameByLetter<Text>;

// The type takes a segment and not a path, so that the compiler computes it once for `id` and reuses the result for all paths.
type IsName<Text extends string> = Text extends `${string}${NameEnd}${string}` ? false : StartsName<Text>;

type TakeNameByLetter<Text extends string> = StartsName<Text> extends true ? TakeLetters<Text> : ['', Text];

type TakeLetters<Text extends string, Name extends string = ''> = Text extends `${infer Char}${infer Rest}`
  ? Char extends NameEnd
    ? [Name, Text]
    : TakeLetters<Rest, `${Name}${Char}`>
  : [Name, Text];

/** The parameters that Scan has read so far. AddName also sets `cut`: the string before the last parameter, or before its group. */
interface ScannedNames {
  required: string;
  optional: string;
  wild: string;
  maybeWild: string;
}
interface NoNames {
  required: never;
  optional: never;
  wild: never;
  maybeWild: never;
}

type ParamsOf<R extends ScannedNames> = FlattenMembers<
  { [Name in R['required']]: PathValue } & { [Name in R['optional']]?: PathValue | undefined } & {
    [Name in R['wild']]: readonly PathValue[];
  } & { [Name in R['maybeWild']]?: readonly PathValue[] | undefined }
>;

type FlattenMembers<T> = { [Name in keyof T]: T[Name] };

/** Reads any path letter by letter. `Depth` has one element per open group; `Open` is the string before the outermost of them. */
type Scan<
  Rest extends string,
  Before extends string = '',
  Depth extends readonly unknown[] = [],
  Open extends string = '',
  R extends ScannedNames = NoNames,
> = Rest extends `${infer Char}${infer Tail}`
  ? Char extends '\\'
    ? Tail extends `${infer Escaped}${infer After}`
      ? Scan<After, `${Before}\\${Escaped}`, Depth, Open, R>
      : R
    : Char extends '{'
      ? Scan<Tail, `${Before}{`, [...Depth, 0], Depth extends [] ? Before : Open, R>
      : Char extends '}'
        ? Scan<Tail, `${Before}}`, Depth extends [unknown, ...infer Outer] ? Outer : [], Open, R>
        : Char extends ':' | '*'
          ? TakeAnyName<Tail> extends [
              infer Name extends string,
              infer After extends string,
              infer Raw extends string,
            ]
            ? Name extends ''
              ? Scan<Tail, `${Before}${Char}`, Depth, Open, R>
              : After extends `?${infer Further}`
                ? Scan<
                    Further,
                    `${Before}${Char}${Raw}?`,
                    Depth,
                    Open,
                    AddName<R, Char, true, Name, ListPathBefore<Depth, Open, Before>>
                  >
                : Scan<
                    After,
                    `${Before}${Char}${Raw}`,
                    Depth,
                    Open,
                    AddName<
                      R,
                      Char,
                      Depth extends [] ? false : true,
                      Name,
                      ListPathBefore<Depth, Open, Before>
                    >
                  >
            : never
          : Scan<Tail, `${Before}${Char}`, Depth, Open, R>
  : R;

type ListPathBefore<Depth extends readonly unknown[], Open, Before> = Depth extends [] ? Before : Open;

/** TakeAnyName<'"my name"/x'>  →  ['my name', '/x', '"my name"'] */
type TakeAnyName<Text extends string> = Text extends `"${infer Name}"${infer After}`
  ? [Name, After, `"${Name}"`]
  : TakeName<Text> extends [infer Name extends string, infer After extends string]
    ? [Name, After, Name]
    : never;

type AddName<R extends ScannedNames, Sign, IsOptional, Name, Cut> = {
  required: R['required'] | (Sign extends ':' ? (IsOptional extends false ? Name : never) : never);
  optional: R['optional'] | (Sign extends ':' ? (IsOptional extends true ? Name : never) : never);
  wild: R['wild'] | (Sign extends '*' ? (IsOptional extends false ? Name : never) : never);
  maybeWild: R['maybeWild'] | (Sign extends '*' ? (IsOptional extends true ? Name : never) : never);
  cut: Cut;
};

/** Removes the slash, dot or `name=` before the cut parameter, as `listPath` in path-template.ts does. */
type CutPath<Before extends string> = Before extends `${infer Kept}\\?${infer Query}=`
  ? CutQuery<Before, Kept, Query>
  : Before extends `${infer Kept}?${infer Query}=`
    ? CutQuery<Before, Kept, Query>
    : CutSlash<Before>;

/**
 * Removes the piece of the query part that contains the cut parameter. If a slash follows the `?`, the `?` marks an optional
 * parameter of the path, so there is no query part to cut.
 */
type CutQuery<
  Before extends string,
  Kept extends string,
  Query extends string,
> = Query extends `${string}/${string}`
  ? CutSlash<Before>
  : Query extends `${string}&${string}`
    ? Before extends `${infer Pieces}&${LastPiece<Query>}=`
      ? Pieces
      : never
    : Kept extends ''
      ? '/'
      : Kept;

type LastPiece<Query extends string> = Query extends `${string}&${infer Further}`
  ? LastPiece<Further>
  : Query;

type CutSlash<Before extends string> = Before extends '' | '/' | '.'
  ? '/'
  : Before extends `${string}\\/` | `${string}\\.`
    ? Before
    : Before extends `${infer Kept}/`
      ? Kept
      : Before extends `${infer Kept}.`
        ? Kept
        : Before;
