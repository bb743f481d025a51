// The requests in flight: which readers and callers wait for each request, which requests a later fetch may join, and which
// mutation waits for which other. A read is aborted when its last reader has left; a reset aborts all requests. The store orders
// the responses.
import type { AfterWrite } from '../store/effects.ts';
import type { Intent } from '../store/intent.ts';
import type { Fields, Row } from '../store/nodes.ts';
import type { Timers } from '../support/environment.ts';
import type { EndpointCall } from './call.ts';

/** One call of the controller, from its start until its promise settles. */
export class Flight {
  /** The call. A mutation gets another call when its arguments change before it is sent, or sent again: see amend-write.ts. */
  call: EndpointCall;
  readonly isRead: boolean;
  /** The optimistic update of a mutation; undefined for a read, and for a mutation without `getOptimisticResponse`. */
  intent: Intent | undefined;
  readonly aborter: AbortController = new AbortController();
  /** The promise of the stored value; set for a read and for a save of an edit. */
  promise!: Promise<unknown>;
  /**
   * The readers that wait for this read: observers, and the React boundaries of components that were never mounted. A caller of
   * `fetch` never leaves: for all callers, the set contains the flight itself.
   */
  readonly readers: Set<object> = new Set();
  /** The queues of the rows that a mutation's arguments identify: see write-queues.ts. */
  rowQueues: readonly string[] = [];
  /** The queues in which the mutation waits: by the endpoint's `queue` option, else `rowQueues`, else by its URL. */
  queues: readonly string[] = [];
  /** The rows of which a mutation sends fields, with these fields in stored form; undefined until they are first needed. */
  sentRows: readonly { readonly row: Row; readonly fields: Fields }[] | undefined;
  /** Set when the mutation has failed and an edit or a transaction reports the failure. */
  declare isFailureReported?: boolean;
  /**
   * The idempotency header of a mutation: all attempts send it, until rules of conflicts change the arguments. Undefined for a
   * read, and for a mutation that was never attempted. A call that repeats a failed mutation has its header from the start.
   */
  headers: Readonly<Record<string, string>> | undefined;
  /**
   * Whether a mutation waits for its turn or for an id, was sent, or waits for a person's decision. Undefined for a read, for a
   * mutation before `sendWrite`, and for a mutation that has ended.
   */
  status: 'waiting' | 'sent' | 'conflict' | undefined;
  /** Lets a mutation that waits in its queues continue; undefined when it did not have to wait. */
  endQueueWait: (() => void) | undefined;
  /** The time on the store's timeline at which the request was sent; 0 while it waits. */
  sent = 0;
  /** Filled by extensions that send the read: functions that run right after the rows and lists of the response are written. */
  afterWrites: AfterWrite[] = [];
  isSettled = false;
  /** True when a later fetch must not join this read, because its response may be too old for that fetch: see `markOutdated`. */
  isOutdated = false;
  /**
   * True for a read in the background, such as a poll: when it fails, readers keep the data that they show, unless the status is
   * 404 or 410. It becomes false when a call that is no poll joins the read.
   */
  isPoll = false;

  constructor(call: EndpointCall, isRead: boolean) {
    this.call = call;
    this.isRead = isRead;
  }

  /** Whether the call may join this read: key, signal and time limit are the same, and the read is not outdated or aborted. */
  canServe({ key, endpoint: { signal, timeoutMs } }: EndpointCall): boolean {
    const { endpoint } = this.call;
    const isCurrent = !this.isOutdated && !this.aborter.signal.aborted;
    return (
      isCurrent && this.call.key === key && endpoint.signal === signal && endpoint.timeoutMs === timeoutMs
    );
  }
}

/**
 * Prevents later fetches from joining these reads. It is called with all reads when a mutation has changed, or may have changed,
 * data on the server; and with the reads of a key when the key is invalidated or expired, or when a mutation needs a new read of
 * its row.
 */
export function markOutdated(flights: Iterable<Flight>): void {
  for (const flight of flights) flight.isOutdated = true;
}

const NO_READS: readonly Flight[] = [];

