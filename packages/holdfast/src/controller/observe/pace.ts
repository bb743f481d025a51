// How often an observer reads data again by itself: three times at once, then once a second, until somebody acts. Nothing that is in
// doubt again and again, such as a row that a stream changes without rest, makes more requests than that.
import type { Core } from '../state/core.ts';

/** How often data may be read again at once, beside the first time, and the pause after that. */
const FREE_READS = 2;
const PAUSE_MS = 1_000;

/** When data may be read again, and how often somebody had acted when that was last asked. */
export type Pace = Pick<Core, 'requestAt' | 'actionCount'>;

/** Counts a read that is sent now, and gives 0; or gives the time until which it must wait. */
export function throttle({ actionCount, environment }: Core, pace: Pace): number {
  const now = environment.clock.now();
  // the clock may have been set back
  if (pace.actionCount !== actionCount || pace.requestAt > now + PAUSE_MS) pace.requestAt = 0;
  pace.actionCount = actionCount;
  if (pace.requestAt > now) return pace.requestAt;
  pace.requestAt = Math.max(pace.requestAt, now - FREE_READS * PAUSE_MS) + PAUSE_MS;
  return 0;
}
