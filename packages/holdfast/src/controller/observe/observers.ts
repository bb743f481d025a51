// Every observer of a controller: one per endpoint and arguments, found again at each render; those that somebody
// listens to keep their data. Observers nobody listens to are forgotten after a while, so this book stays as small as
// what is in use.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/view.ts';
import { keyOf } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { EndpointObserver } from './observer.ts';
import { QueryObserver } from './query-observer.ts';

type Args = readonly unknown[];

export class Observers {
  readonly #core: Core;
  readonly #active = new Set<EndpointObserver>();
  readonly #queries = new Set<QueryObserver>();
  /** By endpoint, weakly: endpoints made per render go with their last user. */
  #byEndpoint = new WeakMap<object, Map<string, EndpointObserver>>();
  #known = new Map<EndpointObserver, Map<string, EndpointObserver>>();
  /** Nobody listened to these when they were last looked over. */
  #idle = new Set<EndpointObserver>();

  constructor(core: Core) {
    this.#core = core;
  }

  get size(): number {
    return this.#known.size + this.#queries.size;
  }

  watch(endpoint: EndpointInterface, args: Args): EndpointObserver {
    const key = keyOf(endpoint, args);
    let ofEndpoint = this.#byEndpoint.get(endpoint);
    if (!ofEndpoint) this.#byEndpoint.set(endpoint, (ofEndpoint = new Map()));
    let observer = ofEndpoint.get(key);
    if (!observer) {
      this.#core.touch();
      observer = new EndpointObserver(this.#core, endpoint, args, key, this.#active);
      ofEndpoint.set(key, observer);
      this.#known.set(observer, ofEndpoint);
    }
    this.#idle.delete(observer);
    return observer;
  }

  watchQuery(kind: Kind, args: Args): QueryObserver {
    return new QueryObserver(this.#core, kind, args, this.#queries);
  }

  /** Looks again at everything that is shown; `alsoFailed` tries failures again at once. */
  refresh(alsoFailed: boolean): void {
    for (const observer of this.#active) observer.refresh(alsoFailed);
  }

  /** The store is another one. */
  reattach(): void {
    for (const observer of this.#queries) observer.reattach();
    for (const observer of this.#active) observer.reattach();
  }

  /** What is shown, for those who mark what is in use. */
  *views(): IterableIterator<View> {
    for (const observer of this.#active) yield observer.view();
    for (const observer of this.#queries) yield observer.view();
  }

  /** Forgets observers that nobody has listened to, nor asked for, since the last call. */
  forgetIdle(): void {
    const idle = new Set<EndpointObserver>();
    for (const [observer, ofEndpoint] of this.#known) {
      if (observer.isActive) continue;
      if (!this.#idle.has(observer)) {
        idle.add(observer);
        continue;
      }
      this.#known.delete(observer);
      if (ofEndpoint.get(observer.key) === observer) ofEndpoint.delete(observer.key);
    }
    this.#idle = idle;
  }
}
