// The types with which a test or a story mocks the network. A fixture has the response to one call; an interceptor has a function
// that responds to the calls of an endpoint.
import type { ResolveType } from '../../controller/controller.types.ts';
import type { Entity } from '../../schema/entity/entity.ts';
import type { EndpointArgs, EndpointInterface } from '../../endpoint/endpoint-interface.ts';

interface Delayed<A extends readonly unknown[]> {
  /** Milliseconds until the response arrives. Default: 0. */
  readonly delay?: number | ((...args: A) => number);
  /** Creates the response at the end of the delay instead of at the start, so that it reflects changes made during the delay. */
  readonly delayCollapse?: boolean;
}

/**
 * The type of a value in the form in which a server may send it: fields may be absent, further fields are allowed, an entity may be
 * its id alone, and a Date or a bigint may have any form. `Wire<Todo>` is `{ id?: string; title?: string; … }`, or an id.
 *
 * @example const row: Wire<Todo> = { id: '1', title: 'milk' };
 */
export type Wire<T> = unknown extends T
  ? unknown
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : T extends Entity
        ? WireFields<T> | string | number
        : T extends Date | bigint
          ? unknown
          : WireFields<T>;
type WireFields<T> = Readonly<Record<string, unknown>> & {
  readonly [Name in keyof T as T[Name] extends (...args: never) => unknown ? never : Name]?: Wire<T[Name]>;
};

/**
 * The response to one call.
 *
 * @example
 * const milk = {
 *   endpoint: TodoResource.get,
 *   args: [{ id: '1' }],
 *   response: { id: '1', title: 'milk' },
 * } satisfies SuccessFixture<typeof TodoResource.get>;
 */
export interface SuccessFixture<E extends EndpointInterface = EndpointInterface> extends Delayed<never> {
  readonly endpoint: E;
  readonly args: EndpointArgs<E>;
  /** The value with which the endpoint resolves, before it is normalized. */
  readonly response: Wire<ResolveType<E>>;
  readonly error?: false | undefined;
}

/**
 * The failure of one call.
 *
 * @example
 * const missing: ErrorFixture = { endpoint: TodoResource.get, args: [{ id: '9' }], response: { status: 404 }, error: true };
 */
export interface ErrorFixture<E extends EndpointInterface = EndpointInterface> extends Delayed<never> {
  readonly endpoint: E;
  readonly args: EndpointArgs<E>;
  /** An error, the message of an error, or the status and the JSON body of an HttpError. The default status is 500. */
  readonly response: Error | string | { readonly status?: number; readonly body?: object };
  readonly error: true;
}

/**
 * The response to one call, or its failure.
 *
 * @example
 * const fixtures: Fixture[] = [
 *   { endpoint: TodoResource.get, args: [{ id: '1' }], response: { id: '1', title: 'milk' } },
 *   { endpoint: TodoResource.get, args: [{ id: '9' }], response: { status: 404 }, error: true },
 * ];
 */
export type Fixture = SuccessFixture | ErrorFixture;

/**
 * Responds to the calls of an endpoint, whatever their arguments. `this` is the data that all interceptors share.
 *
 * @example
 * const rename: ResponseInterceptor = {
 *   endpoint: TodoResource.partialUpdate,
 *   response: ({ id }: { id: string }, body: object) => ({ id, ...body }),
 * };
 */
export interface ResponseInterceptor<T = unknown> extends Delayed<never> {
  readonly endpoint: EndpointInterface;
  /** Returns the value with which the endpoint resolves. The function may throw, or be async. */
  response(this: T, ...args: never): unknown;
}

/**
 * Replaces `fetch` for the requests of an endpoint. The endpoint's own code still builds the request and parses the response.
 *
 * @example
 * const list: FetchInterceptor = {
 *   endpoint: TodoResource.getList,
 *   fetchResponse: (url) => (url.includes('userId=1') ? [{ id: '1', title: 'milk' }] : []),
 * };
 */
export interface FetchInterceptor<T = unknown> extends Delayed<never> {
  readonly endpoint: EndpointInterface;
  /**
   * Returns a Response, or the JSON value of a response; undefined gives a response without a body. The function may throw, or be
   * async.
   */
  fetchResponse(this: T, url: string, init: RequestInit): unknown;
}

/**
 * Responds to the calls of an endpoint: returns the value with which the endpoint resolves, or replaces `fetch`.
 *
 * @example
 * const every: Interceptor = { endpoint: TodoResource.get, response: ({ id }: { id: string }) => ({ id, title: `Todo ${id}` }) };
 */
export type Interceptor<T = unknown> = ResponseInterceptor<T> | FetchInterceptor<T>;

/**
 * The fixtures and interceptors of a mocked network, and the data that the interceptors share.
 *
 * @example
 * const options: MockManager.Options<{ calls: number }> = { getInitialInterceptorData: () => ({ calls: 0 }) };
 */
export interface MockOptions<T = unknown> {
  /**
   * A call gets the first fixture with equal arguments, otherwise the first interceptor of its endpoint. `unmatched` decides about
   * a call without a fixture and without an interceptor.
   */
  readonly fixtures?: readonly (Fixture | Interceptor<T>)[];
  /**
   * Decides about a call without a fixture and without an interceptor: `'error'` rejects the call with `FIXTURE_MISSING`,
   * `'network'` sends it. Default: `'error'` if `fixtures` are given, else `'network'`.
   *
   * @example createMockController({ fixtures: [], unmatched: 'network' });
   */
  readonly unmatched?: 'error' | 'network';
  /** Creates the data that interceptors share, for example a small database. */
  readonly getInitialInterceptorData?: () => T;
}
