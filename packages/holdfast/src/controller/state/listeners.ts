// Listeners, which are notified of changes, and alarms, which wake observers at a given time. All alarms of a controller share
// one timer, so that a page with a thousand readers does not set a thousand timers.
import { callSafely } from '../../support/call-safely.ts';
import type { Environment, TimerId } from '../../support/environment.ts';

export type Listeners = Set<() => void>;

/**
 * Adds a listener; the same function may be added twice. Returns a function that removes the listener; that function
 * returns false if the listener was removed before.
 */
export function listen(listeners: Listeners, onChange: () => void): () => boolean {
  const listener = (): void => onChange();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function notify(listeners: Listeners): void {
  // The listeners are copied, because a listener may add or remove listeners. A listener that was removed meanwhile is not called.
  const all = [...listeners];
  for (const listener of all) if (listeners.has(listener)) callSafely(listener);
}

// ── alarms ───────────────────────────────────────────────────────────────────────────────────────

/** An object with an alarm: `wake` is called when its time has come. */
export interface AlarmTarget {
  wake(): void;
}

/**
 * Sets the time of day at which the target is woken; 0 removes its alarm. If the target has an alarm for an earlier time, that
 * alarm stays: the target decides again when it is woken, and sets the next alarm then.
 */
export type SetAlarm = (target: AlarmTarget, dueAt: number) => void;

export function createSetAlarm({ clock, timers }: Pick<Environment, 'clock' | 'timers'>): SetAlarm {
  const alarms = new Map<AlarmTarget, number>();
  let timer: TimerId;
  let timerAt = Infinity;
  /** The latest time of day at which the timer was set since the last ring. */
  let latestNow = 0;

  const setTimer = (at: number): void => {
    const now = clock.now();
    if (timerAt < Infinity) timers.clear(timer);
    timerAt = at;
    latestNow = Math.max(latestNow, now);
    if (at < Infinity) timer = timers.set(ring, at - now);
  };

  const ring = (): void => {
    const now = clock.now();
    // After the clock was set back, all alarms are too late: every target is woken, so that it sets a new alarm.
    const until = now < latestNow ? Infinity : Math.max(timerAt, now);
    const awake: AlarmTarget[] = [];
    let next = Infinity;
    for (const [target, at] of alarms) {
      if (at > until) next = Math.min(next, at);
      else {
        alarms.delete(target);
        awake.push(target);
      }
    }
    latestNow = 0;
    setTimer(next);
    for (const target of awake) target.wake();
  };

  return (target, dueAt) => {
    if (dueAt === 0) {
      if (alarms.delete(target) && alarms.size === 0) setTimer(Infinity);
    } else if (!(alarms.get(target)! <= dueAt)) {
      // The target has a later alarm, or none: `undefined <= dueAt` is false.
      alarms.set(target, dueAt);
      if (dueAt < timerAt) setTimer(dueAt);
    }
  };
}
