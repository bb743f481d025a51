// Those who hear of a change. What happens while a component renders is told afterwards: React forbids to update one
// component while another renders.
import { callSafely } from '../support/call-safely.ts';

export class Listeners {
  readonly #all = new Set<() => void>();
  readonly #isNews: () => boolean;
  #isHeld = false;
  #isMissed = false;

  /** `isNews` says whether there is something that they have not heard. */
  constructor(isNews: () => boolean = () => true) {
    this.#isNews = isNews;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Adds one; the same function may be added twice. Gives back how to end it, which says whether it was still there. */
  add(onChange: () => void): () => boolean {
    const listener = (): void => onChange();
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(): void {
    if (this.#all.size === 0) return;
    if (this.#isHeld) this.#isMissed = true;
    else if (this.#isNews()) for (const listener of this.#all) callSafely(listener);
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
