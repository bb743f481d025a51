// What bindings stand on: one framework-free observer per endpoint and arguments that carries expiry, refetch, error
// policy and retention. A hook reads it, subscribes to it, and asks it to make sure that there is data.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { View } from '../store/nodes.ts';
import type { TimerId } from '../support/environment.ts';
import { ExpiryStatus } from './controller.types.ts';
import { keyOf } from './core.ts';
import type { Core } from './core.ts';
import { startRead } from './fetch-read.ts';
import { observationView } from './read-slot.ts';
import type { Observation } from './read-slot.ts';
import { fulfilled, rejected } from './tagged-promise.ts';

const LONGEST_TIMER_MS = 2_147_483_647;

/** What an observer shows. The same object as long as nothing in it changed. */
export interface ObserverState<T = unknown> {
  readonly data: T | undefined;
  /** A failure that readers must see; a soft one stays hidden while there is data. */
  readonly error: Error | undefined;
  readonly expiryStatus: ExpiryStatus;
  readonly isFetching: boolean;
  /** The request under way, or a settled promise: the same one as long as nothing changed. */
  readonly promise: Promise<T>;
  /** Whether a reader has to wait: there is nothing that may be shown. */
  readonly isBlocked: boolean;
}

/** Watches one endpoint with its arguments. */
export interface Observer<T = unknown> {
  read(): ObserverState<T>;
  /** Calls back after every change of what `read` gives; data stays alive and fresh while somebody listens. */
  subscribe(onChange: () => void): () => void;
  /** Fetches when there is no data or it is stale; gives the request that readers have to wait for, if any. */
  ensure(): Promise<T> | undefined;
}

/** Watches nothing: for `null` in place of arguments. */
export const NOTHING: Observer<never> = {
  read: (): ObserverState<never> => NOTHING_STATE,
  subscribe: () => () => undefined,
  ensure: () => undefined,
};

const NOTHING_STATE: ObserverState<never> = {
  data: undefined,
  error: undefined,
  expiryStatus: ExpiryStatus.Valid,
  isFetching: false,
  promise: fulfilled(undefined as never), // cast: there is nothing to resolve with
  isBlocked: false,
};

export class EndpointObserver implements Observer {
  readonly key: string;
  readonly #core: Core;
  readonly #endpoint: EndpointInterface;
  readonly #args: readonly unknown[];
  readonly #active: Set<EndpointObserver>;
  readonly #listeners = new Set<() => void>();
  #stop: (() => void) | null = null;
  #timer: TimerId | null = null;
  #seen: Observation | null = null;
  #state: ObserverState = NOTHING_STATE;
  /** The request that a reader waits for. */
  #waiting: Promise<unknown> | null = null;

  constructor(
    core: Core,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    active: Set<EndpointObserver>,
  ) {
    this.#core = core;
    this.#endpoint = endpoint;
    this.#args = args;
    this.#active = active;
    this.key = keyOf(endpoint, args);
  }

  /** Whether somebody listens: what this shows must be kept and refreshed. */
  get isActive(): boolean {
    return this.#listeners.size > 0;
  }

  /** The view it stands on, for those who mark what is in use. */
  view(): View {
    return observationView(this.#core, this.#endpoint, this.#args);
  }

  read(): ObserverState {
    const seen = this.#observe();
    const isBlocked = this.#isBlocked(seen);
    if (seen === this.#seen && isBlocked === this.#state.isBlocked && this.#promiseHolds(seen, isBlocked))
      return this.#state;
    this.#seen = seen;
    this.#state = {
      data: seen.data,
      error: seen.error,
      expiryStatus: seen.expiryStatus,
      isFetching: seen.isFetching,
      isBlocked,
      promise: this.#promiseFor(seen, isBlocked),
    };
    return this.#state;
  }

  ensure(): Promise<unknown> | undefined {
    const seen = this.#observe();
    if (!this.#mustFetch(seen)) return undefined;
    const flight = startRead(this.#core, this.#endpoint, this.#args);
    if (this.isActive) flight.readers.add(this);
    this.#waiting = flight.promise;
    return this.#isBlocked(seen) ? flight.promise : undefined;
  }

  subscribe(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#attach();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#active.delete(this);
      this.#detach();
      this.#core.flights.release(this.key, this);
    };
  }

  /** The store is another one: listen there. */
  reattach(): void {
    if (!this.isActive) return;
    this.#detach();
    this.#attach();
    this.#tell();
  }

  /** Looks whether what is shown is still good; somebody is looking at it. */
  refresh(): void {
    this.ensure();
    this.#schedule();
  }

  #attach(): void {
    this.#active.add(this);
    this.#stop = this.#core.engine.store.subscribe(this.view(), () => {
      this.refresh();
      this.#tell();
    });
    this.refresh();
  }

  #detach(): void {
    this.#stop?.();
    this.#stop = null;
    this.#clearTimer();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** A timer for the moment at which the data, or the error, has had its time. */
  #schedule(): void {
    this.#clearTimer();
    if (!this.isActive) return;
    const seen = this.#observe();
    const now = this.#core.environment.clock.now();
    const at = seen.errorExpiresAt > 0 ? seen.errorExpiresAt : seen.expiresAt;
    if (seen.isFetching || at <= 0 || at - now > LONGEST_TIMER_MS) return;
    const delayMs = Math.max(1, at - now + 1);
    this.#timer = this.#core.environment.timers.set(() => {
      this.#timer = null;
      this.refresh();
    }, delayMs);
  }

  #clearTimer(): void {
    if (this.#timer === null) return;
    this.#core.environment.timers.clear(this.#timer);
    this.#timer = null;
  }

  #observe(): Observation {
    return this.#core.engine.read(this.view()) as Observation; // cast: what that view gives
  }

  #mustFetch(seen: Observation): boolean {
    const now = this.#core.environment.clock.now();
    if (seen.errorExpiresAt > now) return false;
    return seen.expiryStatus === ExpiryStatus.Invalid || now > seen.expiresAt;
  }

  #isBlocked(seen: Observation): boolean {
    return seen.error === undefined && seen.expiryStatus !== ExpiryStatus.Valid && this.#mustFetch(seen);
  }

  #promiseHolds(seen: Observation, isBlocked: boolean): boolean {
    return !isBlocked || this.#state.promise === this.#promiseFor(seen, isBlocked);
  }

  #promiseFor(seen: Observation, isBlocked: boolean): Promise<unknown> {
    if (isBlocked) {
      const flight = this.#core.flights.joinable(this.key);
      return flight?.promise ?? this.#waiting ?? NOTHING_STATE.promise;
    }
    return seen.error === undefined ? fulfilled(seen.data) : rejected(seen.error);
  }
}
