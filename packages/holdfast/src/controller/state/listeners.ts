// Those who hear of a change: the components that show an observer, or the mutations under way.
import { countItems, hasItem, itemsOf, withItem, withoutItem } from '../../store/small-set.ts';
import type { SmallSet } from '../../store/small-set.ts';
import { callSafely } from '../../support/call-safely.ts';

export class Listeners {
  #all: SmallSet<() => void> = null;

  get size(): number {
    return countItems(this.#all);
  }

  /** Adds one; the same function may be added twice. Gives back how to end it, which says whether it was still there. */
  add(onChange: () => void): () => boolean {
    const listener = (): void => onChange();
    this.#all = withItem(this.#all, listener);
    return () => {
      const isThere = hasItem(this.#all, listener);
      this.#all = withoutItem(this.#all, listener);
      return isThere;
    };
  }

  tell(): void {
    // one may end another
    for (const listener of itemsOf(this.#all)) if (hasItem(this.#all, listener)) callSafely(listener);
  }
}
