// `BatchManager`: the calls of one endpoint that are sent in one task become one request, or several if they exceed `most` or
// differ in their headers or environments. Each call keeps its optimistic update, its queue and its promise, because only the
// method `request` of the manager merges the calls. The manager divides the one response into the outcomes of the calls.
//
//   call ─▶ batch of the task ──end of the task──▶ `args` ─▶ one request ─▶ `results` ─▶ the outcome of each call
import { EXTENSION } from '../../dispatch/extension.ts';
import type { Extension, ExtensionHost } from '../../dispatch/extension.ts';
import type { Manager } from '../../dispatch/manager.ts';
import type { NetworkRequest, Send } from '../../dispatch/network-request.ts';
import type { ResolveType } from '../../controller/controller.types.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { AnyEndpoint, EndpointArgs, EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { createIdempotencyHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { AbortError, afterRepetition } from '../../support/network-errors.ts';
import { stableText } from '../../support/stable-text.ts';
import { endByResult, isBatchResult } from './batch-results.ts';
import type { BatchResult } from './batch-results.ts';

/** How many calls one request of a {@link BatchManager} contains at most. */
export const DEFAULT_BATCH_MOST = 100;

/**
 * Options of {@link BatchManager}.
 *
 * @example
 * const options: BatchManager.Options<typeof UserResource.get, typeof UserResource.getList> = {
 *   each: UserResource.get,
 *   as: UserResource.getList,
 *   args: () => [],
 *   results: (users, calls) => calls.map(([{ id }]) => success(users.find((user) => user.id === id))),
 * };
 */
export interface BatchOptions<E extends AnyEndpoint, As extends AnyEndpoint> {
  /** The endpoint whose calls are merged: a mutation or a read. Calls of an endpoint that extends this endpoint are not merged. */
  readonly each: E;
  /** The endpoint of the merged request. The response is not stored, so it needs no schema. */
  readonly as: As;
  /** How many calls one request contains at most; further calls go into further requests. Default: `defaults.batch.most`. */
  readonly most?: number;
  /** Returns the arguments of the merged request. `calls` are the arguments of each call. */
  readonly args: (calls: readonly EndpointArgs<E>[]) => readonly [...EndpointArgs<As>];
  /**
   * Returns a {@link success} or a {@link failure} for each call, in the order of `calls`. If the function returns another number
   * of results, or another value for a call, the result of every call is unknown. If the function throws, every call fails with
   * that error.
   */
  readonly results: (response: ResolveType<As>, calls: readonly EndpointArgs<E>[]) => readonly BatchResult[];
}

