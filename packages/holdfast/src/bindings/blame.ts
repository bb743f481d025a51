// Which requests an error stands for: hooks write it down before they throw, error boundaries ask when they are reset.
import type { Observer } from '../controller/shown.ts';

// keyed by the error itself: gone with it
const observersOf = new WeakMap<object, Set<Observer>>();

/** Throws the error, remembering whose it is. */
export function throwFor(error: Error, observer: Observer): never {
  const observers = observersOf.get(error);
  if (observers) observers.add(observer);
  else observersOf.set(error, new Set([observer]));
  throw error;
}

/** Tries again what failed with this error. */
export function retryFailed(error: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  for (const observer of observersOf.get(error) ?? []) observer.retry();
  observersOf.delete(error);
}
