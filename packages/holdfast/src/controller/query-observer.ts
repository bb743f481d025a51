// Watches a schema and its arguments in the store: the observer of `useQuery`. Never fetches.
import type { Kind } from '../schema/protocol.ts';
import { INVALID } from '../schema/protocol.ts';
import { ExpiryStatus } from './controller.types.ts';
import type { Core } from './core.ts';
import type { Observer, ObserverState } from './observer.ts';
import { fulfilled } from './tagged-promise.ts';

export class QueryObserver implements Observer {
  readonly #core: Core;
  readonly #kind: Kind;
  readonly #args: readonly unknown[];
  readonly #active: Set<QueryObserver>;
  readonly #listeners = new Set<() => void>();
  #stop: (() => void) | null = null;
  #state: ObserverState | null = null;

  constructor(core: Core, kind: Kind, args: readonly unknown[], active: Set<QueryObserver>) {
    this.#core = core;
    this.#kind = kind;
    this.#args = args;
    this.#active = active;
  }

  read(): ObserverState {
    const { engine } = this.#core;
    const value = engine.read(engine.cellView(this.#kind, this.#args));
    const data = value === INVALID ? undefined : value;
    if (this.#state !== null && this.#state.data === data) return this.#state;
    this.#state = {
      data,
      error: undefined,
      expiryStatus: ExpiryStatus.Valid,
      isFetching: false,
      isBlocked: false,
      promise: fulfilled(data),
    };
    return this.#state;
  }

  subscribe(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#attach();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#active.delete(this);
      this.#stop?.();
      this.#stop = null;
    };
  }

  ensure(): undefined {
    return undefined;
  }

  /** The store is another one: listen there. */
  reattach(): void {
    this.#stop?.();
    this.#attach();
    this.#tell();
  }

  #attach(): void {
    const { engine } = this.#core;
    this.#active.add(this);
    this.#stop = engine.store.subscribe(engine.cellView(this.#kind, this.#args), () => this.#tell());
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
