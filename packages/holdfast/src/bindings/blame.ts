// Which requests an error stands for: hooks write it down before they throw, error boundaries ask when they are reset.
import type { Observer } from '../controller/observe/shown.ts';

// keyed by the error itself: gone with it
const observersOf = new WeakMap<object, Set<Observer>>();

/** Remembers whose failure this is, before it is thrown. */
export function blame(error: Error, observer: Observer): void {
  const observers = observersOf.get(error);
  if (observers) observers.add(observer);
  else observersOf.set(error, new Set([observer]));
}

/** Tries again what failed with this error. */
export function retryFailed(error: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  for (const observer of observersOf.get(error) ?? []) observer.retry();
  observersOf.delete(error);
}
