// How good stored data is and until when: read by `getResponse`, by observers and by `fetchIfStale`. Time comes from
// the clock here and nowhere else in the controller.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { INVALID, UNKNOWN } from '../schema/protocol/protocol.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { List, Row } from '../store/nodes.ts';
import type { Slot } from '../store/nodes.ts';
import type { Environment } from '../support/environment.ts';
import { ExpiryStatus } from './controller.types.ts';

/** Milliseconds for which an answer is fresh when neither endpoint nor controller says. */
export const DEFAULT_DATA_EXPIRY_MS = 60_000;
/** Milliseconds for which a failure stands before it is tried again. */
export const DEFAULT_ERROR_EXPIRY_MS = 1_000;

/** After how many failures in a row further tries are spaced out, and by how much at least. */
const FREE_FAILURES = 2;
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** What clocks of a server and a browser may differ by: hydrated data is not stale for that. */
const CLOCK_SKEW_MS = 60_000;

export interface Lifetimes {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
}

/** What a moment of expiry is reckoned from. */
interface Terms {
  readonly environment: Pick<Environment, 'clock'>;
  readonly lifetimes: Lifetimes;
}

/** Until when an answer that comes now is fresh. */
export function dataExpiry({ environment, lifetimes }: Terms, endpoint: EndpointInterface): number {
  return environment.clock.now() + dataLifetime(endpoint, lifetimes);
}

/** Until when a failure that comes now stands, being the so-manieth in a row. */
export function errorExpiry(
  { environment, lifetimes }: Terms,
  endpoint: EndpointInterface,
  failures: number,
): number {
  return environment.clock.now() + errorLifetime(endpoint, lifetimes, failures);
}

export function dataLifetime(endpoint: EndpointInterface, defaults: Lifetimes): number {
  return endpoint.dataExpiryLength ?? defaults.dataExpiryLength;
}

/** Failures in a row wait longer each time, whatever the endpoint says: no resource is hammered. */
export function errorLifetime(endpoint: EndpointInterface, defaults: Lifetimes, failures: number): number {
  const wanted = endpoint.errorExpiryLength ?? defaults.errorExpiryLength;
  if (failures <= FREE_FAILURES) return wanted;
  return Math.max(wanted, Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - FREE_FAILURES - 1)));
}

/** Whether data has had its time. What would last longer than its own lifetime was stored before the clock stepped back. */
export function isOver(expiresAt: number, lifetime: number, now: number): boolean {
  return now > expiresAt || expiresAt - now > 2 * lifetime + CLOCK_SKEW_MS;
}

/** Whether a failure would stand longer than the longest pause: it came before the clock stepped back. */
export function isMisdated(
  until: number,
  endpoint: EndpointInterface,
  defaults: Lifetimes,
  now: number,
): boolean {
  return until - now > errorLifetime(endpoint, defaults, Infinity);
}

/** When the data counts as stale; 0 when there is none. `found` is what a look-up found, where there is no answer. */
export function expiryOf(slot: Slot, found: unknown, kind: Kind): number {
  if (slot.invalidatedAt > 0 || slot.staleSince > 0) return 0;
  if (slot.hasResult) return hasStalePart(slot.stored) ? 0 : slot.stamp.expiresAt;
  // a summary from a list is shown, and the rest is fetched
  if (found instanceof Row && found.shown && kind.covers && !kind.covers(found.shown)) return 0;
  return expiryOfStored(found);
}

/** For data that other answers brought: as fresh as the row or the list it starts from. */
function expiryOfStored(stored: unknown): number {
  if (stored === UNKNOWN || stored === undefined) return 0;
  // a row that is gone is no data, however lately it went
  if (stored instanceof Row) return !stored.shown || isInDoubt(stored) ? 0 : stored.stamp.expiresAt;
  if (stored instanceof List) {
    return stored.staleSince > 0 ? 0 : Math.min(...stored.segments.map((segment) => segment.stamp.expiresAt));
  }
  if (typeof stored !== 'object' || stored === null || Object.getPrototypeOf(stored) !== Object.prototype)
    return 0;
  const parts = Object.values(stored).filter((part) => part instanceof Row || part instanceof List);
  return parts.length === 0 ? 0 : Math.min(...parts.map(expiryOfStored));
}

/** A row is in doubt with what it directly holds: nobody has asked for it, so no answer of its own says so. */
function isInDoubt(row: Row): boolean {
  if (row.staleSince > 0) return true;
  const { shown } = row;
  for (const name in shown) {
    const part = shown[name];
    if (part instanceof Row ? part.staleSince > 0 : Array.isArray(part) && part.some(isRowInDoubt))
      return true;
  }
  return false;
}

function isRowInDoubt(part: unknown): boolean {
  return part instanceof Row && part.staleSince > 0;
}

/** A row or list that is in doubt makes the answer that starts from it stale. */
export function hasStalePart(stored: unknown): boolean {
  if (stored instanceof Row || stored instanceof List) return stored.staleSince > 0;
  if (typeof stored !== 'object' || stored === null || Object.getPrototypeOf(stored) !== Object.prototype)
    return false;
  return Object.values(stored).some(
    (part) => (part instanceof Row || part instanceof List) && part.staleSince > 0,
  );
}

export function statusOf(
  slot: Slot,
  endpoint: EndpointInterface,
  value: unknown,
  found: boolean,
): ExpiryStatus {
  if (slot.invalidatedAt > 0) return ExpiryStatus.Invalid;
  if (value === INVALID) return slot.error ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Invalid;
  return endpoint.invalidIfStale === true || !found ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Valid;
}

/** The error that readers see: a soft one stays hidden while there is something that may be shown. */
export function shownError(slot: Slot, endpoint: EndpointInterface, hasData: boolean): Error | undefined {
  const { error } = slot;
  if (error === undefined) return undefined;
  const canShow = hasData && slot.invalidatedAt === 0;
  return canShow && endpoint.errorPolicy?.(error) === 'soft' ? undefined : error;
}
