// Limits how often an observer refetches by itself: three reads without a pause, then one per second. After each change of the
// controller's `actionCount`, for example by a call of `fetch`, three reads may again follow without a pause. Without the limit,
// data that is marked stale all the time, for example because messages contradict mutations, would cause endless requests.
import type { Core } from '../state/core.ts';

/** How many reads after the first may follow without a pause. */
const FREE_READS = 2;
const READ_PAUSE_MS = 1_000;

/** `requestsAllowedAt`: when the next read may be sent. `actionCount`: the controller's count at the last call of `throttle`. */
export type ThrottleState = Pick<Core, 'requestsAllowedAt' | 'actionCount'>;

/** Returns 0 if a read may be sent now, and counts the read; else returns the time at which the read may be sent. */
export function throttle({ actionCount, environment }: Core, pace: ThrottleState): number {
  const now = environment.clock.now();
  // After a call that changed `actionCount`, or when the clock was set back, reads start again without a pause.
  if (pace.actionCount !== actionCount || pace.requestsAllowedAt > now + READ_PAUSE_MS)
    pace.requestsAllowedAt = 0;
  pace.actionCount = actionCount;
  if (pace.requestsAllowedAt > now) return pace.requestsAllowedAt;
  pace.requestsAllowedAt = Math.max(pace.requestsAllowedAt, now - FREE_READS * READ_PAUSE_MS) + READ_PAUSE_MS;
  return 0;
}
