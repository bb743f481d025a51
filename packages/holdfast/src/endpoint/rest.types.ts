// From an endpoint's options to its call signature: path, search parameters, body and method give the arguments;
// process, content and schema give the result. Each is a lookup in the options, so extend() only merges options.
import type { ManyOf } from '../schema/collection/collection.types.ts';
import type { AnswerSchema, Denormalize, Schema } from '../schema/protocol/schema.types.ts';
import type { EndpointExtraOptions, ErrorPolicy, HttpMethod, RequestArgs } from './endpoint-interface.ts';
import type { UrlParams } from './path-template.ts';
import type { LooseParams, PathParams } from './path.types.ts';
import type { ResponseContent } from './parse-response.ts';
import type { ContentTypes, Json } from './response.types.ts';

/** Methods an endpoint may override, by option, by extend() or in a subclass. */
export interface RestMethods {
  /** All requests pass through it: override it and call the parent to transform both ways. */
  fetch(...args: readonly unknown[]): Promise<unknown>;
  /** The address for the parameters: path parameters in their places, the others as query. */
  url(params?: UrlParams): string;
  /** The query string for the parameters that are not in the path. */
  searchToString(params: UrlParams): string;
  /** The request init; may transform the body or add options such as `credentials`. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** Adds or changes headers; may be async. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  /** Sends the request; gives access to the response and its headers. */
  fetchResponse(url: string, init?: RequestInit): Promise<Response>;
  /** Reads the response. */
  parseResponse(response: Response): Promise<unknown>;
  /** Transforms the parsed response before normalization. */
  process(value: unknown, params: UrlParams, body?: unknown): unknown;
  /** Identifies the request. */
  key(...args: readonly unknown[]): string;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/**
 * What every REST endpoint has, whatever its types. No class and without `this`: compilers read it once for all.
 * @example const addressOf = ({ urlPrefix, path }: RestEndpoint.Members) => `${urlPrefix}${path}`;
 */
export interface RestMembers extends EndpointExtraOptions, RestMethods {
  /** Names the endpoint in keys and messages. */
  readonly name: string;
  readonly path: string;
  readonly urlPrefix: string;
  readonly method: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
  /** The parameter, and field, that holds a row's id. */
  readonly idParam: string | undefined;
  /** Aborts every request of this endpoint. During a request: the signal of that request. */
  readonly signal?: AbortSignal | undefined;
  readonly requestInit?: RequestInit;
  readonly content?: ResponseContent | undefined;
  readonly paginationField?: string | undefined;
  readonly movePath?: string;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  /** How a failed refetch is shown. Soft, which keeps the data: no answer, 429 and 5xx. */
  errorPolicy(error: Error): ErrorPolicy;
  testKey?(key: string): boolean;
  keyPattern(): string;
}

/**
 * Options that `extend` may change: all of them.
 * @example const getTodo = TodoResource.get.extend({ timeoutMs: 5_000 } satisfies RestEndpoint.Extension);
 */
export interface RestExtension extends EndpointExtraOptions, Partial<RestMethods> {
  /** Template with `:name` parameters; optional ones are `:name?`. */
  readonly path?: string;
  /** Stands before the path, for example the address of the API. */
  readonly urlPrefix?: string;
  /** Default: POST with a `body` or `sideEffect: true`, else GET. */
  readonly method?: HttpMethod;
  readonly schema?: AnswerSchema | null | undefined;
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
  /** Decides which stored answers `invalidateAll` and `expireAll` reach. Default: those of endpoints with equal keys. */
  testKey?(key: string): boolean;
}

/**
 * Options of {@link RestEndpoint}.
 * @example const options: RestOptions = { path: '/health', timeoutMs: 1_000, retry: false };
 */
export interface RestOptions extends RestExtension {
  readonly path: string;
}

/**
 * What an endpoint's call takes and gives, in a form that an editor shows in one line. `never` is an option that was
 * not given; `More` holds the rarer ones.
 */
export interface Call<Path extends string, S, Method, Body, Search, More> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: S;
  readonly method: Method;
  readonly body: Body;
  readonly search: Search;
  readonly more: More;
}

/** Any call. */
export interface CallTypes {
  readonly path: string;
  readonly params: object;
  readonly schema: unknown;
  readonly method: unknown;
  readonly body: unknown;
  readonly search: unknown;
  readonly more: object;
}

/** The call of an endpoint of which only a path and a schema were said. */
export interface PlainCall<Path extends string, S> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: S;
  readonly method: never;
  readonly body: never;
  readonly search: never;
  readonly more: Nothing;
}

/** The call of an endpoint of which nothing is known. */
export interface LooseCall {
  readonly path: string;
  readonly params: LooseParams;
  readonly schema: Schema;
  readonly method: string;
  readonly body: never;
  readonly search: never;
  readonly more: Nothing;
}

// oxlint-disable-next-line typescript/no-empty-object-type -- what an editor shows for "no more"
export type Nothing = {};
type MoreOption = 'sideEffect' | 'process' | 'fetch' | 'content' | 'paginationField' | 'movePath' | 'errors';
type CallOption = 'path' | 'schema' | 'method' | 'body' | 'searchParams' | MoreOption;

// What an option is when it was given, else `never`. One type per option: a lookup by name would cost the compiler more.
export type GivenBody<O> = O extends { readonly body: infer T } ? T : never;
export type GivenSearch<O> = O extends { readonly searchParams: infer T } ? T : never;
export type GivenField<O> = O extends { readonly paginationField: infer T extends string } ? T : never;

/** CallOf<{ path: '/users/:id'; schema: typeof User }>  →  PlainCall<'/users/:id', typeof User> */
export type CallOf<O extends RestOptions> =
  Exclude<keyof O & CallOption, 'path' | 'schema'> extends never
    ? PlainCall<O['path'], GivenSchema<O>>
    : RestOptions extends O
      ? LooseCall
      : ExtendedCall<PlainCall<O['path'], GivenSchema<O>>, O>;

