// The order of stored values and arriving data. A row, a field or a list has a Stamp; a response has an Origin. `isOlder`
// compares them: a read must have been sent after the last applied read was sent and after the last write was acknowledged; a
// write must have been sent after the last acknowledged write was sent. The Timeline at the end of this file gives out the times
// of all sends and acknowledgements: the controller opens one per request and closes it at the end.
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
  /** When the data was requested, when it arrived, and when it becomes stale. */
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
  /** The time of day at which the data was stored. An earlier time of day means that the clock was set back since. */
  readonly storedAt: number;
  /** How long the data was fresh on arrival, when something other than its endpoint decided that. */
  readonly lifetimeMs?: number;
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

/** The new stamp of data that this origin has replaced. It keeps the marks of earlier writes, which a read must not erase. */
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

/** The step between two stamps while the clock shows the same time; exact in a double until the year 2200. */
const NUDGE_MS = 1 / 1024;

/** When a stamp is further than this beyond the expected time, the clock was set back. */
const AHEAD_MS = 1;

/** The source of all order. A stamp is the time of day made strictly increasing, so a clock that is set back changes no order. */
export class Timeline {
  readonly #clock: Clock;
  readonly #open = new Set<number>();
  /** The last stamp that was given out. */
  last = 0;
  /** How far the stamps are ahead of the clock, because the clock was set back or another machine's clock is ahead. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next stamp: later than every earlier one, whatever the clock does, and at least `least`, which came from elsewhere. */
  tick(least = 0): number {
    const now = this.#clock.now();
    const next = Math.max(least, now + this.#aheadMs, this.last + NUDGE_MS);
    // From here on the stamps keep this distance from the clock.
    if (next - now - this.#aheadMs > AHEAD_MS) this.#aheadMs = next - now;
    return (this.last = next);
  }

  /**
   * The stamp of a time of day. A time that the clock has not reached yet is from before the clock was set back, and is its own
   * stamp.
   */
  stampOf(timeOfDay: number): number {
    return timeOfDay > this.#clock.now() ? timeOfDay : timeOfDay + this.#aheadMs;
  }

  /** A stamp for a request that is being sent; the request counts as in flight until `close`. */
  open(): number {
    const sent = this.tick();
    this.#open.add(sent);
    return sent;
  }

  close(sent: number): void {
    this.#open.delete(sent);
  }

  /** The send of the oldest request in flight; Infinity when no request is in flight. */
  oldestOpen(): number {
    // sends only grow, so the set's first entry is its smallest
    const [oldest = Infinity] = this.#open;
    return oldest;
  }
}
