// How often an observer reads data again by itself: three times at once, then once a second, until somebody acts. Nothing that is in
// doubt again and again, such as a row that a stream changes without rest, makes more requests than that.
import type { Core } from '../state/core.ts';

/** How often data may be read again at once, beside the first time, and the pause after that. */
const FREE_READS = 2;
const PAUSE_MS = 1_000;

export class Pace {
  readonly #core: Core;
  /** When data may be read again, and how often somebody had acted when that was last asked. */
  #askAt = 0;
  #acts = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Counts a read that is sent now, and gives 0; or gives the time until which it must wait. */
  hold(): number {
    const { acts, environment } = this.#core;
    const now = environment.clock.now();
    // the clock may have been set back
    if (this.#acts !== acts || this.#askAt > now + PAUSE_MS) this.#askAt = 0;
    this.#acts = acts;
    if (this.#askAt > now) return this.#askAt;
    this.#askAt = Math.max(this.#askAt, now - FREE_READS * PAUSE_MS) + PAUSE_MS;
    return 0;
  }
}