type GivenSchema<O extends RestOptions> = O extends { readonly schema: infer S } ? S : undefined;

/** ExtendedCall<PlainCall<'/a', S>, { method: 'PUT' }>  →  Call<'/a', S, 'PUT', never, never, {}> */
export type ExtendedCall<T extends CallTypes, E> = [keyof E & CallOption] extends [never]
  ? T
  : Call<
      Over<E, 'path', T['path']> & string,
      SchemaFor<E, Over<E, 'schema', T['schema']>>,
      Over<E, 'method', T['method']>,
      Over<E, 'body', T['body']>,
      Over<E, 'searchParams', T['search']>,
      ExtendedMore<T['more'], E>
    >;

/** Over<{ method: 'PUT' }, 'method', 'GET'>  →  'PUT'. By name, not by inference: that costs the compiler much less. */
type Over<E, Name extends string, Present> = Name extends keyof E ? E[Name] : Present;

/** A creation that sends an array gives one back. */
type SchemaFor<E, S> = E extends { readonly body: readonly unknown[] } ? ManyOf<S, E['body']> : S;

/** The rarer options with new ones over them; a new method decides again whether the call is a mutation. */
type ExtendedMore<More, E> = [keyof E & MoreOption] extends [never]
  ? 'method' extends keyof E
    ? 'sideEffect' extends keyof More
      ? { [Name in Exclude<keyof More, 'sideEffect'>]: More[Name] }
      : More
    : More
  : {
      [Name in (keyof E & MoreOption) | Exclude<keyof More, keyof E | MethodDecides<E>>]: Name extends keyof E
        ? E[Name]
        : Name extends keyof More
          ? More[Name]
          : never;
    };
type MethodDecides<E> = 'method' extends keyof E ? 'sideEffect' : never;

/** MethodOf<never, NewUser, {}>  →  'POST'. Asked of the parts, not of the call: most calls have these in common. */
type MethodOf<Method, Body, More> = [Method] extends [never]
  ? More extends { readonly sideEffect: infer Effect }
    ? true extends Effect
      ? 'POST'
      : 'GET'
    : IsNone<Body> extends true
      ? 'GET'
      : 'POST'
  : Method;

/** SideEffectOf<'PUT', never, {}>  →  true */
export type SideEffectOf<Method, Body, More> = 'sideEffect' extends keyof More
  ? More['sideEffect' & keyof More] & (boolean | undefined)
  : string extends Method
    ? boolean | undefined
    : MethodOf<Method, Body, More> extends ReadMethod
      ? undefined
      : true;

type ReadMethod = 'GET' | 'HEAD' | 'OPTIONS' | 'QUERY';

/**
 * The arguments that options ask for: `{ path: '/users/:id'; method: 'PUT'; body: B }` gives `[params: { id }, body: B]`.
 * @example const args: RestEndpoint.Args<{ path: '/users/:id' }> = [{ id: 5 }];
 */
export type RestArgs<O extends RestOptions> = CallArgs<CallOf<O>>;

/** CallArgs<PlainCall<'/users/:id', S>>  →  [params: { id }] */
export type CallArgs<T extends CallTypes> = string extends keyof T['params']
  ? [params?: LooseParams, body?: unknown]
  : JoinArgs<
      CallParams<T['params'], T['search']>,
      BodyArg<MethodOf<T['method'], T['body'], T['more']>, T['body']>
    >;

/** The first argument: path parameters and search parameters; unknown when there are none. */
type CallParams<P, Search> =
  IsNone<Search> extends true
    ? [keyof P] extends [never]
      ? unknown
      : P
    : [keyof P] extends [never]
      ? Search
      : P & Search;

/**
 * What a direct call with these options resolves with: `{ path: '/a'; content: 'text' }` gives `string`.
 * @example type Text = RestEndpoint.Result<{ path: '/readme'; content: 'text' }>; // string
 */
export type RestResult<O extends RestOptions> = CallResult<CallOf<O>>;

/** What a direct call resolves with. */
export type CallResult<T extends CallTypes> = T['more'] extends {
  fetch: (...args: never) => Promise<infer Value>;
}
  ? Value
  : T['more'] extends { process: (...args: never) => infer Value }
    ? Awaited<Value>
    : T['more'] extends { readonly content: infer Content extends keyof ContentTypes }
      ? ContentTypes[Content]
      : CallData<T['schema']>;

type CallData<S> = [S] extends [undefined | null] ? unknown : Json<Denormalize<S>>;

/** A content that is no data takes no schema: none beside it, nor the one (`S`) that `extend` starts from. */
export type ContentRule<E, S> = 'content' extends keyof E
  ? E['content' & keyof E] extends keyof ContentTypes
    ? NoSchema<Over<E, 'schema', S>>
    : unknown
  : unknown;
type NoSchema<S> = [S] extends [undefined | null] ? unknown : { readonly schema: undefined };

/** True for what is absent (`never`) and for an explicit `undefined`. */
export type IsNone<T> = unknown extends T ? false : [T] extends [undefined] ? true : false;

type BodyArg<Method, Body> = Method extends 'GET' | 'HEAD'
  ? []
  : [Body] extends [never]
    ? Method extends 'DELETE' | 'OPTIONS'
      ? []
      : [body?: unknown]
    : IsNone<Body> extends true
      ? []
      : [body: Body];

type JoinArgs<P, B extends readonly unknown[]> = unknown extends P
  ? B
  : Record<never, never> extends P
    ? B extends []
      ? [params?: P]
      : B | [params: P | undefined, ...body: B]
    : [params: P, ...body: B];
