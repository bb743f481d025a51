// The interface of observers, for bindings, and the state of an observer: the data and the error, or the fact that readers must
// wait. A binding compares states by identity.
import { VALID } from '../slot/decide.ts';
import type { ExpiryStatus } from '../slot/decide.ts';

/**
 * The part of an observer's state that is on screen. It is a new object only when a reader must render again.
 *
 * @example
 * const isWaiting = ({ isBlocked }: Observer.Shown) => isBlocked;
 * isWaiting(new Controller().watch(TodoResource.getList).readShown());
 */
export interface Shown<T = unknown> {
  /** The data to show; undefined while readers must wait. */
  readonly data: T | undefined;
  /** The error to show. While there is data that was not invalidated, an error that `errorPolicy` calls soft is left out. */
  readonly error: Error | undefined;
  /** Whether readers must wait, because there is neither data nor an error to show. */
  readonly isBlocked: boolean;
}

/**
 * The state of an observer. It is the same object as long as its content, and the request for which readers wait, are the same.
 *
 * @example
 * const textOf = ({ data, isFetching }: ObserverState<Todo[]>) => `${data?.length ?? 0}${isFetching ? '…' : ''}`;
 * textOf(new Controller().watch(TodoResource.getList).read());
 */
export interface ObserverState<T = unknown> extends Shown<T> {
  readonly expiryStatus: ExpiryStatus;
  readonly isFetching: boolean;
}

/**
 * Readers that wait together and leave together, such as all components below one boundary. Bindings use it.
 *
 * @example
 * class Room extends Set<(waiters: object) => void> implements Observer.Waiters {
 *   leave() {
 *     for (const leave of this) leave(this);
 *   }
 * }
 */
export interface Waiters {
  /**
   * Receives a function `leave`. When the waiting readers leave, call `leave(this)`: the requests that no other reader needs are
   * then aborted.
   */
  add(leave: (waiters: object) => void): unknown;
}

/**
 * Observes one endpoint with its arguments, or a schema in the store. The observer of a schema never fetches. The functions need no
 * `this`.
 *
 * @example
 * const observer: Observer<Todo[]> = new Controller().watch(TodoResource.getList);
 * const stop = observer.subscribe(() => console.log(observer.read().data?.length));
 */
export interface Observer<T = unknown> {
  /** Returns the present state. Never fetches. */
  readonly read: () => ObserverState<T>;
  /**
   * Returns the part of the state that is on screen. It is the same object while that part, and the request for which readers wait,
   * do not change. Never fetches.
   */
  readonly readShown: () => Shown<T>;
  /**
   * Calls `onChange` after every change of the state. While there is such a listener, an observer of an endpoint keeps the data
   * fresh.
   */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Subscribes without fetching: the data stays in memory, but may become stale. */
  readonly subscribePassively: (onChange: () => void) => () => void;
  /**
   * Fetches if necessary, for example because no data is stored or the data is stale. Returns the promise that readers must wait
   * for, if there is one.
   */
  readonly ensure: () => Promise<T> | undefined;
  /**
   * Returns a promise of the data. When readers must wait, it is usually the promise of a request, which is sent unless a request
   * is in flight. Otherwise the promise is settled or settles at once; an observer of an endpoint returns the same promise until
   * the data or the error changes. The `waiters` become readers of the request, unless the observer has subscribers.
   */
  readonly ensurePromise: (shown?: Shown, waiters?: Waiters) => Promise<T>;
  /** Clears the error and fetches again. */
  readonly retry: () => void;
}

export const NOTHING_SHOWN: ObserverState = {
  data: undefined,
  error: undefined,
  isBlocked: false,
  expiryStatus: VALID,
  isFetching: false,
};

const doNothing = (): undefined => undefined;

/** Creates an observer that never fetches, so its promise is settled at once. */
export function createPassiveObserver(read: Observer['read'], subscribe: Observer['subscribe']): Observer {
  return {
    read,
    readShown: read,
    subscribe,
    subscribePassively: subscribe,
    ensure: doNothing,
    ensurePromise: async () => read().data,
    retry: doNothing,
  };
}

/** The observer for `null` instead of arguments. It never has data. */
export const NO_DATA_OBSERVER: Observer = createPassiveObserver(
  () => NOTHING_SHOWN,
  () => doNothing,
);

export declare namespace Observer {
  export type { Shown, Waiters };
}
