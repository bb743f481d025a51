// The requests in flight: who waits for each, and which of them a later fetch may join. Cancelled when the last reader is
// gone, ended all at once by a reset. A slot knows the reads of its own key; the order of answers is the store's.
import type { Intent } from '../store/intent.ts';
import type { Fields, Row } from '../store/nodes.ts';
import type { Timers } from '../support/environment.ts';
import type { EndpointCall } from './call.ts';

/** One request. */
export class Flight {
  readonly call: EndpointCall;
  readonly isRead: boolean;
  /** The guess of a mutation. */
  intent: Intent | undefined;
  readonly aborter: AbortController = new AbortController();
  /** Of a read. */
  promise!: Promise<unknown>;
  /** Observers that wait for it. The flight itself stands for callers of `fetch`, which cannot leave. */
  readonly readers: Set<object> = new Set();
  /** The queues of the rows that a mutation names, and those it stands in: see queues.ts. */
  named: readonly string[] = [];
  queues: readonly string[] = [];
  /** The fields that a mutation has sent of each row; made when something asks. */
  acknowledged: readonly { readonly row: Row; readonly fields: Fields }[] | undefined;
  /** The headers of a mutation that are the same however often it is tried: its idempotency key. */
  headers: Readonly<Record<string, string>> | undefined;
  /** Where a mutation is that has not been answered. */
  status: 'waiting' | 'sent' | undefined;
  /** Ends its wait for a turn. */
  go: (() => void) | undefined;
  /** When it was sent; 0 while it waits. */
  sent = 0;
  isSettled = false;
  /** Sent before a mutation or an invalidation that it may not know of: a later fetch must not join it. */
  isOutdated = false;
  /** Its failure does not take away what readers show: a poll. */
  isSoft = false;

  constructor(call: EndpointCall, isRead: boolean) {
    this.call = call;
    this.isRead = isRead;
  }

  /** Whether a fetch may join: it asks for the same on the same terms, and no change lies in between. */
  suits({ key, endpoint: { signal, timeoutMs } }: EndpointCall): boolean {
    const { endpoint } = this.call;
    const isCurrent = !this.isOutdated && !this.aborter.signal.aborted;
    return (
      isCurrent && this.call.key === key && endpoint.signal === signal && endpoint.timeoutMs === timeoutMs
    );
  }
}

/** A mutation was acknowledged or ended unknown, or a key was invalidated: these were asked before it. */
export function outdate(flights: Iterable<Flight>): void {
  for (const flight of flights) flight.isOutdated = true;
}

/** The mutations in the order of calls, and the reads beside them. */
export class Flights extends Set<Flight> {
  readonly reads: Set<Flight> = new Set();
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

  /**
   * The mutation that this one waits for: made before it in one of its queues, or sent already. Calls wait only for calls made
   * before, so they never wait in a circle.
   */
  ahead(flight: Flight): Flight | undefined {
    const queues = new Set(flight.queues);
    for (const other of this) {
      if (other === flight) break;
      if (other.queues.some((queue) => queues.has(queue))) return other;
    }
    return undefined;
  }

  /** The server has named the row of a queue: its calls stand in the queue of the new name. */
  renameQueue(from: string, to: string): void {
    const rename = (queue: string): string => (queue === from ? to : queue);
    for (const flight of this) {
      flight.named = flight.named.map(rename);
      flight.queues = flight.queues.map(rename);
    }
    // those of the other name that were sent already go first
    for (const flight of [...this].filter(({ sent }) => sent === 0)) {
      this.delete(flight);
      this.add(flight);
    }
  }

  end(flight: Flight): void {
    flight.isSettled = true;
    this.delete(flight);
    if (this.reads.delete(flight)) return;
    // the first of each of its queues may go
    const free = new Set(flight.queues);
    for (const other of this) {
      if (free.size === 0) break;
      if (other.queues.filter((queue) => free.delete(queue)).length && !this.ahead(other)) other.go?.();
    }
    this.#endNextWrite?.();
    this.#nextWrite = null;
  }

  /** A reader left. Cancels later: an effect that is torn down and set up again keeps its request. */
  readonly release = (reader: object): void => {
    // every flight: a reader may also wait for a request that a mutation outdated
    for (const flight of this.reads) {
      if (!flight.readers.delete(reader) || flight.readers.size) continue;
      this.#timers.set(() => {
        if (!flight.isSettled && flight.readers.size === 0) flight.aborter.abort();
      }, 0);
    }
  };

  /** Ends everything: the store was reset, or the page that a server renders is over. */
  abortAll(reason: Error): void {
    for (const flight of [...this, ...this.reads]) {
      flight.status = undefined;
      flight.queues = [];
      flight.aborter.abort(reason);
    }
  }
}
