// What a reader sees of an endpoint: data, or a failure, or that it has to wait; and what an observer is, seen from a
// binding. Made by observer.ts and query-observer.ts; compared by identity.
import { ExpiryStatus } from '../state/expiry-status.ts';
import { fulfilled, rejected } from '../state/tagged-promise.ts';

/** What is on screen. Another object only when a reader has to render again. */
export interface Shown<T = unknown> {
  /** What may be shown; undefined while a reader has to wait. */
  readonly data: T | undefined;
  /** A failure that readers must see; a soft one stays hidden while there is data. */
  readonly error: Error | undefined;
  /** Whether a reader has to wait: there is nothing that may be shown. */
  readonly isBlocked: boolean;
  /** The request that brings the data, sent now if none is under way; or a settled promise, the same one each time. */
  readonly promise: Promise<T>;
}

/** What an observer shows, and how good it is. The same object as long as nothing in it changed. */
export interface ObserverState<T = unknown> extends Shown<T> {
  readonly expiryStatus: ExpiryStatus;
  readonly isFetching: boolean;
}

/** Watches one endpoint with its arguments. Its functions need no `this`. */
export interface Observer<T = unknown> {
  readonly read: () => ObserverState<T>;
  /** The part of `read` that is on screen. */
  readonly readShown: () => Shown<T>;
  /** Calls back after every change of what `read` gives; data stays alive and fresh while somebody listens. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** The same without fetching: data stays alive, not fresh. */
  readonly subscribePassively: (onChange: () => void) => () => void;
  /** Fetches when there is no data or it is stale; gives the request that readers have to wait for, if any. */
  readonly ensure: () => Promise<T> | undefined;
  /** Forgets a failure and fetches again. */
  readonly retry: () => void;
}

export class ShownValue<T = unknown> implements Shown<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isBlocked: boolean;
  readonly #ensure: (() => Promise<T> | undefined) | null;
  /** What readers were given to wait for, or the settled promise. */
  #promise: Promise<T> | null = null;

  /**
   * `ensure` starts the request that readers wait for; null when there is something to show. `answered` is the request
   * that brought it: who waited for that promise is given it again, as `use` expects.
   */
  constructor(
    data: T | undefined,
    error: Error | undefined,
    ensure: (() => Promise<T> | undefined) | null,
    answered: Promise<T> | null = null,
  ) {
    this.data = data;
    this.error = error;
    this.isBlocked = ensure !== null;
    this.#ensure = ensure;
    this.#promise = answered;
  }

  get promise(): Promise<T> {
    const request = this.#ensure?.();
    if (request) this.#promise = request;
    // made on demand: most readers never ask
    this.#promise ??= this.error === undefined ? fulfilled(this.data as T) : rejected(this.error); // cast: nobody has to wait for it
    return this.#promise;
  }

  /** Whether this waits for that request; one that was not asked for its promise yet may wait for any. */
  waitsFor(request: Promise<T> | undefined): boolean {
    this.#promise ??= request ?? null;
    return request === undefined || this.#promise === request;
  }
}

export class ObservedState<T = unknown> implements ObserverState<T> {
  readonly shown: Shown<T>;
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isBlocked: boolean;
  readonly expiryStatus: ExpiryStatus;
  readonly isFetching: boolean;

  constructor(shown: Shown<T>, expiryStatus: ExpiryStatus, isFetching: boolean) {
    this.shown = shown;
    this.data = shown.data;
    this.error = shown.error;
    this.isBlocked = shown.isBlocked;
    this.expiryStatus = expiryStatus;
    this.isFetching = isFetching;
  }

  get promise(): Promise<T> {
    return this.shown.promise;
  }

  /** Whether both say the same but for the request to wait for. */
  isLike(other: ObserverState | null): boolean {
    const { data, error, isBlocked, expiryStatus, isFetching } = this;
    return (
      other?.data === data &&
      other?.error === error &&
      other?.isBlocked === isBlocked &&
      other?.expiryStatus === expiryStatus &&
      other?.isFetching === isFetching
    );
  }
}

/** Of nothing: `null` in place of arguments. */
export const NOTHING_SHOWN: ShownValue<never> = new ShownValue<never>(undefined, undefined, null);

const NOTHING_STATE: ObserverState<never> = new ObservedState(NOTHING_SHOWN, ExpiryStatus.Valid, false);

/** Watches nothing: for `null` in place of arguments. */
export const NOTHING: Observer<never> = {
  read: () => NOTHING_STATE,
  readShown: () => NOTHING_SHOWN,
  subscribe: () => () => undefined,
  subscribePassively: () => () => undefined,
  ensure: () => undefined,
  retry: () => undefined,
};
