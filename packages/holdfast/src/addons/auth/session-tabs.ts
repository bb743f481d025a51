// What tabs of one origin do together about a session: one renews it while the others wait, and each hears when it has
// changed. Both are small interfaces, with the platform's own as defaults.
import { tryRun } from '../../support/call-safely.ts';
import { openChannel, subscribeToStorage, systemLocks, unref } from '../../support/environment.ts';
import type { TimerId, Timers } from '../../support/environment.ts';

/**
 * Lets one tab at a time renew a session.
 *
 * @example
 * const alone: AuthManager.Lock = { guard: (_name, run) => run() }; // for an application without tabs
 */
export interface SessionLock {
  /**
   * Runs when no other tab runs under this name; another session has another name. Rejects when the signal aborts before that.
   * A run that has changed its session lasts four seconds longer, so that every tab can read the change by then.
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

/** The browser's own locks, which all tabs of the origin share. Where there are none, tabs do not wait for each other. */
export const webLock: SessionLock = {
  async guard(name, run, signal) {
    const locks = systemLocks();
    return locks ? locks.request(name, { signal }, run) : run();
  },
};

/**
 * The browser's own channel of this name between the tabs of the origin. Hears what another tab writes to `localStorage`, too: a
 * word may come before the writing that it is about can be read.
 *
 * @example
 * const auth = new AuthManager({ ...localSession<Session>('session'), channel: tabChannel('session of this app') });
 */
export function tabChannel(name: string): SessionChannel {
  // a page whose visitor forbids storage may have none
  const open = (): BroadcastChannel | undefined => tryRun(() => openChannel(name));
  return {
    notify() {
      const channel = open();
      channel?.postMessage('changed');
      channel?.close();
    },
    listen(hear) {
      const channel = open();
      channel?.addEventListener('message', hear);
      const stop = subscribeToStorage(hear);
      return () => {
        channel?.close();
        stop();
      };
    },
  };
}

/** How long the lock of a session that was changed is kept: what one tab writes is not at once what every tab reads. */
const LINGER_MS = 4_000;

interface Turn {
  readonly lock: SessionLock;
  readonly name: string;
  readonly waitMs: number;
  readonly timers: Timers;
  /** Whether there is nothing left to do, and word when that may be. */
  readonly isOver: () => boolean;
  readonly keeper: { listen(onChange: () => void): () => void };
  /** The lock did not come in time, or failed: it goes on without. */
  readonly onBusy: (cause: unknown) => void;
}

/** Runs under the lock; without it once there is nothing left to do, or after the wait: its holder may be frozen. Runs once. */
export function runAlone(
  run: () => Promise<void>,
  { lock, name, waitMs, timers, isOver, keeper, onBusy }: Turn,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isRunning = false;
    const aborter = new AbortController();
    const start = async (): Promise<void> => {
      // a lock that comes after all has nothing to guard
      if (isRunning) return;
      isRunning = true;
      timers.clear(timer);
      stop();
      const ran = run().then(resolve, reject);
      // another tab was faster
      if (isOver()) return;
      await ran;
      // for tabs that still read what it was: they wait until they hear
      if (isOver()) await new Promise<void>((free) => unref(timers.set(free, LINGER_MS)));
    };
    const goWithout = (cause?: unknown): void => {
      if (!isRunning && !isOver()) onBusy(cause);
      void start();
      aborter.abort();
    };
    const timer = timers.set(goWithout, waitMs);
    const stop = keeper.listen(() => {
      if (isOver()) goWithout();
    });
    // a lock that fails is no reason to fail
    Promise.resolve()
      .then(() => lock.guard(name, start, aborter.signal))
      .catch(goWithout);
  });
}

/** What the work gives within a time limit; its signal aborts with the aborter, and at the limit. */
export function runInTime<V>(
  work: (signal: AbortSignal) => V | Promise<V>,
  { limitMs, timers, aborter }: { limitMs: number; timers: Timers; aborter: AbortController },
): Promise<V> {
  let timer: TimerId;
  return new Promise<V>((resolve, reject) => {
    const { signal } = aborter;
    const fail = (name: string, text: string): void => {
      reject(Object.assign(new Error(text), { name }));
      aborter.abort();
    };
    timer = timers.set(() => fail('TimeoutError', `it took longer than ${limitMs} ms`), limitMs);
    signal.addEventListener('abort', () => fail('AbortError', 'called off'));
    void Promise.resolve(signal).then(work).then(resolve, reject);
  }).finally(() => timers.clear(timer));
}