/**
 * The set itself contains the mutations in the order of their turns, which is usually the order of their calls. The reads are not
 * in the set.
 */
export class Flights extends Set<Flight> {
  /** The reads of each slot, the oldest first. The arrays are never changed in place. */
  readonly #readsBySlot = new Map<string, readonly Flight[]>();
  readonly #timers: Timers;
  #nextWrite: Promise<void> | null = null;
  #endNextWrite: (() => void) | null = null;

  constructor(timers: Timers) {
    super();
    this.#timers = timers;
  }

  /** The reads in flight of one slot, the oldest first. The array is the same until one of the reads starts or ends. */
  readsOf(slotKey: string): readonly Flight[] {
    return this.#readsBySlot.get(slotKey) ?? NO_READS;
  }

  /** All reads in flight. */
  get reads(): readonly Flight[] {
    return [...this.#readsBySlot.values()].flat();
  }

  addRead(flight: Flight): void {
    const { slotKey } = flight.call;
    this.#readsBySlot.set(slotKey, [...this.readsOf(slotKey), flight]);
  }

  /** Resolves when the next mutation ends. */
  whenNextWriteEnds(): Promise<void> {
    return (this.#nextWrite ??= new Promise((resolve) => {
      this.#endNextWrite = resolve;
    }));
  }

  /**
   * The first mutation before `flight` that shares a queue with it, if there is one; `flight` is not sent before that mutation has
   * ended. Mutations never wait in a circle, because each waits only for earlier mutations.
   */
  findAhead(flight: Flight): Flight | undefined {
    const queues = new Set(flight.queues);
    for (const other of this) {
      if (other === flight) break;
      if (other.queues.some((queue) => queues.has(queue))) return other;
    }
    return undefined;
  }

  /** Renames a row's queue in all mutations, because the server has assigned an id to the row. */
  renameQueue(from: string, to: string): void {
    const rename = (queue: string): string => (queue === from ? to : queue);
    for (const flight of this) {
      flight.rowQueues = flight.rowQueues.map(rename);
      flight.queues = flight.queues.map(rename);
    }
    // Waiting mutations go to the end of the set, so that none of them precedes a mutation of the new queue that was already sent.
    for (const flight of [...this].filter(({ sent }) => sent === 0)) {
      this.delete(flight);
      this.add(flight);
    }
  }

  endFlight(flight: Flight): void {
    flight.isSettled = true;
    if (flight.isRead) {
      const { slotKey } = flight.call;
      const others = this.readsOf(slotKey).filter((other) => other !== flight);
      if (others.length) this.#readsBySlot.set(slotKey, others);
      else this.#readsBySlot.delete(slotKey);
      return;
    }
    this.delete(flight);
    // In each queue of the ended mutation the first mutation continues, unless it also waits in another queue.
    const freed = new Set(flight.queues);
    for (const other of this) {
      if (freed.size === 0) break;
      if (other.queues.filter((queue) => freed.delete(queue)).length && !this.findAhead(other))
        other.endQueueWait?.();
    }
    this.#endNextWrite?.();
    this.#nextWrite = null;
  }

  /**
   * Removes a reader from all reads, and aborts a read that has no reader left. The abort is delayed by a timer, so that the
   * request continues when a React effect is cleaned up and run again at once.
   */
  readonly releaseReader = (reader: object): void => {
    // All reads are searched, not only the latest read of the key, because a reader may still wait for an outdated read.
    for (const flight of this.reads) {
      if (!flight.readers.delete(reader) || flight.readers.size) continue;
      this.#timers.set(() => {
        if (!flight.isSettled && flight.readers.size === 0) flight.aborter.abort();
      }, 0);
    }
  };

  /** Aborts all requests, because the store was reset or a server's render of a page has ended. No later fetch joins the reads. */
  abortAll(reason: Error): void {
    const all = [...this, ...this.reads];
    this.#readsBySlot.clear();
    for (const flight of all) {
      flight.status = undefined;
      flight.queues = [];
      flight.aborter.abort(reason);
    }
  }
}
