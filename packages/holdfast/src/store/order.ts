// The order of stored values and arriving data. The comparisons that find the later of two times of the store are functions of this
// file, so that each has a name and a table test. A payload has a Stamp, and so has each row, field, page and slot; other times are
// marks of a node, such as `deletedAt` and `staleSince`. The times come from timeline.ts.
//
//   read     sent ───────────────────────── settled        replaces data unless a later read or an acknowledged write fences it off
//   write           sent ──── settled                      replaces data unless a write that was sent later was acknowledged
//   message                     sent = settled             may be older than anything in flight
import type { Timeline } from './timeline.ts';

/**
 * The times that belong to data. The stamp of a payload, its origin, is made from the payload's request. The rows that a payload is
 * the first to write usually share this object, so that the stamps of 10,000 rows cost one object. When the payload replaces data,
 * `advance` combines the two stamps.
 */
export interface Stamp {
  /** When the data was requested, on the store's timeline. */
  readonly sent: number;
  /** The time at which the data arrived; for a write, the time of its acknowledgement. */
  readonly settled: number;
  /** The time of day at which the data expires. */
  readonly expiresAt: number;
  /** The time of day at which the data was stored. If the clock shows an earlier time, the clock was set back since. */
  readonly storedAt: number;
  /**
   * A read that was sent before this time may not replace the data. It is the later of the last read's send and the last write's
   * acknowledgement.
   */
  readonly fence: number;
  /**
   * A write that was sent before this time may not replace the data. It is the latest time at which an acknowledged write was sent.
   */
  readonly writeSent: number;
  /** The expiry time that the headers of the response gave; absent when the endpoint decides. */
  readonly expiryMs?: number;
  /**
   * The fields that the responses of every row of a page declare. Set only on a page of a saved state, if some of its rows came
   * with only some of their fields.
   */
  readonly fieldNames?: ReadonlySet<string>;
}

type StampTimes = Pick<Stamp, 'sent' | 'settled' | 'expiresAt' | 'storedAt'>;

/**
 * The stamp of the response to a read. Also the stamp of the rows in `rowsAsRead`, which count as read by a request that was sent
 * with the payload's request.
 */
export function stampOfRead({ sent, settled, expiresAt, storedAt }: StampTimes): Stamp {
  return { sent, settled, expiresAt, storedAt, fence: sent, writeSent: 0 };
}

/** The stamp of a mutation's response, a message or a value for `set`. */
export function stampOfWrite({ sent, settled, expiresAt, storedAt }: StampTimes): Stamp {
  return { sent, settled, expiresAt, storedAt, fence: settled, writeSent: sent };
}

/** The stamp of data that no payload has written, so that any payload may replace the data. */
export const NO_STAMP: Stamp = { sent: 0, settled: 0, expiresAt: 0, storedAt: 0, fence: 0, writeSent: 0 };

/** The stamp of a write that is sent and acknowledged at this moment. */
export function stampOfWriteNow(timeline: Timeline): Stamp {
  const now = timeline.tick();
  return stampOfWrite({ sent: now, settled: now, expiresAt: Infinity, storedAt: 0 });
}

// ── questions ────────────────────────────────────────────────────────────────────────────────────

/** Whether this payload counts as read. Ask this only of a payload: the stamp of stored data also remembers earlier writes. */
export function isRead(origin: Stamp): boolean {
  return !wasWritten(origin);
}

/**
 * Whether a payload may replace data with this stamp. A read may not if it was sent before the last applied read was sent or before
 * the last write was acknowledged. A write may not if a write that was sent later is already acknowledged.
 */
export function mayReplace(origin: Stamp, stamp: Stamp): boolean {
  return origin.sent >= (isRead(origin) ? stamp.fence : stamp.writeSent);
}

/** Whether a request that was sent at `sent` knows of a change at `moment`, because it was not sent before the change. */
export function knowsOf(sent: number, moment: number): boolean {
  return sent >= moment;
}

/** Whether a request that was sent at `sent` knows of the row's deletion; true when the row was never deleted. */
export function knowsOfDelete(sent: number, { deletedAt }: { readonly deletedAt: number }): boolean {
  return sent >= deletedAt;
}

/** Whether the change at `moment` must be remembered, because the oldest request in flight does not know of the change. */
export function mustRemember(moment: number, oldestOpen: number): boolean {
  return moment > oldestOpen;
}

/** Whether a write that was sent after `sent` is already acknowledged. */
export function hasLaterWrite({ writeSent }: Stamp, sent: number): boolean {
  return writeSent > sent;
}

/** Whether the response to a mutation, a message or a value for `set` has ever written the data; false if it was only read. */
export function wasWritten({ writeSent }: Stamp): boolean {
  return writeSent > 0;
}

/** Whether no payload of this client has written the data: it comes from a saved state, or is absent. */
export function isRestoredOrAbsent({ fence, writeSent }: Stamp): boolean {
  return fence === 0 && writeSent === 0;
}

/** Whether a saved state may replace the data, because the data is absent or comes from a saved state that is not later. */
export function mayRestore(incoming: Stamp, present: Stamp): boolean {
  return isRestoredOrAbsent(present) && incoming.settled >= present.settled;
}

/** Whether a message brought the data: `set`, a stream, or another payload that is sent and arrives at one moment. */
export function isMessage({ settled, sent }: Stamp): boolean {
  return settled === sent && settled > 0;
}

/** Whether the data came with the payload of this stamp. */
export function cameWith(stamp: Stamp, { settled }: Stamp): boolean {
  return stamp.settled === settled;
}

/** Whether the data arrived after the time `sent`. */
export function hasArrivedSince({ settled }: Stamp, sent: number): boolean {
  return settled > sent;
}

/** Whether the node became stale after `since`; without `since`, whether it is stale. */
export function isStale({ staleSince }: { readonly staleSince: number }, since = 0): boolean {
  return staleSince > since;
}

/** Whether `changedByReadAt` of the row is later than `sent`. */
export function wasChangedByReadSince(
  { changedByReadAt }: { readonly changedByReadAt: number },
  sent: number,
): boolean {
  return changedByReadAt > sent;
}

/**
 * Whether `moment` is later than `other`. Use it only for times for which this file has no other function, such as the times of
 * calls.
 */
export function isAfter(moment: number, other: number): boolean {
  return moment > other;
}

/** The earlier of two times. */
export function earlier(moment: number, other: number): number {
  return Math.min(moment, other);
}

/** The latest of these times. */
export function latest(...moments: readonly number[]): number {
  return Math.max(...moments);
}

// ── changes ──────────────────────────────────────────────────────────────────────────────────────

/**
 * The new stamp of data that the payload `next` has replaced. `fence` and `writeSent` never decrease, because a read does not
 * cancel the fence of an earlier write.
 */
export function advance(stamp: Stamp, next: Stamp): Stamp {
  if (stamp.writeSent <= next.writeSent && stamp.fence <= next.fence) return next;
  return {
    ...next,
    fence: latest(stamp.fence, next.fence),
    writeSent: latest(stamp.writeSent, next.writeSent),
  };
}

/**
 * The new stamp of data that a payload was too old to replace. Even a write that came too late excludes the reads that were sent
 * before its acknowledgement.
 */
export function raiseFence(stamp: Stamp, { fence }: Stamp): Stamp {
  return fence <= stamp.fence ? stamp : { ...stamp, fence };
}
