// Those who are told: listeners when something has changed, observers when it is time to look again at what they show. A page
// with a thousand readers has one timer, and a reader that comes or goes sets none.
import { callSafely } from '../../support/call-safely.ts';
import type { Environment, TimerId } from '../../support/environment.ts';

export type Listeners = Set<() => void>;

/** Adds one; the same function may be added twice. Gives back how to end it, which says whether it was still there. */
export function listen(listeners: Listeners, onChange: () => void): () => boolean {
  const listener = (): void => onChange();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function notify(listeners: Listeners): void {
  // a copy, because listeners may come and go; one that another has ended is not called
  const all = [...listeners];
  for (const listener of all) if (listeners.has(listener)) callSafely(listener);
}

// ── alarms ───────────────────────────────────────────────────────────────────────────────────────

/** What timers may be early by, seen by the clock; more means that the clock was set back. */
const STEP_BACK_MS = 1_000;

/** Has a look when its time has come. */
export interface Sleeper {
  wake(): void;
}

/** Wakes the sleeper at that time of day; never for 0. An earlier time is kept: a sleeper that wakes looks, and sets it again. */
export type SetAlarm = (sleeper: Sleeper, dueAt: number) => void;

export function createAlarms({ clock, timers }: Pick<Environment, 'clock' | 'timers'>): SetAlarm {
  const sleepers = new Map<Sleeper, number>();
  let timer: TimerId = null;
  let timerAt = Infinity;

  const setTimer = (at: number): void => {
    if (timerAt < Infinity) timers.clear(timer);
    timerAt = at;
    if (at < Infinity) timer = timers.set(ring, at - clock.now());
  };

  const ring = (): void => {
    const now = clock.now();
    // a clock that was set back makes all the other times too late as well: every sleeper looks, and sets its time again
    const until = timerAt - now > STEP_BACK_MS ? Infinity : Math.max(timerAt, now);
    const awake: Sleeper[] = [];
    let next = Infinity;
    for (const [sleeper, at] of sleepers) {
      if (at > until) next = Math.min(next, at);
      else {
        sleepers.delete(sleeper);
        awake.push(sleeper);
      }
    }
    timerAt = Infinity;
    setTimer(next);
    for (const sleeper of awake) sleeper.wake();
  };

  return (sleeper, dueAt) => {
    if (dueAt === 0) {
      if (sleepers.delete(sleeper) && sleepers.size === 0) setTimer(Infinity);
    } else if (!(sleepers.get(sleeper)! <= dueAt)) {
      // undefined is not
      sleepers.set(sleeper, dueAt);
      if (dueAt < timerAt) setTimer(dueAt);
    }
  };
}
