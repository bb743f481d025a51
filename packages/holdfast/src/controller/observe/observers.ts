// Keeps a controller's observers of endpoints, one per endpoint and arguments. A component finds its observer again at each render,
// and unused observers are removed.
import { EndpointCall } from '../../dispatch/call.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { ensure } from '../../support/ensure.ts';
import type { Core } from '../state/core.ts';
import { EndpointObserver } from './observer.ts';

export interface Observers {
  watch(endpoint: AnyEndpoint, args: readonly unknown[]): EndpointObserver;
  /**
   * Removes each observer that has no listener, had no listener at the last call of this method, and was not returned by `watch`
   * since.
   */
  forgetIdle(): void;
  /** The number of observers, for the controller's size. A mounted observer of an endpoint counts twice. */
  readonly size: number;
}

export function createObservers(core: Core): Observers {
  /**
   * The keys are weak, so that an endpoint that a component creates per render can be collected after its observers are removed.
   */
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
      core.extension.onReader?.(observer, 'watch');
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
