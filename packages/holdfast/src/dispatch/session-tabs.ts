// What tabs of one origin do together about a session: one renews it while the others wait, and each hears when it has
// changed. Both are small interfaces, with the platform's own as defaults.
import { attempt } from '../support/call-safely.ts';
import { openChannel, subscribeToStorage, systemLocks } from '../support/environment.ts';
import type { Timers } from '../support/environment.ts';

/**
 * Lets one tab at a time renew the session.
 *
 * @example
 * const alone: SessionLock = { guard: (run) => run() }; // for an application without tabs
 */
export interface SessionLock {
  /** Runs when no other tab does. Rejects when the signal aborts before that. */
  guard<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * Tells other tabs that the session has changed. Nothing else is said: they read it where it is kept.
 *
 * @example
 * const byStorage: SessionChannel = {
 *   tell: () => localStorage.setItem('told', String(Date.now())),
 *   listen: (hear) => {
 *     addEventListener('storage', hear);
 *     return () => removeEventListener('storage', hear);
 *   },
 * };
 */
export interface SessionChannel {
  tell(): void;
  /** Hears the other tabs until the function that it gives is called. */
  listen(hear: () => void): () => void;
}

/**
 * The browser's own lock of this name, which all tabs of the origin share. Where there is none, tabs do not wait for each other.
 *
 * @example
 * const auth = new AuthManager({ ...localSession<Session>('session'), lock: webLock('session of this app') });
 */
export function webLock(name: string): SessionLock {
  return {
    async guard(run, signal) {
      const locks = systemLocks();
      return locks ? locks.request(name, { signal }, run) : run();
    },
  };
}

/**
 * The browser's own channel of this name between the tabs of the origin. Hears what another tab writes to `localStorage`, too: a
 * word may come before the writing that it is about can be read.
 *
 * @example
 * const auth = new AuthManager({ ...localSession<Session>('session'), channel: tabChannel('session of this app') });
 */
export function tabChannel(name: string): SessionChannel {
  // a page whose visitor forbids storage may have none
  const open = (): BroadcastChannel | undefined => attempt(() => openChannel(name));
  return {
    tell() {
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

/** How long the lock is kept after its work: what one tab writes is not at once what every tab reads. */
const LINGER_MS = 100;

interface Turn {
  readonly lock: SessionLock;
  readonly waitMs: number;
  readonly timers: Timers;
  /** The lock did not come in time, or failed: it goes on without. */
  readonly onBusy: (cause: unknown) => void;
}

/** Runs under the lock; after the wait without it, because its holder may be frozen. Runs once. */
export function runAlone(run: () => Promise<void>, { lock, waitMs, timers, onBusy }: Turn): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborter = new AbortController();
    let isRunning = false;
    const start = async (): Promise<void> => {
      // a lock that comes after all has nothing to guard
      if (isRunning) return;
      isRunning = true;
      timers.clear(timer);
      await run().then(resolve, reject);
      await new Promise<void>((free) => void timers.set(free, LINGER_MS));
    };
    const goWithout = (cause?: unknown): void => {
      if (isRunning) return;
      onBusy(cause);
      void start();
    };
    const timer = timers.set(() => {
      goWithout();
      aborter.abort();
    }, waitMs);
    // a lock that fails is no reason to fail
    Promise.resolve(aborter.signal)
      .then((signal) => lock.guard(start, signal))
      .catch(goWithout);
  });
}

/** What the work gives within a time limit; its signal aborts with the aborter, and at the limit. */
export function runInTime<V>(
  work: (signal: AbortSignal) => V | Promise<V>,
  { limitMs, timers, aborter }: { limitMs: number; timers: Timers; aborter: AbortController },
): Promise<V> {
  return new Promise((resolve, reject) => {
    const { signal } = aborter;
    const end = (): void => {
      timers.clear(timer);
      signal.removeEventListener('abort', callOff);
    };
    const fail = (name: string, text: string): void => {
      end();
      reject(Object.assign(new Error(text), { name }));
    };
    const timer = timers.set(() => {
      fail('TimeoutError', `it took longer than ${limitMs} ms`);
      aborter.abort();
    }, limitMs);
    const callOff = (): void => fail('AbortError', 'it was called off');
    signal.addEventListener('abort', callOff);
    if (signal.aborted) callOff();
    else void Promise.resolve(signal).then(work).then(resolve, reject).finally(end);
  });
}
