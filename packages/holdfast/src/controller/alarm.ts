// One timer that is set anew each time: an observer's look at what it shows.
import type { TimerId, Timers } from '../support/environment.ts';

export class Alarm {
  readonly #timers: Timers;
  #timer: TimerId = null;
  #dueAt = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  set(delayMs: number, run: () => void): void {
    this.clear();
    this.#timer = this.#timers.set(() => {
      this.#timer = null;
      run();
    }, delayMs);
  }

  /** The same by a time of day. A timer that runs out earlier is kept: its `run` looks and sets it again. */
  setBy(dueAt: number, now: number, run: () => void): void {
    if (this.#timer !== null && this.#dueAt <= dueAt) return;
    this.set(dueAt - now, run);
    this.#dueAt = dueAt;
  }

  clear(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
  }
}
