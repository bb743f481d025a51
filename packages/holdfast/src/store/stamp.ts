// What orders a stored value against later arrivals. A row, a field or a list carries a Stamp; an answer carries an Origin.
// One comparison, `isOlder`, gives the rules: a read must have been sent after the last applied read was sent and after the
// last write was acknowledged; a write must have been sent after the last acknowledged write was sent. Below stands the one
// line of every send and every acknowledgement: the controller opens a stamp per request and closes it at the end.
import type { Clock } from '../support/environment.ts';

/** The order mark of stored data. */
export interface Stamp {
  /** A read sent before this may not replace the data: the later of the last read's send and the last write's answer. */
  readonly fence: number;
  /** A write sent before this may not replace the data: the send of the last acknowledged write. */
  readonly writeSent: number;
  /** When the data was asked for, when it arrived, and when it counts as stale. */
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
  /** The time of day at which the data was stored. An earlier time of day means that the clock was set back since. */
  readonly storedAt: number;
  /** How long it was fresh when it arrived, where something else than its endpoint has said so. */
  readonly lifetimeMs?: number;
}

/** Where incoming data comes from: one answer to one request, or one direct write. */
export interface Origin {
  readonly isRead: boolean;
  readonly sent: number;
  /** When it arrived: the acknowledgement of a write. */
  readonly settled: number;
  /** The stamp of everything this answer is first to write: shared, so that 10,000 rows cost one object. */
  readonly stamp: Stamp;
}

/** The stamp of data that no answer brought: anything may replace it. */
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

/** The origin of what a mutation's answer says beside what the mutation is about. */
export function nestedOrigin({ sent, settled, stamp }: Origin): Origin {
  return readOrigin(sent, settled, stamp.expiresAt, stamp.storedAt);
}

/** The origin of a write that is sent and acknowledged at this moment. */
export function writeNow(timeline: Timeline): Origin {
  const stamp = timeline.tick();
  return writeOrigin(stamp, stamp, Infinity, 0);
}

/** Whether the answer may not replace data that carries this stamp. */
export function isOlder(origin: Origin, stamp: Stamp): boolean {
  return origin.sent < (origin.isRead ? stamp.fence : stamp.writeSent);
}

/** Whether a message brought the data: `set`, or a stream. A message is sent and arrives at one moment. */
export function isMessage({ date, fetchedAt }: Stamp): boolean {
  return date === fetchedAt && date > 0;
}

/** The stamp of data that the answer has replaced: an applied read must not erase the mark of an earlier write. */
export function advance(stamp: Stamp, origin: Origin): Stamp {
  const next = origin.stamp;
  if (stamp.writeSent <= next.writeSent && stamp.fence <= next.fence) return next;
  return {
    ...next,
    fence: Math.max(stamp.fence, next.fence),
    writeSent: Math.max(stamp.writeSent, next.writeSent),
  };
}

/** The stamp of data that the answer was too old to replace: a late write still closes the door to reads before it. */
export function fenceOff(stamp: Stamp, origin: Origin): Stamp {
  const fence = origin.stamp.fence;
  return fence <= stamp.fence ? stamp : { ...stamp, fence };
}

/** What a clock that stands still is nudged by: exact in a double until the year 2200. */
const NUDGE_MS = 1 / 1024;

/** What stamps of one moment may be apart: more means that the clock was set back. */
const AHEAD_MS = 1;

/** Order comes from here, never from the clock: stamps are the time of day made strictly increasing. */
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

  /** The next stamp: later than every one before it, whatever the clock does, and no less than one that came from elsewhere. */
  tick(least = 0): number {
    const now = this.#clock.now();
    const next = Math.max(least, now + this.#aheadMs, this.last + NUDGE_MS);
    // stamps go on at the pace of the clock from here
    if (next - now - this.#aheadMs > AHEAD_MS) this.#aheadMs = next - now;
    return (this.last = next);
  }

  /** The stamp of a time of day: of one that the clock has not reached yet, the time of day before the clock was set back. */
  stampOf(timeOfDay: number): number {
    return timeOfDay > this.#clock.now() ? timeOfDay : timeOfDay + this.#aheadMs;
  }

  /** A stamp for a request that is being sent; it counts as in flight until `close`. */
  open(): number {
    const sent = this.tick();
    this.#open.add(sent);
    return sent;
  }

  close(sent: number): void {
    this.#open.delete(sent);
  }

  /** The send of the oldest request in flight; Infinity when the line is quiet. */
  oldestOpen(): number {
    // sends only grow, so the set's first entry is its smallest
    const [oldest = Infinity] = this.#open;
    return oldest;
  }
}
