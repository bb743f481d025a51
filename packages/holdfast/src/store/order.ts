// The order of stored values and arriving data: every comparison of two times of the store is a question of this file, with a name
// and a table test. A row, a field, a page or a slot has a Stamp; a payload has an Origin; other times are marks of a node, such
// as `deletedAt` and `staleSince`. The times come from timeline.ts.
//
//   read     sent ───────────────────────── settled        replaces data unless a later read or an acknowledged write fences it off
//   write           sent ──── settled                      replaces data unless a write that was sent later was acknowledged
//   message                     sent = settled             may be older than anything in flight
import type { Timeline } from './timeline.ts';

/** The marks of stored data that decide which later payloads may replace it. */
export interface Stamp {
  /**
   * A read sent before this time may not replace the data: the later of the last read's send and the last write's
   * acknowledgement.
   */
  readonly fence: number;
  /** A write sent before this time may not replace the data: the send of the last acknowledged write. */
  readonly writeSent: number;
  /**
   * When the data was requested and (`date`) when it arrived, on the store's timeline. `expiresAt` is the time of day at which it
   * expires.
   */
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
  /** The time of day at which the data was stored. If the clock shows an earlier time, it was set back since. */
  readonly storedAt: number;
  /** The expiry time that the headers of the response gave; absent when the endpoint decided it. */
  readonly expiryMs?: number;
}

/** Where incoming data comes from: the response to one request, or one direct write. */
export interface Origin {
  readonly isRead: boolean;
  readonly sent: number;
  /** When the data arrived; for a write, its acknowledgement. */
  readonly settled: number;
  /** The stamp of all data that this origin is first to write: shared, so that 10,000 rows cost one object. */
  readonly stamp: Stamp;
}

/** The stamp of data that no payload has written: anything may replace it. */
export const NEVER: Stamp = { fence: 0, writeSent: 0, fetchedAt: 0, date: 0, expiresAt: 0, storedAt: 0 };

export function readOrigin(sent: number, settled: number, expiresAt: number, storedAt: number): Origin {
  const stamp: Stamp = { fence: sent, writeSent: 0, fetchedAt: sent, date: settled, expiresAt, storedAt };
  return { isRead: true, sent, settled, stamp };
}

export function writeOrigin(sent: number, settled: number, expiresAt: number, storedAt: number): Origin {
  const stamp: Stamp = {
    fence: settled,
    writeSent: sent,
    fetchedAt: sent,
    date: settled,
    expiresAt,
    storedAt,
  };
  return { isRead: false, sent, settled, stamp };
}

/** The origin of nested rows in a mutation's response: they count as a read that was sent with the mutation. */
export function nestedOrigin({ sent, settled, stamp }: Origin): Origin {
  return readOrigin(sent, settled, stamp.expiresAt, stamp.storedAt);
}

/** The origin of a write that is sent and acknowledged at this moment. */
export function writeNow(timeline: Timeline): Origin {
  const stamp = timeline.tick();
  return writeOrigin(stamp, stamp, Infinity, 0);
}

// ── questions ────────────────────────────────────────────────────────────────────────────────────

/**
 * Whether data of this origin may replace data with this stamp. A read must have been sent after the last applied read was sent and
 * after the last write was acknowledged; a write must have been sent after the last acknowledged write was sent.
 */
export function mayReplace(origin: Origin, stamp: Stamp): boolean {
  return origin.sent >= (origin.isRead ? stamp.fence : stamp.writeSent);
}

/** Whether a request that was sent at `sent` knows of a change at `moment`: the request was not sent before the change. */
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

/** Whether a write that was sent after `sent` was acknowledged. */
export function hasLaterWrite({ writeSent }: Stamp, sent: number): boolean {
  return writeSent > sent;
}

/** Whether the data was ever written by this client, not only read. */
export function wasWritten({ writeSent }: Stamp): boolean {
  return writeSent > 0;
}

/** Whether the data comes from a saved state alone: no request of this client has brought the data. */
export function isRestored({ fence, writeSent }: Stamp): boolean {
  return fence === 0 && writeSent === 0;
}

/** Whether a saved state may replace the data: the data comes from a saved state too, and not from a later one. */
export function isLaterState(incoming: Stamp, present: Stamp): boolean {
  return isRestored(present) && incoming.date >= present.date;
}

/** Whether a message brought the data: `set`, or a stream. A message is sent and arrives at one moment. */
export function isMessage({ date, fetchedAt }: Stamp): boolean {
  return date === fetchedAt && date > 0;
}

/** Whether the data came with the payload of this origin. */
export function isFrom({ date }: Stamp, { settled }: Origin): boolean {
  return date === settled;
}

/** Whether the data arrived after `sent`. */
export function hasArrivedSince({ date }: Stamp, sent: number): boolean {
  return date > sent;
}

/** Whether the node is stale, or became stale after `since`. */
export function isStale({ staleSince }: { readonly staleSince: number }, since = 0): boolean {
  return staleSince > since;
}

/** Whether a read has changed the row, or a payload has first brought the row, after `sent`. */
export function wasSeenSince({ seenAt }: { readonly seenAt: number }, sent: number): boolean {
  return seenAt > sent;
}

/** Whether the first time is later: for calls, and for responses that no stamp describes. */
export function isAfter(moment: number, other: number): boolean {
  return moment > other;
}

/** The earlier of two times. */
export function earlier(moment: number, other: number): number {
  return Math.min(moment, other);
}

/** The later of these times. */
export function latest(...moments: readonly number[]): number {
  return Math.max(...moments);
}

// ── changes ──────────────────────────────────────────────────────────────────────────────────────

/**
 * The new stamp of data that this origin has replaced. `fence` and `writeSent` never decrease, because a read does not undo what
 * earlier writes have fenced off.
 */
export function advance(stamp: Stamp, origin: Origin): Stamp {
  const next = origin.stamp;
  if (stamp.writeSent <= next.writeSent && stamp.fence <= next.fence) return next;
  return {
    ...next,
    fence: Math.max(stamp.fence, next.fence),
    writeSent: Math.max(stamp.writeSent, next.writeSent),
  };
}

/**
 * The new stamp of data that this origin was too old to replace: a late write still fences off reads sent before its
 * acknowledgement.
 */
export function raiseFence(stamp: Stamp, origin: Origin): Stamp {
  const fence = origin.stamp.fence;
  return fence <= stamp.fence ? stamp : { ...stamp, fence };
}
