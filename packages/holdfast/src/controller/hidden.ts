// What a pending guess hides, such as a row that is being deleted: its readers wait for the end of the mutation. Asking
// the server would bring the row again, and it would be hidden again.
import type { Flights } from '../dispatch/flights.ts';
import { ExpiryStatus } from './controller.types.ts';
import type { Core } from './core.ts';
import type { Observation } from './read-slot.ts';

export function isHidden(core: Core, seen: Observation, now: number): boolean {
  const isFresh = seen.isOwn && seen.expiresAt > now && seen.error === undefined;
  if (!isFresh || seen.expiryStatus !== ExpiryStatus.Invalid) return false;
  return core.engine.store.intents.some(({ answeredAt }) => answeredAt === 0);
}

/** Waits for the end of a mutation, whichever, and has a look then. */
export class UntilShown {
  readonly #flights: Flights;
  readonly #look: () => void;
  #ended: Promise<void> | null = null;

  constructor(flights: Flights, look: () => void) {
    this.#flights = flights;
    this.#look = look;
  }

  promise(): Promise<unknown> {
    const ended = this.#flights.nextWrite();
    if (this.#ended !== ended) {
      this.#ended = ended;
      void ended.then(this.#look);
    }
    return ended;
  }
}
