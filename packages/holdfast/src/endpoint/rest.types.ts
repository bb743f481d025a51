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

// What an option is when it was given, else `never`. One type per option: a lookup by name would cost the compiler more.
export type GivenBody<O> = O extends { readonly body: infer T } ? T : never;
export type GivenSearch<O> = O extends { readonly searchParams: infer T } ? T : never;
export type GivenMethod<O> = O extends { readonly method: infer T extends string } ? T : never;
export type GivenSideEffect<O> = O extends { readonly sideEffect: infer T extends boolean | undefined }
  ? T
  : never;
export type GivenSchema<O> = O extends { readonly schema: infer T } ? T : never;
export type GivenField<O> = O extends { readonly paginationField: infer T extends string } ? T : never;

/** ExtendOptions<{ path: '/a'; sideEffect: false }, { method: 'PUT' }>  →  { path: '/a'; method: 'PUT' } */
export type ExtendOptions<O, E> = Omit<
  O,
  keyof E | (E extends { readonly method: string } ? 'sideEffect' : never)
> &
  E & { readonly path: string };

/** MethodOf<{ path: '/a'; body: {} }>  →  'POST' */
export type MethodOf<O> = [GivenMethod<O>] extends [never]
  ? [GivenSideEffect<O>] extends [never]
    ? IsNone<GivenBody<O>> extends true
      ? 'GET'
      : 'POST'
    : true extends GivenSideEffect<O>
      ? 'POST'
      : 'GET'
  : GivenMethod<O>;

/** SideEffectOf<{ path: '/a'; method: 'PUT' }>  →  true */
export type SideEffectOf<O extends RestExtension> = [GivenSideEffect<O>] extends [never]
  ? string extends O['path']
    ? boolean | undefined
    : MethodOf<O> extends ReadMethod
      ? undefined
      : true
  : GivenSideEffect<O>;

/** SchemaOf<{ path: '/a'; schema: typeof User }>  →  typeof User */
export type SchemaOf<O extends RestExtension> = string extends O['path']
  ? Schema
  : O extends { readonly schema: infer S }
    ? S
    : undefined;

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
      : DataOf<GivenSchema<O>>;

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

type SearchOf<O> = IsNone<GivenSearch<O>> extends true ? unknown : GivenSearch<O>;

type BodyArg<O> =
  MethodOf<O> extends 'GET' | 'HEAD'
    ? []
    : [GivenBody<O>] extends [never]
      ? MethodOf<O> extends 'DELETE' | 'OPTIONS'
        ? []
        : [body?: unknown]
      : IsNone<GivenBody<O>> extends true
        ? []
        : [body: GivenBody<O>];

type JoinArgs<P, B extends readonly unknown[]> = unknown extends P
  ? B
  : Record<never, never> extends P
    ? B extends []
      ? [params?: P]
      : B | [params: P | undefined, ...body: B]
    : [params: P, ...body: B];
