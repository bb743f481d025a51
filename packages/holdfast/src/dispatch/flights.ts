// The requests in flight: joined per key and freshness epoch, cancelled when the last reader and caller are gone,
// ended all at once by a reset. Order itself is the store's; this file only knows which readers and callers wait for what.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { Timers } from '../support/environment.ts';

/** What may end a request before its answer is in. */
interface Terms {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}

/** What a request is for. */
interface Asked {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The stored answer it is for: a page's is that of its list. */
  readonly slotKey: string;
  readonly isRead: boolean;
}

/** One request, its readers and its callers. */
export class Flight implements Asked {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly slotKey: string;
  readonly isRead: boolean;
  readonly aborter: AbortController = new AbortController();
  promise: Promise<unknown> = Promise.resolve();
  /** Calls of `fetch` that wait for it: a caller cannot leave. */
  callers = 0;
  readonly readers: Set<object> = new Set();
  isSettled = false;
  /** Sent before a mutation or an invalidation that it may not know of: a later fetch must not join it. */
  isOutdated = false;
  /** Its failure does not take away what readers show: a poll. */
  isSoft = false;
  /** Its terms: a fetch with another signal or time limit does not join it. */
  signal: AbortSignal | undefined = undefined;
  timeout: number | undefined = undefined;

  constructor({ endpoint, args, key, slotKey, isRead }: Asked) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
    this.slotKey = slotKey;
    this.isRead = isRead;
  }

  get isJoinable(): boolean {
    return !this.isSettled && !this.isOutdated && !this.aborter.signal.aborted;
  }
}

export class Flights {
  readonly #timers: Timers;
  /** The reads of each key that are under way: one, but for different terms and for those that are outdated. */
  readonly #reads = new Map<string, readonly Flight[]>();
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
    for (const flight of this.#all) if (flight.slotKey === slotKey) flight.isOutdated = true;
  }

  /** The request for this key that a new fetch may join: one on the same terms. */
  joinable(key: string, { signal, timeout }: Terms): Flight | undefined {
    return this.#reads
      .get(key)
      ?.find((flight) => flight.isJoinable && flight.signal === signal && flight.timeout === timeout);
  }

  start(asked: Asked): Flight {
    const flight = new Flight(asked);
    const { key } = flight;
    this.#all.add(flight);
    if (flight.isRead) this.#reads.set(key, [...(this.#reads.get(key) ?? []), flight]);
    return flight;
  }

  /** Settles when a mutation has ended: for readers of what its guess hides. */
  nextWrite(): Promise<void> {
    return (this.#nextWrite ??= new Promise((resolve) => {
      this.#endNextWrite = resolve;
    }));
  }

  end(flight: Flight): void {
    flight.isSettled = true;
    this.#all.delete(flight);
    if (!flight.isRead) {
      this.#endNextWrite?.();
      this.#nextWrite = null;
      return;
    }
    const others = this.#reads.get(flight.key)?.filter((other) => other !== flight) ?? [];
    if (others.length > 0) this.#reads.set(flight.key, others);
    else this.#reads.delete(flight.key);
  }

  /** A reader left. Cancels later: an effect that is torn down and set up again keeps its request. */
  release(key: string, reader: object): void {
    // not only the newest one: a reader may wait for a request that a mutation outdated
    for (const flight of this.#all) {
      if (flight.key !== key || !flight.readers.delete(reader) || isWanted(flight)) continue;
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
