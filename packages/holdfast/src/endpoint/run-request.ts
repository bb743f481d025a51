// One request of an endpoint: what it sends, and how it runs. It runs on an object derived from the endpoint that carries the
// signal and the environment, under a time limit, and settles whatever the endpoint's own code does. The controller calls
// it, and so does a direct call.
import { createEnvironment, LONGEST_TIMER_MS } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { HoldfastError, toError } from '../support/errors.ts';
import { AbortError, isHttpError, TimeoutError } from '../support/network-errors.ts';
import type { RequestName } from '../support/network-errors.ts';
import { tagOf } from '../support/plain.ts';

/** How long a request may take when neither endpoint nor controller says. */
export const DEFAULT_TIMEOUT_MS = 30_000;

const REQUEST: unique symbol = Symbol();

type RequestEnvironment = Pick<Environment, 'fetch' | 'timers' | 'random'>;
type PlainHeaders = Readonly<Record<string, string>>;

/** What belongs to one request. Endpoint methods find it through `this`. */
interface RequestState {
  readonly environment: RequestEnvironment;
  readonly headers: PlainHeaders;
  name: RequestName;
  response?: Response;
  /** What the library's own parseResponse read. */
  parsed?: unknown;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly environment?: RequestEnvironment;
  /** Sent unless the endpoint sets them itself: an idempotency key that survives repetitions. */
  readonly headers?: PlainHeaders | undefined;
  /** The limit when the endpoint has none of its own. Default: `defaults.controller.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/**
 * How a request ended well.
 *
 * @example
 * const offline: Manager = {
 *   request: async (): Promise<Manager.Outcome> => ({ value: [] }), // answers everything without the network
 * };
 */
export interface RequestOutcome<T = unknown> {
  /** The processed response. */
  readonly value: T;
  /** The server's response; undefined when an overridden `fetch` made none. */
  readonly response?: Response | undefined;
  /** True when the server answered 304 to a read: what is stored is still right, `value` is null. */
  readonly isNotModified?: boolean;
  /** True when the value is what the library itself read off the wire: nothing else holds it. */
  readonly isOwned?: boolean | undefined;
  /** Called when the rows and lists of the answer are stored, in the same batch. @internal */
  readonly finish?: ((effects: never, lists: never) => void) | undefined;
}

/** What is run: any finished endpoint. */
interface Runnable {
  readonly name: string;
  readonly method?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly content?: string;
  fetch(...args: readonly unknown[]): unknown;
}

function createState(options: RunOptions, name: RequestName): RequestState {
  const { environment = createEnvironment(), headers = {} } = options;
  return { environment, headers, name };
}

/** The state of the request that `endpoint` runs, or a passing one when a method was called outside of any. */
export function requestOf(endpoint: object): RequestState {
  const { [REQUEST]: state } = endpoint as { [REQUEST]?: RequestState }; // cast: asking is the check
  return state ?? createState({}, { method: 'GET', url: '' });
}

export function isRequest(value: unknown): value is object {
  return REQUEST in Object(value);
}

/** Runs a request to its end. Rejects, never throws; the reason is always an Error. */
export async function runRequest(
  endpoint: Runnable,
  args: readonly unknown[],
  options: RunOptions = {},
  run: (this: never, ...args: never) => unknown = endpoint.fetch,
): Promise<RequestOutcome> {
  const { method = 'GET', name: url, timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = endpoint;
  const state = createState(options, { method, url });
  const aborter = new AbortController();
  const { signal } = aborter;
  const request: object = Object.create(endpoint, {
    [REQUEST]: { value: state },
    signal: { value: signal, enumerable: true, writable: true },
  });
  const unlink = follow(aborter, options.signal, endpoint.signal);
  let late: TimeoutError | undefined;
  const timer =
    timeoutMs < LONGEST_TIMER_MS
      ? state.environment.timers.set(() => {
          late = new TimeoutError(state.name, timeoutMs);
          aborter.abort();
        }, timeoutMs)
      : undefined;
  try {
    // raced: an endpoint's own code may ignore the signal, its promise settles all the same
    const value = await new Promise<unknown>((resolve, reject) => {
      signal.addEventListener('abort', reject);
      if (signal.aborted) reject();
      else Promise.resolve(Reflect.apply(run, request, args)).then(resolve, reject);
    });
    const isOwned = Object(value) === state.parsed; // an object, and that one
    return { value, response: state.response, isOwned };
  } catch (thrown) {
    if (signal.aborted) throw late ?? new AbortError(state.name, { cause: signal.reason });
    if (isHttpError(thrown, 304)) return { value: null, response: thrown.response, isNotModified: true };
    throw toError(thrown);
  } finally {
    state.environment.timers.clear(timer);
    // a stream goes on after the call and must still hear the signal
    if (endpoint.content !== 'stream') unlink();
  }
}

/** Aborts when one of the signals does, until the function that it gives is called. */
export function follow(
  aborter: AbortController,
  ...signals: readonly (AbortSignal | undefined)[]
): () => void {
  const look = (): void => {
    const aborted = signals.find((each) => each?.aborted);
    if (aborted) aborter.abort(aborted.reason);
  };
  for (const each of signals) each?.addEventListener('abort', look);
  look();
  return () => {
    for (const each of signals) each?.removeEventListener('abort', look);
  };
}

/** The part of an init that carries a body. Streams must say that they are sent while the response may begin. */
export interface EncodedBody {
  readonly body: BodyInit;
  readonly duplex?: 'half';
}

const WIRE_FORM = /^(String|FormData|Blob|File|URLSearchParams|ReadableStream|ArrayBuffer)$/;
// JSON gives {} for these: their contents would be lost without a word
const CONTAINER = /^((Weak)?(Map|Set)|Promise)$/;

/** The body as it is sent: itself where it has a wire form, else JSON; undefined for none. */
export function encodeBody(value: unknown, endpoint: string): EncodedBody | undefined {
  if (value === undefined || value === null) return undefined;
  const tag = tagOf(value);
  if (WIRE_FORM.test(tag) || ArrayBuffer.isView(value)) {
    const body = value as BodyInit; // cast: tested right above
    return tag === 'ReadableStream' ? { body, duplex: 'half' } : { body };
  }
  let body: string | undefined;
  let cause: unknown;
  try {
    if (!CONTAINER.test(tag)) body = JSON.stringify(value) as string | undefined; // cast: undefined for functions
  } catch (thrown) {
    cause = thrown;
  }
  if (!body) throw new HoldfastError('BODY_NOT_SERIALIZABLE', { endpoint, found: tag }, { cause });
  return { body };
}

/** Headers in any form as a plain object, so that `getHeaders` may spread them; those of `ofJson` say JSON, unless they are given. */
export function plainHeaders(
  headers: HeadersInit | undefined,
  ofJson: readonly (string | false)[],
): Record<string, string> {
  const isIterable = Symbol.iterator in Object(headers);
  // cast: Headers and pairs iterate
  const plain: Record<string, string> = isIterable
    ? Object.fromEntries(headers as Iterable<[string, string]>)
    : { ...(headers as PlainHeaders) };
  const given = Object.keys(plain).map((name) => name.toLowerCase());
  for (const name of ofJson)
    if (name && !given.includes(name.toLowerCase())) plain[name] = 'application/json';
  return plain;
}

interface Keyed {
  readonly sideEffect?: boolean | undefined;
  readonly idempotencyKey?: boolean | string | ((...args: never) => string);
}

/**
 * The header that lets a server recognise a repeated mutation; nothing when the endpoint asks for none. A manager that repeats
 * requests makes it once per mutation and hands it to every attempt; a direct call makes its own.
 */
export function createIdempotencyHeaders(
  endpoint: Keyed,
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

/** The init with further headers, where it does not have them already. One that cannot be sent is refused here, not by the network. */
export function withHeaders(init: RequestInit, extra: PlainHeaders, endpoint: string): RequestInit {
  try {
    const headers = new Headers(extra);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return Object.keys(extra).length ? { ...init, headers } : init;
  } catch (cause) {
    throw new HoldfastError('HEADERS_INVALID', { endpoint }, { cause });
  }
}
