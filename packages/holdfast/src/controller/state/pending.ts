// The mutations that show already and have not been answered: what `getPending` tells. Each is kept on its intent; who
// wants to know of them listens here.
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Intent } from '../../store/nodes.ts';
import { Listeners } from './listeners.ts';

/** A mutation of an entity that has not been answered. */
export interface Pending {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** Where it is: `waiting` for the server to name another row, or `sent`. */
  readonly status: 'waiting' | 'sent';
}

export class PendingMutations extends Listeners {
  set({ ask: { endpoint, args }, intent }: Flight, status: Pending['status']): void {
    if (intent === undefined) return;
    intent.pending = { endpoint, args, status } satisfies Pending;
    this.tell();
  }

  /** Called inside the batch of the answer: told when that is over, and before anything is rendered. */
  end(intent: Intent): void {
    intent.pending = undefined;
    queueMicrotask(() => this.tell());
  }
}
