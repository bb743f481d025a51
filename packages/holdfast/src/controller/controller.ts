// The controller: runs endpoints, reads and writes the store, hands out observers. Ready on construction, with no
// framework; what runs by itself (focus, polling, garbage) runs between `start` and `stop`. The verbs are the files beside it.
import { createLiveSubscriptions, SERVE } from '../dispatch/live-subscriptions.ts';
import { copyPlain, setOwn } from '../support/plain.ts';
import { createEnvironment } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { ageAll, ageSlots } from './slot/write-slot.ts';
import { FocusManager } from '../dispatch/focus-manager.ts';
import { chain, INSTALL, MANAGERS } from '../dispatch/manager.ts';
import type { Manager } from '../dispatch/manager.ts';
import { createObservers } from './observe/observers.ts';
import type { Observers } from './observe/observers.ts';
import { createRetention, DEFAULT_RETENTION_MS } from './retention.ts';
import type { Retention } from './retention.ts';
import { slotOf } from './slot/read-slot.ts';
import { callSafely } from '../support/call-safely.ts';
import { EndpointCall, isNothing } from '../dispatch/call.ts';
import { toError } from '../support/errors.ts';
import { CORE, createCore } from './state/core.ts';
import type { Core } from './state/core.ts';
import { NO_STATE } from './observe/shown.ts';
import type { Observer } from './observe/shown.ts';
import { DEFAULT_DATA_EXPIRY_MS, DEFAULT_ERROR_EXPIRY_MS } from './slot/decide.ts';
import { runRequest } from '../endpoint/run-request.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { startRead } from './request/fetch-read.ts';
import { startWrite } from './request/fetch-write.ts';
import { setValue, storeResponse } from './request/write-direct.ts';
import { createSnapshot, lookUp, readStored } from './slot/read-stored.ts';
import type {
  AnyEndpoint,
  AnyReadEndpoint,
  EndpointArgs,
  EndpointInterface,
  KeyTest,
} from '../endpoint/endpoint-interface.ts';
import type { Snapshot } from '../endpoint/snapshot.ts';
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import type { ControllerOptions } from './controller-options.ts';
import type {
  ArgsOrNull,
  ArgsThen,
  SetArgs,
  ResolveType,
  ResponseData,
  ResponseMeta,
} from './controller.types.ts';

/**
 * Runs endpoints and keeps what they bring.
 *
 * @example
 * const controller = new Controller();
 * const todo = await controller.fetch(TodoResource.get, { id: 5 });
 * await controller.fetch(TodoResource.partialUpdate, { id: 5 }, { done: true });
 * controller.get(Todo, { id: 5 })?.done; // true
 */
export class Controller {
  readonly environment: Environment;
  readonly [CORE]: Core;
  readonly [MANAGERS]: Manager[];
  readonly #observers: Observers;
  readonly #live: ReturnType<typeof createLiveSubscriptions>;
  readonly #retention: Retention;
  #isStarted = false;

  constructor(options: ControllerOptions = {}) {
    const {
      managers = [new FocusManager() as Manager], // cast: it is one
      dataExpiryLength = DEFAULT_DATA_EXPIRY_MS,
      errorExpiryLength = DEFAULT_ERROR_EXPIRY_MS,
      retentionMs = DEFAULT_RETENTION_MS,
    } = options;
    const environment = (this.environment = createEnvironment(options));
    this[MANAGERS] = [...managers];
    const core = (this[CORE] = createCore({
      environment,
      dataExpiryLength,
      errorExpiryLength,
      send: chain(this[MANAGERS], (request) =>
        // cast: every endpoint can be run
        runRequest(request.endpoint as never, request.args, { ...request, timeoutMs: options.timeoutMs }),
      ),
      handlesFailures: this[MANAGERS].some(({ handlesFailures }) => handlesFailures),
      emit: (event) => {
        if (event.type !== 'collect') this.#retention.wake();
        for (const manager of this[MANAGERS]) callSafely(() => manager.event?.(event, this));
      },
      touch: () => this.#retention.wake(),
    }));
    this.#observers = createObservers(core);
    this.#live = createLiveSubscriptions(this[MANAGERS], this);
    this.#retention = createRetention(core, this.#observers, this.#live, retentionMs);
    // the state comes last: managers see it enter
    for (const part of [...managers, options.initialState])
      core.arrivals = part?.[INSTALL]?.(core) ?? core.arrivals;
    // `const { fetch } = useController()`; a subclass's own methods too, where they have a name of these
    // the constructor stands first
    for (const name of Object.getOwnPropertyNames(Controller.prototype).slice(1)) {
      const method = (this as unknown as Record<string, unknown>)[name]; // cast: read by name
      if (typeof method === 'function') setOwn(this, name, method.bind(this), false);
    }
  }

