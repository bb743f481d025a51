// When an observer has to look again at what it shows: data has had its time, or a failure has. Called after every
// change; the observer wakes by it.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { ExpiryStatus } from './controller.types.ts';
import type { Core } from './core.ts';
import { dataLifetime } from './freshness.ts';
import { isResting } from './read-slot.ts';
import type { Observation } from './read-slot.ts';

/** An answer is good for at least this long to whoever shows it: a lifetime of 0 must not fetch without end. */
export const SHORTEST_SHOW_MS = 1_000;

const LONGEST_TIMER_MS = 2_147_483_647;
/** How often to look whether somebody is back, where no manager tells at once. */
const REST_MS = 10_000;

/** The moment, as the wall clock tells it; null for never. `pausedUntil` ends the pause after aborts, 0 for none. */
export function whenDue(
  core: Core,
  endpoint: EndpointInterface,
  seen: Observation,
  pausedUntil: number,
  now: number,
): number | null {
  // where something is to be hidden or shown then, a request under way does not matter
  const isAwaited = seen.isFetching && seen.expiryStatus === ExpiryStatus.Valid;
  const at = pausedUntil || seen.errorExpiresAt || (isAwaited ? 0 : seen.expiresAt);
  const isTooShort = dataLifetime(endpoint, core.lifetimes) < SHORTEST_SHOW_MS;
  if (at <= 0 || at - now > LONGEST_TIMER_MS) return null;
  // so short a life means "fetch when a reader comes", not "fetch all the time"
  if (isTooShort && at === seen.expiresAt) return null;
  if (at < now + REST_MS && isResting(core, seen)) return now + REST_MS;
  // it has had its time and nothing was to be done about it: looking again changes nothing
  return at < now ? null : at + 1;
}
