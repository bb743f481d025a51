// Lets the tabs of one origin share a session: a lock lets one tab renew the session while the other tabs wait, and a channel
// notifies each tab of changes. Both are small interfaces; the browser's own locks and channels are the defaults.
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
   * when the signal aborts before `run` is called. Each session has its own lock name. When `run` has changed the session, its promise
   * settles four seconds later, so that every tab can read the change before the lock is released.
   */
  guard<T>(name: string, run: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * Notifies other tabs that the session has changed. The notification has no content: each tab reads the stored session again.
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
  /** Calls `onChange` when another tab has called `notify`, until the returned function is called. */
  listen(onChange: () => void): () => void;
}

/** The browser's own locks, which all tabs of the origin share. If the platform has no locks, tabs do not wait for each other. */
export const webLock: SessionLock = {
  async guard(name, run, signal) {
    const locks = systemLocks();
    return locks ? locks.request(name, { signal }, run) : run();
  },
};

/**
 * A `BroadcastChannel` of this name between the tabs of the origin. `listen` also subscribes to `storage` events, because a message
 * of the `BroadcastChannel` may arrive before this tab can read what the other tab has written to `localStorage`.
 *
 * @example
 * const auth = new AuthManager({ ...localSession<Session>('session'), channel: tabChannel('session of this app') });
 */
export function tabChannel(name: string): SessionChannel {
  // `openChannel` may throw in a browser whose user forbids storage
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

/**
 * How long a tab holds the lock after it has renewed the session, because for a moment other tabs may still read the old session.
 */
const LOCK_HELD_AFTER_MS = 4_000;

interface LockedRunOptions {
  readonly lock: SessionLock;
  readonly name: string;
  readonly waitMs: number;
  readonly timers: Timers;
  /** True when the session has changed since the renewal started. */
  readonly isRenewed: () => boolean;
  /** Calls `onChange` when the result of `isRenewed` may have changed. */
  readonly keeper: { listen(onChange: () => void): () => void };
  /** Called when `run` starts without the lock because the lock failed or was not granted in time. */
  readonly onNoLock: (cause: unknown) => void;
}

/**
 * Waits for the lock, and calls `run` once while this tab holds the lock. In three cases, `run` is called without the lock: the
 * session changes during the wait; the lock fails; or `waitMs` have passed, because a frozen tab may hold the lock.
 */
export function runWithLock(
  run: () => Promise<void>,
  { lock, name, waitMs, timers, isRenewed, keeper, onNoLock }: LockedRunOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isRunning = false;
    const aborter = new AbortController();
    const start = async (): Promise<void> => {
      // The lock was granted after `run` had started without the lock.
      if (isRunning) return;
      isRunning = true;
      timers.clear(timer);
      stop();
      const ran = run().then(resolve, reject);
      // The session had changed already, so `run` renews nothing, and the lock is released at once.
      if (isRenewed()) return;
      await ran;
      // Tabs that still read the old session must not renew it, so they wait for this lock until the change reaches them.
      if (isRenewed()) await new Promise<void>((free) => unref(timers.set(free, LOCK_HELD_AFTER_MS)));
    };
    const startUnlocked = (cause?: unknown): void => {
      if (!isRunning && !isRenewed()) onNoLock(cause);
      void start();
      aborter.abort();
    };
    const timer = timers.set(startUnlocked, waitMs);
    const stop = keeper.listen(() => {
      if (isRenewed()) startUnlocked();
    });
    // `guard` may throw or reject. The work then runs without the lock.
    Promise.resolve()
      .then(() => lock.guard(name, start, aborter.signal))
      .catch(startUnlocked);
  });
}

/** Runs the work. Rejects when the time limit passes or the aborter aborts; the signal of the work aborts in both cases. */
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
