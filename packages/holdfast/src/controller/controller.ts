// The controller: runs endpoints, reads and writes the store, hands out observers. Ready on construction, with no
// framework; what runs by itself (focus, polling, garbage) runs between `start` and `stop`.
import { chain } from '../dispatch/manager.ts';
import type { ControllerEvent, Manager, ManagerHost, Send } from '../dispatch/manager.ts';
import { Flights } from '../dispatch/flights.ts';
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { runRequest } from '../endpoint/run-request.ts';
import type { Snapshot } from '../endpoint/snapshot.ts';
import { Engine } from '../normalize/engine.ts';
import { kindOf } from '../schema/kind-of.ts';
import { INVALID } from '../schema/protocol.ts';
import type { Denormalize, DenormalizeNullable, Queryable, SchemaArgs } from '../schema/schema.types.ts';
import { Row } from '../store/nodes.ts';
import type { Intent, Slot } from '../store/nodes.ts';
import { createOrigin } from '../store/stamp.ts';
import { Timeline } from '../store/timeline.ts';
import { createEnvironment } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { ResetError, toError } from '../support/errors.ts';
import { ExpiryStatus } from './controller.types.ts';
import type { ArgsOrNull, Pending, ResolveType, ResponseData, ResponseMeta } from './controller.types.ts';
import { keyOf, kindFor, slotKeyOf } from './core.ts';
import type { Core } from './core.ts';
import { Drafts } from './drafts.ts';
import { dataLifetime, errorLifetime } from './freshness.ts';
import type { Lifetimes } from './freshness.ts';
import { startRead } from './fetch-read.ts';
import { startWrite } from './fetch-write.ts';
import { EndpointObserver, NOTHING } from './observer.ts';
import type { Observer } from './observer.ts';
import { QueryObserver } from './query-observer.ts';
import { readSlot } from './read-slot.ts';
import { createSnapshot } from './snapshot-window.ts';
import { writeError, writeResult } from './write-slot.ts';

/** Milliseconds for which an answer is fresh when neither endpoint nor controller says. */
export const DEFAULT_DATA_EXPIRY_MS = 60_000;
/** Milliseconds for which a failure stands before it is tried again. */
export const DEFAULT_ERROR_EXPIRY_MS = 1_000;

export interface ControllerOptions extends Partial<Environment> {
  /** What runs beside the controller. */
  readonly managers?: readonly Manager[];
  /** Default: {@link DEFAULT_DATA_EXPIRY_MS}. */
  readonly dataExpiryLength?: number;
  /** Default: {@link DEFAULT_ERROR_EXPIRY_MS}. */
  readonly errorExpiryLength?: number;
  /** Milliseconds until a request fails with TimeoutError. Default: {@link DEFAULT_TIMEOUT_MS}. */
  readonly timeout?: number;
}

type Args = readonly unknown[];

function isNothing(args: Args): boolean {
  return args.length === 1 && args[0] === null;
}

/**
 * Runs endpoints and keeps what they bring.
 *
 * @example
 * const controller = new Controller();
 * const todo = await controller.fetch(TodoResource.get, { id: 5 });
 * await controller.fetch(TodoResource.partialUpdate, { id: 5 }, { done: true });
 * controller.get(Todo, { id: 5 })?.done; // true
 */
export class Controller implements ManagerHost {
  readonly environment: Environment;
  readonly #core: MutableCore;
  readonly #managers: readonly Manager[];
  readonly #active = new Set<EndpointObserver>();
  readonly #queries = new Set<QueryObserver>();
  readonly #observers = new WeakMap<object, Map<string, EndpointObserver>>();
  readonly #live = new Map<string, { count: number; stop: (() => void)[] }>();
  #isStarted = false;

