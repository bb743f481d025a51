// Guesses of creations that were answered without a body: the rows they made have no name, so they stay on screen until
// a list that they stand in has been asked for again, and go at once where nobody asks.
import { slotsOver } from '../store/graph.ts';
import type { Intent, Slot } from '../store/nodes.ts';
import { removeIntent } from '../store/overlay.ts';
import type { Core } from './core.ts';

/** Takes away those that have had their time; `landed` is the answer of a read that is in, and when it was sent. */
export function dropUnnamed({ engine }: Core, landed?: Slot, sent: number = 0): void {
  const { store } = engine;
  const isOver = ({ answeredAt, lists }: Intent): boolean => {
    if (answeredAt === 0) return false;
    const slots = lists.flatMap(slotsOver);
    const isAskedAgain = landed !== undefined && sent > answeredAt && slots.includes(landed);
    return isAskedAgain || slots.every((slot) => slot.flights === 0);
  };
  const over = store.intents.filter(isOver);
  if (over.length > 0) store.batch(() => over.forEach((intent) => removeIntent(store, intent)));
}
