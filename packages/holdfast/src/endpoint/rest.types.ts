// From an endpoint's options to its call signature: path, search parameters, body and method give the arguments;
// process, content and schema give the result. Each is a lookup in the options, so extend() only merges options.
import type { Denormalize, Schema } from '../schema/schema.types.ts';
import type { EndpointExtraOptions, RequestArgs } from './endpoint-interface.ts';
import type { UrlParams } from './fill-path.ts';
import type { LooseParams, PathParams } from './path.types.ts';
import type { ResponseContent } from './read-response.ts';

/** Methods an endpoint may override, by option, by extend() or in a subclass. */
export interface RestMethods {
  /** All requests pass through it. */
  fetch?(...args: never): Promise<unknown>;
  url?(params?: UrlParams): string;
  searchToString?(params: UrlParams): string;
  /** The request init; may transform the body or add options such as `credentials`. */
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  getHeaders?(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  /** Sends the request; gives access to the response and its headers. */
  fetchResponse?(url: string, init: RequestInit): Promise<Response>;
  /** Reads the response. */
  parseResponse?(response: Response): Promise<unknown>;
  /** Transforms the parsed response before normalization. */
  process?(value: unknown, params: never, body: never): unknown;
  key?(...args: never): string;
  testKey?(key: string): boolean;
  splitArgs?(args: readonly unknown[]): RequestArgs;
}

/** Options that `extend` may change: all of them. */
export interface RestExtension extends EndpointExtraOptions, RestMethods {
  /** Template with `:name` parameters; optional ones are `:name?`. */
  readonly path?: string;
  /** Stands before the path, for example the address of the API. */
  readonly urlPrefix?: string;
  /** Default: POST with a `body` or `sideEffect: true`, else GET. */
  readonly method?: string;
  readonly schema?: Schema | undefined;
  /** Carries the type of the body: `{} as NewTodo`. `undefined` means that none is sent. */
  readonly body?: unknown;
  /** Carries the type of the query parameters. */
  readonly searchParams?: unknown;
  /** The query parameter that asks for further pages; makes `getPage`. */
  readonly paginationField?: string;
  /** How the response body is read. Default: by its content type. */
  readonly content?: ResponseContent | undefined;
  /** Laid under every request's init. */
  readonly requestInit?: RequestInit;
  /** Aborts every request of the endpoint. */
  readonly signal?: AbortSignal | undefined;
  readonly name?: string;
  /** Whether the call changes something. Default: by method. */
  readonly sideEffect?: boolean | undefined;
  /** The parameter that holds a row's id. Default: the last of the path. */
  readonly idParam?: string;
  /** Where `move` sends its request. Default: the path. */
  readonly movePath?: string;
}

/** Options of {@link RestEndpoint}. */
export interface RestOptions extends RestExtension {
  readonly path: string;
}

/** Carries an endpoint's options in the type system only. */
export declare const OPTION_TYPES: unique symbol;

/** Given<{ path: '/a' }, 'path'>  →  '/a';  Given<{ path: '/a' }, 'body'>  →  never */
export type Given<O, Name extends string, Kind = unknown> = O extends {
  readonly [N in Name]: infer T extends Kind;
}
  ? T
  : never;

/** ExtendOptions<{ path: '/a'; sideEffect: false }, { method: 'PUT' }>  →  { path: '/a'; method: 'PUT' } */
export type ExtendOptions<O, E> = Omit<
  O,
  keyof E | (E extends { readonly method: string } ? 'sideEffect' : never)
> &
  E & { readonly path: string };

/** MethodOf<{ path: '/a'; body: {} }>  →  'POST' */
export type MethodOf<O> = [Given<O, 'method', string>] extends [never]
  ? [Given<O, 'sideEffect'>] extends [never]
    ? IsNone<Given<O, 'body'>> extends true
      ? 'GET'
      : 'POST'
    : true extends Given<O, 'sideEffect'>
      ? 'POST'
      : 'GET'
  : Given<O, 'method', string>;

/** SideEffectOf<{ path: '/a'; method: 'PUT' }>  →  true */
export type SideEffectOf<O extends RestExtension> = [Given<O, 'sideEffect', boolean | undefined>] extends [
  never,
]
  ? string extends O['path']
    ? boolean | undefined
    : MethodOf<O> extends ReadMethod
      ? undefined
      : true
  : Given<O, 'sideEffect', boolean | undefined>;

/** SchemaOf<{ path: '/a'; schema: typeof User }>  →  typeof User */
export type SchemaOf<O extends RestExtension> = string extends O['path']
  ? Schema
  : [Given<O, 'schema', Schema>] extends [never]
    ? undefined
    : Given<O, 'schema', Schema>;

type ReadMethod = 'GET' | 'HEAD' | 'OPTIONS' | 'QUERY';

/** RestArgs<{ path: '/users/:id'; method: 'PUT'; body: B }>  →  [params: { id }, body: B] */
export type RestArgs<O extends RestOptions> = string extends O['path']
  ? [params?: LooseParams, body?: unknown]
  : JoinArgs<RestParams<O>, BodyArg<O>>;

/** The first argument: path parameters and search parameters; unknown when there are none. */
export type RestParams<O extends RestOptions> = [keyof PathParams<O['path']>] extends [never]
  ? SearchOf<O>
  : unknown extends SearchOf<O>
    ? PathParams<O['path']>
    : PathParams<O['path']> & SearchOf<O>;

/** What a direct call resolves with. */
export type RestResult<O> = O extends { fetch: (...args: never) => Promise<infer T> }
  ? T
  : O extends { process: (...args: never) => infer T }
    ? Awaited<T>
    : O extends { readonly content: infer C extends keyof ContentTypes }
      ? ContentTypes[C]
      : DataOf<Given<O, 'schema'>>;

type DataOf<S> = [S] extends [undefined | null] ? unknown : Json<Denormalize<S>>;

interface ContentTypes {
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array>;
}

/** Json<{ at: Date; save(): void }>  →  { at: string } */
export type Json<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { toJSON(...args: never): infer J }
    ? J
    : T extends readonly (infer Item)[]
      ? Json<Item>[]
      : T extends object
        ? { [Name in keyof T as T[Name] extends (...args: never) => unknown ? never : Name]: Json<T[Name]> }
        : unknown;

/** Refuses a schema beside a content that is no data. */
export type ContentRule<O> = O extends { readonly content: keyof ContentTypes; readonly schema: object }
  ? { readonly schema?: undefined }
  : unknown;

/** True for what is absent (`never`) and for an explicit `undefined`. */
export type IsNone<T> = unknown extends T ? false : [T] extends [undefined] ? true : false;

type SearchOf<O> = IsNone<Given<O, 'searchParams'>> extends true ? unknown : Given<O, 'searchParams'>;

type BodyArg<O> =
  MethodOf<O> extends 'GET' | 'HEAD'
    ? []
    : [Given<O, 'body'>] extends [never]
      ? MethodOf<O> extends 'DELETE' | 'OPTIONS'
        ? []
        : [body?: unknown]
      : IsNone<Given<O, 'body'>> extends true
        ? []
        : [body: Given<O, 'body'>];

type JoinArgs<P, B extends readonly unknown[]> = unknown extends P
  ? B
  : Record<never, never> extends P
    ? B extends []
      ? [params?: P]
      : B | [params: P | undefined, ...body: B]
    : [params: P, ...body: B];
