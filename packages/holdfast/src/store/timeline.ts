// The one line on which every send and every acknowledgement stands. Order comes from here, never from the clock:
// stamps are wall time made strictly increasing, so they read as times and compare as a counter.
// Used by the store to judge responses; the controller opens a stamp per request and closes it at the end.
import type { Clock } from '../support/environment.ts';

/** What a clock that stands still or steps back is nudged by: exact in a double until the year 2200. */
const NUDGE_MS = 1 / 1024;

export class Timeline {
  readonly #clock: Clock;
  readonly #open = new Set<number>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next stamp: later than every one before it, whatever the clock does. */
  tick(): number {
    const now = this.#clock.now();
    this.#last = now > this.#last ? now : this.#last + NUDGE_MS;
    return this.#last;
  }

  /** A stamp for a request that is being sent; it counts as in flight until `close`. */
  open(): number {
    const sent = this.tick();
    this.#open.add(sent);
    return sent;
  }

  close(sent: number): void {
    this.#open.delete(sent);
  }

  /** The send of the oldest request in flight; Infinity when the line is quiet. */
  oldestOpen(): number {
    if (this.#open.size === 0) return Infinity;
    // sends only grow, so the set's first entry is its smallest
    for (const sent of this.#open) return sent;
    return Infinity;
  }

  /** Moves the line past stamps that came from elsewhere, such as a hydrated state. */
  startAbove(stamp: number): void {
    if (stamp > this.#last) this.#last = stamp;
  }
}
