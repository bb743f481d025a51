// Watches a schema and its arguments in the store: the observer of `useQuery`. Never fetches.
import type { Kind } from '../../schema/protocol/protocol.ts';
import { unsubscribe } from '../../store/store.ts';
import type { View } from '../../store/view.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';
import type { Core } from '../state/core.ts';
import { Listeners } from '../state/listeners.ts';
import { lookUp, lookUpView } from '../slot/look-up.ts';
import { NOTHING_SHOWN, ObservedState, ShownValue } from './shown.ts';
import type { Observer, ObserverState, Shown } from './shown.ts';

export class QueryObserver implements Observer {
  readonly #core: Core;
  readonly #kind: Kind;
  readonly #args: readonly unknown[];
  readonly #active: Set<QueryObserver>;
  readonly #listeners = new Listeners();
  /** The view it listens to. */
  #attached: View | null = null;
  #shown: Shown = NOTHING_SHOWN;
  #state: ObservedState | null = null;

  constructor(core: Core, kind: Kind, args: readonly unknown[], active: Set<QueryObserver>) {
    this.#core = core;
    this.#kind = kind;
    this.#args = args;
    this.#active = active;
  }

  /** The view it stands on, for those who mark what is in use. */
  view(): View {
    return lookUpView(this.#core, this.#kind, this.#args);
  }

  readonly readShown = (): Shown => {
    const data = lookUp(this.#core, this.#kind, this.#args);
    if (this.#shown.data !== data) this.#shown = new ShownValue(data, undefined, null);
    return this.#shown;
  };

  readonly read = (): ObserverState => {
    const shown = this.readShown();
    if (this.#state?.shown !== shown) this.#state = new ObservedState(shown, ExpiryStatus.Valid, false);
    return this.#state!; // made above
  };

  readonly subscribe = (onChange: () => void): (() => void) => {
    const stop = this.#listeners.add(onChange);
    if (this.#listeners.size === 1) this.#attach();
    return () => {
      if (!stop() || this.#listeners.size > 0) return;
      this.#active.delete(this);
      this.#detach();
    };
  };

  readonly subscribePassively = this.subscribe;

  readonly ensure = (): undefined => undefined;

  readonly retry = (): void => undefined;

  /** The store is another one: listen there. */
  reattach(): void {
    this.#detach();
    this.#attach();
    this.wake();
  }

  wake(): void {
    this.#listeners.tell();
  }

  #attach(): void {
    this.#active.add(this);
    this.#attached = this.view();
    this.#core.engine.store.subscribe(this.#attached, this);
  }

  #detach(): void {
    if (this.#attached !== null) unsubscribe(this.#attached, this);
    this.#attached = null;
  }
}
