// What the controller, the managers and the hooks need to know of an endpoint. EndpointBase implements it. Also the options that every endpoint takes, whatever carries its requests.
import type { ErrorSchemas } from './failure.types.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * How a failed refetch is shown while older data is there: `hard` as an error, `soft` by keeping the data.
 *
 * @example
 * const policy = (error: Error): Endpoint.ErrorPolicy => (isHttpError(error, 503) ? 'soft' : 'hard');
 * const getTodo = TodoResource.get.extend({ errorPolicy: policy });
 */
export type ErrorPolicy = 'hard' | 'soft' | undefined;

/**
 * How often, and after which failures, a manager repeats a request. Direct calls never repeat.
 *
 * @example
 * const patient: RetryManager.Options = { count: 5, delayMs: 2_000, maxDelayMs: 60_000 };
 * const controller = new Controller({ managers: [new RetryManager(patient), ...getDefaultManagers()] });
 */
export interface RetryOptions {
  /** Further attempts after the first. */
  readonly count?: number;
  /** Milliseconds before the first repetition; doubled each time. Default: `defaults.retry.delayMs`. */
  readonly delayMs?: number;
  /** Milliseconds that no pause is longer than. Default: `defaults.retry.maxDelayMs`. */
  readonly maxDelayMs?: number;
  /** Decides for one failure; `attempt` is 1 for the first repetition. */
  readonly when?: (error: Error, attempt: number) => boolean;
}

/**
 * How the loaded pages of a list are read as one: made by `inPages`.
 *
 * @example
 * const rule: inPages.Rule = inPages({ by: 'number' });
 * const getTodos = TodoResource.getList.extend({ paginationField: 'page', pages: rule });
 */
export interface PageRule {
  /** How a request of the endpoint is sent. Opaque here. @internal */
  readonly sender: (core: never, flight: never) => unknown;
}

/**
 * What a request may do. In capitals: servers take `patch` for a method that they do not know.
 *
 * @example
 * const method: RestEndpoint.Method = 'QUERY';
 * const search = new RestEndpoint({ path: '/search', method, body: {} as { text: string } });
 */
export type HttpMethod =
  | ('GET' | 'HEAD' | 'OPTIONS' | 'QUERY')
  | ('POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PURGE' | 'LINK' | 'UNLINK')
  | ('PROPFIND' | 'PROPPATCH' | 'REPORT' | 'SEARCH' | 'MKCOL' | 'COPY' | 'MOVE' | 'LOCK' | 'UNLOCK');

/**
 * A call's arguments, told apart.
 *
 * @example
 * const { params, body }: Endpoint.RequestArgs = TodoResource.update.splitArgs([{ id: '5' }, { title: 'tea' }]);
 */
