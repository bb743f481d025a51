// How long to wait before the next try: doubled each time, with jitter, so that clients that failed together do not
// come back together. What a server asks for in Retry-After goes first.
import type { TimerId, Timers } from '../support/environment.ts';

export interface Backoff {
  readonly delay: number;
  readonly maxDelay: number;
}

/** The wait before repetition `attempt`, counted from 1: between half and all of the doubled delay. */
export function backoffMs({ delay, maxDelay }: Backoff, attempt: number, random: () => number): number {
  const whole = Math.min(maxDelay, delay * 2 ** Math.min(attempt - 1, 30));
  return whole / 2 + (random() * whole) / 2;
}

/** What Retry-After says, in milliseconds from now: seconds or a date; undefined when it says nothing usable. */
export function readRetryAfterMs(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const seconds = Number(text);
  const waitMs = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1_000;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
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
