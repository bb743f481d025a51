// The order of stored values and arriving data. A row, a field or a list has a Stamp; a response has an Origin. `isOlder` compares
// them: a read must have been sent after the last applied read was sent and after the last write was acknowledged; a write must
// have been sent after the last acknowledged write was sent. The Timeline at the end of this file gives out the times of all sends
// and acknowledgements; the controller calls its `open` when a request is sent and `close` when the request ends.
import type { Clock } from '../support/environment.ts';

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

/** Whether data of this origin is too old to replace data with this stamp. */
export function isOlder(origin: Origin, stamp: Stamp): boolean {
  return origin.sent < (origin.isRead ? stamp.fence : stamp.writeSent);
}

/** Whether a message brought the data: `set`, or a stream. A message is sent and arrives at one moment. */
export function isMessage({ date, fetchedAt }: Stamp): boolean {
  return date === fetchedAt && date > 0;
}

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
export function fenceOff(stamp: Stamp, origin: Origin): Stamp {
  const fence = origin.stamp.fence;
  return fence <= stamp.fence ? stamp : { ...stamp, fence };
}

/** The step between two times while the clock shows the same time; exact in a double until the year 2200. */
const NUDGE_MS = 1 / 1024;

/**
 * When the next time is further than this beyond the expected one, the clock was set back, or another machine's clock is ahead.
 */
const AHEAD_MS = 1;

/**
 * The source of all order. It gives out the time of day, made strictly increasing, so that a clock that is set back changes no
 * order.
 */
export class Timeline {
  readonly #clock: Clock;
  readonly #open = new Set<number>();
  /** The last time that was given out. */
  last = 0;
  /** How far the timeline is ahead of the clock, because the clock was set back or another machine's clock is ahead. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next time: later than every earlier one, whatever the clock does, and at least `least`, a time from a saved state. */
  tick(least = 0): number {
    const now = this.#clock.now();
    const next = Math.max(least, now + this.#aheadMs, this.last + NUDGE_MS);
    // From here on the timeline keeps this distance from the clock.
    if (next - now - this.#aheadMs > AHEAD_MS) this.#aheadMs = next - now;
    return (this.last = next);
  }

  /**
   * A time of day as a time on this timeline. A time of day that the clock has not reached yet is from before the clock was set
   * back, and stays as it is.
   */
  stampOf(timeOfDay: number): number {
    return timeOfDay > this.#clock.now() ? timeOfDay : timeOfDay + this.#aheadMs;
  }

  /** The time of a request that is being sent; the request counts as in flight until `close`. */
  open(): number {
    const sent = this.tick();
    this.#open.add(sent);
    return sent;
  }

  close(sent: number): void {
    this.#open.delete(sent);
  }

  /** The time at which the oldest request in flight was sent; Infinity when no request is in flight. */
  oldestOpen(): number {
    // send times only increase, so the first entry of the set is the smallest
    const [oldest = Infinity] = this.#open;
    return oldest;
  }
}