/** One call that waits for the end of the task, or for the response of its batch. */
interface WaitingCall {
  readonly request: NetworkRequest;
  readonly next: Send;
  readonly resolve: (outcome: RequestOutcome | Promise<RequestOutcome>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Merges the calls of one endpoint that would be sent in one task into one request. Put it before a RetryManager, which then
 * repeats the merged request.
 *
 * @example
 * const bulkUpdate = new RestEndpoint({
 *   path: '/todos/bulk',
 *   method: 'POST',
 *   body: {} as { updates: readonly object[] },
 *   process: (response: { rows: Record<string, object>; failed: Record<string, object> }) => response,
 * });
 * const batches = new BatchManager({
 *   each: TodoResource.partialUpdate,
 *   as: bulkUpdate,
 *   args: (calls) => [{ updates: calls.map(([{ id }, body]) => ({ id, ...body })) }],
 *   results: ({ rows, failed }, calls) =>
 *     calls.map(([{ id }]) => (failed[id] ? failure(422, failed[id]) : success(rows[id]))),
 * });
 * new Controller({ managers: [batches, new RetryManager(), ...getDefaultManagers()] });
 */
export class BatchManager<E extends AnyEndpoint, As extends AnyEndpoint> implements Manager {
  readonly #options: BatchOptions<AnyEndpoint, AnyEndpoint>;
  readonly #each: AnyEndpoint;
  readonly #as: EndpointInterface;
  readonly #most: number;
  #host: ExtensionHost | undefined;
  /** The calls that have come to this manager since it last sent a batch. */
  #waiting: WaitingCall[] = [];

  constructor(options: BatchOptions<E, As>) {
    const { most = DEFAULT_BATCH_MOST } = options;
    if (!(most >= 1)) throw new HoldfastError('BATCH_MOST_INVALID', { found: most });
    this.#options = options as BatchOptions<AnyEndpoint, AnyEndpoint>; // cast: the arguments follow from the endpoints
    this.#each = finishEndpoint(options.each);
    this.#as = finishEndpoint(options.as) as AnyEndpoint as EndpointInterface; // cast: only endpoints have the symbol of AnyEndpoint
    this.#most = most;
  }

  [EXTENSION](host: ExtensionHost, inner: Extension): Extension {
    this.#host = host;
    return inner;
  }

  request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    if (request.endpoint !== this.#each || request.signal.aborted) return next(request);
    return new Promise((resolve, reject) => {
      const { signal, environment } = request;
      if (this.#waiting.length === 0) environment.timers.set(() => this.#sendWaiting(), 0);
      this.#waiting.push({ request, next, resolve, reject });
      const { method = 'GET', name: url } = request.endpoint;
      const abort = (): void => reject(new AbortError({ method, url }, { cause: signal.reason }));
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /**
   * Called after a task in which calls have come to this manager: sends one request for each group of calls, or several requests
   * for a group of more than `most` calls. A call that is alone is sent as its own request.
   */
  #sendWaiting(): void {
    const waiting = this.#waiting.filter(({ request }) => !request.signal.aborted);
    this.#waiting = [];
    const { environment, flights } = this.#host ?? {};
    const signals = new Set(
      [...(flights ?? []), ...(flights?.reads ?? [])].map(({ aborter }) => aborter.signal),
    );
    // A feature may have given a call an environment whose `fetch` is for this call alone. So the merged request gets the
    // environment of the controller, if the controller has a flight with the call's signal.
    const environmentOf = ({ request }: WaitingCall): NetworkRequest['environment'] =>
      environment && signals.has(request.signal) ? environment : request.environment;
    for (const calls of groupCalls(waiting, environmentOf))
      while (calls.length) {
        const batch = calls.splice(0, this.#most);
        const [only] = batch;
        if (only && batch.length === 1) only.resolve(only.next(only.request));
        else void this.#send(batch, environmentOf(batch[0]!)); // a batch is never empty
      }
  }

  async #send(batch: readonly WaitingCall[], environment: NetworkRequest['environment']): Promise<void> {
    const { args: argsOf, results: resultsOf } = this.#options;
    const endpoint = this.#as;
    const requests = batch.map(({ request }) => request);
    const calls = requests.map(({ args }) => args);
    const { next, request: first } = batch[0]!; // a batch is never empty
    try {
      const args = argsOf(calls);
      const headers = {
        ...sharedHeaders(first),
        ...createIdempotencyHeaders(endpoint, args, environment.random),
      };
      const signal = whenAllAborted(requests);
      const key = endpoint.key(...args);
      const { value } = await next({ ...first, endpoint, args, key, headers, signal, environment });
      const results: readonly unknown[] = [resultsOf(value as ResolveType<AnyEndpoint>, calls)].flat(); // cast: the value is that of the endpoint
      if (results.length !== calls.length || !results.every(isBatchResult))
        throw new HoldfastError('BATCH_RESULTS_INVALID', {
          endpoint: endpoint.name,
          calls: calls.length,
          found: results.length,
        });
      for (const [at, { request, resolve, reject }] of batch.entries())
        try {
          resolve(endByResult(results[at] as BatchResult, request)); // cast: checked above
        } catch (error) {
          if (afterRepetition.has(signal)) afterRepetition.add(error as Error); // cast: made by `failure`
          reject(error);
        }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** The calls in groups. The calls of a group may share a request: they have the same environment and the same headers. */
function groupCalls(
  waiting: readonly WaitingCall[],
  environmentOf: (call: WaitingCall) => NetworkRequest['environment'],
): WaitingCall[][] {
  const groups = new Map<NetworkRequest['environment'], Map<string, WaitingCall[]>>();
  for (const call of waiting) {
    const byHeaders = ensure(groups, environmentOf(call), () => new Map<string, WaitingCall[]>());
    ensure(byHeaders, stableText([sharedHeaders(call.request)]), () => []).push(call);
  }
  return [...groups.values()].flatMap((byHeaders) => [...byHeaders.values()]);
}

/** The headers of a call without its idempotency key, because the merged request gets its own key. */
function sharedHeaders({ endpoint, headers }: NetworkRequest): Record<string, string> {
  const { idempotencyKey } = endpoint;
  const name = typeof idempotencyKey === 'string' ? idempotencyKey : 'Idempotency-Key';
  const { [name]: _own, ...others } = headers ?? {};
  return others;
}

/** A signal that is aborted as soon as every request is aborted. */
function whenAllAborted(requests: readonly NetworkRequest[]): AbortSignal {
  const aborter = new AbortController();
  const check = (): void => {
    if (requests.every(({ signal }) => signal.aborted)) aborter.abort(requests[0]?.signal.reason);
  };
  for (const { signal } of requests) signal.addEventListener('abort', check, { once: true });
  return aborter.signal;
}

export declare namespace BatchManager {
  export type { BatchOptions as Options, BatchResult as Result };
}
