// Keeps the observers of a controller: one per endpoint and arguments, found again at each render, removed when unused.
import { EndpointCall } from '../../dispatch/call.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { ensure } from '../../support/ensure.ts';
import type { Core } from '../state/core.ts';
import { EndpointObserver } from './observer.ts';

export interface Observers {
  watch(endpoint: AnyEndpoint, args: readonly unknown[]): EndpointObserver;
  /**
   * Removes the observers that have no listener, had none at the last call of this method, and that `watch` has not returned since.
   */
  forgetIdle(): void;
  /** For the controller's size, and above 0 while retention must run. A mounted endpoint observer counts twice. */
  readonly size: number;
}

export function createObservers(core: Core): Observers {
  /** Weak: an endpoint that a component creates per render can be collected after its observers are removed. */
  const byEndpoint = new WeakMap<object, Map<string, EndpointObserver>>();
  const all = new Set<EndpointObserver>();
  return {
    get size() {
      return all.size + core.mountedObservers.size;
    },
    watch(endpoint, args) {
      const call = new EndpointCall(endpoint, args);
      const byKey = ensure(byEndpoint, endpoint, () => new Map<string, EndpointObserver>());
      const observer = ensure(byKey, call.key, () => new EndpointObserver(core, call));
      observer.isIdle = false;
      all.add(observer);
      core.scheduleCollection();
      core.seam.onReader?.(observer, 'watch');
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
