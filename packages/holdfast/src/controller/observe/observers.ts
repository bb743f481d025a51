// Every observer of an endpoint that a controller knows. Those that nobody listens to are forgotten after a while, so this
// book stays as small as what is in use.
import { Ask } from '../../dispatch/ask.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { Core } from '../state/core.ts';
import { EndpointObserver } from './observer.ts';

/** The observers of a controller: one per endpoint and arguments, found again at each render. */
export interface Observers {
  watch(endpoint: AnyEndpoint, args: readonly unknown[]): EndpointObserver;
  /** Forgets those that nobody has listened to, nor asked for, since the last call. */
  forgetIdle(): void;
  readonly all: ReadonlySet<EndpointObserver>;
}

export function createObservers(core: Core): Observers {
  /** By endpoint, weakly: endpoints made per render go with their last user. */
  const byEndpoint = new WeakMap<object, Map<string, EndpointObserver>>();
  const all = new Set<EndpointObserver>();
  return {
    all,
    watch(endpoint, args) {
      const ask = new Ask(endpoint, args);
      let byKey = byEndpoint.get(endpoint);
      if (!byKey) byEndpoint.set(endpoint, (byKey = new Map()));
      let observer = byKey.get(ask.key);
      if (!observer) {
        core.touch();
        byKey.set(ask.key, (observer = new EndpointObserver(core, ask)));
        all.add(observer);
      }
      observer.isIdle = false;
      return observer;
    },
    forgetIdle() {
      for (const observer of all) {
        const isIdle = observer.listeners.size === 0;
        if (isIdle && observer.isIdle) {
          all.delete(observer);
          byEndpoint.get(observer.ask.endpoint)?.delete(observer.ask.key);
        }
        observer.isIdle = isIdle;
      }
    },
  };
}
