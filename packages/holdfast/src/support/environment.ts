// Everything the library takes from the platform, in one place: clocks, timers, chance, network, online state and
// idle time. Each is an option with the default made here; all other files are deterministic, so the shipped code runs
// unchanged inside a simulator. Lint forbids the platform's own names everywhere else.

/** The wall clock, for expiry. Order does not depend on it: stamps grow even while it stands still or steps back. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** What `set` and `request` give and their counterparts take: any value. */
export type TimerId = unknown;

/** A platform's timer with a longer delay fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Timers that run once; delays are milliseconds. */
export interface Timers {
  set(run: () => void, delayMs: number): TimerId;
  clear(id: TimerId): void;
}

/** Whether the network is thought to be there, and word when that changes. */
export interface OnlineState {
  isOnline(): boolean;
  subscribe(onChange: () => void): () => void;
}

/** Whether somebody looks at the page, and word when that changes. */
export interface VisibilityState {
  isVisible(): boolean;
  subscribe(onChange: () => void): () => void;
}

/** Runs work when nothing better is to be done; `timeLeftMs` tells the work how long it may go on. */
export interface IdleScheduler {
  request(run: (timeLeftMs: () => number) => void): TimerId;
  cancel(id: TimerId): void;
}

/** As much of `fetch` as requests use. */
export type FetchLike = (input: string, init?: RequestInit) => Promise<Response>;

/** What a controller stands on. Every member may be given as a Controller option. */
export interface Environment {
  clock: Clock;
  timers: Timers;
  /** In [0, 1), for jitter and local ids. */
  random: () => number;
  fetch: FetchLike;
  online: OnlineState;
  visibility: VisibilityState;
  idle: IdleScheduler;
}

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

interface Platform {
  document?: EventSource & { visibilityState?: string };
  navigator?: { onLine?: boolean };
  requestIdleCallback?: (run: (deadline: { timeRemaining(): number }) => void) => number;
  cancelIdleCallback?: (id: number) => void;
}

// cast: the same code runs in browsers, workers and Node, which have these or not
const platform = globalThis as unknown as Platform & Partial<EventSource>;

/** Whether there is no page around: with a render that React makes for hydration, that is a server. */
export function hasNoPage(): boolean {
  return platform.document === undefined;
}

/** The page, where there is one. */
export function currentPage(): Document | undefined {
  return platform.document as Document | undefined; // cast: the members above are what the environment itself uses
}

function listen(
  onChange: () => void,
  ...events: readonly [source: Partial<EventSource> | undefined, type: string][]
): () => void {
  for (const [source, type] of events) source?.addEventListener?.(type, onChange);
  return () => {
    for (const [source, type] of events) source?.removeEventListener?.(type, onChange);
  };
}

/** Looked up per call, like all else: tests replace the globals. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemRandom = (): number => Math.random();

const IDLE_SLICE_MS = 8;

/** The platform's own environment, with the given members in place of its defaults. */
export function createEnvironment(options: Partial<Environment> = {}): Environment {
  const timers: Timers = options.timers ?? {
    set: (run, delayMs) => setTimeout(run, delayMs),
    clear: (id) => clearTimeout(id as ReturnType<typeof setTimeout>), // cast: made by `set` above
  };
  return {
    clock: options.clock ?? systemClock,
    timers,
    random: options.random ?? systemRandom,
    // looked up per call: tests and service workers replace the global
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    online: options.online ?? {
      isOnline: () => platform.navigator?.onLine !== false,
      subscribe: (onChange) => listen(onChange, [platform, 'online'], [platform, 'offline']),
    },
    visibility: options.visibility ?? {
      isVisible: () => platform.document?.visibilityState !== 'hidden',
      subscribe(onChange) {
        const { document } = platform;
        return listen(onChange, [document, 'visibilitychange'], [document && platform, 'focus']);
      },
    },
    idle: options.idle ?? createIdle(timers),
  };
}

function createIdle(timers: Timers): IdleScheduler {
  const { requestIdleCallback, cancelIdleCallback } = platform;
  if (requestIdleCallback && cancelIdleCallback) {
    return {
      request: (run) => requestIdleCallback.call(platform, (deadline) => run(() => deadline.timeRemaining())),
      cancel: (id) => cancelIdleCallback.call(platform, id as number), // cast: made by `request` above
    };
  }
  return {
    request: (run) =>
      timers.set(() => {
        const end = performance.now() + IDLE_SLICE_MS;
        run(() => end - performance.now());
      }, 1),
    cancel: (id) => timers.clear(id),
  };
}
