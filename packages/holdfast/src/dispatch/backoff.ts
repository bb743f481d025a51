// Computes the delay before a repeated attempt, and waits for it. Up to a maximum, the delay doubles with each attempt. It has
// jitter, so that clients that failed at the same time do not all retry at the same time.
import type { TimerId, Timers } from '../support/environment.ts';

export interface Backoff {
  readonly delayMs: number;
  readonly maxDelayMs: number;
}

/**
 * The delay before repetition `attempt`, counted from 1: a random value between half of the full delay and the full delay. The full
 * delay is `delayMs` for the first repetition, doubles with each further repetition, and is at most `maxDelayMs`.
 */
export function backoffMs({ delayMs, maxDelayMs }: Backoff, attempt: number, random: () => number): number {
  const whole = Math.min(maxDelayMs, delayMs * 2 ** Math.min(attempt - 1, 30));
  return whole / 2 + (random() * whole) / 2;
}

/** Resolves after the delay, or as soon as the signal aborts. Never rejects: the caller checks the signal afterwards. */
export function waitForDelay(timers: Timers, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    let timer: TimerId = null;
    const stop = (): void => {
      timers.clear(timer);
      resolve();
    };
    timer = timers.set(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
