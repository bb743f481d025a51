// Those who hear of a change: the components that show an observer, or the mutations under way.
import { callSafely } from '../../support/call-safely.ts';

export type Listeners = Set<() => void>;

/** Adds one; the same function may be added twice. Gives back how to end it, which says whether it was still there. */
export function listen(listeners: Listeners, onChange: () => void): () => boolean {
  const listener = (): void => onChange();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tell(listeners: Listeners): void {
  // a copy, because listeners may come and go; one that another has ended is not called
  const all = [...listeners];
  for (const listener of all) if (listeners.has(listener)) callSafely(listener);
}
