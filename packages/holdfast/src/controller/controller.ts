// The controller: runs endpoints, reads and writes the store, and creates observers. The folders beside this file implement most of
// its methods. The controller needs no framework and works before `start`. `start` calls the managers' `start` and begins the
// removal of unused data. It also begins to apply the rest of the initial state.
import { createLiveSubscriptions, SERVE } from '../dispatch/live-subscriptions.ts';
import { copyPlain, setOwn } from '../support/plain.ts';
import { createEnvironment } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { markAllSlots, markSlots } from './slot/write-slot.ts';
import { FocusManager } from '../dispatch/focus-manager.ts';
import { EXTENSION } from '../dispatch/extension.ts';
import { chainManagers, MANAGERS } from '../dispatch/manager.ts';
import type { Manager } from '../dispatch/manager.ts';
import { createObservers } from './observe/observers.ts';
import type { Observers } from './observe/observers.ts';
import { createRetention, DEFAULT_RETENTION_MS } from './retention.ts';
import type { Retention } from './retention.ts';
import { slotOf } from './slot/read-slot.ts';
import { callSafely } from '../support/call-safely.ts';
import { EndpointCall, isNullCall } from '../dispatch/call.ts';
import { toError } from '../support/errors.ts';
import { CORE, createCore } from './state/core.ts';
import type { Core } from './state/core.ts';
import { NO_DATA_OBSERVER } from './observe/shown.ts';
import type { Observer } from './observe/shown.ts';
import { DEFAULT_DATA_EXPIRY_MS, DEFAULT_ERROR_EXPIRY_MS } from './slot/decide.ts';
import { runRequest } from '../endpoint/run-request.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { startRead } from './request/fetch-read.ts';
import { openWrite, sendWrite } from './request/fetch-write.ts';
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
  SetValue,
  ResolveType,
  ResponseData,
  ResponseMeta,
} from './controller.types.ts';

