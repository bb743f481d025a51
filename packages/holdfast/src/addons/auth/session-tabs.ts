// How the tabs of one origin share a session: a lock lets one tab renew it while the others wait, and a channel notifies each tab
// of changes. Both are small interfaces; the browser's own locks and channels are the defaults.
import { tryRun } from '../../support/call-safely.ts';
import { openChannel, subscribeToStorage, systemLocks, unref } from '../../support/environment.ts';
import type { TimerId, Timers } from '../../support/environment.ts';

/**
 * Makes sure that only one tab at a time renews a session.
 *
 * @example
 * const alone: AuthManager.Lock = { guard: (_name, run) => run() }; // for an application without tabs
 */
export interface SessionLock {
  /**
   * Calls `run` when no other tab holds the lock of this name, and holds the lock until the promise of `run` settles. Rejects
   * when the signal aborts first. Each session has a lock name of its own. After a change of the session `run` takes four seconds
   * longer, so that every tab can read the change before the lock is released.
   */
  guard<T>(name: string, run: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * Notifies other tabs that the session has changed. The message has no content: each tab reads the session from its store.
 *
 * @example
 * const byStorage: AuthManager.Channel = {
 *   notify: () => localStorage.setItem('changedAt', String(Date.now())),
 *   listen: (onChange) => {
 *     addEventListener('storage', onChange);
 *     return () => removeEventListener('storage', onChange);
 *   },
 * };
 */
export interface SessionChannel {
  notify(): void;
  /** Calls `onChange` for each message of another tab, until the returned function is called. */
  listen(onChange: () => void): () => void;
}

/** The browser's own locks, which all tabs of the origin share. Where the platform has none, tabs do not wait for each other. */
export const webLock: SessionLock = {
  async guard(name, run, signal) {
    const locks = systemLocks();
    return locks ? locks.request(name, { signal }, run) : run();
  },
};

/**
 * A `BroadcastChannel` of this name between the tabs of the origin. It also listens to `storage` events, because its own message
 * may arrive before this tab can read what the other tab has written to `localStorage`.
 *
 * @example
 * const auth = new AuthManager({ ...localSession<Session>('session'), channel: tabChannel('session of this app') });
 */
export function tabChannel(name: string): SessionChannel {
  // the browser may refuse a channel where the visitor forbids storage
  const open = (): BroadcastChannel | undefined => tryRun(() => openChannel(name));
  return {
    notify() {
      const channel = open();
      channel?.postMessage('changed');
      channel?.close();
    },
    listen(onChange) {
      const channel = open();
      channel?.addEventListener('message', onChange);
      const stop = subscribeToStorage(onChange);
      return () => {
        channel?.close();
        stop();
      };
    },
  };
}

/** How long the lock is held after the session has changed: other tabs may read the old session for a moment. */
const LINGER_MS = 4_000;

interface LockedRunOptions {
  readonly lock: SessionLock;
  readonly name: string;
  readonly waitMs: number;
  readonly timers: Timers;
  /** True when the session has changed, so that nothing is left to renew. */
  readonly isOver: () => boolean;
  /** Notifies when `isOver` may have changed. */
  readonly keeper: { listen(onChange: () => void): () => void };
  /** Called when the lock was not granted in time, or failed: the run starts without it. */
  readonly onBusy: (cause: unknown) => void;
}

/**
 * Calls `run` once: under the lock, or without it when the session has changed meanwhile, or when the lock was not granted within
 * `waitMs`, because a frozen tab may hold it.
 */
export function runAlone(
  run: () => Promise<void>,
  { lock, name, waitMs, timers, isOver, keeper, onBusy }: LockedRunOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isRunning = false;
    const aborter = new AbortController();
    const start = async (): Promise<void> => {
      // the lock was granted after `run` had started without it
      if (isRunning) return;
      isRunning = true;
      timers.clear(timer);
      stop();
      const ran = run().then(resolve, reject);
      // another tab has renewed the session already: release the lock at once
      if (isOver()) return;
      await ran;
      // hold the lock for tabs that still read the old session: they wait for it until the change reaches them
      if (isOver()) await new Promise<void>((free) => unref(timers.set(free, LINGER_MS)));
    };
    const startUnlocked = (cause?: unknown): void => {
      if (!isRunning && !isOver()) onBusy(cause);
      void start();
      aborter.abort();
    };
    const timer = timers.set(startUnlocked, waitMs);
    const stop = keeper.listen(() => {
      if (isOver()) startUnlocked();
    });
    // when the lock itself fails, run without it
    Promise.resolve()
      .then(() => lock.guard(name, start, aborter.signal))
      .catch(startUnlocked);
  });
}

/** Runs the work; rejects when the time limit passes or the aborter aborts. The work's signal aborts in both cases. */
export function runInTime<V>(
  work: (signal: AbortSignal) => V | Promise<V>,
  { limitMs, timers, aborter }: { limitMs: number; timers: Timers; aborter: AbortController },
): Promise<V> {
  let timer: TimerId;
  return new Promise<V>((resolve, reject) => {
    const { signal } = aborter;
    const fail = (name: string, message: string): void => {
      reject(Object.assign(new Error(message), { name }));
      aborter.abort();
    };
    timer = timers.set(() => fail('TimeoutError', `it took longer than ${limitMs} ms`), limitMs);
    signal.addEventListener('abort', () => fail('AbortError', 'called off'));
    void Promise.resolve(signal).then(work).then(resolve, reject);
  }).finally(() => timers.clear(timer));
}
