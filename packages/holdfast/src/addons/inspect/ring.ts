// A list that keeps the last items and forgets the oldest items.

/** How many items each ring of an inspector remembers if the option `keep` is not set. */
export const DEFAULT_INSPECT_KEEP = 2_000;

export class Ring<T> {
  readonly #limit: number;
  readonly #onDrop: (item: T) => void;
  #items: T[] = [];

  constructor(limit: number, onForget: (item: T) => void = () => undefined) {
    this.#limit = limit;
    this.#onDrop = onForget;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length > this.#limit) this.#onDrop(this.#items.shift()!); // the ring is longer than its limit, so it has an oldest item
  }

  /** The remembered items, the oldest first. */
  toArray(): T[] {
    return [...this.#items];
  }

  keepOnly(isKept: (item: T) => boolean): void {
    this.#items = this.#items.filter(isKept);
  }
}
