// Finds the request that marked data stale, by the time of the mark on the store's timeline. Each range of times belongs to one
// request, or to an expiry by the application. recorder.ts adds the ranges.
import type { Flight } from '../../dispatch/flights.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { KnownRequest } from './known-request.ts';
import type { RowsWithLists } from './list-moves.ts';
import { Ring } from './ring.ts';

/** The times after `from`, up to and including `to`. `request` is undefined if the application expired data. */
export interface StampRange {
  readonly from: number;
  to: number;
  readonly request: KnownRequest | undefined;
}

/** A request that has ended and whose response or error is being stored. */
export interface Landing {
  readonly request: KnownRequest;
  readonly flight: Flight;
  /** The outcome of the request; undefined if the request failed. */
  readonly outcome: RequestOutcome | undefined;
  readonly holders: RowsWithLists;
  readonly range: StampRange;
}

/** The request that marked data stale. `isByHand` is true if the application expired the data instead. */
export interface StaleMarker {
  readonly request: KnownRequest | undefined;
  readonly isByHand: boolean;
}

export class StampRanges extends Ring<StampRange> {
  findMarker(stamp: number): StaleMarker {
    const range = this.toArray()
      .reverse()
      .find(({ from, to }) => from < stamp && stamp <= to);
    return { request: range?.request, isByHand: range !== undefined && !range.request };
  }
}
