// How long to wait before the next try: doubled each time, with jitter, so that clients that failed together do not
// come back together. What a server asks for in Retry-After may make the wait longer, never shorter.
import type { TimerId, Timers } from '../support/environment.ts';

export interface Backoff {
  readonly delayMs: number;
  readonly maxDelayMs: number;
}

/** The wait before repetition `attempt`, counted from 1: between half and all of the doubled delay. */
export function backoffMs({ delayMs, maxDelayMs }: Backoff, attempt: number, random: () => number): number {
  const whole = Math.min(maxDelayMs, delayMs * 2 ** Math.min(attempt - 1, 30));
  return whole / 2 + (random() * whole) / 2;
}

/** Resolves after a while, or at once when the signal aborts; the caller looks at the signal. */
export function wait(timers: Timers, delayMs: number, signal: AbortSignal): Promise<void> {
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
