// The interface through which the controller, the managers and the hooks use an endpoint, and the options of every endpoint.
// Endpoint and RestEndpoint implement the interface.
import type { ErrorSchemas } from './failure.types.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * How a failed refetch is shown when older data is stored: `soft` keeps showing the data; `hard` and undefined show the error.
 *
 * @example
 * const policy = (error: Error): Endpoint.ErrorPolicy => (isHttpError(error, 503) ? 'soft' : 'hard');
 * const getTodo = TodoResource.get.extend({ errorPolicy: policy });
 */
export type ErrorPolicy = 'hard' | 'soft' | undefined;

/**
 * How many times, and after which failures, a RetryManager repeats a request. A direct call of an endpoint is never repeated.
 *
 * @example
 * const patient: RetryManager.Options = { count: 5, delayMs: 2_000, maxDelayMs: 60_000 };
 * const controller = new Controller({ managers: [new RetryManager(patient), ...getDefaultManagers()] });
 */
export interface RetryOptions {
  /** The number of further attempts after the first attempt. Default: `defaults.retry.count`. */
  readonly count?: number;
  /**
   * Milliseconds before the first repetition. A random delay between half of this value and the full value is used, and the value
   * doubles for each further repetition. A header `Retry-After` can make the delay longer. Default: `defaults.retry.delayMs`.
   */
  readonly delayMs?: number;
  /**
   * The longest pause between two attempts, in milliseconds, while the device is online. If `Retry-After` asks for a longer pause,
   * the request is not repeated. Default: `defaults.retry.maxDelayMs`.
   */
  readonly maxDelayMs?: number;
  /** Whether to repeat the request after this failure; `attempt` is 1 for the first repetition. Default: temporary failures. */
  readonly when?: (error: Error, attempt: number) => boolean;
}

/**
 * How the loaded pages of a list are read as one list. Created by `inPages`.
 *
 * @example
 * const rule: inPages.Rule = inPages({ by: 'number' });
 * const getTodos = TodoResource.getList.extend({ paginationField: 'page', pages: rule });
 */
export interface PageRule {
  /** Whether the rule itself computes the number or the offset of the next page. @internal */
  readonly computesNextPage: boolean;
}

/**
 * The HTTP method of a request. It is in capitals, because `fetch` sends `patch` unchanged and servers do not recognise it.
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
 * A call's arguments, split into URL parameters and body.
 *
 * @example
 * const { params, body }: Endpoint.RequestArgs = TodoResource.update.splitArgs([{ id: '5' }, { title: 'tea' }]);
 */
