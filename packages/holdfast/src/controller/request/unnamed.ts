// Guesses of creations that were answered without a body: the rows they made have no name, so they stay on screen, in each
// list until it has been asked for again, and go at once where nobody asks.
import { slotsOver } from '../../store/graph.ts';
import type { Intent } from '../../store/nodes.ts';
import { removeIntent } from '../../store/overlay.ts';
import type { Core } from '../state/core.ts';

/** Takes away those that have had their time: called when an answer is in. */
export function dropUnnamed({ engine: { store } }: Core): void {
  const answered = store.intents.filter(({ answeredAt }) => answeredAt > 0);
  const [first] = answered;
  if (first === undefined) return;
  store.batch(() => {
    store.layAnew(first);
    store.settle(); // an intent is no longer over a list that was asked for again
    for (const intent of answered.filter(isForgotten)) removeIntent(store, intent);
  });
}

/** Whether no list that it is over is being asked for. */
function isForgotten({ lists }: Intent): boolean {
  return lists.flatMap(slotsOver).every(({ flights }) => flights === 0);
}
