// The grammar of path-template.ts, read by the type system: a path's parameters and its list path. Plain paths are
// split at colons; only those with groups, stars, quotes or escapes are read letter by letter.

/** What fills one path parameter. */
export type PathValue = string | number;

/** PathParams<'/users/:id/posts/:slug?'>  →  { id: string | number; slug?: string | number } */
export type PathParams<Path extends string> = string extends Path ? LooseParams : ParamsOf<ReadPath<Path>>;

/** ShortenPath<'/users/:id'>  →  '/users';  ShortenPath<'/:id'>  →  '/' */
export type ShortenPath<Path extends string> = string extends Path
  ? string
  : ReadPath<Path> extends { cut: infer Before extends string }
    ? CutPath<Before>
    : Path;

/** The parameters of a path that is only known as `string`. */
export interface LooseParams {
  readonly [name: string]: unknown;
}

/** What was read so far: names by kind, and the text before the last parameter. */
interface Read {
  required: string;
  optional: string;
  wild: string;
  maybeWild: string;
}

// Four mapped types in one intersection would show in every hover, so a path with only required parameters, the
// common one, takes the first line.
type ParamsOf<R extends Read> = [R['optional' | 'wild' | 'maybeWild']] extends [never]
  ? { [Name in R['required']]: PathValue }
  : Flat<
      { [Name in R['required']]: PathValue } & { [Name in R['optional']]?: PathValue | undefined } & {
        [Name in R['wild']]: readonly PathValue[];
      } & { [Name in R['maybeWild']]?: readonly PathValue[] | undefined }
    >;

type Flat<T> = { [Name in keyof T]: T[Name] };

type Special = '{' | '*' | '\\' | '"';

type ReadPath<Path extends string> = Path extends `${string}${Special}${string}`
  ? Scan<Path>
  : Split<Path, ''>;

/** Plain paths: from colon to colon. */
type Split<
  Rest extends string,
  Before extends string,
  R extends Read = { required: never; optional: never; wild: never; maybeWild: never },
> = Rest extends `${infer Head}:${infer Tail}`
  ? TakeName<Tail> extends [infer Name extends string, infer After extends string]
    ? Name extends ''
      ? Split<Tail, `${Before}${Head}:`, R>
      : After extends `?${infer Further}`
        ? Split<
            Further,
            `${Before}${Head}:${Name}?`,
            {
              required: R['required'];
              optional: R['optional'] | Name;
              wild: never;
              maybeWild: never;
              cut: `${Before}${Head}`;
            }
          >
        : Split<
            After,
            `${Before}${Head}:${Name}`,
            {
              required: R['required'] | Name;
              optional: R['optional'];
              wild: never;
              maybeWild: never;
              cut: `${Before}${Head}`;
            }
          >
    : never
  : R;

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z');
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameStart = Letter | Uppercase<Letter> | '_' | '$';

/** TakeName<'id/posts'>  →  ['id', '/posts'] */
type TakeName<Text extends string, Name extends string = ''> = Text extends `${infer Char}${infer Rest}`
  ? Char extends NameStart
    ? TakeName<Rest, `${Name}${Char}`>
    : Char extends Digit
      ? Name extends ''
        ? [Name, Text]
        : TakeName<Rest, `${Name}${Char}`>
      : [Name, Text]
  : [Name, Text];

/** Any path, letter by letter. `Depth` has one element per open group, `Open` is the text before the outermost. */
type Scan<
  Rest extends string,
  Before extends string = '',
  Depth extends readonly unknown[] = [],
  Open extends string = '',
  R extends Read = { required: never; optional: never; wild: never; maybeWild: never },
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
                    Add<R, Char, true, Name, CutAt<Depth, Open, Before>>
                  >
                : Scan<
                    After,
                    `${Before}${Char}${Raw}`,
                    Depth,
                    Open,
                    Add<R, Char, Depth extends [] ? false : true, Name, CutAt<Depth, Open, Before>>
                  >
            : never
          : Scan<Tail, `${Before}${Char}`, Depth, Open, R>
  : R;

type CutAt<Depth extends readonly unknown[], Open, Before> = Depth extends [] ? Before : Open;

/** TakeAnyName<'"my name"/x'>  →  ['my name', '/x', '"my name"'] */
type TakeAnyName<Text extends string> = Text extends `"${infer Name}"${infer After}`
  ? [Name, After, `"${Name}"`]
  : TakeName<Text> extends [infer Name extends string, infer After extends string]
    ? [Name, After, Name]
    : never;

type Add<R extends Read, Sign, IsOptional, Name, Cut> = {
  required: R['required'] | (Sign extends ':' ? (IsOptional extends false ? Name : never) : never);
  optional: R['optional'] | (Sign extends ':' ? (IsOptional extends true ? Name : never) : never);
  wild: R['wild'] | (Sign extends '*' ? (IsOptional extends false ? Name : never) : never);
  maybeWild: R['maybeWild'] | (Sign extends '*' ? (IsOptional extends true ? Name : never) : never);
  cut: Cut;
};

/** Drops what led up to the parameter, as cutPath in path-template.ts does. */
type CutPath<Before extends string> = Before extends `${infer Kept}\\?${infer Query}=`
  ? CutQuery<Before, Kept, Query>
  : Before extends `${infer Kept}?${infer Query}=`
    ? CutQuery<Before, Kept, Query>
    : CutSlash<Before>;

/** The parameter stood in the query part, unless that `?` was an earlier parameter's mark. */
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
