// Runs one request of an endpoint, and encodes its body and headers. In the endpoint's methods, `this` is an object that inherits
// from the endpoint and has the request's signal and environment. The promise settles within the time limit, even if the code of
// the endpoint never ends.
import { createEnvironment, LONGEST_TIMER_MS } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { HoldfastError, toError } from '../support/errors.ts';
import { AbortError, isHttpError, TimeoutError } from '../support/network-errors.ts';
import type { RequestName } from '../support/network-errors.ts';
import { tagOf } from '../support/plain.ts';

/** The time limit of a request, in milliseconds, when neither the endpoint nor the controller has the option `timeoutMs`. */
export const DEFAULT_TIMEOUT_MS = 30_000;

const REQUEST: unique symbol = Symbol();

type RequestEnvironment = Pick<Environment, 'fetch' | 'timers' | 'random'>;
type PlainHeaders = Readonly<Record<string, string>>;

/** The state of one request. Endpoint methods get it by `requestOf(this)`. */
interface RequestState {
  readonly environment: RequestEnvironment;
  readonly headers: PlainHeaders;
  name: RequestName;
  response?: Response;
  /** The value that RestEndpoint's own `parseResponse` has returned; undefined when that method did not run. */
  parsed?: unknown;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly environment?: RequestEnvironment;
  /**
   * The headers from the controller and its managers, such as the idempotency key. A header that the endpoint sets replaces a
   * header of the same name here.
   */
  readonly headers?: PlainHeaders | undefined;
  /** The time limit when the endpoint has none. Default: `defaults.controller.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The result of a successful request.
 *
 * @example
 * const offline: Manager = {
 *   request: async (): Promise<Manager.Outcome> => ({ value: [] }), // responds to everything without the network
 * };
 */
export interface RequestOutcome<T = unknown> {
  /** The value with which the endpoint's `fetch` resolved, or that a manager gives; null when `isNotModified` is true. */
  readonly value: T;
  /** The platform's `Response`; undefined when the endpoint did not send its request by `fetchResponse`. */
  readonly response?: Response | undefined;
  /** True when the response to a read says that the stored data is still correct, usually by the status 304. */
  readonly isNotModified?: boolean;
  /** True when `value` is the object that the library itself has parsed, so that the store need not copy it. */
  readonly isOwned?: boolean | undefined;
}

/** The properties of a finished endpoint that `runRequest` reads. */
interface RunnableEndpoint {
  readonly name: string;
  readonly method?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly content?: string;
  fetch(...args: readonly unknown[]): unknown;
}

function createRequestState(options: RunOptions, name: RequestName): RequestState {
  const { environment = createEnvironment(), headers = {} } = options;
  return { environment, headers, name };
}

/** Returns the state of the request that `endpoint` runs; outside of a request, a temporary state. */
export function requestOf(endpoint: object): RequestState {
  const { [REQUEST]: state } = endpoint as { [REQUEST]?: RequestState }; // cast: undefined outside of a request
  return state ?? createRequestState({}, { method: 'GET', url: '' });
}

export function isRequest(value: unknown): value is object {
  return REQUEST in Object(value);
}

/** Runs a request. Never throws synchronously; the reason of a rejection is always an Error. */
export async function runRequest(
  endpoint: RunnableEndpoint,
  args: readonly unknown[],
  options: RunOptions = {},
  run: (this: never, ...args: never) => unknown = endpoint.fetch,
): Promise<RequestOutcome> {
  const { method = 'GET', name: url, timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = endpoint;
  const state = createRequestState(options, { method, url });
  const aborter = new AbortController();
  const { signal } = aborter;
  const request: object = Object.create(endpoint, {
    [REQUEST]: { value: state },
    signal: { value: signal, enumerable: true, writable: true },
  });
  const unlink = abortWith(aborter, options.signal, endpoint.signal);
  let timeoutError: TimeoutError | undefined;
  const timer =
    timeoutMs < LONGEST_TIMER_MS
      ? state.environment.timers.set(() => {
          timeoutError = new TimeoutError(state.name, timeoutMs);
          aborter.abort();
        }, timeoutMs)
      : undefined;
  try {
    // The endpoint's own code may ignore the signal, so an abort rejects this promise without waiting for the code.
    const value = await unlessAborted(signal, () => Reflect.apply(run, request, args));
    const isOwned = Object(value) === state.parsed; // false for a primitive value, which `Object` wraps
    return { value, response: state.response, isOwned };
  } catch (thrown) {
    if (signal.aborted) throw timeoutError ?? new AbortError(state.name, { cause: signal.reason });
    if (isHttpError(thrown, 304)) return { value: null, response: thrown.response, isNotModified: true };
    throw toError(thrown);
  } finally {
    state.environment.timers.clear(timer);
    // A stream is read after this promise has settled, so the signals must still be able to abort the stream.
    if (endpoint.content !== 'stream') unlink();
  }
}

/** Calls `run` and waits for its result. Rejects as soon as the signal is aborted; `run` is not called after that. */
export function unlessAborted(signal: AbortSignal, run: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', reject);
    if (signal.aborted) reject();
    else Promise.resolve(run()).then(resolve, reject);
  });
}

