// What a test or a story says about the network: answers for certain calls, and functions that answer any call of an
// endpoint. mock-manager.ts plays them.
import type { ResolveType } from '../../controller/controller.types.ts';
import type { Entity } from '../../schema/entity/entity.ts';
import type { EndpointArgs, EndpointInterface } from '../../endpoint/endpoint-interface.ts';

interface Delayed<A extends readonly unknown[]> {
  /** Milliseconds until the answer. Default: none. */
  readonly delay?: number | ((...args: A) => number);
  /** Makes the answer when the delay is over instead of when the request came: it sees what happened meanwhile. */
  readonly delayCollapse?: boolean;
}

/**
 * What a server may send for a value: fields may be missing, there may be others, and values other than texts, numbers and
 * booleans may have any form. `Wire<Todo>` is `{ id?: string; title?: string; … }`.
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
 * The answer to one call.
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
  /** What the endpoint resolves with, before it is stored. */
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
  /** The error, or its text; or the status of an HttpError with an optional JSON body. Default of the status: 500. */
  readonly response: Error | string | { readonly status?: number; readonly body?: object };
  readonly error: true;
}

/**
 * The answer to one call, or its failure.
 *
 * @example
 * const fixtures: Fixture[] = [
 *   { endpoint: TodoResource.get, args: [{ id: '1' }], response: { id: '1', title: 'milk' } },
 *   { endpoint: TodoResource.get, args: [{ id: '9' }], response: { status: 404 }, error: true },
 * ];
 */
export type Fixture = SuccessFixture | ErrorFixture;

/**
 * Answers every call of an endpoint. `this` is the data that all interceptors share.
 *
 * @example
 * const rename: ResponseInterceptor = {
 *   endpoint: TodoResource.partialUpdate,
 *   response: ({ id }: { id: string }, body: object) => ({ id, ...body }),
 * };
 */
export interface ResponseInterceptor<T = unknown> extends Delayed<never> {
  readonly endpoint: EndpointInterface;
  /** Gives what the endpoint resolves with; may throw, or be async. */
  response(this: T, ...args: never): unknown;
}

/**
 * Answers every request of an endpoint in place of the server: the endpoint's own code runs around it.
 *
 * @example
 * const list: FetchInterceptor = {
 *   endpoint: TodoResource.getList,
 *   fetchResponse: (url) => (url.includes('userId=1') ? [{ id: '1', title: 'milk' }] : []),
 * };
 */
export interface FetchInterceptor<T = unknown> extends Delayed<never> {
  readonly endpoint: EndpointInterface;
  /** Gives a Response, or the JSON value of one; may throw, or be async. */
  fetchResponse(this: T, url: string, init: RequestInit): unknown;
}

/**
 * Answers every call of an endpoint: with what the endpoint resolves with, or in place of the server.
 *
 * @example
 * const every: Interceptor = { endpoint: TodoResource.get, response: ({ id }: { id: string }) => ({ id, title: `Todo ${id}` }) };
 */
export type Interceptor<T = unknown> = ResponseInterceptor<T> | FetchInterceptor<T>;

/**
 * The fixtures and interceptors of a played network, and what the interceptors share.
 *
 * @example
 * const options: MockManager.Options<{ calls: number }> = { getInitialInterceptorData: () => ({ calls: 0 }) };
 */
export interface MockOptions<T = unknown> {
  /** Exact calls come first, then the first interceptor of the endpoint. What matches neither goes to the network. */
  readonly fixtures?: readonly (Fixture | Interceptor<T>)[];
  /** Makes the data that interceptors share: a small database, say. */
  readonly getInitialInterceptorData?: () => T;
}