export interface RequestArgs {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Options of every endpoint, for example expiry times, polling, the time limit and optimistic updates.
 *
 * @example
 * const slow: EndpointExtraOptions = { timeoutMs: 120_000, dataExpiryLength: 3_600_000, retry: 5 };
 * const getReport = new RestEndpoint({ path: '/report', ...slow });
 */
export interface EndpointExtraOptions {
  /** Milliseconds for which a response is fresh. Default: the controller's `dataExpiryLength`. */
  readonly dataExpiryLength?: number;
  /**
   * The shortest time, in milliseconds, before readers repeat a failed read by themselves, unless the network returns earlier.
   * Default: the controller's `errorExpiryLength`.
   */
  readonly errorExpiryLength?: number;
  /**
   * Milliseconds between two polls while there is a subscription. A {@link PollingManager} may wait longer, for example after
   * failures.
   */
  readonly pollFrequency?: number;
  /** True if stale data must not be shown. */
  readonly invalidIfStale?: boolean;
  /** True to show, in `useDLE`, the data of the previous arguments while the data of new arguments loads. */
  readonly keepPreviousData?: boolean;
  /**
   * A value that `useDLE` shows while it waits for data and shows no previous data, for example a row of another list. It is not
   * stored.
   */
  readonly placeholderData?: unknown;
  /** Milliseconds until a request fails with TimeoutError; Infinity for no limit. Default: the controller's `timeoutMs`. */
  readonly timeoutMs?: number;
  /**
   * How a RetryManager repeats failed requests: false for never, true for its defaults, a number of repetitions, or options. A
   * mutation is repeated only if its method is idempotent, as PUT and DELETE are, or if it has an `idempotencyKey`.
   */
  readonly retry?: boolean | number | RetryOptions;
  /**
   * Sends a header `Idempotency-Key` with mutations; all attempts of one mutation send the same value, until rules of conflicts
   * change its arguments. With `true`, the value is random. With a string, the value is random and the string is the header's name.
   * A function returns the value.
   */
  readonly idempotencyKey?: boolean | string | ((...args: never) => string);
  /**
   * Returns the name of a mutation's queue: mutations of one queue are sent in the order of their calls, one at a time. By default,
   * each row that the call identifies has a queue; a REST call that identifies no row and is not a POST has a queue for its URL
   * without the query. With null, or a function that returns null, the mutation waits in no queue.
   */
  readonly queue?: ((...args: never) => string | null) | null;
  /**
   * Returns headers by which the server refuses the mutation when the row has changed, such as `If-Match` with a version. The
   * method gets the stored row without optimistic updates. It is called only for a PUT, PATCH or DELETE of one stored row, unless
   * the request has such a header already. If it returns no header, the row is not read first, even with
   * `preconditions: 'required'`. It takes effect with `HttpSemantics` of `holdfast/http`.
   */
  precondition?(row: never): Readonly<Record<string, string>>;
  /**
   * True to show a mutation of a RestEndpoint at once, with an optimistic response that is made from its parameters and its body.
   */
  readonly optimistic?: boolean;
  /** Reads the loaded pages of a list as one list: see {@link inPages}. Requires a `paginationField`. */
  readonly pages?: PageRule | undefined;
  /**
   * The search parameter that makes the server send only some fields of a row, such as `fields[todos]`. `useCovered` then requests
   * only the missing fields, with their names joined by commas.
   */
  readonly sparse?: string | undefined;
  /** The schema of the response body for each error status. */
  readonly errors?: ErrorSchemas | undefined;
  /** Any value, for the application's own managers to read. */
  readonly extra?: unknown;
  /** Returns how a failed refetch is shown when older data is stored: `soft` keeps showing the data. */
  errorPolicy?(error: Error): ErrorPolicy;
  /**
   * Returns the response that the mutation will probably get. It is shown until the mutation has ended. Throw `snapshot.abort` to
   * show nothing for a call.
   */
  getOptimisticResponse?(snapshot: Snapshot, ...args: never): unknown;
}

/**
 * Properties that exist only in the type system. Hooks read the types of an endpoint from them, instead of comparing signatures.
 */
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
 * The type of any endpoint, recognised by a symbol property that only the library's types have. Function parameters use this
 * type, because comparing all members of EndpointInterface with the endpoint of each call would slow the compiler down.
 *
 * @example
 * const expire = (controller: Controller, ...endpoints: AnyEndpoint[]) =>
 *   endpoints.forEach((endpoint) => controller.expireAll(endpoint));
 */
export interface AnyEndpoint {
  // oxlint-disable-next-line typescript/no-explicit-any -- with `unknown[]`, no argument could be read without a cast
  readonly [CALL_ARGS]: readonly any[];
  readonly schema?: unknown;
  /** True for mutations. */
  readonly sideEffect?: boolean | undefined;
}

/**
 * Any endpoint that hooks may read: any endpoint except a mutation.
 *
 * @example const reads: AnyReadEndpoint[] = [TodoResource.get, TodoResource.getList];
 */
export interface AnyReadEndpoint extends AnyEndpoint {
  readonly sideEffect?: false | undefined;
}

/**
 * Any mutation: any endpoint that changes something on the server.
 *
 * @example const mutations: AnyMutation[] = [TodoResource.update, TodoResource.delete];
 */
export interface AnyMutation extends AnyEndpoint {
  readonly sideEffect: true;
}

/** `E` when a hook may read it, else a message that the editor shows. This type costs the compiler more than a type constraint. */
export type Readable<E> = E extends AnyReadEndpoint
  ? E
  : E extends AnyEndpoint
    ? 'This is a mutation. Send it with useMutation() or controller.fetch().'
    : 'This is no endpoint. Read a schema with useQuery().';

/** `E` when it is a mutation, else a message that the editor shows. */
export type Mutating<E> = E extends AnyReadEndpoint
  ? 'This endpoint reads. Read it with useSuspense() or useDLE().'
  : E extends AnyEndpoint
    ? E
    : 'This is no endpoint. Pass one, such as TodoResource.delete; for several steps use useLoading().';

/**
 * An endpoint with all properties that the controller uses.
 *
 * @example
 * const nameOf = (endpoint: EndpointInterface) => `${endpoint.method} ${endpoint.name}`;
 * nameOf(TodoResource.get);
 */
export interface EndpointInterface extends AnyEndpoint, EndpointExtraOptions {
  // oxlint-disable-next-line typescript/no-explicit-any -- with `never`, the endpoint could not be called
  (...args: any): unknown;
  /** Sends the request: see the endpoint's class. The controller calls it with a request as `this`. */
  fetch(...args: readonly unknown[]): unknown;
  /**
   * Identifies the call. The key of a REST call contains the method, the URL, the body of a read, the shape of the schema, and the
   * option `content` if it is not `json`.
   */
  key(...args: readonly unknown[]): string;
  /**
   * Whether `invalidateAll` and `expireAll` of this endpoint affect the response of this key. By default, {@link keyPattern}
   * decides.
   */
  testKey?(key: string): boolean;
  /**
   * Returns the same string for all calls of the endpoint. Each stored response keeps the string, and `invalidateAll` and
   * `expireAll` compare it.
   */
  keyPattern?(): string;
  /** Splits a call's arguments into URL parameters and body. */
  splitArgs(args: readonly unknown[]): RequestArgs;
  readonly name: string;
  readonly method?: string;
  /** Aborts the requests of the endpoint. Two endpoints with different signals do not share requests. */
  readonly signal?: AbortSignal | undefined;
  /** The name of the parameter that identifies a row; it may differ from the name of the primary key's field. */
  readonly idParam?: string | undefined;
  /**
   * The key of the call of the first page: the slot of that call also stores the further pages. Only an endpoint of further pages has
   * this method.
   */
  listKey?(...args: readonly unknown[]): string;
}

/**
 * Selects stored responses, or requests in flight, by their keys instead of by an endpoint.
 *
 * @example
 * const todos: Controller.KeyTest = { testKey: (key) => key.includes('/todos') };
 * new Controller().expireAll(todos);
 */
export interface KeyTest {
  testKey(key: string): boolean;
}

/**
 * An endpoint that is not a mutation, with all properties that the controller uses.
 *
 * @example
 * const keyOf = (endpoint: ReadEndpoint) => endpoint.name;
 * keyOf(TodoResource.get);
 */
export interface ReadEndpoint extends EndpointInterface {
  readonly sideEffect?: false | undefined;
}
