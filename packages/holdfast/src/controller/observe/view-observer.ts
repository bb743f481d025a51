// What all observers share: those who listen, and the view that the observer stands on, which is listened to as long as
// they are there. observer.ts and query-observer.ts say which view that is.
import type { Engine } from '../../normalize/engine.ts';
import { unsubscribe } from '../../store/store.ts';
import type { Subscriber, View } from '../../store/view.ts';
import type { Core } from '../state/core.ts';
import { Listeners } from '../state/listeners.ts';

export abstract class ViewObserver implements Subscriber {
  protected readonly core: Core;
  protected readonly listeners = new Listeners();
  /** Those that somebody listens to: what they show is kept. */
  readonly #active: Set<ViewObserver>;
  #view: View | null = null;
  /** Whose view is listened to; null while none is. */
  #engine: Engine | null = null;

  constructor(core: Core, active: Set<ViewObserver>) {
    this.core = core;
    this.#active = active;
  }

  protected abstract findView(): View;

  /** Something that is shown has changed. */
  abstract wake(): void;

  /** Looks whether something is to be done about what is shown. */
  refresh(_options?: { readonly retriesFailed: boolean }): void {}

  get isActive(): boolean {
    return this.#active.has(this);
  }

  /** The view it stands on. One that is listened to is never collected, so it is looked for only after a reset. */
  view(): View {
    return this.#view !== null && this.#engine === this.core.engine ? this.#view : this.findView();
  }

  readonly subscribePassively = (onChange: () => void): (() => void) => {
    const stop = this.listeners.add(onChange);
    if (this.listeners.size === 1) this.#attach();
    return () => {
      if (!stop() || this.listeners.size > 0) return;
      this.#active.delete(this);
      this.#detach();
    };
  };

  /** The store is another one: listen there. */
  reattach(): void {
    this.#detach();
    this.#attach();
    this.wake();
  }

  #attach(): void {
    const { engine } = this.core;
    this.#active.add(this);
    this.#view = this.findView();
    this.#engine = engine;
    engine.store.subscribe(this.#view, this);
  }

  #detach(): void {
    if (this.#view !== null) unsubscribe(this.#view, this);
    this.#view = this.#engine = null;
  }
}