/**
 * Runs endpoints and stores their responses.
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
      managers = [new FocusManager() as Manager], // cast: the array may contain any manager
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
      extension: {
        sendFlight: chainManagers(this[MANAGERS], (request) =>
          runRequest(request.endpoint, request.args, { ...request, timeoutMs: options.timeoutMs }),
        ),
      },
      handlesFailures: this[MANAGERS].some(({ handlesFailures }) => handlesFailures),
      emit: (event) => {
        if (event.type !== 'collect') this.#retention.scheduleCollection();
        for (const manager of this[MANAGERS]) callSafely(() => manager.event?.(event, this));
      },
      scheduleCollection: () => this.#retention.scheduleCollection(),
    }));
    this.#observers = createObservers(core);
    this.#live = createLiveSubscriptions(this[MANAGERS], this);
    this.#retention = createRetention(core, this.#observers, this.#live, retentionMs);
    // The initial state is attached after the managers, so that an Inspector records its data.
    for (const extensible of [...managers, options.initialState])
      core.extension = extensible?.[EXTENSION]?.(core, core.extension) ?? core.extension;
    // Binds the public methods, so that `const { fetch } = useController()` works. When a subclass overrides a method, the override
    // is bound. `slice` removes the first name, which is the constructor.
    for (const name of Object.getOwnPropertyNames(Controller.prototype).slice(1)) {
      const method: unknown = Reflect.get(this, name);
      if (typeof method === 'function') setOwn(this, name, method.bind(this), false);
    }
  }

  // ── fetching ─────────────────────────────────────────────────────────────────────────────────

  /** Runs an endpoint, stores the response and resolves with its value. A read may join a read of its key that is in flight. */
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: EndpointArgs<E>): Promise<ResolveType<E>> {
    try {
      // The arguments are copied, because the caller may change its objects later; cast: the copy of an array is an array
      const call = new EndpointCall(endpoint, copyPlain(args) as readonly unknown[]);
      const { sideEffect } = call.endpoint;
      const core = this[CORE];
      core.actionCount += 1;
      const promise = sideEffect ? sendWrite(core, openWrite(core, call)) : this.#startRead(call);
      return promise as Promise<ResolveType<E>>; // cast: the type follows from the endpoint
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  /**
   * Fetches for managers that poll. If the request fails, readers keep the data that they show, unless the status is 404 or 410, or
   * the request is shared with a read that is no poll. @internal
   */
  poll(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown> {
    return this.#startRead(new EndpointCall(endpoint, args), true);
  }

  #startRead(call: EndpointCall, isSoft?: boolean): Promise<unknown> {
    const flight = startRead(this[CORE], call, isSoft);
    flight.readers.add(flight);
    return flight.promise;
  }

  /** Returns the stored value if it is fresh. Otherwise, fetches the value. */
  fetchIfStale<E extends AnyReadEndpoint>(
    endpoint: E,
    ...args: EndpointArgs<E>
  ): ResolveType<E> | Promise<ResolveType<E>> {
    const { response, isStale } = readStored(this[CORE], endpoint, args);
    return isStale ? this.fetch(endpoint, ...args) : (response.data as ResolveType<E>); // cast: fresh data is complete
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  /** Returns the stored value of a schema and arguments; undefined when it is not stored or cannot be shown. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined {
    return lookUp(this[CORE], kindOf(schema), args) as DenormalizeNullable<S> | undefined; // cast: the type follows from the schema
  }

  /** Returns the stored data of an endpoint, its expiry status, and when it expires. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): ResponseMeta<ResponseData<E>> {
    return readStored(this[CORE], endpoint, args).response as ResponseMeta<ResponseData<E>>; // cast: the type follows from the endpoint
  }

  /** The same as {@link getResponse}. */
  getResponseMeta<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): ResponseMeta<ResponseData<E>> {
    return this.getResponse(endpoint, ...args);
  }

  /**
   * Returns the stored error of an endpoint, if there is one. While there is data that was not invalidated, an error that
   * `errorPolicy` calls soft is left out. The error of a failed mutation is not stored; the mutation's promise rejects with it.
   */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): Error | undefined {
    return readStored(this[CORE], endpoint, args).error;
  }

  /** Returns an object that reads the store. It is not a copy: each of its reads returns what is stored at the time of the read. */
  snapshot(): Snapshot {
    return createSnapshot(this[CORE], this[CORE].engine.store.timeline.tick(), new Map());
  }

  /** Returns the observer of an endpoint and its arguments. Bindings are built on observers. */
  watch<E extends AnyReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): Observer<ResolveType<E>> {
    return (isNullCall(args) ? NO_DATA_OBSERVER : this.#observers.watch(endpoint, args)) as Observer<
      ResolveType<E>
    >; // cast: the type follows from the endpoint
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  /** Stores a value, or the result of a function of the present value. Rejects when the value does not fit the schema. */
  set<S extends Queryable>(schema: S, value: SetValue<S>): Promise<void>;
  set<S extends Queryable>(schema: S, ...rest: SetArgs<S>): Promise<void>;
  async set(schema: Queryable, ...rest: readonly unknown[]): Promise<void> {
    setValue(this[CORE], kindOf(schema), rest.slice(0, -1), rest.at(-1));
  }

  /** Stores a response of the endpoint. Like a message, it counts as sent and received at this moment. */
  async setResponse<E extends AnyEndpoint>(
    endpoint: E,
    ...rest: ArgsThen<EndpointArgs<E>, unknown>
  ): Promise<void> {
    this.#storeDirectly(endpoint, rest, false);
  }

  /** Stores an error for the readers of the endpoint. No row and no list changes. */
  async setError<E extends AnyEndpoint>(
    endpoint: E,
    ...rest: ArgsThen<EndpointArgs<E>, Error>
  ): Promise<void> {
    this.#storeDirectly(endpoint, rest, true);
  }

  #storeDirectly(endpoint: AnyEndpoint, rest: readonly unknown[], error: boolean): void {
    const call = new EndpointCall(endpoint, rest.slice(0, -1));
    storeResponse(this[CORE], call, { response: rest.at(-1), error, isRead: false });
  }

  /**
   * Stores the response of a request that other code sent at the time `fetchedAt`; default: now. With `error: true`, `response` is
   * the error of that request.
   */
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

  /** Marks the stored data invalid: it is not shown any more, and readers wait for a request that is sent from now on. */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (isNullCall(args)) return;
    markSlots(this[CORE], 'invalidate', [slotOf(this[CORE], new EndpointCall(endpoint, args))]);
  }

  /**
   * Invalidates every stored response of an endpoint with any arguments, or every stored response whose key a `testKey` accepts.
   */
  invalidateAll(endpoint: AnyEndpoint | KeyTest): void {
    markAllSlots(this[CORE], 'invalidate', endpoint);
  }

  /**
   * Marks stale every stored response that {@link invalidateAll} would invalidate: mounted readers fetch again and, unless the
   * endpoint has `invalidIfStale`, keep showing the data.
   */
  expireAll(endpoint: AnyEndpoint | KeyTest): void {
    markAllSlots(this[CORE], 'expire', endpoint);
  }

  /**
   * Fetches stale data that mounted readers show; with `alsoFailed`, also repeats reads that show an error other than an HttpError.
   * @internal
   */
  refreshStale(alsoFailed: boolean = false): void {
    for (const observer of this[CORE].mountedObservers) observer.fetchIfNeeded(alsoFailed);
  }

  /** When the response of this key arrived; 0 when no response is stored. @internal */
  fetchedAt(key: string): number {
    return this[CORE].engine.store.slots.get(key)?.stamp.settled ?? 0;
  }

  /** Replaces the store by an empty store. Requests in flight write nothing into the new store, and their promises reject. */
  resetEntireStore(): void {
    this[CORE].reset();
  }

  /**
   * The number of entries in memory, such as those of rows, lists, responses, observers, pending mutations and subscriptions; 0
   * when there are none.
   */
  get size(): number {
    return this[CORE].engine.size + this.#observers.size + this[CORE].flights.size + this.#live.byKey.size;
  }

  // ── running ──────────────────────────────────────────────────────────────────────────────────

  /** Asks the managers to keep the data live, by polling or a stream. Each call needs its own `unsubscribe`. */
  subscribe<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (!isNullCall(args)) this.#live.add(new EndpointCall(endpoint, args));
  }

  unsubscribe<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (!isNullCall(args)) this.#live.remove(new EndpointCall(endpoint, args));
  }

  /** Adds the manager that a subscribing hook imports, unless a manager serves subscriptions already. */
  [SERVE](Server: new () => Manager): void {
    if (this[MANAGERS].some((manager) => manager.subscribe)) return;
    const server = new Server();
    this[MANAGERS].push(server);
    if (this.#isStarted) server.start?.(this);
  }

  /**
   * Starts the managers and the removal of unused data, and begins to apply the rest of the initial state. It may be called again
   * after `stop`.
   */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#retention.start();
    this[CORE].extension.start?.();
    for (const manager of this[MANAGERS]) callSafely(() => manager.start?.(this));
  }

  /** Stops the managers and the removal of unused data. Requests in flight continue. */
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
