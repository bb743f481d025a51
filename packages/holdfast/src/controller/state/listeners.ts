// Those who hear of a change. What happens while a component renders is told afterwards: React forbids to update one
// component while another renders.
import { countItems, hasItem, itemsOf, withItem, withoutItem } from '../../store/small-set.ts';
import type { SmallSet } from '../../store/small-set.ts';
import { callSafely } from '../../support/call-safely.ts';

export class Listeners {
  #all: SmallSet<() => void> = null;
  readonly #isNews: () => boolean;
  #isHeld = false;
  #isMissed = false;

  /** `isNews` says whether there is something that they have not heard. */
  constructor(isNews: () => boolean = () => true) {
    this.#isNews = isNews;
  }

  get size(): number {
    return countItems(this.#all);
  }

  /** Adds one; the same function may be added twice. Gives back how to end it, which says whether it was still there. */
  add(onChange: () => void): () => boolean {
    const listener = (): void => onChange();
    this.#all = withItem(this.#all, listener);
    return () => {
      if (!hasItem(this.#all, listener)) return false;
      this.#all = withoutItem(this.#all, listener);
      return true;
    };
  }

  tell(): void {
    if (this.#all === null) return;
    if (this.#isHeld) this.#isMissed = true;
    else if (this.#isNews()) {
      const all = this.#all;
      if (typeof all === 'function') callSafely(all);
      // one may end another
      else for (const listener of itemsOf(all)) if (hasItem(this.#all, listener)) callSafely(listener);
    }
  }

  /** Runs something; whoever would have heard of it hears of it in a moment. */
  hold<T>(run: () => T): T {
    if (this.#isHeld) return run();
    this.#isHeld = true;
    try {
      return run();
    } finally {
      this.#isHeld = false;
      if (this.#isMissed) {
        this.#isMissed = false;
        queueMicrotask(() => this.tell());
      }
    }
  }
}
