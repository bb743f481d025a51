// The interface of a manager, an object that runs beside a controller. A manager may wrap every request, serve subscriptions,
// receive events, and act between start and stop. Each manager that the main entry exports has a file in this folder.
import type { AnyEndpoint, EndpointInterface, KeyTest } from '../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Environment } from '../support/environment.ts';
import type { EXTENSION, Extension, ExtensionHost } from './extension.ts';
import type { Flight } from './flights.ts';
import type { NetworkRequest, Send } from './network-request.ts';

/** The property of Controller that contains its managers. It is a symbol, because the property is not public. */
export const MANAGERS: unique symbol = Symbol();

/**
 * The event of a mutation that failed or was aborted.
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
  /** The flight of the request, for the library's own managers. @internal */
  readonly flight: Flight;
  /** The engine of the store in which the mutation was made, for the library's own managers. @internal */
  readonly engine: Engine;
  /** Makes the call again, at the end of its queue and with the same idempotency key. */
  readonly retry: () => Promise<unknown>;
}

/**
 * An event of the controller, for logs and tools.
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
 * A call that readers have subscribed to. Subscribers with the same endpoint and key share one subscription.
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
 * An object that runs beside a controller: it may change requests, serve subscriptions and receive events.
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
  /** Wraps every request: calls `next` to send it, and returns the outcome. */
  request?(request: NetworkRequest, next: Send): Promise<RequestOutcome>;
  /**
   * Begins to serve a subscription. Returns a function that ends the service; undefined when the manager does not serve the
   * subscription.
   */
  subscribe?(subscription: LiveSubscription, host: ManagerHost): (() => void) | undefined;
  /** Receives each event of the controller. When the event reports a change, the change has been made. */
  event?(event: ControllerEvent, host: ManagerHost): void;
  /** True when the manager handles failed mutations, so that their promises never cause an unhandled rejection. */
  readonly handlesFailures?: boolean;
  start?(host: ManagerHost): void;
  stop?(): void;
  /**
   * Returns the manager's extension of the core, see extension.ts. The controller calls this method once, when the controller is
   * created. @internal
   */
  [EXTENSION]?(host: ExtensionHost, inner: Extension): Extension;
}

/**
 * The methods of the controller that a manager may call.
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
  /**
   * Fetches; when the fetch fails, readers keep the data that they show, unless the status is 404 or 410, or the request is shared
   * with a read that is no poll.
   */
  poll(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
  /**
   * Fetches the stale data of mounted readers. With `alsoFailed`, also repeats at once their reads that show an error other than an
   * HttpError.
   */
  refreshStale(alsoFailed?: boolean): void;
  /** The time at which the stored response of this key arrived; 0 when no response is stored. */
  fetchedAt(key: string): number;
  setResponse(endpoint: EndpointInterface, ...rest: readonly unknown[]): Promise<void>;
  set(schema: unknown, ...rest: readonly unknown[]): Promise<void>;
  invalidateAll(endpoint: AnyEndpoint | KeyTest): void;
  expireAll(endpoint: AnyEndpoint | KeyTest): void;
  resetEntireStore(): void;
}

/**
 * Returns a function that passes a request through the managers' `request` methods, from the first manager to the last, and then to
 * `send`.
 */
export function chainManagers(managers: readonly Manager[], send: Send): Send {
  return managers.reduceRight<Send>(
    (next, manager) => (manager.request ? async (request) => manager.request!(request, next) : next), // the chain contains only managers with `request`
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
