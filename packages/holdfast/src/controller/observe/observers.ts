// All observers of a controller, found again at each render and forgotten when nobody needs them. The controller's `watch`
// asks here; observer.ts is one of them.
import { EndpointCall } from '../../dispatch/call.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { ensure } from '../../support/ensure.ts';
import type { Core } from '../state/core.ts';
import { EndpointObserver } from './observer.ts';

/** The observers of a controller: one per endpoint and arguments, found again at each render. */
export interface Observers {
  watch(endpoint: AnyEndpoint, args: readonly unknown[]): EndpointObserver;
  /** Forgets those that had no listener and were not asked for since the last call. */
  forgetIdle(): void;
  /** How many there are, and how many have listeners, those of schemas among them. */
  readonly size: number;
}

export function createObservers(core: Core): Observers {
  /** By endpoint, weakly: endpoints made per render go with their last user. */
  const byEndpoint = new WeakMap<object, Map<string, EndpointObserver>>();
  const all = new Set<EndpointObserver>();
  return {
    get size() {
      return all.size + core.observed.size;
    },
    watch(endpoint, args) {
      const call = new EndpointCall(endpoint, args);
      const byKey = ensure(byEndpoint, endpoint, () => new Map<string, EndpointObserver>());
      const observer = ensure(byKey, call.key, () => new EndpointObserver(core, call));
      observer.isIdle = false;
      all.add(observer);
      core.touch();
      return observer;
    },
    forgetIdle() {
      for (const observer of all) {
        const isIdle = observer.listeners.size === 0;
        if (isIdle && observer.isIdle) {
          all.delete(observer);
          byEndpoint.get(observer.call.endpoint)?.delete(observer.call.key);
        }
        observer.isIdle = isIdle;
      }
    },
  };
}
