// An index of the mutations that have not ended, by the queues of their rows: the mutations of one row are found without a look at
// those of other rows.
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Engine } from '../../normalize/engine.ts';
import { ensure } from '../../support/ensure.ts';

type PendingByQueue = Map<string, Flight[]>;

export class PendingByRow {
  readonly #host: ExtensionHost;
  // The keys are weak: an index is collected together with its engine, which a reset replaces.
  readonly #indexes = new WeakMap<Engine, PendingByQueue>();

  constructor(host: ExtensionHost) {
    this.#host = host;
  }

  /** The mutations of a row's queue that have not ended, in the order of their turns. */
  readonly in = (queue: string): readonly Flight[] => {
    const pending = this.#index.get(queue)?.filter(({ isSettled }) => !isSettled) ?? [];
    this.#index.set(queue, pending);
    return pending;
  };

  /** Called when a mutation is called. */
  noteOpened(flight: Flight): void {
    addTo(this.#index, flight);
  }

  /**
   * Called when a mutation ends. The index is made anew when it is needed again: after the last mutation, because the index must not
   * keep mutations that have ended; after a creation, because queues have other names when the server has assigned ids to rows.
   */
  noteEnded({ intent }: Flight): void {
    const { engine, flights } = this.#host;
    if (flights.size < 2 || intent?.drafts.length) this.#indexes.delete(engine);
  }

  get #index(): PendingByQueue {
    const { engine, flights } = this.#host;
    return ensure(this.#indexes, engine, () => {
      const index: PendingByQueue = new Map();
      for (const flight of flights) addTo(index, flight);
      return index;
    });
  }
}

function addTo(index: PendingByQueue, flight: Flight): void {
  for (const queue of flight.rowQueues) ensure(index, queue, () => []).push(flight);
}
