// Every observer of a controller: one per endpoint and arguments, found again at each render. Observers that nobody
// listens to are forgotten after a while, so this book stays as small as what is in use.
import { Ask } from '../../dispatch/ask.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/view.ts';
import type { Core } from '../state/core.ts';
import { EndpointObserver } from './observer.ts';
import { SchemaObserver } from './schema-observer.ts';
import type { ViewObserver } from './view-observer.ts';

type Args = readonly unknown[];

export class Observers {
  readonly #core: Core;
  /** Those that somebody listens to: what they show is kept. */
  readonly #active = new Set<ViewObserver>();
  /** By endpoint, weakly: endpoints made per render go with their last user. */
  readonly #byEndpoint = new WeakMap<object, Map<string, EndpointObserver>>();
  readonly #known = new Set<EndpointObserver>();

  constructor(core: Core) {
    this.#core = core;
  }

  get size(): number {
    return new Set<ViewObserver>([...this.#known, ...this.#active]).size;
  }

  watch(endpoint: AnyEndpoint, args: Args): EndpointObserver {
    const ask = new Ask(endpoint, args);
    let ofEndpoint = this.#byEndpoint.get(endpoint);
    if (!ofEndpoint) this.#byEndpoint.set(endpoint, (ofEndpoint = new Map()));
    let observer = ofEndpoint.get(ask.key);
    if (!observer) {
      this.#core.touch();
      observer = new EndpointObserver(this.#core, this.#active, ask);
      ofEndpoint.set(ask.key, observer);
      this.#known.add(observer);
    }
    observer.isIdle = false;
    return observer;
  }

  watchQuery(kind: Kind, args: Args): SchemaObserver {
    return new SchemaObserver(this.#core, this.#active, kind, args);
  }

  /** Looks again at everything that is shown. */
  refresh(options?: { readonly retriesFailed: boolean }): void {
    for (const observer of this.#active) observer.refresh(options);
  }

  /** The store is another one. */
  reattach(): void {
    for (const observer of this.#active) observer.reattach();
  }

  /** What is shown, for the collection of what is not in use. */
  *views(): IterableIterator<View> {
    for (const observer of this.#active) yield observer.view();
  }

  /** Forgets observers that nobody has listened to, nor asked for, since the last call. */
  forgetIdle(): void {
    for (const observer of this.#known) {
      if (observer.isIdle && !observer.isActive) {
        this.#known.delete(observer);
        this.#byEndpoint.get(observer.ask.endpoint)?.delete(observer.ask.key);
      }
      observer.isIdle = !observer.isActive;
    }
  }
}
