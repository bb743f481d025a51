// Repeats requests that failed in passing. Only those whose repetition is harmless: reads, idempotent methods, and
// mutations with an idempotency key, which is the same at every attempt. Stops when the request is aborted, and outside of
// queues when a later write of the same row was sent: a repetition would undo that one on the server.
import type { RetryOptions } from '../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Environment } from '../support/environment.ts';
import { toError } from '../support/errors.ts';
import { readRetryAfterMs } from '../support/header-values.ts';
import { AbortError, afterRepetition, isGone, isHttpError, isTemporary } from '../support/network-errors.ts';
import { backoffMs, wait } from './backoff.ts';
import type { Manager, NetworkRequest, Send } from './manager.ts';

/** How often a {@link RetryManager} repeats a request. */
export const DEFAULT_RETRY_COUNT = 3;
/** Milliseconds before the first repetition; doubled each time. */
export const DEFAULT_RETRY_DELAY_MS = 1_000;
/** Milliseconds that no pause between repetitions is longer than. */
export const DEFAULT_RETRY_MAX_DELAY_MS = 30_000;

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Methods that say what a row is: the last one to arrive wins. A POST adds to what is there. */
const REPLACING = new Set(['PUT', 'PATCH', 'DELETE']);

type Plan = { -readonly [Name in keyof RetryOptions]-?: RetryOptions[Name] };

/** A write between its first sending and its end. */
interface Write {
  readonly target: string;
  /** In no queue: others do not wait for it, nor it for them. */
  readonly isFree: boolean;
  isOvertaken: boolean;
}

/**
 * Repeats failed requests with growing, jittered pauses, and obeys `Retry-After`. An endpoint's own `retry` option goes
 * first: `false` for never, a number, or {@link RetryManager.Options}.
 *
 * @example new Controller({ managers: [new RetryManager({ count: 2 }), ...getDefaultManagers()] });
 */
export class RetryManager implements Manager {
  readonly #options: RetryOptions;
  /** Those that a later one may overtake. */
  readonly #writes = new Set<Write | undefined>();

  constructor(options: RetryOptions = {}) {
    this.#options = options;
  }

  async request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const write = request.isRead ? undefined : this.#begin(request);
    try {
      return await this.#repeat(request, next, write);
    } finally {
      this.#writes.delete(write);
    }
  }

  #begin(request: NetworkRequest): Write {
    const target = targetOf(request);
    const isFree = request.endpoint.queue === null;
    for (const write of this.#writes) {
      if (write && (isFree || write.isFree) && `${target}/`.startsWith(`${write.target}/`))
        write.isOvertaken = true;
    }
    const write = { target, isFree, isOvertaken: false };
    if (REPLACING.has(request.endpoint.method ?? 'POST')) this.#writes.add(write);
    return write;
  }

  async #repeat(request: NetworkRequest, next: Send, write: Write | undefined): Promise<RequestOutcome> {
    const { endpoint, environment, signal } = request;
    const plan = this.#planFor(request);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(request);
      } catch (thrown) {
        const error = toError(thrown);
        if (attempt > 1) afterRepetition.add(error);
        // the first attempt's answer was lost, not its effect
        if (attempt > 1 && endpoint.method === 'DELETE' && isGone(error)) {
          return {
            value: endpoint.splitArgs(request.args).params,
            response: error.response,
            isNotModified: false,
          };
        }
        const pauseMs =
          attempt <= plan.count && plan.when(error, attempt)
            ? pause(plan, attempt, error, environment)
            : null;
        if (pauseMs === null || signal.aborted || write?.isOvertaken) throw error;
        await wait(environment.timers, pauseMs, signal);
        await waitForNetwork(environment, signal);
        if (write?.isOvertaken) throw error;
        if (signal.aborted)
          throw new AbortError({ method: endpoint.method ?? 'GET', url: endpoint.name }, { cause: error });
      }
    }
  }

  #planFor({ endpoint, isRead }: NetworkRequest): Plan {
    const { retry } = endpoint;
    // a boolean has no members
    const own: RetryOptions = typeof retry === 'number' ? { count: retry } : Object(retry);
    const isSafe = isRead || IDEMPOTENT.has(endpoint.method ?? 'POST') || Boolean(endpoint.idempotencyKey);
    const plan: Plan = { ...DEFAULT_PLAN, ...this.#options, ...own };
    if (retry === false || !isSafe) plan.count = 0;
    return plan;
  }
}

const DEFAULT_PLAN: Plan = {
  count: DEFAULT_RETRY_COUNT,
  delayMs: DEFAULT_RETRY_DELAY_MS,
  maxDelayMs: DEFAULT_RETRY_MAX_DELAY_MS,
  when: isTemporary,
};

/** What a write is about: its address without the query; its key where the endpoint has no address. */
function targetOf({ endpoint, args, key }: NetworkRequest): string {
  const { url } = endpoint as { url?: (params: unknown) => string }; // cast: REST endpoints have one
  if (url === undefined) return key;
  return url.call(endpoint, endpoint.splitArgs(args).params).split('?', 1)[0]!; // a text has a first part
}

/**
 * The wait before the next attempt: what the server asks for, and never less than the plan's own; null when the server asks for
 * more patience than the plan has.
 */
function pause(plan: Plan, attempt: number, error: Error, { clock, random }: Environment): number | null {
  const requested = isHttpError(error) ? (readRetryAfterMs(error.response.headers, clock.now()) ?? 0) : 0;
  return requested > plan.maxDelayMs ? null : Math.max(requested, backoffMs(plan, attempt, random));
}

/** Attempts made while the device is offline would all be lost. */
function waitForNetwork({ online }: Environment, signal: AbortSignal): Promise<void> {
  if (online.isOnline() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (!online.isOnline() && !signal.aborted) return;
      stop();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const stop = online.subscribe(look);
    signal.addEventListener('abort', look);
  });
}

export declare namespace RetryManager {
  export type { RetryOptions as Options };
}
