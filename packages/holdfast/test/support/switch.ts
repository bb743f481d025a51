// A state that is on or off and notifies its listeners of each change: the network, or the visibility of the page.

export class Switch {
  #isOn = true;
  readonly #listeners = new Set<() => void>();

  get isOn(): boolean {
    return this.#isOn;
  }

  get size(): number {
    return this.#listeners.size;
  }

  turn(isOn: boolean): void {
    this.#isOn = isOn;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
