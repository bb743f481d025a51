// The card that the keyboard just moved, so that it gets the focus again in its new column: a person who moves cards by keys must
// not be sent back to the top of the page.
import { createContext } from 'react';

export class MovedCard {
  #id: string | null = null;

  remember(id: string): void {
    this.#id = id;
  }

  /** True once, for the card that was moved last. */
  take(id: string): boolean {
    if (this.#id !== id) return false;
    this.#id = null;
    return true;
  }
}

export const FocusAfterMove = createContext(new MovedCard());
