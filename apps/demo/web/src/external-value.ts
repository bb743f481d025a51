// A value outside React that components can follow: the settings and notices of the page. Data of the server is in Holdfast
// instead.
import { useSyncExternalStore } from 'react';

export class ExternalValue<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly read = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  write(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}

export function useExternalValue<T>(value: ExternalValue<T>): T {
  return useSyncExternalStore(value.subscribe, value.read);
}
