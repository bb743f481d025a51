// Connects the hooks to observers: finds the observer of an endpoint and its arguments, and renders the component again when the
// observer shows other data or another error.
import { checkChanges, inDevelopment } from '#env';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Observer, Shown } from '../controller/observe/shown.ts';
import { CORE } from '../controller/state/core.ts';
import type { EndpointInterface, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import { ensure } from '../support/ensure.ts';
import { warnOnce } from '../support/errors.ts';
import { isObject } from '../support/plain.ts';

/** Returns the observer for these arguments; if the first argument is null, an observer that never has data. */
export function useObserver(endpoint: EndpointInterface, args: readonly unknown[]): Observer {
  const controller = useController();
  // casts: useCache and useError pass mutations too, and never fetch; the hook's signature has checked the arguments
  const observer = controller.watch(endpoint as ReadEndpoint, ...(args as readonly [null]));
  // The order of hooks is the same in all renders of a build.
  inDevelopment(() => {
    const { engine, environment } = controller[CORE];
    const identity = args[0] === null ? '' : endpoint.key(...args);
    // oxlint-disable-next-line react/rules-of-hooks
    const [memory] = useState({});
    // oxlint-disable-next-line react/rules-of-hooks
    useEffect(() =>
      checkChanges(memory, endpoint, {
        identity,
        at: environment.clock.now(),
        report: () => warnOnce(engine, 'ENDPOINT_UNSTABLE', endpoint.name, { endpoint: endpoint.name }),
      }),
    );
  });
  return observer;
}

/** Returns the data or error of the observer, and keeps the data fresh while the component is mounted. */
export function useShownData(observer: Observer): Shown {
  return useSyncExternalStore(observer.subscribe, observer.readShown, observer.readShown);
}

/** Returns the data or error of the observer without ever fetching. */
export function useStoredData(observer: Observer): Shown {
  return useSyncExternalStore(observer.subscribePassively, observer.readShown, observer.readShown);
}

// ── failures ─────────────────────────────────────────────────────────────────────────────────────

// The keys are weak: an entry is collected together with its error.
const failedObservers = new WeakMap<object, Set<Observer>>();

/**
 * Remembers an observer together with the error that a hook is about to throw, because a reset of the error boundary retries the
 * observer.
 */
export function noteFailedObserver(error: Error, observer: Observer): void {
  ensure(failedObservers, error, () => new Set()).add(observer);
}

/** Fetches again for every observer that was remembered with this error. */
export function retryFailed(error: unknown): void {
  if (!isObject(error)) return;
  for (const observer of failedObservers.get(error) ?? []) observer.retry();
  failedObservers.delete(error);
}
