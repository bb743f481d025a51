// The mutations that show already and have not been answered, by their intent, and who wants to know of them.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Intent } from '../../store/nodes.ts';
import { Listeners } from './listeners.ts';

/** A mutation of an entity that has not been answered. */
export interface Pending {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** Where it is: `waiting` for the server to name another row, or `sent`. */
  readonly status: 'waiting' | 'sent';
}

export class PendingBook {
  readonly #all = new Map<Intent, Pending>();
  readonly #listeners = new Listeners();

  get size(): number {
    return this.#all.size;
  }

  get(intent: Intent): Pending | undefined {
    return this.#all.get(intent);
  }

  set(intent: Intent, pending: Pending): void {
    this.#all.set(intent, pending);
    this.#listeners.tell();
  }

  /** Called inside the batch of the answer: told when that is over, and before anything is rendered. */
  delete(intent: Intent): void {
    if (this.#all.delete(intent)) queueMicrotask(() => this.#listeners.tell());
  }

  clear(): void {
    this.#all.clear();
    this.#listeners.tell();
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    const stop = this.#listeners.add(onChange);
    return () => void stop();
  };
}
