// Repeats requests that failed for a temporary reason, or as the option `when` says, if a repetition is harmless: reads, idempotent
// methods, and mutations with an idempotency key, which all attempts share. It stops when the request is aborted. After a later
// mutation of the same URL, or of a URL below it, was sent, it does not repeat a PUT, PATCH or DELETE if one of the two mutations
// has `queue: null`: a repetition could undo the later mutation.
import type { RetryOptions } from '../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Environment } from '../support/environment.ts';
import { toError } from '../support/errors.ts';
import { readRetryAfterMs } from '../support/header-values.ts';
import { AbortError, afterRepetition, isGone, isHttpError, isTemporary } from '../support/network-errors.ts';
import { backoffMs, waitForDelay } from './backoff.ts';
import type { Manager } from './manager.ts';
import type { NetworkRequest, Send } from './network-request.ts';

/** How many times a {@link RetryManager} repeats a request, if no option gives another number. */
export const DEFAULT_RETRY_COUNT = 3;
/**
 * In milliseconds. The pause before the first repetition is between half of this value and the full value, unless `Retry-After`
 * asks for a longer pause. The value doubles for each further repetition.
 */
export const DEFAULT_RETRY_DELAY_MS = 1_000;
/** The longest pause before a repetition, in milliseconds, while the device is online. */
export const DEFAULT_RETRY_MAX_DELAY_MS = 30_000;

const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Methods that overwrite or delete a row: a repetition that arrives after a later mutation may undo that mutation. */
const REPLACING_METHODS = new Set(['PUT', 'PATCH', 'DELETE']);

type RetryPlan = { -readonly [Name in keyof RetryOptions]-?: RetryOptions[Name] };

/** A mutation from its first attempt until the promise of `request` settles. */
interface PendingWrite {
  readonly targetKey: string;
  /** True when the endpoint has `queue: null`: the mutation is in no queue. */
  readonly isUnqueued: boolean;
  /** True when a repetition of this mutation could undo a mutation that was sent later. */
  isOvertaken: boolean;
}

/**
 * Repeats failed requests with growing, jittered pauses, and obeys `Retry-After`. An endpoint's own `retry` option overrides
 * these options: `false` for never, a number of repetitions, or {@link RetryManager.Options}.
 *
 * @example new Controller({ managers: [new RetryManager({ count: 2 }), ...getDefaultManagers()] });
 */
export class RetryManager implements Manager {
  readonly #options: RetryOptions;
  /** The pending mutations with a method in `REPLACING_METHODS`. */
  readonly #writes = new Set<PendingWrite | undefined>();

  constructor(options: RetryOptions = {}) {
    this.#options = options;
  }

  async request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const write = request.isRead ? undefined : this.#addWrite(request);
    try {
      return await this.#sendWithRetries(request, next, write);
    } finally {
      this.#writes.delete(write);
    }
  }

  #addWrite(request: NetworkRequest): PendingWrite {
    const targetKey = targetKeyOf(request);
    const isUnqueued = request.endpoint.queue === null;
    for (const write of this.#writes) {
      if (write && (isUnqueued || write.isUnqueued) && `${targetKey}/`.startsWith(`${write.targetKey}/`))
        write.isOvertaken = true;
    }
    const write = { targetKey, isUnqueued, isOvertaken: false };
    if (REPLACING_METHODS.has(request.endpoint.method ?? 'POST')) this.#writes.add(write);
    return write;
  }

  async #sendWithRetries(
    request: NetworkRequest,
    next: Send,
    write: PendingWrite | undefined,
  ): Promise<RequestOutcome> {
    const { endpoint, environment, signal } = request;
    const plan = this.#planFor(request);
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) afterRepetition.add(signal); // a manager that divides one response among several calls reads this
      try {
        return await next(request);
      } catch (thrown) {
        const error = toError(thrown);
        if (attempt > 1) afterRepetition.add(error);
        // The row does not exist: an earlier attempt may have deleted it, and only the response was lost. This counts as a success.
        if (attempt > 1 && endpoint.method === 'DELETE' && isGone(error)) {
          return {
            value: endpoint.splitArgs(request.args).params,
            response: error.response,
            isNotModified: false,
          };
        }
        const pauseMs =
          attempt <= plan.count && plan.when(error, attempt)
            ? retryDelayMs(plan, attempt, error, environment)
            : null;
        if (pauseMs === null || signal.aborted || write?.isOvertaken) throw error;
        await waitForDelay(environment.timers, pauseMs, signal);
        await waitForNetwork(environment, signal);
        if (write?.isOvertaken) throw error;
        if (signal.aborted)
          throw new AbortError({ method: endpoint.method ?? 'GET', url: endpoint.name }, { cause: error });
      }
    }
  }

  #planFor({ endpoint, isRead }: NetworkRequest): RetryPlan {
    const { retry } = endpoint;
    // `Object()` converts a boolean or undefined to an object without own properties.
    const own: RetryOptions = typeof retry === 'number' ? { count: retry } : Object(retry);
    const isSafe =
      isRead || IDEMPOTENT_METHODS.has(endpoint.method ?? 'POST') || Boolean(endpoint.idempotencyKey);
    const plan: RetryPlan = { ...DEFAULT_PLAN, ...this.#options, ...own };
    if (retry === false || !isSafe) plan.count = 0;
    return plan;
  }
}

const DEFAULT_PLAN: RetryPlan = {
  count: DEFAULT_RETRY_COUNT,
  delayMs: DEFAULT_RETRY_DELAY_MS,
  maxDelayMs: DEFAULT_RETRY_MAX_DELAY_MS,
  when: isTemporary,
};

/** Identifies the target of a mutation: its URL without the query, or its key when the endpoint has no URL. */
function targetKeyOf({ endpoint, args, key }: NetworkRequest): string {
  const { url } = endpoint as { url?: (params: unknown) => string }; // cast: only REST endpoints have `url`
  if (url === undefined) return key;
  return url.call(endpoint, endpoint.splitArgs(args).params).split('?', 1)[0]!; // `split` returns at least one string
}

/**
 * The delay before the next attempt: the server's `Retry-After`, but at least the plan's own delay. Null when `Retry-After` exceeds
 * the plan's longest delay, so that there is no further attempt.
 */
function retryDelayMs(
  plan: RetryPlan,
  attempt: number,
  error: Error,
  { clock, random }: Environment,
): number | null {
  const requested = isHttpError(error) ? (readRetryAfterMs(error.response.headers, clock.now()) ?? 0) : 0;
  return requested > plan.maxDelayMs ? null : Math.max(requested, backoffMs(plan, attempt, random));
}

/** Waits until the device is online, because an attempt while it is offline would only fail; resolves early on abort. */
function waitForNetwork({ online }: Environment, signal: AbortSignal): Promise<void> {
  if (online.isOnline() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const check = (): void => {
      if (!online.isOnline() && !signal.aborted) return;
      stop();
      signal.removeEventListener('abort', check);
      resolve();
    };
    const stop = online.subscribe(check);
    signal.addEventListener('abort', check);
  });
}

export declare namespace RetryManager {
  export type { RetryOptions as Options };
}
