// When observers want to look again at what they show: one timer for all of them. A page with a thousand readers has
// one timer, and a reader that comes or goes sets none.
import type { Clock, TimerId, Timers } from '../../support/environment.ts';

/** What timers may be early by, seen by the clock; more means that the clock was set back. */
const STEP_BACK_MS = 1_000;

/** Whoever has a look when its time has come. */
export interface Sleeper {
  wake(): void;
}

export class Alarms {
  readonly #timers: Timers;
  readonly #clock: Clock;
  readonly #dueAt = new Map<Sleeper, number>();
  #timer: TimerId = null;
  #timerAt = 0;

  constructor(timers: Timers, clock: Clock) {
    this.#timers = timers;
    this.#clock = clock;
  }

  /** Wakes at that time of day. An earlier time is kept: whoever wakes looks, and sets it again. */
  set(sleeper: Sleeper, dueAt: number): void {
    const present = this.#dueAt.get(sleeper);
    if (present !== undefined && present <= dueAt) return;
    this.#dueAt.set(sleeper, dueAt);
    if (this.#timer !== null && this.#timerAt <= dueAt) return;
    this.#stop();
    this.#start(dueAt);
  }

  clear(sleeper: Sleeper): void {
    if (this.#dueAt.delete(sleeper) && this.#dueAt.size === 0) this.#stop();
  }

  #start(dueAt: number): void {
    this.#timerAt = dueAt;
    this.#timer = this.#timers.set(() => this.#ring(), dueAt - this.#clock.now());
  }

  #stop(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
  }

  #ring(): void {
    this.#timer = null;
    const now = this.#clock.now();
    // a clock that was set back makes all the other times too late as well: everybody has a look, and sets it again
    const until = this.#timerAt - now > STEP_BACK_MS ? Infinity : Math.max(this.#timerAt, now);
    const awake: Sleeper[] = [];
    let next = Infinity;
    for (const [sleeper, dueAt] of this.#dueAt) {
      if (dueAt <= until) awake.push(sleeper);
      else next = Math.min(next, dueAt);
    }
    for (const sleeper of awake) this.#dueAt.delete(sleeper);
    if (next < Infinity) this.#start(next);
    for (const sleeper of awake) sleeper.wake();
  }
}
