// Guesses of creations that were answered without a body: the rows they made have no name, so they stay on screen, in each
// list until it has been asked for again, and go at once where nobody asks.
import { slotsOver } from '../store/graph.ts';
import { removeIntent } from '../store/overlay.ts';
import type { Core } from './core.ts';

/** Takes away those that have had their time: called when an answer is in. */
export function dropUnnamed({ engine: { store } }: Core): void {
  store.batch(() => {
    for (const intent of store.intents.filter(({ answeredAt }) => answeredAt > 0)) {
      store.layAnew(intent);
      store.settle(); // no longer over a list that was asked for again
      const isAwaited = intent.lists.flatMap(slotsOver).some(({ flights }) => flights > 0);
      if (!isAwaited) removeIntent(store, intent);
    }
  });
}
