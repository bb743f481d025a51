// What a manager is: something that runs beside a controller. It may stand around every request, serve subscriptions,
// hear what happened, and act between start and stop. All parts are optional; each manager of the main entry is one file here.
import type { AnyEndpoint, EndpointInterface, KeyTest } from '../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Environment } from '../support/environment.ts';

/** How the library's own hooks find the manager that they need. */
export const MANAGERS: unique symbol = Symbol();

/** How a saved state, and a manager of the library's own, get what the controller is made of: once, when it is made. */
export const INSTALL: unique symbol = Symbol();

/**
 * One request on its way out.
 *
 * @example
 * const withToken: Manager = {
 *   request: (request: Manager.Request, next) => next({ ...request, headers: { ...request.headers, token: 'abc' } }),
 * };
 */
export interface NetworkRequest {
  readonly endpoint: EndpointInterface;
  /** The arguments as they are sent: local ids replaced by the server's. */
  readonly args: readonly unknown[];
  readonly key: string;
  readonly isRead: boolean;
  /** Aborted when the last reader and caller are gone, and by a reset; `stop` leaves requests alone. */
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Clock, timers and chance of the controller. */
  readonly environment: Environment;
}

/**
 * Sends a request, or passes it to the next in line.
 *
 * @example
 * const twice = async (request: Manager.Request, next: Manager.Send) => next(request).catch(() => next(request));
 * const manager: Manager = { request: twice };
 */
export type Send = (request: NetworkRequest) => Promise<RequestOutcome>;

/**
 * A mutation failed, or was called off.
 *
 * @example const lineOf = ({ endpoint, error }: Manager.MutationFailure) => `${endpoint.name}: ${error.message}`;
 */
export interface MutationFailure {
  readonly type: 'failure';
  readonly key: string;
  readonly isRead: false;
  readonly error: Error;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** The request: opaque, for the library's own managers. @internal */
  readonly flight: object;
  /** The store that it was for, opaque as well. @internal */
  readonly engine: object;
  /** Makes the call again, at the end of its queue and with the same idempotency key. */
  readonly retry: () => Promise<unknown>;
}

/**
 * What happened, for logs and tools.
 *
 * @example
 * const counting: Manager = {
 *   event: (event: Manager.Event) => console.log(event.type),
 * };
 */
export type ControllerEvent =
  | { readonly type: 'fetch'; readonly key: string; readonly isRead: boolean }
  | { readonly type: 'answer'; readonly key: string; readonly isRead: boolean }
  | { readonly type: 'failure'; readonly key: string; readonly isRead: true; readonly error: Error }
  | MutationFailure
  | { readonly type: 'set' | 'invalidate' | 'expire' | 'reset' | 'collect'; readonly key?: string };

/**
 * What was subscribed: one endpoint with its arguments, shared by all who subscribed to it.
 *
 * @example
 * const log: Manager = {
 *   subscribe({ key }: Manager.Subscription) {
 *     console.log('live:', key);
 *     return () => console.log('ended:', key);
 *   },
 * };
 */
export interface LiveSubscription {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/**
 * Runs beside a controller.
 *
 * @example
 * const timing: Manager = {
 *   async request(request, next) {
 *     const start = performance.now();
 *     try { return await next(request); } finally { console.log(request.key, performance.now() - start); }
 *   },
 * };
 * new Controller({ managers: [timing] });
 */
export interface Manager {
  /** Stands around every request. */
  request?(request: NetworkRequest, next: Send): Promise<RequestOutcome>;
  /** Serves a subscription and gives back how to end it; undefined when it does not serve this one. */
  subscribe?(subscription: LiveSubscription, host: ManagerHost): (() => void) | undefined;
  /** Hears what happened, after it happened. */
  event?(event: ControllerEvent, host: ManagerHost): void;
  /** Whether it takes care of failed mutations: then no promise of one is an unhandled rejection. */
  readonly handlesFailures?: boolean;
  start?(host: ManagerHost): void;
  stop?(): void;
  /** For the library's own managers; the core is opaque here. @internal */
  [INSTALL]?(core: unknown): null;
}

/**
 * What a manager may ask of its controller.
 *
 * @example
 * const hourly: Manager = {
 *   start(host: Manager.Host) {
 *     host.environment.timers.set(() => host.expireAll(TodoResource.getList), 3_600_000);
 *   },
 * };
 */
export interface ManagerHost {
  readonly environment: Environment;
  fetch(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
  /** A fetch whose failure does not take away what readers show. */
  poll(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
  /** Fetches what mounted readers show and is stale; with `alsoFailed` at once what failed without an answer, too. */
  refreshStale(alsoFailed?: boolean): void;
  /** When the stored answer of this key arrived; 0 when there is none. */
  fetchedAt(key: string): number;
  setResponse(endpoint: EndpointInterface, ...rest: readonly unknown[]): Promise<void>;
  set(schema: unknown, ...rest: readonly unknown[]): Promise<void>;
  invalidateAll(endpoint: AnyEndpoint | KeyTest): void;
  expireAll(endpoint: AnyEndpoint | KeyTest): void;
  resetEntireStore(): void;
}

/** Puts managers around the last sender, the first one outermost. */
export function chain(managers: readonly Manager[], send: Send): Send {
  return managers.reduceRight<Send>(
    (next, manager) => (manager.request ? async (request) => manager.request!(request, next) : next), // asked when the chain was made
    send,
  );
}

export declare namespace Manager {
  export type {
    ControllerEvent as Event,
    LiveSubscription as Subscription,
    ManagerHost as Host,
    MutationFailure,
    NetworkRequest as Request,
    RequestOutcome as Outcome,
    Send,
  };
}
