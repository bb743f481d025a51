// When observers want to look again at what they show: one timer for all of them. A page with a thousand readers has
// one timer, and a reader that comes or goes sets none.
import type { Environment, TimerId } from '../../support/environment.ts';

/** What timers may be early by, seen by the clock; more means that the clock was set back. */
const STEP_BACK_MS = 1_000;

/** Has a look when its time has come. */
export interface Sleeper {
  wake(): void;
}

export class Alarms {
  readonly #environment: Pick<Environment, 'clock' | 'timers'>;
  readonly #dueAt = new Map<Sleeper, number>();
  #timer: TimerId = null;
  #timerAt = 0;

  constructor(environment: Pick<Environment, 'clock' | 'timers'>) {
    this.#environment = environment;
  }

  /** Wakes at that time of day; never for 0. An earlier time is kept: a sleeper that wakes looks, and sets it again. */
  set(sleeper: Sleeper, dueAt: number): void {
    if (dueAt === 0) {
      this.#dueAt.delete(sleeper);
      if (this.#dueAt.size === 0) this.#stop();
      return;
    }
    if (this.#dueAt.get(sleeper)! <= dueAt) return; // undefined is not
    this.#dueAt.set(sleeper, dueAt);
    if (this.#timer !== null && this.#timerAt <= dueAt) return;
    this.#stop();
    this.#start(dueAt);
  }

  #start(dueAt: number): void {
    const { clock, timers } = this.#environment;
    this.#timerAt = dueAt;
    this.#timer = timers.set(() => this.#ring(), dueAt - clock.now());
  }

  #stop(): void {
    if (this.#timer !== null) this.#environment.timers.clear(this.#timer);
    this.#timer = null;
  }

  #ring(): void {
    const now = this.#environment.clock.now();
    // a clock that was set back makes all the other times too late as well: every sleeper looks, and sets its time again
    const until = this.#timerAt - now > STEP_BACK_MS ? Infinity : Math.max(this.#timerAt, now);
    const awake: Sleeper[] = [];
    let next = Infinity;
    for (const [sleeper, dueAt] of this.#dueAt) {
      if (dueAt > until) next = Math.min(next, dueAt);
      else {
        awake.push(sleeper);
        this.#dueAt.delete(sleeper);
      }
    }
    this.#timer = null;
    if (next < Infinity) this.#start(next);
    for (const sleeper of awake) sleeper.wake();
  }
}
