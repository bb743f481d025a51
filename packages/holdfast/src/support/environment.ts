// The parts of the platform on which the library's behaviour depends, in one place. Clock, timers, random numbers, network, online
// state, visibility and idle time are options with a default from this file, so that the shipped code runs unchanged inside a
// simulator. Add-ons also use the page, storage, locks and channels. Lint forbids most of the platform's names for these parts
// outside of this file.

/**
 * The wall clock, for expiry times. The order of data does not depend on it, even when the clock stops or is set back.
 *
 * @example
 * const clock: Environment.Clock = { now: () => 0 };
 * const controller = new Controller({ clock });
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * The id that `set` and `request` return, and that `clear` and `cancel` take. It may be any value.
 *
 * @example const ids: Environment.TimerId[] = [setTimeout(() => {}, 10)];
 */
export type TimerId = unknown;

/** The longest delay of a platform's timer. A timer with a longer delay fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Timers that run once; delays are milliseconds.
 *
 * @example
 * const timers: Environment.Timers = {
 *   set: (run, delayMs) => setTimeout(run, delayMs),
 *   clear: (id) => clearTimeout(id as number),
 * };
 * const controller = new Controller({ timers });
 */
export interface Timers {
  set(run: () => void, delayMs: number): TimerId;
  clear(id: TimerId): void;
}

/**
 * Whether the device is online, and a subscription to changes of this state.
 *
 * @example
 * const online: Environment.OnlineState = { isOnline: () => true, subscribe: () => () => {} };
 * const controller = new Controller({ online });
 */
export interface OnlineState {
  isOnline(): boolean;
  subscribe(onChange: () => void): () => void;
}

/**
 * Whether the page is visible, and a subscription to changes of this state.
 *
 * @example
 * const visibility: Environment.VisibilityState = { isVisible: () => true, subscribe: () => () => {} };
 * const controller = new Controller({ visibility });
 */
export interface VisibilityState {
  isVisible(): boolean;
  subscribe(onChange: () => void): () => void;
}

/**
 * Runs work when the page is idle; `timeLeftMs` returns how long the work may go on.
 *
 * @example
 * const idle: Environment.IdleScheduler = {
 *   request: (run) => setTimeout(() => run(() => 8), 0),
 *   cancel: (id) => clearTimeout(id as number),
 * };
 * const controller = new Controller({ idle });
 */
export interface IdleScheduler {
  request(run: (timeLeftMs: () => number) => void): TimerId;
  cancel(id: TimerId): void;
}

/**
 * The part of `fetch` that requests use.
 *
 * @example
 * const slow: Environment.FetchLike = async (input, init) => {
 *   await new Promise((resolve) => setTimeout(resolve, 500));
 *   return fetch(input, init);
 * };
 * const controller = new Controller({ fetch: slow });
 */
export type FetchLike = (input: string, init?: RequestInit) => Promise<Response>;

/**
 * The functions of the platform that a controller uses. Each of them may be given as a Controller option.
 *
 * @example
 * const environment: Partial<Environment> = { random: () => 0.5, clock: { now: () => 0 } };
 * const controller = new Controller(environment);
 */
export interface Environment {
  clock: Clock;
  timers: Timers;
  /** A number in [0, 1), for jitter, local ids and idempotency keys. */
  random: () => number;
  fetch: FetchLike;
  online: OnlineState;
  visibility: VisibilityState;
  idle: IdleScheduler;
}

interface Platform {
  document?: { visibilityState?: string; baseURI?: string };
  location?: { href: string };
  navigator?: { onLine?: boolean; locks?: LockManager };
  localStorage?: Storage;
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
  requestIdleCallback?: (run: (deadline: Deadline) => void) => number;
  cancelIdleCallback?: (id: number) => void;
}

interface Deadline {
  timeRemaining(): number;
}

/** The platform that runs this code: a browser, a worker or Node, which may lack some properties of `Platform`. */
const platform: Platform = globalThis;

/**
 * Whether there is no page. React calls this function on a server and in hydration (`useIsServer`), and of the two only a server
 * has no page.
 */
