// The clock of the store: gives out the times of all sends and acknowledgements. The controller calls `open` when a request is
// sent and `close` when the request ends. The questions about these times are in order.ts.
import type { Clock } from '../support/environment.ts';

/** The step between two times while the clock shows the same time; exact in a double until the year 2200. */
const NUDGE_MS = 1 / 1024;

/**
 * When the next time is further than this beyond the expected one, the clock was set back, or another machine's clock is ahead.
 */
const TOLERATED_AHEAD_MS = 1;

/**
 * The source of all order. It gives out the time of day, made strictly increasing, so that a clock that is set back changes no
 * order.
 */
export class Timeline {
  readonly #clock: Clock;
  readonly #open = new Set<number>();
  /** The last time that was given out. */
  last = 0;
  /** How far the timeline is ahead of the clock, because the clock was set back or another machine's clock is ahead. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next time: later than every earlier one, whatever the clock does, and at least `least`, a time from a saved state. */
  tick(least = 0): number {
    const now = this.#clock.now();
    const next = Math.max(least, now + this.#aheadMs, this.last + NUDGE_MS);
    // From here on the timeline keeps this distance from the clock.
    if (next - now - this.#aheadMs > TOLERATED_AHEAD_MS) this.#aheadMs = next - now;
    return (this.last = next);
  }

  /**
   * A time of day as a time on this timeline. A time of day that the clock has not reached yet is from before the clock was set
   * back, and stays as it is.
   */
  toTimeline(timeOfDay: number): number {
    return timeOfDay > this.#clock.now() ? timeOfDay : timeOfDay + this.#aheadMs;
  }

  /** The time of a request that is being sent; the request counts as in flight until `close`. */
  open(): number {
    const sent = this.tick();
    this.#open.add(sent);
    return sent;
  }

  close(sent: number): void {
    this.#open.delete(sent);
  }

  /** The time at which the oldest request in flight was sent; Infinity when no request is in flight. */
  oldestOpen(): number {
    // send times only increase, so the first entry of the set is the smallest
    const [oldest = Infinity] = this.#open;
    return oldest;
  }
}
