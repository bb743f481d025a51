// Remembers aborts from outside. An abort is no state of the data; but a request that is aborted each time would be
// waited for without end, so after some in a row its readers are told.
import type { Flight } from '../../dispatch/flights.ts';
import { toError } from '../../support/errors.ts';
import { isAbortError } from '../../support/network-errors.ts';

/** How often a request may be aborted in a row. */
const FREE_ABORTS = 2;

export class Aborts {
  #count = 0;
  /** What readers are told. */
  error: Error | undefined;
  /** Until when nobody tries again. */
  until = 0;

  /** Whether this failure is one to tell of. A request that was dropped because nobody waited does not count. */
  hear(failure: unknown, flight: Flight, now: number, pauseAfter: (aborts: number) => number): boolean {
    if (!isAbortError(failure) || flight.aborter.signal.aborted) return false;
    this.#count += 1;
    if (this.#count < FREE_ABORTS) return false;
    this.error = toError(failure);
    this.until = now + pauseAfter(this.#count);
    return true;
  }
}
