// The requests in flight: joined per key and freshness epoch, cancelled when the last reader and caller are gone,
// ended all at once by a reset. Order itself is the store's; this file only knows who waits for what.
import { AbortError } from '../support/network-errors.ts';
import type { Timers } from '../support/environment.ts';

/** One request and everyone who waits for it. */
export class Flight {
  readonly key: string;
  /** The freshness it was sent in: a fetch asked for later than a mutation or an invalidation must not join it. */
  readonly epoch: string;
  readonly isRead: boolean;
  readonly aborter: AbortController = new AbortController();
  promise: Promise<unknown> = Promise.resolve();
  /** Calls of `fetch`: they cannot take their wish back. */
  callers = 0;
  readonly readers: Set<object> = new Set();
  isSettled = false;

  constructor(key: string, epoch: string, isRead: boolean) {
    this.key = key;
    this.epoch = epoch;
    this.isRead = isRead;
  }
}

export class Flights {
  readonly #timers: Timers;
  readonly #reads = new Map<string, Flight>();
  readonly #all = new Set<Flight>();
  readonly #keyEpochs = new Map<string, number>();
  #epoch = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get size(): number {
    return this.#all.size;
  }

  /** The freshness a request for this key is sent in now. */
  epochOf(key: string): string {
    return `${this.#epoch} ${this.#keyEpochs.get(key) ?? 0}`;
  }

  /** A mutation was acknowledged, or ended unknown: what was asked before it may not know of it. */
  advance(): void {
    this.#epoch += 1;
    // one number for all keys makes the single ones superfluous
    this.#keyEpochs.clear();
  }

  advanceKey(key: string): void {
    this.#keyEpochs.set(key, (this.#keyEpochs.get(key) ?? 0) + 1);
  }

  /** The request for this key that a new wish may join. */
  joinable(key: string): Flight | undefined {
    const flight = this.#reads.get(key);
    return flight && !flight.isSettled && flight.epoch === this.epochOf(key) && !flight.aborter.signal.aborted
      ? flight
      : undefined;
  }

  start(key: string, isRead: boolean): Flight {
    const flight = new Flight(key, this.epochOf(key), isRead);
    this.#all.add(flight);
    if (isRead) this.#reads.set(key, flight);
    return flight;
  }

  end(flight: Flight): void {
    flight.isSettled = true;
    this.#all.delete(flight);
    if (this.#reads.get(flight.key) === flight) this.#reads.delete(flight.key);
    if (this.#reads.size === 0) this.#keyEpochs.clear();
  }

  /** A reader of the key left. Cancels later: an effect that is torn down and set up again keeps its request. */
  release(key: string, reader: object): void {
    const flight = this.#reads.get(key);
    if (!flight?.readers.delete(reader)) return;
    this.#timers.set(() => {
      if (!flight.isSettled && flight.callers === 0 && flight.readers.size === 0) flight.aborter.abort();
    }, 0);
  }

  /** Ends everything: a reset, or the controller stops. */
  abortAll(reason: Error): void {
    for (const flight of this.#all) flight.aborter.abort(reason);
    this.#reads.clear();
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof AbortError;
}