export interface RequestArgs {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Options of every endpoint: lifetimes, polling, time limit, failure and optimism.
 *
 * @example
 * const slow: EndpointExtraOptions = { timeoutMs: 120_000, dataExpiryLength: 3_600_000, retry: 5 };
 * const getReport = new RestEndpoint({ path: '/report', ...slow });
 */
export interface EndpointExtraOptions {
  /** Milliseconds for which a result is fresh. Default: the controller's. */
  readonly dataExpiryLength?: number;
  /** Milliseconds for which a failure is kept before it is tried again. Default: the controller's. */
  readonly errorExpiryLength?: number;
  /** Milliseconds between two polls while something subscribes. */
  readonly pollFrequency?: number;
  /** Show nothing rather than stale data. */
  readonly invalidIfStale?: boolean;
  /** In `useDLE`: shows the data of the former arguments while that of new ones loads. */
  readonly keepPreviousData?: boolean;
  /** Milliseconds until a request fails with TimeoutError; Infinity for none. Default: `defaults.controller.timeoutMs`. */
  readonly timeoutMs?: number;
  /** Repetitions after failure, done by the retry manager. */
  readonly retry?: boolean | number | RetryOptions;
  /**
   * Sends `Idempotency-Key`, one value per mutation however often it is repeated: true for a random one, a name for
   * another header, a function for a value of one's own.
   */
  readonly idempotencyKey?: boolean | string | ((...args: never) => string);
  /**
   * Which mutations wait for each other: calls with the same text are sent in the order of calls, one at a time. Default:
   * the row that a call names, else its address. Null, or a function that gives null: at once, whatever is under way.
   */
  readonly queue?: ((...args: never) => string | null) | null;
  /** Gives a mutation a default optimistic response made of its parameters and body. */
  readonly optimistic?: boolean;
  /** Makes the loaded pages of a list one list: {@link inPages}. Wants a `paginationField`. */
  readonly pages?: PageRule | undefined;
  /** What the bodies of failures are, by status. */
  readonly errors?: ErrorSchemas | undefined;
  /** Anything of the application's own, for its managers. */
  readonly extra?: unknown;
  errorPolicy?(error: Error): ErrorPolicy;
  getOptimisticResponse?(snapshot: Snapshot, ...args: never): unknown;
}

/** Carry an endpoint's types in the type system only: hooks look them up instead of comparing signatures. */
export declare const CALL: unique symbol;
export declare const CALL_ARGS: unique symbol;

/**
 * The arguments of an endpoint: `EndpointArgs<typeof UserResource.get>` is `[params: { id: string | number }]`.
 *
 * @example
 * const args: EndpointArgs<typeof TodoResource.get> = [{ id: 5 }];
 * await new Controller().fetch(TodoResource.get, ...args);
 */
export type EndpointArgs<E extends AnyEndpoint> = E[typeof CALL_ARGS];

/**
 * What makes an endpoint one to the compiler: a slot that only the library's classes have. Signatures ask for this much,
 * because comparing all members of EndpointInterface with the endpoint of each call would slow the compiler down.
 *
 * @example
 * const expire = (controller: Controller, ...endpoints: AnyEndpoint[]) =>
 *   endpoints.forEach((endpoint) => controller.expireAll(endpoint));
 */
export interface AnyEndpoint {
  // oxlint-disable-next-line typescript/no-explicit-any -- with `never`, an endpoint made inside a call loses its arguments
  readonly [CALL_ARGS]: readonly any[];
  readonly schema?: unknown;
  /** True for mutations. */
  readonly sideEffect?: boolean | undefined;
}

/**
 * An endpoint that hooks may read: no mutation.
 *
 * @example const reads: AnyReadEndpoint[] = [TodoResource.get, TodoResource.getList];
 */
export interface AnyReadEndpoint extends AnyEndpoint {
  readonly sideEffect?: false | undefined;
}

/** What a hook may read, or the sentence that an editor shows in its place. Costs the compiler more than a constraint. */
export type Readable<E> = E extends AnyReadEndpoint
  ? E
  : E extends AnyEndpoint
    ? 'This is a mutation. Run it with controller.fetch().'
    : 'This is no endpoint. Read a schema with useQuery().';

/**
 * An endpoint, seen from the controller.
 *
 * @example
 * const nameOf = (endpoint: EndpointInterface) => `${endpoint.method} ${endpoint.name}`;
 * nameOf(TodoResource.get);
 */
export interface EndpointInterface extends AnyEndpoint, EndpointExtraOptions {
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  (...args: any): unknown;
  /** Identifies the request: method, URL, the body of a read, and the shape of the schema. */
  key(...args: never): string;
  /** Whether a key is one of this endpoint's, for `invalidateAll` and `expireAll`. Default: by {@link keyPattern}. */
  testKey?(key: string): boolean;
  /** The pattern of the endpoint's keys, whatever the arguments: a text that the library makes and compares. */
  keyPattern?(): string;
  /** Tells URL parameters and body apart in a call's arguments. */
  splitArgs(args: readonly unknown[]): RequestArgs;
  readonly name: string;
  readonly method?: string;
  /** Ends its requests; one with a signal of its own is not shared with others. */
  readonly signal?: AbortSignal | undefined;
  /** The parameter that names a row, whatever the field of its primary key is called. */
  readonly idParam?: string | undefined;
  /** On a next-page endpoint: the key of the list that the page extends. */
  listKey?(...args: never): string;
}

/**
 * Anything that recognises keys: for a group of endpoints, or for answers of some other kind.
 *
 * @example
 * const todos: Controller.KeyTest = { testKey: (key) => key.includes('/todos') };
 * new Controller().expireAll(todos);
 */
export interface KeyTest {
  testKey(key: string): boolean;
}

/**
 * An endpoint without a side effect, seen from the controller.
 *
 * @example
 * const keyOf = (endpoint: ReadEndpoint) => endpoint.name;
 * keyOf(TodoResource.get);
 */
export interface ReadEndpoint extends EndpointInterface {
  readonly sideEffect?: false | undefined;
}
