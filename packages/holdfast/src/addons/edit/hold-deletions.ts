// Holds a deletion back for a while, so that it can be discarded. The optimistic update of a held deletion is shown, and the deletion
// keeps its place in its queues. The deletion waits for a mutation that is never sent, in a queue that is made for this purpose.
import { amendWrite } from '../../controller/request/amend-write.ts';
import type { Core } from '../../controller/state/core.ts';
import { Flight } from '../../dispatch/flights.ts';
import { subscribeToLeave } from '../../support/environment.ts';
import type { InverseEndpoint } from './inverse.ts';

/** The held deletions, each with the function that ends its hold. */
export type HeldDeletions = Map<Flight, () => void>;

/**
 * Holds the deletion for `ms` milliseconds, until the page is left, or until the function in `held` is called. The deletion is then
 * sent when its turn in its queues comes, unless it was discarded. Call this when the deletion is open and in no queue yet.
 */
export function holdDeletion(core: Core, flight: Flight, ms: number, held: HeldDeletions): void {
  const { flights, environment } = core;
  const { queues, call } = flight;
  const blocker = new Flight(call, false);
  blocker.aborter.abort(); // `useIsMutating` does not count an aborted mutation
  blocker.queues = [`held ${call.key}`];
  flight.queues = [...queues, ...blocker.queues];
  flights.add(blocker);
  const release = (): void => {
    if (!held.delete(flight)) return;
    stopListening();
    environment.timers.clear(timer);
    flights.endFlight(blocker);
  };
  const stopListening = subscribeToLeave(() => {
    const { endpoint, args } = flight.call;
    const given = endpoint as InverseEndpoint & { readonly requestInit?: RequestInit }; // cast: both endpoint classes have `extend`
    const kept = given.extend({ requestInit: { ...given.requestInit, keepalive: true } });
    amendWrite(core, flight, args, [], kept);
    release();
  });
  const timer = environment.timers.set(release, ms);
  held.set(flight, release);
}
