// The requests in flight: who waits for each, and which of them a later fetch may join. Cancelled when the last reader is
// gone, ended all at once by a reset. A slot knows the reads of its own key; the order of answers is the store's.
import type { Intent } from '../store/nodes.ts';
import type { Timers } from '../support/environment.ts';
import type { Ask } from './ask.ts';

interface FlightOptions {
  readonly isRead: boolean;
  readonly isSoft?: boolean;
  readonly intent?: Intent | undefined;
}

/** One request. */
export class Flight {
  readonly ask: Ask;
  readonly isRead: boolean;
  /** The guess of a mutation. */
  readonly intent: Intent | undefined;
  readonly aborter: AbortController = new AbortController();
  promise: Promise<unknown> = Promise.resolve();
  /** Observers that wait for it. The flight itself stands for callers of `fetch`, which cannot leave. */
  readonly readers: Set<object> = new Set();
  /** When it was sent; 0 while it waits. */
  sent = 0;
  isSettled = false;
  /** Sent before a mutation or an invalidation that it may not know of: a later fetch must not join it. */
  isOutdated = false;
  /** Its failure does not take away what readers show: a poll. */
  isSoft: boolean;

  constructor(ask: Ask, { isRead, isSoft = false, intent }: FlightOptions) {
    this.ask = ask;
    this.isRead = isRead;
    this.isSoft = isSoft;
    this.intent = intent;
  }

  /** Whether a fetch may join: it asks for the same on the same terms, and no change lies in between. */
  suits({ key, endpoint: { signal, timeout } }: Ask): boolean {
    const { endpoint } = this.ask;
    const isCurrent = !this.isOutdated && !this.aborter.signal.aborted;
    return isCurrent && this.ask.key === key && endpoint.signal === signal && endpoint.timeout === timeout;
  }
}

/** A mutation was acknowledged or ended unknown, or a key was invalidated: these were asked before it. */
export function outdate(flights: Iterable<Flight>): void {
  for (const flight of flights) flight.isOutdated = true;
}

export class Flights extends Set<Flight> {
  readonly #timers: Timers;
  #nextWrite: Promise<void> | null = null;
  #endNextWrite: (() => void) | null = null;

  constructor(timers: Timers) {
    super();
    this.#timers = timers;
  }

  /** Settles when a mutation has ended: for readers of what its guess hides. */
  nextWrite(): Promise<void> {
    return (this.#nextWrite ??= new Promise((resolve) => {
      this.#endNextWrite = resolve;
    }));
  }

  end(flight: Flight): void {
    flight.isSettled = true;
    this.delete(flight);
    if (flight.isRead) return;
    this.#endNextWrite?.();
    this.#nextWrite = null;
  }

  /** A reader left. Cancels later: an effect that is torn down and set up again keeps its request. */
  release(reader: object): void {
    // every flight: a reader may also wait for a request that a mutation outdated
    for (const flight of this) {
      if (!flight.readers.delete(reader) || flight.readers.size > 0) continue;
      this.#timers.set(() => {
        if (!flight.isSettled && flight.readers.size === 0) flight.aborter.abort();
      }, 0);
    }
  }

  /** Ends everything: the store was reset, or the page that a server renders is over. */
  abortAll(reason: Error): void {
    for (const flight of this) flight.aborter.abort(reason);
  }
}
