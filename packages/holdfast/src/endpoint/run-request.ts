// Runs one request of an endpoint: on an object derived from it that carries the signal and the environment, under a
// time limit, settling whatever the endpoint's own code does. The controller calls it, and so does a direct call.
import { createEnvironment, LONGEST_TIMER_MS } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { toError } from '../support/errors.ts';
import { AbortError, isHttpError, TimeoutError } from '../support/network-errors.ts';
import type { RequestName } from '../support/network-errors.ts';
import { settle } from './settle.ts';

/** How long a request may take when neither endpoint nor controller says. */
export const DEFAULT_TIMEOUT_MS = 30_000;

const REQUEST: unique symbol = Symbol('holdfast.request');

type RequestEnvironment = Pick<Environment, 'fetch' | 'timers' | 'random'>;

/** What belongs to one request. Endpoint methods find it through `this`. */
interface RequestState {
  readonly environment: RequestEnvironment;
  readonly headers: Readonly<Record<string, string>>;
  name: RequestName;
  response?: Response;
  /** What the library's own parseResponse read. */
  parsed?: unknown;
  /** True when the library's own getRequestInit gave a promise, as it does with an async getHeaders. */
  isInitAsync?: boolean;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly environment?: RequestEnvironment;
  /** Sent unless the endpoint sets them itself: an idempotency key that survives repetitions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The limit when the endpoint has none of its own. Default: {@link DEFAULT_TIMEOUT_MS}. */
  readonly timeout?: number | undefined;
}

/** How a request ended well. */
export interface RequestOutcome<T = unknown> {
  /** The processed response. */
  readonly value: T;
  /** The server's answer; undefined when an overridden `fetch` made none. */
  readonly response?: Response | undefined;
  /** True when the server answered 304 to a read: what is stored is still right, `value` is null. */
  readonly isNotModified?: boolean;
  /** True when the value is what the library itself read off the wire: nobody else holds it. */
  readonly isOwned?: boolean;
}

/** What is run: any endpoint. */
interface Runnable {
  readonly name: string;
  readonly method?: string;
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
  readonly content?: string;
  fetch(...args: readonly unknown[]): unknown;
}

const platform: RequestEnvironment = /* @__PURE__ */ createEnvironment();

/** The state of the request that `endpoint` runs, or a passing one when a method was called outside of any. */
export function requestOf(endpoint: object): RequestState {
  const { [REQUEST]: state } = endpoint as { [REQUEST]?: RequestState }; // cast: asking is the check
  return state ?? { environment: platform, headers: {}, name: { method: 'GET', url: '' } };
}

export function isRequest(value: unknown): value is object {
  return typeof value === 'object' && value !== null && REQUEST in value;
}

/** Runs a request to its end. Rejects, never throws; the reason is always an Error. */
export async function runRequest(
  endpoint: Runnable,
  args: readonly unknown[],
  options: RunOptions = {},
  run: (this: never, ...args: never) => unknown = endpoint.fetch,
): Promise<RequestOutcome> {
  const { method = 'GET', name: url } = settle(endpoint);
  const timeoutMs = endpoint.timeout ?? options.timeout ?? DEFAULT_TIMEOUT_MS;
  const { environment = platform, headers = {} } = options;
  const state: RequestState = { environment, headers, name: { method, url } };
  const aborter = new AbortController();
  const request: object = Object.create(endpoint, {
    [REQUEST]: { value: state },
    signal: { value: aborter.signal, enumerable: true, writable: true },
  });
  const unlink = [options.signal, endpoint.signal].map((signal) => follow(aborter, signal));
  let isLate = false;
  const timer =
    timeoutMs < LONGEST_TIMER_MS
      ? environment.timers.set(() => {
          isLate = true;
          aborter.abort();
        }, timeoutMs)
      : undefined;
  const givenUp = (): Error =>
    isLate
      ? new TimeoutError(state.name, timeoutMs)
      : new AbortError(state.name, { cause: aborter.signal.reason });
  try {
    // raced: an endpoint's own code may ignore the signal, its promise settles all the same
    const value = await new Promise<unknown>((resolve, reject) => {
      aborter.signal.addEventListener('abort', () => reject(givenUp()));
      if (aborter.signal.aborted) throw givenUp();
      Promise.resolve(Reflect.apply(run, request, args)).then(resolve, reject);
    });
    const isOwned = Object(value) === state.parsed; // an object, and that one
    return { value, response: state.response, isNotModified: false, isOwned };
  } catch (thrown) {
    if (aborter.signal.aborted) throw givenUp();
    if (isHttpError(thrown, 304)) return { value: null, response: thrown.response, isNotModified: true };
    throw toError(thrown);
  } finally {
    if (timer !== undefined) environment.timers.clear(timer);
    // a stream goes on after the call and must still hear the signal
    if (endpoint.content !== 'stream') for (const stop of unlink) stop();
  }
}

function follow(aborter: AbortController, signal: AbortSignal | undefined): () => void {
  const abort = (): void => aborter.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return () => signal?.removeEventListener('abort', abort);
}
