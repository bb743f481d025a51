// Whose doing something was, by its stamp: from one stamp to another everything that happened was one request's, or was done by hand.
import type { Flight } from '../../dispatch/flights.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { KnownRequest } from './known-request.ts';
import type { Holders } from './list-moves.ts';
import { Ring } from './ring.ts';

export interface Window {
  readonly from: number;
  to: number;
  readonly request: KnownRequest | undefined;
}

/** A request that has ended and is being stored. */
export interface Landing {
  readonly request: KnownRequest;
  readonly flight: Flight;
  /** Undefined where it failed. */
  readonly outcome: RequestOutcome | undefined;
  readonly holders: Holders;
  readonly window: Window;
}

/** Who has put something in doubt. */
export interface Doubter {
  readonly request: KnownRequest | undefined;
  readonly isByHand: boolean;
}

export class Windows extends Ring<Window> {
  find(stamp: number): Doubter {
    const window = this.toArray()
      .reverse()
      .find(({ from, to }) => from < stamp && stamp <= to);
    return { request: window?.request, isByHand: window !== undefined && !window.request };
  }
}
