// A memory of the last few: what is older goes.

/** How many requests, events and wake-ups are remembered where nothing else is said. */
export const DEFAULT_HISTORY = 2_000;

export class Ring<T> {
  readonly #most: number;
  readonly #onForget: (item: T) => void;
  #items: T[] = [];
  #start = 0;

  constructor(most: number, onForget: (item: T) => void = () => undefined) {
    this.#most = most;
    this.#onForget = onForget;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length - this.#start > this.#most) {
      this.#onForget(this.#items[this.#start]!); // it is there
      this.#items[this.#start] = undefined as T; // cast: out of reach from now on
      this.#start += 1;
    }
    // half of the array is out of reach: a new one, so that a push costs the same however many went before
    if (this.#start > this.#most) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The oldest first. */
  toArray(): T[] {
    return this.#items.slice(this.#start);
  }

  clear(): void {
    for (const item of this.toArray()) this.#onForget(item);
    this.#items = [];
    this.#start = 0;
  }
}
