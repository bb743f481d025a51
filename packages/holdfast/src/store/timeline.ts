// The clock of the store. It returns the times of all sends and acknowledgements. The controller calls `open` when a request is
// sent, and `close` when the request ends. order.ts compares these times.
import type { Clock } from '../support/environment.ts';

/** The step between two times while the clock shows the same time. A double stores it exactly until the year 2200. */
const SMALLEST_STEP_MS = 1 / 1024;

/**
 * If the next time is later than expected by more than this, the timeline concludes that the clock was set back or that the clock
 * of another machine is ahead.
 */
const TOLERATED_AHEAD_MS = 1;

/**
 * The source of all order. It returns times of day that always increase, so that a clock that is set back does not change the
 * order.
 */
export class Timeline {
  readonly #clock: Clock;
  readonly #open = new Set<number>();
  /** The last time that the timeline returned. */
  last = 0;
  /** How far the timeline is ahead of the clock, usually because the clock was set back or another machine's clock is ahead. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The next time. It is later than all earlier times, even if the clock was set back, and not earlier than `least`, a time from a
   * saved state.
   */
  tick(least = 0): number {
    const now = this.#clock.now();
    const next = Math.max(least, now + this.#aheadMs, this.last + SMALLEST_STEP_MS);
    // From now on, the timeline is ahead of the clock by this difference.
    if (next - now - this.#aheadMs > TOLERATED_AHEAD_MS) this.#aheadMs = next - now;
    return (this.last = next);
  }

  /**
   * Converts a time of day to a time of this timeline. A time of day that the clock has not reached yet, for example from before
   * the clock was set back, is returned unchanged.
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
    // The times of sends only increase, so the first entry of the set is the earliest.
    const [oldest = Infinity] = this.#open;
    return oldest;
  }
}
