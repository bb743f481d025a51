// A list that keeps the last items and forgets the oldest items.

/** How many items each ring of an inspector remembers if the option `keep` is not set. */
export const DEFAULT_HISTORY = 2_000;

export class Ring<T> {
  readonly #limit: number;
  readonly #onDrop: (item: T) => void;
  #items: T[] = [];
  #start = 0;

  constructor(limit: number, onForget: (item: T) => void = () => undefined) {
    this.#limit = limit;
    this.#onDrop = onForget;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length - this.#start > this.#limit) {
      this.#onDrop(this.#items[this.#start]!); // the ring is longer than its limit, so it has an oldest item
      this.#items[this.#start] = undefined as T; // cast: items before `#start` are never read again
      this.#start += 1;
    }
    // More than half of the array consists of forgotten items, so the other items are copied. Because this is rare, the mean cost
    // of a push is constant.
    if (this.#start > this.#limit) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The remembered items, the oldest first. */
  toArray(): T[] {
    return this.#items.slice(this.#start);
  }

  clear(): void {
    for (const item of this.toArray()) this.#onDrop(item);
    this.#items = [];
    this.#start = 0;
  }
}
