// The one place where hooks meet observers: finds the observer of an endpoint and its arguments, and renders again
// exactly when what it shows has changed.
import { useSyncExternalStore } from 'react';
import type { Observer, Shown } from '../controller/observe/shown.ts';
import type { EndpointInterface, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import { ensure } from '../support/ensure.ts';
import { isObject } from '../support/plain.ts';

/** The observer for these arguments; one that shows nothing when the first of them is null. */
export function useObserver(endpoint: EndpointInterface, args: readonly unknown[]): Observer {
  const controller = useController();
  const given = args as readonly [null]; // cast: the hooks' signatures have checked them
  return controller.watch(endpoint as ReadEndpoint, ...given); // cast: a hook that never fetches takes any
}

/** What the observer shows; its data is kept fresh while the component is mounted. */
export function useShown(observer: Observer): Shown {
  return useSyncExternalStore(observer.subscribe, observer.readShown, observer.readShown);
}

/** The same without ever fetching. */
export function useStored(observer: Observer): Shown {
  return useSyncExternalStore(observer.subscribePassively, observer.readShown, observer.readShown);
}

// ── failures ─────────────────────────────────────────────────────────────────────────────────────

// keyed by the error itself: gone with it
const observersOf = new WeakMap<object, Set<Observer>>();

/** Remembers whose failure this is, before it is thrown: an error boundary that is reset asks. */
export function blame(error: Error, observer: Observer): void {
  ensure(observersOf, error, () => new Set()).add(observer);
}

/** Tries again what failed with this error. */
export function retryFailed(error: unknown): void {
  if (!isObject(error)) return;
  for (const observer of observersOf.get(error) ?? []) observer.retry();
  observersOf.delete(error);
}
