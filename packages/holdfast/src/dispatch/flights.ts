// The requests in flight: joined per key and freshness epoch, cancelled when the last reader and caller are gone,
// ended all at once by a reset. Order itself is the store's; this file only knows which readers and callers wait for what.
import type { Intent } from '../store/nodes.ts';
import type { Timers } from '../support/environment.ts';
import type { Ask } from './ask.ts';

/** One request, its readers and its callers. */
export class Flight {
  readonly ask: Ask;
  readonly isRead: boolean;
  readonly aborter: AbortController = new AbortController();
  promise: Promise<unknown> = Promise.resolve();
  /** Calls of `fetch` that wait for it: a caller cannot leave. */
  callers = 0;
  readonly readers: Set<object> = new Set();
  /** The guess of a mutation. */
  intent: Intent | undefined = undefined;
  /** When it was sent; 0 while it waits. */
  sent = 0;
  isSettled = false;
  /** Sent before a mutation or an invalidation that it may not know of: a later fetch must not join it. */
  isOutdated = false;
  /** Its failure does not take away what readers show: a poll. */
  isSoft = false;

  constructor(ask: Ask, { isRead }: { readonly isRead: boolean }) {
    this.ask = ask;
    this.isRead = isRead;
  }

  get isJoinable(): boolean {
    return !this.isSettled && !this.isOutdated && !this.aborter.signal.aborted;
  }
}

export class Flights {
  readonly #timers: Timers;
  /** The reads of each key that are under way: one, but for different terms and for those that are outdated. */
  readonly #reads = new Map<string, Set<Flight>>();
  readonly #all = new Set<Flight>();
  #nextWrite: Promise<void> | null = null;
  #endNextWrite: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Everything under way: the collector keeps what it names. */
  all(): Iterable<Flight> {
    return this.#all;
  }

  /** A mutation was acknowledged, or ended unknown: what was asked before it may not know of it. */
  advance(): void {
    for (const flight of this.#all) flight.isOutdated = true;
  }

  /** The same for one stored answer, by an invalidation. */
  advanceKey(slotKey: string): void {
    for (const flight of this.#all) if (flight.ask.slotKey === slotKey) flight.isOutdated = true;
  }

  /** The request that a new fetch may join: one on the same terms, with the same signal and time limit. */
  joinable({ key, endpoint: { signal, timeout } }: Ask): Flight | undefined {
    for (const flight of this.#reads.get(key) ?? []) {
      const { endpoint } = flight.ask;
      if (flight.isJoinable && endpoint.signal === signal && endpoint.timeout === timeout) return flight;
    }
    return undefined;
  }

  start(flight: Flight): Flight {
    const { key } = flight.ask;
    this.#all.add(flight);
    if (flight.isRead) this.#reads.set(key, (this.#reads.get(key) ?? new Set()).add(flight));
    return flight;
  }

  /** Settles when a mutation has ended: for readers of what its guess hides. */
  nextWrite(): Promise<void> {
    return (this.#nextWrite ??= new Promise((resolve) => {
      this.#endNextWrite = resolve;
    }));
  }

  end(flight: Flight): void {
    const { key } = flight.ask;
    const reads = this.#reads.get(key);
    flight.isSettled = true;
    this.#all.delete(flight);
    reads?.delete(flight);
    if (reads?.size === 0) this.#reads.delete(key);
    if (flight.isRead) return;
    this.#endNextWrite?.();
    this.#nextWrite = null;
  }

  /** A reader left. Cancels later: an effect that is torn down and set up again keeps its request. */
  release(reader: object): void {
    // not only the newest one: a reader may wait for a request that a mutation outdated
    for (const flight of this.#all) {
      if (!flight.readers.delete(reader) || isWanted(flight)) continue;
      this.#timers.set(() => {
        if (!flight.isSettled && !isWanted(flight)) flight.aborter.abort();
      }, 0);
    }
  }

  /** Ends everything: the store was reset, or the page that a server renders is over. */
  abortAll(reason: Error): void {
    for (const flight of this.#all) flight.aborter.abort(reason);
    this.#reads.clear();
  }
}

function isWanted(flight: Flight): boolean {
  return flight.callers > 0 || flight.readers.size > 0;
}
