// Holds deletions back for a while, so that they can be discarded. The optimistic update of a held deletion is shown, and the
// deletion keeps its place in its queues. The deletion waits for a mutation that is never sent, in a queue that is made for this
// purpose.
import { amendWrite } from '../../controller/request/amend-write.ts';
import type { Core } from '../../controller/state/core.ts';
import { Flight } from '../../dispatch/flights.ts';
import type { TimerId } from '../../support/environment.ts';
import { subscribeToLeave } from '../../support/environment.ts';
import type { InverseEndpoint } from './inverse.ts';

export class HeldDeletions {
  readonly #core: Core;
  readonly #ms: number;
  /** The held deletions, each with the mutation for which it waits. */
  readonly #held = new Map<Flight, { readonly blocker: Flight; readonly timer: TimerId }>();
  #stopListening: (() => void) | undefined;

  constructor(core: Core, ms: number) {
    this.#core = core;
    this.#ms = ms;
  }

  /** Called when the deletion is open and in no queue yet. */
  hold(flight: Flight): void {
    const { flights, environment } = this.#core;
    const blocker = new Flight(flight.call, false);
    blocker.aborter.abort(); // `useIsMutating` does not count an aborted mutation
    const { queues } = flight;
    blocker.queues = [`held ${flight.call.key}`];
    flight.queues = [...queues, ...blocker.queues];
    flights.add(blocker);
    const timer = environment.timers.set(() => this.release(flight), this.#ms);
    this.#held.set(flight, { blocker, timer });
    this.#stopListening ??= subscribeToLeave(() => this.#sendBeforeLeaving());
  }

  /** Ends the hold: the deletion is sent when its turn in its queues comes, unless the deletion was discarded. */
  release(flight: Flight): void {
    const held = this.#held.get(flight);
    if (!held) return;
    this.#held.delete(flight);
    this.#core.environment.timers.clear(held.timer);
    this.#core.flights.endFlight(held.blocker);
    if (this.#held.size) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  releaseAll(): void {
    for (const flight of this.#held.keys()) this.release(flight);
  }

  #sendBeforeLeaving(): void {
    for (const flight of this.#held.keys()) {
      const endpoint = flight.call.endpoint as InverseEndpoint & { readonly requestInit?: RequestInit }; // cast: both endpoint classes have `extend`
      const kept = endpoint.extend({ requestInit: { ...endpoint.requestInit, keepalive: true } });
      amendWrite(this.#core, flight, flight.call.args, [], kept);
      this.release(flight);
    }
  }
}
