// How good stored data is: its status, the moment it counts as stale, the error that readers see. Read by read-slot.ts.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { INVALID, UNKNOWN } from '../../schema/protocol/protocol.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import { List, Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';

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