  // ── fetching ─────────────────────────────────────────────────────────────────────────────────

  /** Runs an endpoint and resolves with the stored value. Joins a request for the same thing that is under way. */
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: EndpointArgs<E>): Promise<ResolveType<E>> {
    try {
      // a copy, because the caller may change its objects; cast: an array stays one
      const call = new EndpointCall(endpoint, copyPlain(args) as readonly unknown[]);
      const { sideEffect } = call.endpoint;
      this[CORE].actionCount += 1;
      const promise = sideEffect ? startWrite(this[CORE], call) : this.#startRead(call);
      return promise as Promise<ResolveType<E>>; // cast: see ResolveType
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  /** A fetch whose failure does not take away what readers show: for managers that repeat it. @internal */
  poll(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown> {
    return this.#startRead(new EndpointCall(endpoint, args), true);
  }

  #startRead(call: EndpointCall, isSoft?: boolean): Promise<unknown> {
    const flight = startRead(this[CORE], call, isSoft);
    flight.readers.add(flight);
    return flight.promise;
  }

  /** The stored value when it is fresh, else a fetch. */
  fetchIfStale<E extends AnyReadEndpoint>(
    endpoint: E,
    ...args: EndpointArgs<E>
  ): ResolveType<E> | Promise<ResolveType<E>> {
    const { response, isStale } = readStored(this[CORE], endpoint, args);
    return isStale ? this.fetch(endpoint, ...args) : (response.data as ResolveType<E>); // cast: a fresh answer is complete
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  /** What the store holds for a schema and arguments; undefined when it does not. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined {
    return lookUp(this[CORE], kindOf(schema), args) as DenormalizeNullable<S> | undefined; // cast: the schema says what it reads as
  }

  /** What is stored for an endpoint, how good it is and until when. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): ResponseMeta<ResponseData<E>> {
    return readStored(this[CORE], endpoint, args).response as ResponseMeta<ResponseData<E>>; // cast: the endpoint says what it reads as
  }

  /** The same as {@link getResponse}. */
  getResponseMeta<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): ResponseMeta<ResponseData<E>> {
    return this.getResponse(endpoint, ...args);
  }

  /** The failure that readers of the endpoint see. A mutation has no readers: its promise rejects, and a FailedManager keeps it. */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): Error | undefined {
    return readStored(this[CORE], endpoint, args).error;
  }

  /** The store as it is now, to read from. */
  snapshot(): Snapshot {
    return createSnapshot(this[CORE], this[CORE].engine.store.timeline.tick(), new Map());
  }

  /** Watches an endpoint: what bindings stand on. */
  watch<E extends AnyReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): Observer<ResolveType<E>> {
    return (isNothing(args) ? NO_STATE : this.#observers.watch(endpoint, args)) as Observer<ResolveType<E>>; // cast: see ResolveType
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  /** Stores a value, or what a function makes of the present one. Rejects what the schema refuses. */
  async set<S extends Queryable>(schema: S, ...rest: SetArgs<S>): Promise<void> {
    setValue(this[CORE], kindOf(schema), rest.slice(0, -1), rest.at(-1));
  }

  /** Stores a response as if the endpoint had just brought it. */
  async setResponse<E extends AnyEndpoint>(
    endpoint: E,
    ...rest: ArgsThen<EndpointArgs<E>, unknown>
  ): Promise<void> {
    this.#store(endpoint, rest, false);
  }

  /** Stores a failure as if the endpoint had just failed with it. */
  async setError<E extends AnyEndpoint>(
    endpoint: E,
    ...rest: ArgsThen<EndpointArgs<E>, Error>
  ): Promise<void> {
    this.#store(endpoint, rest, true);
  }

  #store(endpoint: AnyEndpoint, rest: readonly unknown[], error: boolean): void {
    const call = new EndpointCall(endpoint, rest.slice(0, -1));
    storeResponse(this[CORE], call, { response: rest.at(-1), error, isRead: false });
  }

  /** Stores the answer to a request that was sent elsewhere, at `fetchedAt`. */
  async resolve<E extends AnyEndpoint>(
    endpoint: E,
    given: {
      readonly args: EndpointArgs<E>;
      readonly response: unknown;
      readonly fetchedAt?: number;
      readonly error?: boolean;
    },
  ): Promise<void> {
    const call = new EndpointCall(endpoint, given.args);
    storeResponse(this[CORE], call, { ...given, isRead: !call.endpoint.sideEffect });
  }

  // ── freshness ────────────────────────────────────────────────────────────────────────────────

  /** The data must not be shown any more: readers wait for a fetch that is sent from now on. */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (isNothing(args)) return;
    ageSlots(this[CORE], 'invalidate', [slotOf(this[CORE], new EndpointCall(endpoint, args))]);
  }

  /** Invalidates every result of an endpoint, whatever its arguments. */
  invalidateAll(endpoint: AnyEndpoint | KeyTest): void {
    ageAll(this[CORE], 'invalidate', endpoint);
  }

  /** Every result of an endpoint is stale: shown on, and fetched again by mounted readers. */
  expireAll(endpoint: AnyEndpoint | KeyTest): void {
    ageAll(this[CORE], 'expire', endpoint);
  }

  /** Fetches what mounted readers show and is stale; on request also what failed without an answer. For managers. @internal */
  refreshStale(alsoFailed: boolean = false): void {
    for (const observer of this[CORE].observed) observer.freshen(alsoFailed);
  }

  /** @internal For managers. */ fetchedAt(key: string): number {
    return this[CORE].engine.store.slots.get(key)?.stamp.date ?? 0;
  }

  /** Forgets everything: requests under way enter nothing into the new store, and their promises reject. */
  resetEntireStore(): void {
    this[CORE].reset();
    this[CORE].emit({ type: 'reset' });
  }

  /** How much is kept: rows, lists, answers and reads under way, look-ups, observers, mutations. 0 when idle and empty. */
  get size(): number {
    return this[CORE].engine.size + this.#observers.size + this[CORE].flights.size + this.#live.byKey.size;
  }

  // ── running ──────────────────────────────────────────────────────────────────────────────────

  /** Asks the managers for live data: polling, a socket. Counted; ended by `unsubscribe`. */
  subscribe<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (!isNothing(args)) this.#live.add(new EndpointCall(endpoint, args));
  }

  unsubscribe<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (!isNothing(args)) this.#live.remove(new EndpointCall(endpoint, args));
  }

  /** For hooks that subscribe: the manager that came with them runs here, unless one that serves subscriptions does. */
  [SERVE](Server: new () => Manager): void {
    if (this[MANAGERS].some((manager) => manager.subscribe)) return;
    const server = new Server();
    this[MANAGERS].push(server);
    if (this.#isStarted) server.start?.(this);
  }

  /** Starts what runs by itself. May be called again after `stop`. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#retention.start();
    this[CORE].arrivals?.finish();
    for (const manager of this[MANAGERS]) callSafely(() => manager.start?.(this));
  }

  /** Stops what runs by itself; requests under way go on. */
  stop(): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#retention.stop();
    for (const manager of this[MANAGERS]) callSafely(() => manager.stop?.());
  }
}

export declare namespace Controller {
  export type { ArgsOrNull, KeyTest };
}
