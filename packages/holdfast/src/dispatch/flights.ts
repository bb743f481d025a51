// The requests in flight: who waits for each, which of them a later fetch may join, and which mutation waits for which. A read is
// cancelled when its last reader has left; a reset aborts all requests. The store, not this file, orders their responses.
import type { Intent } from '../store/intent.ts';
import type { Fields, Row } from '../store/nodes.ts';
import type { Timers } from '../support/environment.ts';
import type { EndpointCall } from './call.ts';

/** One request of the controller, from the call until it settles. */
export class Flight {
  readonly call: EndpointCall;
  readonly isRead: boolean;
  /** The pending mutation with its optimistic update; undefined for reads and for mutations without one. */
  intent: Intent | undefined;
  readonly aborter: AbortController = new AbortController();
  /** Only set for a read: the promise of its value. */
  promise!: Promise<unknown>;
  /** The observers that wait for this request. Callers of `fetch`, who never leave, are represented by the flight itself. */
  readonly readers: Set<object> = new Set();
  /** The queues of the rows that a mutation's arguments identify: see write-queues.ts. */
  named: readonly string[] = [];
  /** The queues in which the mutation waits, which an endpoint's `queue` option may change. */
  queues: readonly string[] = [];
  /** The rows that a mutation changes, with the fields it sends; computed at first use. */
  sentRows: readonly { readonly row: Row; readonly fields: Fields }[] | undefined;
  /** The headers of a mutation that every attempt shares: its idempotency key. */
  headers: Readonly<Record<string, string>> | undefined;
  /** Whether a mutation waits in a queue or was sent; undefined for reads, and once it has ended. */
  status: 'waiting' | 'sent' | undefined;
  /** Ends the wait of a mutation for its turn in the queues. */
  endWait: (() => void) | undefined;
  /** The time on the store's timeline at which the request was sent; 0 while it waits. */
  sent = 0;
  isSettled = false;
  /** True when a mutation or an invalidation came after this read was sent: its response may be too old for a later fetch. */
  isOutdated = false;
  /** True for a poll: when it fails, readers keep the data that they show. */
  isSoft = false;

  constructor(call: EndpointCall, isRead: boolean) {
    this.call = call;
    this.isRead = isRead;
  }

  /** Whether the call may share this request: same key, signal and time limit, and the request is not outdated or aborted. */
  suits({ key, endpoint: { signal, timeoutMs } }: EndpointCall): boolean {
    const { endpoint } = this.call;
    const isCurrent = !this.isOutdated && !this.aborter.signal.aborted;
    return (
      isCurrent && this.call.key === key && endpoint.signal === signal && endpoint.timeoutMs === timeoutMs
    );
  }
}

/**
 * Keeps later fetches from joining these reads. Called when a mutation has succeeded or its outcome is unknown, and when a key is
 * invalidated: the reads were sent before that.
 */
export function outdate(flights: Iterable<Flight>): void {
  for (const flight of flights) flight.isOutdated = true;
}

/** The set itself contains the mutations, in the order of their calls; `reads` contains the reads. */
export class Flights extends Set<Flight> {
  readonly reads: Set<Flight> = new Set();
  readonly #timers: Timers;
  #nextWrite: Promise<void> | null = null;
  #endNextWrite: (() => void) | null = null;

  constructor(timers: Timers) {
    super();
    this.#timers = timers;
  }

  /** Resolves when the next mutation ends: for readers of data that an optimistic update hides. */
  nextWrite(): Promise<void> {
    return (this.#nextWrite ??= new Promise((resolve) => {
      this.#endNextWrite = resolve;
    }));
  }

  /**
   * The first mutation before `flight` that shares a queue with it; `flight` waits for it to end. A mutation waits only for
   * earlier ones, so they never wait in a circle.
   */
  ahead(flight: Flight): Flight | undefined {
    const queues = new Set(flight.queues);
    for (const other of this) {
      if (other === flight) break;
      if (other.queues.some((queue) => queues.has(queue))) return other;
    }
    return undefined;
  }

  /** Moves all calls from one queue to another: the server has assigned an id to the row, so the name of its queue changes. */
  renameQueue(from: string, to: string): void {
    const rename = (queue: string): string => (queue === from ? to : queue);
    for (const flight of this) {
      flight.named = flight.named.map(rename);
      flight.queues = flight.queues.map(rename);
    }
    // Mutations of the new queue that were already sent stay ahead of those that wait.
    for (const flight of [...this].filter(({ sent }) => sent === 0)) {
      this.delete(flight);
      this.add(flight);
    }
  }

  end(flight: Flight): void {
    flight.isSettled = true;
    this.delete(flight);
    if (this.reads.delete(flight)) return;
    // In each queue of the ended mutation, the first waiting mutation gets its turn.
    const freed = new Set(flight.queues);
    for (const other of this) {
      if (freed.size === 0) break;
      if (other.queues.filter((queue) => freed.delete(queue)).length && !this.ahead(other)) other.endWait?.();
    }
    this.#endNextWrite?.();
    this.#nextWrite = null;
  }

  /**
   * Removes a reader from all reads, and aborts a read that has no reader left. The abort waits for a timer, so that an effect
   * that is cleaned up and run again at once keeps its request.
   */
  readonly release = (reader: object): void => {
    // Look at every read: a reader may still wait for one that a mutation has outdated.
    for (const flight of this.reads) {
      if (!flight.readers.delete(reader) || flight.readers.size) continue;
      this.#timers.set(() => {
        if (!flight.isSettled && flight.readers.size === 0) flight.aborter.abort();
      }, 0);
    }
  };

  /** Aborts all requests: the store was reset, or a server has finished rendering its page. */
  abortAll(reason: Error): void {
    for (const flight of [...this, ...this.reads]) {
      flight.status = undefined;
      flight.queues = [];
      flight.aborter.abort(reason);
    }
  }
}
