// What an observer is, seen from a binding, and what it shows: data, or a failure, or that a reader has to wait. Shown
// values are compared by identity.
import { VALID } from '../slot/decide.ts';
import type { ExpiryStatus } from '../slot/decide.ts';

/**
 * What is on screen. Another object only when a reader has to render again.
 *
 * @example
 * const isWaiting = ({ isBlocked }: Observer.Shown) => isBlocked;
 * isWaiting(new Controller().watch(TodoResource.getList).readShown());
 */
export interface Shown<T = unknown> {
  /** What may be shown; undefined while a reader has to wait. */
  readonly data: T | undefined;
  /** A failure that readers must see; a soft one stays hidden while there is data. */
  readonly error: Error | undefined;
  /** Whether a reader has to wait: there is nothing that may be shown. */
  readonly isBlocked: boolean;
}

/**
 * What an observer shows, and how good it is. The same object as long as nothing in it changed.
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
 * Those who wait together and leave together, as all that is below one boundary of a page: for bindings.
 *
 * @example
 * class Room extends Set<(waiters: object) => void> implements Observer.Waiters {
 *   leave() {
 *     for (const leave of this) leave(this);
 *   }
 * }
 */
export interface Waiters {
  /** Is told how they leave: called with this very object, it lets go what nobody else waits for. */
  add(leave: (waiters: object) => void): unknown;
}

/**
 * Watches one endpoint with its arguments, or a schema in the store. Its functions need no `this`.
 *
 * @example
 * const observer: Observer<Todo[]> = new Controller().watch(TodoResource.getList);
 * const stop = observer.subscribe(() => console.log(observer.read().data?.length));
 */
export interface Observer<T = unknown> {
  /** What there is to show, and how good it is. Never fetches. */
  readonly read: () => ObserverState<T>;
  /** The part of `read` that is on screen. */
  readonly readShown: () => Shown<T>;
  /** Calls back after every change of what `read` gives; data stays alive and fresh until the last listener has gone. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** The same without fetching: data stays alive, not fresh. */
  readonly subscribePassively: (onChange: () => void) => () => void;
  /** Fetches when there is no data or it is stale; gives the request that readers have to wait for, if any. */
  readonly ensure: () => Promise<T> | undefined;
  /**
   * The promise of what is shown. Sends the request where a reader has to wait and none is under way; else the promise is
   * settled, and the same one as long as what is shown is the same. With `waiters`, the request is theirs as well.
   */
  readonly ensurePromise: (shown?: Shown, waiters?: Waiters) => Promise<T>;
  /** Forgets a failure and fetches again. */
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

/** An observer of what is stored: it never fetches, so its promise is always settled. */
export function watchStored(read: Observer['read'], subscribe: Observer['subscribe']): Observer {
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

/** Watches nothing: for `null` in place of arguments. */
export const NO_STATE: Observer = watchStored(
  () => NOTHING_SHOWN,
  () => doNothing,
);

export declare namespace Observer {
  export type { Shown, Waiters };
}