  constructor(options: ControllerOptions = {}) {
    this.environment = createEnvironment(options);
    this.#managers = options.managers ?? [];
    const send: Send = async ({ endpoint, args, signal, headers }) =>
      runRequest(endpoint as unknown as Parameters<typeof runRequest>[0], args, {
        signal,
        environment: this.environment,
        timeout: options.timeout,
        ...(headers && { headers }),
      }); // cast: every endpoint can be run
    this.#core = new MutableCore(
      this.environment,
      {
        dataExpiryLength: options.dataExpiryLength ?? DEFAULT_DATA_EXPIRY_MS,
        errorExpiryLength: options.errorExpiryLength ?? DEFAULT_ERROR_EXPIRY_MS,
      },
      chain(this.#managers, send),
      {
        emit: (event) => {
          for (const manager of this.#managers) manager.event?.(event, this);
        },
        recheck: () => this.refreshStale(),
      },
    );
  }

  // ── fetching ─────────────────────────────────────────────────────────────────────────────────

  /** Runs an endpoint and resolves with the stored value. Joins a request for the same thing that is under way. */
  fetch<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ResolveType<E>> {
    try {
      if (endpoint.sideEffect) return startWrite(this.#core, endpoint, args) as Promise<ResolveType<E>>; // cast: see ResolveType
      const flight = startRead(this.#core, endpoint, args);
      flight.callers += 1;
      return flight.promise as Promise<ResolveType<E>>; // cast: as above
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  /** The stored value when it is fresh, else a fetch. */
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): ResolveType<E> | Promise<ResolveType<E>> {
    const { data, expiresAt, expiryStatus } = readSlot(this.#core, endpoint, args);
    const isFresh = expiryStatus !== ExpiryStatus.Invalid && this.environment.clock.now() <= expiresAt;
    return isFresh ? (data as ResolveType<E>) : this.fetch(endpoint, ...args); // cast: a fresh answer is complete
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  /** What the store holds for a schema and arguments; undefined when it does not. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined {
    const value = this.#core.engine.read(this.#core.engine.cellView(kindOf(schema), args));
    return (value === INVALID ? undefined : value) as DenormalizeNullable<S> | undefined; // cast: the schema says what it reads as
  }

  /** What is stored for an endpoint, how good it is and until when. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOrNull<E>
  ): ResponseMeta<ResponseData<E>> {
    if (isNothing(args)) {
      return { data: undefined as ResponseData<E>, expiryStatus: ExpiryStatus.Valid, expiresAt: Infinity }; // cast: may be undefined
    }
    const { data, expiryStatus, expiresAt } = readSlot(this.#core, endpoint, args);
    return { data: data as ResponseData<E>, expiryStatus, expiresAt }; // cast: the endpoint says what it reads as
  }

  /** The same as {@link getResponse}. */
  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOrNull<E>
  ): ResponseMeta<ResponseData<E>> {
    return this.getResponse(endpoint, ...args);
  }

  /** The failure that readers of the endpoint see. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Error | undefined {
    return isNothing(args) ? undefined : readSlot(this.#core, endpoint, args).error;
  }

  /** The mutations of an entity that have not been answered. */
  getPending<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): readonly Pending[] {
    const view = this.#core.engine.cellView(kindOf(schema), args);
    this.#core.engine.read(view);
    const layers = view.stored instanceof Row ? (view.stored.layers ?? []) : [];
    return layers.map(({ intent }) => this.#core.pending.get(intent)).filter((one) => one !== undefined);
  }

  /** The store as it is now, to read from. */
  snapshot(): Snapshot {
    return createSnapshot(this.#core, this.#core.engine.store.timeline.tick(), new Map());
  }

  /** Watches an endpoint: what bindings stand on. */
  watch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Observer<ResolveType<E>> {
    if (isNothing(args)) return NOTHING;
    let ofEndpoint = this.#observers.get(endpoint);
    if (!ofEndpoint) this.#observers.set(endpoint, (ofEndpoint = new Map()));
    const key = keyOf(endpoint, args);
    let observer = ofEndpoint.get(key);
    if (!observer)
      ofEndpoint.set(key, (observer = new EndpointObserver(this.#core, endpoint, args, this.#active)));
    return observer as Observer<ResolveType<E>>; // cast: see ResolveType
  }

  /** Watches a schema and arguments in the store; never fetches. */
  watchQuery<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Observer<DenormalizeNullable<S>> {
    return new QueryObserver(this.#core, kindOf(schema), args, this.#queries) as Observer<
      DenormalizeNullable<S>
    >; // cast: as in get
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  /** Stores a value, or what a function makes of the present one. Rejects what the schema refuses. */
  async set<S extends Queryable>(
    schema: S,
    ...rest: readonly [
      ...SchemaArgs<S>,
      Partial<Denormalize<S>> | object | ((present: Denormalize<S>) => unknown),
    ]
  ): Promise<void> {
    const args = rest.slice(0, -1);
    const given: unknown = rest.at(-1);
    const { engine } = this.#core;
    let value = given;
    if (typeof given === 'function') {
      const present = engine.read(engine.cellView(kindOf(schema), args));
      if (present === undefined || present === INVALID) return;
      value = (given as (present: unknown) => unknown)(present); // cast: typeof says so
    }
    const effects = engine.normalize(kindOf(schema), value, { args });
    engine.apply(effects, engine.now(this.environment.clock.now() + this.#core.lifetimes.dataExpiryLength));
    this.#core.emit({ type: 'set' });
    this.refreshStale();
  }

  /** Stores a response as if the endpoint had just brought it. */
  async setResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...Parameters<E>, unknown]
  ): Promise<void> {
    const args = rest.slice(0, -1);
    const { engine } = this.#core;
    const origin = engine.now(this.environment.clock.now() + dataLifetime(endpoint, this.#core.lifetimes));
    this.#write(endpoint, args, rest.at(-1), origin);
  }

  /** Stores a failure as if the endpoint had just failed with it. */
  async setError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...Parameters<E>, Error]
  ): Promise<void> {
    const args = rest.slice(0, -1);
    const { engine } = this.#core;
    const slot = engine.store.slot(slotKeyOf(endpoint, args));
    const lifetime = errorLifetime(endpoint, this.#core.lifetimes, slot.failures + 1);
    const origin = engine.now(this.environment.clock.now() + lifetime);
    engine.store.batch(() => writeError(engine, slot, toError(rest.at(-1)), origin));
  }

  /** Stores the answer to a request that was sent elsewhere, at `fetchedAt`. */
  async resolve<E extends EndpointInterface>(
    endpoint: E,
    answer: {
      readonly args: Parameters<E>;
      readonly response: unknown;
      readonly fetchedAt?: number;
      readonly error?: boolean;
    },
  ): Promise<void> {
    const { engine } = this.#core;
    const settled = engine.store.timeline.tick();
    const sent = Math.min(answer.fetchedAt ?? settled, settled);
    const lifetime = dataLifetime(endpoint, this.#core.lifetimes);
    const origin = createOrigin(!endpoint.sideEffect, sent, settled, this.environment.clock.now() + lifetime);
    if (answer.error === true) {
      const slot = engine.store.slot(slotKeyOf(endpoint, answer.args));
      engine.store.batch(() => writeError(engine, slot, toError(answer.response), origin));
    } else this.#write(endpoint, answer.args, answer.response, origin);
  }

  #write(endpoint: EndpointInterface, args: Args, value: unknown, origin: ReturnType<Engine['now']>): void {
    const { engine } = this.#core;
    const effects = engine.normalize(kindFor(endpoint), value, { args, name: endpoint.name });
    engine.store.batch(() => {
      engine.apply(effects, origin);
      if (!endpoint.sideEffect) {
        writeResult(
          engine,
          engine.store.slot(slotKeyOf(endpoint, args)),
          effects.stored,
          origin,
          endpoint.listKey !== undefined,
        );
      }
    });
    this.refreshStale();
  }

  // ── freshness ────────────────────────────────────────────────────────────────────────────────

  /** The data must not be shown any more: readers wait for a fetch that is sent from now on. */
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (isNothing(args)) return;
    this.#invalidate([this.#core.engine.store.slot(slotKeyOf(endpoint, args))]);
  }

  /** Invalidates every result of an endpoint, whatever its arguments. */
  invalidateAll(endpoint: { testKey(key: string): boolean }): void {
    this.#invalidate(this.#slots(endpoint));
  }

  #invalidate(slots: readonly Slot[]): void {
    const { engine, flights } = this.#core;
    engine.store.batch(() => {
      for (const slot of slots) {
        slot.invalidatedAt = engine.store.timeline.tick();
        slot.error = undefined;
        slot.failures = 0;
        flights.advanceKey(slot.key);
        engine.store.mark(slot);
      }
    });
    this.#core.emit({ type: 'invalidate' });
    this.refreshStale();
  }

  /** Every result of an endpoint is stale: shown on, and fetched again by whoever shows it. */
  expireAll(endpoint: { testKey(key: string): boolean }): void {
    const { engine, flights } = this.#core;
    engine.store.batch(() => {
      for (const slot of this.#slots(endpoint)) {
        slot.staleSince = engine.store.timeline.tick();
        flights.advanceKey(slot.key);
        engine.store.mark(slot);
      }
    });
    this.#core.emit({ type: 'expire' });
    this.refreshStale();
  }

  #slots(endpoint: { testKey(key: string): boolean }): Slot[] {
    return [...this.#core.engine.store.slots.values()].filter((slot) => endpoint.testKey(slot.key));
  }

  /** Fetches what mounted readers show and is stale. */
  refreshStale(): void {
    for (const observer of this.#active) observer.refresh();
  }

  fetchedAt(key: string): number {
    return this.#core.engine.store.slots.get(key)?.stamp.date ?? 0;
  }

  /** Forgets everything: nothing that is under way enters the new store, and whoever waits for it is told. */
  resetEntireStore(): void {
    this.#core.reset();
    for (const observer of this.#queries) observer.reattach();
    for (const observer of this.#active) observer.reattach();
    this.#core.emit({ type: 'reset' });
  }

  // ── running ──────────────────────────────────────────────────────────────────────────────────

  /** Asks the managers for live data: polling, a socket. Counted; ended by `unsubscribe`. */
  subscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (isNothing(args)) return;
    const key = keyOf(endpoint, args);
    const live = this.#live.get(key);
    if (live) {
      live.count += 1;
      return;
    }
    const subscription = { endpoint, args, key };
    const stop = this.#managers.flatMap((manager) => manager.subscribe?.(subscription, this) ?? []);
    this.#live.set(key, { count: 1, stop });
  }

  unsubscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): void {
    if (isNothing(args)) return;
    const key = keyOf(endpoint, args);
    const live = this.#live.get(key);
    if (!live) return;
    live.count -= 1;
    if (live.count > 0) return;
    this.#live.delete(key);
    for (const stop of live.stop) stop();
  }

  /** Starts what runs by itself. May be called again after `stop`. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const manager of this.#managers) manager.start?.(this);
  }

  /** Stops what runs by itself; requests under way go on. */
  stop(): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    for (const manager of this.#managers) manager.stop?.();
  }
}

class MutableCore implements Core {
  engine: Engine;
  generation = 0;
  readonly environment: Environment;
  readonly flights: Flights;
  readonly drafts: Drafts = new Drafts();
  readonly lifetimes: Lifetimes;
  readonly pending: Map<Intent, Pending> = new Map();
  readonly send: Send;
  readonly emit: (event: ControllerEvent) => void;
  readonly recheck: () => void;
  readonly #timeline: Timeline;

  constructor(
    environment: Environment,
    lifetimes: Lifetimes,
    send: Send,
    hooks: { emit(event: ControllerEvent): void; recheck(): void },
  ) {
    this.environment = environment;
    this.lifetimes = lifetimes;
    this.send = send;
    this.emit = (event) => hooks.emit(event);
    this.recheck = () => hooks.recheck();
    this.flights = new Flights(environment.timers);
    this.#timeline = new Timeline(environment.clock);
    this.engine = this.#createEngine();
  }

  #createEngine(): Engine {
    return new Engine({ timeline: this.#timeline, random: this.environment.random });
  }

  reset(): void {
    this.generation += 1;
    this.engine = this.#createEngine();
    this.pending.clear();
    this.drafts.clear();
    this.flights.abortAll(new ResetError());
    this.flights.advance();
  }
}
