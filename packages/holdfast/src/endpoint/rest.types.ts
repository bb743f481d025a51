// Computes an endpoint's call signature from its options: path, search parameters, body and method give the arguments; fetch,
// process, content and schema give the result. Each type is looked up in the options, so `extend` only has to merge options.
import type { ArgumentRoles } from '../schema/collection/argument-roles.ts';
import type { ManyOf } from '../schema/collection/collection.types.ts';
import type { AnswerSchema, Denormalize, Schema } from '../schema/protocol/schema.types.ts';
import type {
  CALL,
  EndpointExtraOptions,
  ErrorPolicy,
  HttpMethod,
  RequestArgs,
} from './endpoint-interface.ts';
import type { UrlParams } from './path-template.ts';
import type { LooseParams, PathParams } from './path.types.ts';
import type { ResponseContent } from './parse-response.ts';
import type { ContentTypes, Json } from './response.types.ts';

/** The methods of an endpoint that an option, `extend` or a subclass may override. */
export interface RestMethods {
  /** Runs the request. Every call uses this method: override it and call the parent's method to transform arguments and result. */
  fetch(...args: readonly unknown[]): Promise<unknown>;
  /** Returns the URL for the parameters. Path parameters are filled in; all other parameters become the query string. */
  url(params?: UrlParams): string;
  /** Returns the query string for the parameters that are not in the path. */
  searchToString(params: UrlParams): string;
  /**
   * Returns the init of the request, or a promise of the init. Override it to transform the body or to add options such as
   * `credentials`.
   */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** Returns the headers to send. Override it to add or change headers; the override may be async. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  /** Sends the request and returns the platform's `Response`. Override it to read response headers. */
  fetchResponse(url: string, init?: RequestInit): Promise<Response>;
  /** Reads the body of the response. */
  parseResponse(response: Response): Promise<unknown>;
  /** Transforms the parsed response before normalization. */
  process(value: unknown, params: UrlParams, body?: unknown): unknown;
  /** Identifies the call: reads with equal keys share one stored response. */
  key(...args: readonly unknown[]): string;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/**
 * The members of every REST endpoint; they do not depend on its types. The compiler checks this interface only once, because it
 * does not use the type `this`.
 *
 * @example const addressOf = ({ urlPrefix, path }: RestEndpoint.Members) => `${urlPrefix}${path}`;
 */
export interface RestMembers extends EndpointExtraOptions, RestMethods {
  /** Identifies the endpoint in error messages. Default: `urlPrefix` and `path`. */
  readonly name: string;
  readonly path: string;
  readonly urlPrefix: string;
  readonly method: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
  /** The parameter that contains a row's id. */
  readonly idParam: string | undefined;
  /** Aborts every request of this endpoint. Inside a method that runs for a request, it is the signal of that request. */
  readonly signal?: AbortSignal | undefined;
  readonly requestInit?: RequestInit;
  readonly content?: ResponseContent | undefined;
  readonly paginationField?: string | undefined;
  readonly movePath?: string;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  /**
   * Decides how a failed refetch is shown. By default, a failed connection, a timeout, 429 and 5xx are soft, so that readers keep
   * the data.
   */
  errorPolicy(error: Error): ErrorPolicy;
  testKey?(key: string): boolean;
  keyPattern(): string;
}

/**
 * The options that `extend` may change: all options.
 *
 * @example const getTodo = TodoResource.get.extend({ timeoutMs: 5_000 } satisfies RestEndpoint.Extension);
 */
export interface RestExtension extends EndpointExtraOptions, Partial<RestMethods> {
  /** The template of the path. A parameter is written `:name`, and an optional parameter `:name?`. */
  readonly path?: string;
  /** The start of the URL, before the path: for example the address of the API. */
  readonly urlPrefix?: string;
  /** The HTTP method. By default, POST if `sideEffect` is true, or if there is a `body` and no `sideEffect`; else GET. */
  readonly method?: HttpMethod;
  readonly schema?: AnswerSchema | null | undefined;
  /** Declares the type of the body: `{} as NewTodo`. `undefined` means that no body is sent. */
  readonly body?: unknown;
  /** Declares the type of the query parameters: `{} as { page?: number }`. */
  readonly searchParams?: unknown;
  /** The query parameter that selects a further page. An endpoint with this option has `getPage`. */
  readonly paginationField?: string;
  /** The roles of a list's arguments, made by {@link byRole}. The same option of the list's Collection overrides this option. */
  readonly argumentRoles?: ArgumentRoles;
  /** How the response body is read. Default: by its content type. */
  readonly content?: ResponseContent | undefined;
  /** Options of the platform's `fetch`, such as `credentials`. The endpoint's method, signal and body override them. */
  readonly requestInit?: RequestInit;
  /** Aborts every request of the endpoint. */
  readonly signal?: AbortSignal | undefined;
  readonly name?: string;
  /** True for mutations. Default: decided by the method. */
  readonly sideEffect?: boolean | undefined;
  /** The parameter that contains a row's id. Default: the last parameter of the path. */
  readonly idParam?: string;
  /** The path to which `move` sends its request. Default: `path`. */
  readonly movePath?: string;
  /** Decides by key which stored responses `invalidateAll` and `expireAll` affect. Default: by method, URL and schema. */
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
 * The types from which an endpoint's arguments and result are computed, in a form that an editor shows in one line. A method,
 * body or search of `never` means that the option was not given. `More` contains the options that are rarely given.
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

/** The constraint that every call type satisfies. */
export interface CallTypes {
  readonly path: string;
  readonly params: object;
  readonly schema: unknown;
  readonly method: unknown;
  readonly body: unknown;
  readonly search: unknown;
  readonly more: object;
}

/** The call of an endpoint when only its path and its schema affect the types. */
export interface PlainCall<Path extends string, S> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: S;
  readonly method: never;
  readonly body: never;
  readonly search: never;
  readonly more: NoFurtherOptions;
}

/** The call of an endpoint whose options are not known to the compiler. */
export interface LooseCall {
  readonly path: string;
  readonly params: LooseParams;
  readonly schema: Schema;
  readonly method: string;
  readonly body: never;
  readonly search: never;
  readonly more: NoFurtherOptions;
}

// An editor shows `{}`, which is short.
export type NoFurtherOptions = {};
type RareOption =
  | 'sideEffect'
  | 'process'
  | 'fetch'
  | 'content'
  | 'paginationField'
  | 'pages'
  | 'movePath'
  | 'errors';
type CallOption = 'path' | 'schema' | 'method' | 'body' | 'searchParams' | RareOption;

// The type of an option when it was given, else `never`. There is one type per option, because one generic type costs the compiler
// more.
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
      OptionOr<E, 'path', T['path']> & string,
      SchemaFor<E, OptionOr<E, 'schema', T['schema']>>,
      OptionOr<E, 'method', T['method']>,
      OptionOr<E, 'body', T['body']>,
      OptionOr<E, 'searchParams', T['search']>,
      MergeRareOptions<T['more'], E>
    >;

/** OptionOr<{ method: 'PUT' }, 'method', 'GET'>  →  'PUT'. A lookup costs the compiler much less than `infer`. */
type OptionOr<E, Name extends string, Present> = Name extends keyof E ? E[Name] : Present;

/** The schema of the response: an array when the body is an array. */
type SchemaFor<E, S> = E extends { readonly body: readonly unknown[] } ? ManyOf<S, E['body']> : S;

/** The rarely given options, overridden by the options in `E`. A new method removes an earlier `sideEffect`, as in `extend`. */
type MergeRareOptions<More, E> = [keyof E & RareOption] extends [never]
  ? 'method' extends keyof E
    ? 'sideEffect' extends keyof More
      ? { [Name in Exclude<keyof More, 'sideEffect'>]: More[Name] }
      : More
    : More
  : {
      [
        Name in (keyof E & RareOption) | Exclude<keyof More, keyof E | DroppedByMethod<E>>
      ]: Name extends keyof E ? E[Name] : Name extends keyof More ? More[Name] : never;
    };
type DroppedByMethod<E> = 'method' extends keyof E ? 'sideEffect' : never;

/** MethodOf<never, NewUser, {}> → 'POST'. It takes parts of a call, so that the compiler reuses the result for many calls. */
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
 * The arguments of a call with these options: `{ path: '/users/:id'; method: 'PUT'; body: B }` gives `[params: { id }, body: B]`.
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

/** The first argument: path parameters and search parameters; `unknown` when there are neither. */
type CallParams<P, Search> =
  IsNone<Search> extends true
    ? [keyof P] extends [never]
      ? unknown
      : P
    : [keyof P] extends [never]
      ? Search
      : P & Search;

/**
 * The type with which a direct call with these options resolves: `{ path: '/a'; content: 'text' }` gives `string`.
 * @example type Text = RestEndpoint.Result<{ path: '/readme'; content: 'text' }>; // string
 */
export type RestResult<O extends RestOptions> = CallResult<CallOf<O>>;

/** The type with which a direct call resolves. */
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

/** When `content` is not JSON and the options or the extended endpoint (`S`) have a schema, requires `schema: undefined`. */
export type ContentRule<E, S> = 'content' extends keyof E
  ? E['content' & keyof E] extends keyof ContentTypes
    ? NoSchema<OptionOr<E, 'schema', S>>
    : unknown
  : unknown;
type NoSchema<S> = [S] extends [undefined | null] ? unknown : { readonly schema: undefined };

/**
 * `E` if the endpoint reads its pages as one list, or if the compiler does not know its options; else a message that the editor
 * shows.
 */
export type Paged<E> = E extends { readonly pages: object }
  ? E
  : E extends { readonly [CALL]: infer T extends CallTypes }
    ? 'pages' extends keyof T['more']
      ? E
      : string extends T['path']
        ? E
        : 'This endpoint has no pages. Add paginationField and pages: inPages({ … }) to its options.'
    : E;

/** True for an option that was not given (`never`) and for an explicit `undefined`. */
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