export function hasNoPage(): boolean {
  return platform.document === undefined;
}

/** The page; undefined on a platform without a page. */
export function currentPage(): Document | undefined {
  return platform.document as Document | undefined; // cast: `Platform` declares only what this file uses
}

/** Returns a function that subscribes to these events of the window, including those that bubble up from the document. */
const subscribeTo =
  (...types: readonly string[]) =>
  (onChange: () => void): (() => void) => {
    for (const type of types) platform.addEventListener?.(type, onChange);
    return () => {
      for (const type of types) platform.removeEventListener?.(type, onChange);
    };
  };

/** Calls `onChange` when the page is shown: for the first time, after it was frozen, or from the back/forward cache. */
export function subscribeToReturn(onChange: () => void): () => void {
  return subscribeTo('pageshow', 'resume')(onChange);
}

/** Subscribes to the end of the page: the page is closed, left, or stored for the back button. */
export function subscribeToLeave(onLeave: () => void): () => void {
  return subscribeTo('pagehide')(onLeave);
}

/** Subscribes to writes of another tab to the origin's storage. */
export function subscribeToStorage(onChange: () => void): () => void {
  return subscribeTo('storage')(onChange);
}

/** The base of relative URLs; undefined outside of pages and workers. */
export function currentAddress(): string | undefined {
  return platform.document?.baseURI ?? platform.location?.href;
}

/** The locks that all tabs of an origin share; undefined if the platform has no locks. */
export function systemLocks(): LockManager | undefined {
  return platform.navigator?.locks;
}

/**
 * Opens the channel of this name to the other tabs of the origin; undefined if the platform has no channels. The open channel does
 * not keep a process alive.
 */
export function openChannel(name: string): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  const channel = new BroadcastChannel(name);
  unref(channel);
  return channel;
}

/** Lets a process of Node end while this timer or channel is open. */
export function unref(handle: unknown): void {
  (handle as { unref?: () => void } | undefined)?.unref?.(); // cast: browsers have no `unref`
}

/** The origin's storage in the browser; undefined if the platform has no storage. Throws when the visitor forbids it. */
export function systemStorage(): Storage | undefined {
  return platform.localStorage;
}

/** `Date` is looked up in each call, because tests replace globals. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemRandom = (): number => Math.random();

const systemTimers: Timers = {
  set: (run, delayMs) => setTimeout(run, delayMs),
  clear: (id) => clearTimeout(id as ReturnType<typeof setTimeout>), // cast: made by `set`
};

const IDLE_SLICE_MS = 8;

/** The platform's own environment. The given options replace its defaults. */
export function createEnvironment({
  clock = systemClock,
  timers = systemTimers,
  random = systemRandom,
  // The function is looked up in each call, because tests and monitoring tools replace the global.
  fetch = (input, init) => globalThis.fetch(input, init),
  online = {
    isOnline: () => platform.navigator?.onLine !== false,
    subscribe: subscribeTo('online', 'offline'),
  },
  visibility = {
    isVisible: () => platform.document?.visibilityState !== 'hidden',
    subscribe: subscribeTo('visibilitychange', 'focus'),
  },
  idle = createIdle(timers),
}: Partial<Environment> = {}): Environment {
  return { clock, timers, random, fetch, online, visibility, idle };
}

function createIdle(timers: Timers): IdleScheduler {
  const { requestIdleCallback, cancelIdleCallback } = platform;
  const runLater = (run: (deadline: Deadline) => void): TimerId =>
    timers.set(() => {
      const end = performance.now() + IDLE_SLICE_MS;
      run({ timeRemaining: () => end - performance.now() });
    }, 1);
  const request = requestIdleCallback ?? runLater;
  return {
    request: (run) => request((deadline) => run(() => deadline.timeRemaining())),
    cancel: (id) => (cancelIdleCallback ? cancelIdleCallback(id as number) : timers.clear(id)), // cast: made by `request`
  };
}

export declare namespace Environment {
  export type { Clock, FetchLike, IdleScheduler, OnlineState, TimerId, Timers, VisibilityState };
}
