// Finds the request that caused a change, by the stamp of the change: all stamps of one range belong to one request, or to an
// expiry by hand. Filled by recorder.ts.
import type { Flight } from '../../dispatch/flights.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { KnownRequest } from './known-request.ts';
import type { Holders } from './list-moves.ts';
import { Ring } from './ring.ts';

export interface StampRange {
  readonly from: number;
  to: number;
  readonly request: KnownRequest | undefined;
}

/** A request that has ended and whose response is being stored. */
export interface Landing {
  readonly request: KnownRequest;
  readonly flight: Flight;
  /** Undefined if the request failed. */
  readonly outcome: RequestOutcome | undefined;
  readonly holders: Holders;
  readonly range: StampRange;
}

/** The request that marked something stale; `isByHand` if the application expired it instead. */
export interface StaleMarker {
  readonly request: KnownRequest | undefined;
  readonly isByHand: boolean;
}

export class StampRanges extends Ring<StampRange> {
  find(stamp: number): StaleMarker {
    const range = this.toArray()
      .reverse()
      .find(({ from, to }) => from < stamp && stamp <= to);
    return { request: range?.request, isByHand: range !== undefined && !range.request };
  }
}
