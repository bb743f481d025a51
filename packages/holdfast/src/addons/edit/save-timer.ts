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

export interface SaveTimer {
  /** Called when a field was set: restarts the timer for `afterMs`, and starts the timer for `atMostMs` unless it is running. */
  start(): void;
  /** Stops both timers. Then no save is due. */
  clear(): void;
  saveIfDue(): void;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** `save` may do nothing if a save cannot begin yet: it stays due, and `saveIfDue` calls it again. */
export function createSaveTimer(
  timers: Timers,
  { afterMs = DEFAULT_EDIT_AFTER_MS, atMostMs = DEFAULT_EDIT_AT_MOST_MS }: SaveTimes,
  save: () => void,
): SaveTimer {
  for (const [name, found] of Object.entries({ afterMs, atMostMs }))
    if (!(found > 0 && found < Infinity)) throw new HoldfastError('EDIT_TIME_INVALID', { name, found });
  let afterTimer: TimerId;
  let atMostTimer: TimerId;
  let isPaused = false;
  /** Whether the time to save has come but the save could not begin yet. */
  let isDue = false;

  const clear = (): void => {
    timers.clear(afterTimer);
    timers.clear(atMostTimer);
    atMostTimer = undefined;
    isDue = false;
  };
  const saveIfDue = (): void => {
    if (isDue && !isPaused) save();
  };
  const end = (): void => {
    clear();
    isDue = true;
    saveIfDue();
  };
  return {
    start() {
      timers.clear(afterTimer);
      afterTimer = timers.set(end, afterMs);
      atMostTimer ??= timers.set(end, atMostMs);
    },
    clear,
    saveIfDue,
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      saveIfDue();
    },
  };
}