/** Aborts `aborter` when one of the signals aborts. Returns a function that removes the listeners. */
export function abortWith(
  aborter: AbortController,
  ...signals: readonly (AbortSignal | undefined)[]
): () => void {
  const check = (): void => {
    const aborted = signals.find((each) => each?.aborted);
    if (aborted) aborter.abort(aborted.reason);
  };
  for (const each of signals) each?.addEventListener('abort', check);
  check();
  return () => {
    for (const each of signals) each?.removeEventListener('abort', check);
  };
}

/** The body options of a request init. The platform requires `duplex: 'half'` when the body is a stream. */
export interface EncodedBody {
  readonly body: BodyInit;
  readonly duplex?: 'half';
}

const SENT_UNCHANGED = /^(String|FormData|Blob|File|URLSearchParams|ReadableStream|ArrayBuffer)$/;
// JSON.stringify returns {} for these objects, so their content would be lost without an error.
const UNSENDABLE_CONTAINER = /^((Weak)?(Map|Set)|Promise)$/;

/**
 * The body in the form that is sent: unchanged if the platform can send it, else as JSON. Undefined for null and undefined. Throws
 * for a value that has no JSON form.
 */
export function encodeBody(value: unknown, endpoint: string): EncodedBody | undefined {
  if (value === undefined || value === null) return undefined;
  const tag = tagOf(value);
  if (SENT_UNCHANGED.test(tag) || ArrayBuffer.isView(value)) {
    // cast: the tag, or `isView`, says that the platform can send it
    return { body: value as BodyInit, ...(tag === 'ReadableStream' && { duplex: 'half' as const }) };
  }
  let body: string | undefined;
  let cause: unknown;
  try {
    if (!UNSENDABLE_CONTAINER.test(tag)) body = JSON.stringify(value) as string | undefined; // cast: undefined for a function
  } catch (thrown) {
    cause = thrown;
  }
  if (!body) throw new HoldfastError('BODY_NOT_SERIALIZABLE', { endpoint, found: tag }, { cause });
  return { body };
}

/**
 * Converts headers to a plain object, so that `getHeaders` may spread them. Each name in `jsonHeaders` that is not yet set gets
 * the value `application/json`.
 */
export function plainHeaders(
  headers: HeadersInit | undefined,
  jsonHeaders: readonly (string | false)[],
): Record<string, string> {
  const isIterable = Symbol.iterator in Object(headers);
  // cast: Headers and arrays of pairs are iterable, a plain object is not
  const plain: Record<string, string> = isIterable
    ? Object.fromEntries(headers as Iterable<[string, string]>)
    : { ...(headers as PlainHeaders) };
  const given = Object.keys(plain).map((name) => name.toLowerCase());
  for (const name of jsonHeaders)
    if (name && !given.includes(name.toLowerCase())) plain[name] = 'application/json';
  return plain;
}

interface IdempotencyOptions {
  readonly sideEffect?: boolean | undefined;
  readonly idempotencyKey?: boolean | string | ((...args: never) => string);
}

/**
 * The header by which a server recognises a repeated mutation. It is empty for a read, and if the endpoint has no `idempotencyKey`.
 * The controller creates the header once per mutation and sends it with every attempt, until rules of conflicts change the
 * arguments; a direct call creates a new header.
 */
export function createIdempotencyHeaders(
  endpoint: IdempotencyOptions,
  args: readonly unknown[],
  random: () => number,
): PlainHeaders {
  const { idempotencyKey: given } = endpoint;
  if (!given || !endpoint.sideEffect) return {};
  const value =
    typeof given === 'function'
      ? String(Reflect.apply(given, endpoint, args))
      : '0'.repeat(32).replaceAll('0', () => Math.floor(random() * 16).toString(16));
  return { [typeof given === 'string' ? given : 'Idempotency-Key']: value };
}

/**
 * Adds the headers of `extra` to the init; a header that the init already has stays. Throws HEADERS_INVALID for headers that cannot
 * be sent.
 */
export function withHeaders(init: RequestInit, extra: PlainHeaders, endpoint: string): RequestInit {
  try {
    const headers = new Headers(extra);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return Object.keys(extra).length ? { ...init, headers } : init;
  } catch (cause) {
    throw new HoldfastError('HEADERS_INVALID', { endpoint }, { cause });
  }
}
