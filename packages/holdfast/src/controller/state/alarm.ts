// One timer that is set anew each time: the next round of retention.
import type { TimerId, Timers } from '../../support/environment.ts';

export class Alarm {
  readonly #timers: Timers;
  #timer: TimerId = null;

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

  clear(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
  }
}
