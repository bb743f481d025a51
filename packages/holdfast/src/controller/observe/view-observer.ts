// The base class of observers: it keeps the listeners, and subscribes to a view of the store while there are listeners. This
// file also has the observer of a schema, for `watchQuery`; observer.ts has the observer of an endpoint.
import type { Kind } from '../../schema/protocol/protocol.ts';
import { unsubscribe } from '../../store/graph.ts';
import type { Subscriber, View } from '../../store/graph.ts';
import { lookUpView } from '../slot/read-stored.ts';
import type { Core } from '../state/core.ts';
import { listen, notify } from '../state/listeners.ts';
import type { Listeners } from '../state/listeners.ts';
import { NOTHING_SHOWN, createPassiveObserver } from './shown.ts';
import type { Observer } from './shown.ts';

export abstract class ViewObserver implements Subscriber {
  protected readonly core: Core;
  readonly listeners: Listeners = new Set();
  /** The view to which this observer is subscribed; null without listeners. A subscribed view is never collected. */
  #view: View | null = null;

  constructor(core: Core) {
    this.core = core;
  }

  /** Returns the observer's view in the present store; creates it if necessary. */
  protected abstract findView(): View;

  /** Notifies the listeners, for example because the value of the view has changed. */
  wake(): void {
    this.core.extension.onReader?.(this, 'notify');
    notify(this.listeners);
  }

  /** Fetches if necessary. The base class never fetches. */
  fetchIfNeeded(_retriesFailed?: boolean): void {}

  view(): View {
    return this.#view ?? this.findView();
  }

  readonly subscribePassively = (onChange: () => void): (() => boolean) => {
    const stop = listen(this.listeners, onChange);
    if (this.listeners.size === 1) this.attach();
    return () => {
      const wasThere = stop();
      if (this.listeners.size === 0) this.#detach();
      return wasThere;
    };
  };

  /** Subscribes to the view in the present store. Called again after a reset, which replaces the store. */
  attach(): void {
    const { core } = this;
    this.#detach();
    core.mountedObservers.add(this);
    core.extension.onReader?.(this, 'mount');
    this.#view = this.findView();
    core.engine.store.subscribe(this.#view, this);
  }

  #detach(): void {
    if (this.#view) unsubscribe(this.#view, this);
    this.#view = null;
    if (this.core.mountedObservers.delete(this)) this.core.extension.onReader?.(this, 'unmount');
  }
}

class SchemaObserver extends ViewObserver {
  readonly #kind: Kind;
  readonly #args: readonly unknown[];

  constructor(core: Core, kind: Kind, args: readonly unknown[]) {
    super(core);
    this.#kind = kind;
    this.#args = args;
  }

  protected override findView(): View {
    return lookUpView(this.core, this.#kind, this.#args);
  }
}

/** Creates an observer of a schema and its arguments in the store. Never fetches. */
export function watchSchema(core: Core, kind: Kind, args: readonly unknown[]): Observer {
  const observer = new SchemaObserver(core, kind, args);
  let state = NOTHING_SHOWN;
  const read = () => {
    const data = core.engine.read(observer.view());
    if (state.data !== data) state = { ...NOTHING_SHOWN, data };
    return state;
  };
  return createPassiveObserver(read, observer.subscribePassively);
}
