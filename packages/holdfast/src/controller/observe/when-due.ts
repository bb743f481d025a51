// When an observer has to look again at what it shows: data has had its time, or a failure has. Asked after every
// change; the observer wakes by it.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';
import type { Core } from '../state/core.ts';
import { dataLifetime } from '../state/lifetimes.ts';
import { isResting, isStale } from '../slot/read-slot.ts';
import type { Observation } from '../slot/read-slot.ts';
import { LONGEST_TIMER_MS } from '../../support/environment.ts';

/** An answer is good for at least this long to whoever shows it: a lifetime of 0 must not fetch without end. */
const SHORTEST_SHOW_MS = 1_000;

/** How often to look whether somebody is back, where no manager tells at once. */
const REST_MS = 10_000;

/** The moment, as the wall clock tells it; 0 for never. `pausedUntil` ends the pause after aborts, 0 for none. */
export function whenDue(
  core: Core,
  endpoint: EndpointInterface,
  seen: Observation,
  pausedUntil: number,
  now: number,
): number {
  // where something is to be hidden or shown then, a request under way does not matter
  const isAwaited = seen.isFetching && seen.expiryStatus === ExpiryStatus.Valid;
  const at = pausedUntil || seen.errorExpiresAt || (isAwaited ? 0 : seen.expiresAt);
  const isTooShort = dataLifetime(endpoint, core.lifetimes) < SHORTEST_SHOW_MS;
  if (at <= 0 || at - now > LONGEST_TIMER_MS) return 0;
  // so short a life means "fetch when a reader comes", not "fetch all the time"
  if (isTooShort && at === seen.expiresAt) return 0;
  if (at < now + REST_MS && isResting(core, seen)) return now + REST_MS;
  // it has had its time and nothing was to be done about it: looking again changes nothing
  return at < now ? 0 : at + 1;
}

/** Whether the data has had its time, and was shown for as long as anything is. */
export function isDue(core: Core, endpoint: EndpointInterface, seen: Observation, now: number): boolean {
  if (!isStale(core, endpoint, seen, now)) return false;
  const shownUntil = seen.expiresAt + SHORTEST_SHOW_MS - dataLifetime(endpoint, core.lifetimes);
  return seen.expiryStatus === ExpiryStatus.Invalid || now < seen.expiresAt || now > shownUntil;
}

/** Whether nothing is to be done about it now: so it is with nearly everything on a page. */
export function isSound(core: Core, endpoint: EndpointInterface, seen: Observation, now: number): boolean {
  const isValid = seen.expiryStatus === ExpiryStatus.Valid && seen.error === undefined;
  return isValid && seen.errorExpiresAt === 0 && !isDue(core, endpoint, seen, now);
}
