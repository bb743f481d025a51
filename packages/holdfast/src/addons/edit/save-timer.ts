// Decides when an edit is saved: after a pause in typing, or a fixed time after the first `set` if no such pause comes. While an
// input method composes a text (`pause`), the timer saves nothing.
import { HoldfastError } from '../../support/errors.ts';
import type { TimerId, Timers } from '../../support/environment.ts';

/** How long an edit waits after the last `set`, in milliseconds. */
export const DEFAULT_EDIT_AFTER_MS = 800;
/** How long an edit waits after the first `set` at most, in milliseconds. */
export const DEFAULT_EDIT_AT_MOST_MS = 5_000;

/** The options of an edit that set its times. */
export interface SaveTimes {
  readonly afterMs?: number;
  readonly atMostMs?: number;
}

export class SaveTimer {
  readonly #timers: Timers;
  readonly #afterMs: number;
  readonly #atMostMs: number;
  readonly #save: () => void;
  #afterTimer: TimerId;
  #atMostTimer: TimerId;
  #isPaused = false;
  /** Whether the time to save has come but the save could not begin yet. */
  #isDue = false;

  /** `save` may do nothing if a save cannot begin yet: it stays due, and `saveIfDue` calls it again. */
  constructor(
    timers: Timers,
    { afterMs = DEFAULT_EDIT_AFTER_MS, atMostMs = DEFAULT_EDIT_AT_MOST_MS }: SaveTimes,
    save: () => void,
  ) {
    for (const [name, found] of Object.entries({ afterMs, atMostMs }))
      if (!(found > 0 && found < Infinity)) throw new HoldfastError('EDIT_TIME_INVALID', { name, found });
    this.#timers = timers;
    this.#afterMs = afterMs;
    this.#atMostMs = atMostMs;
    this.#save = save;
  }

  /** Called when a field was set: restarts the timer for `afterMs`, and starts the timer for `atMostMs` unless it is running. */
  start(): void {
    this.#timers.clear(this.#afterTimer);
    this.#afterTimer = this.#timers.set(this.#end, this.#afterMs);
    this.#atMostTimer ??= this.#timers.set(this.#end, this.#atMostMs);
  }

  /** Stops both timers. Then no save is due. */
  clear(): void {
    this.#timers.clear(this.#afterTimer);
    this.#timers.clear(this.#atMostTimer);
    this.#atMostTimer = undefined;
    this.#isDue = false;
  }

  saveIfDue(): void {
    if (this.#isDue && !this.#isPaused) this.#save();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.saveIfDue();
  }

  readonly #end = (): void => {
    this.clear();
    this.#isDue = true;
    this.saveIfDue();
  };
}
