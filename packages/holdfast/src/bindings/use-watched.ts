// The hook for all objects that can be watched: edits, histories, conflicts, and objects of the application.
import { useSyncExternalStore } from 'react';

/**
 * An object that can be watched. `read` returns the same value until the value changes.
 *
 * @example
 * let count = 0;
 * const listeners = new Set<() => void>();
 * const counter: useWatched.Source<number> = {
 *   read: () => count,
 *   listen: (onChange) => (listeners.add(onChange), () => void listeners.delete(onChange)),
 * };
 */
export interface Watched<T> {
  readonly read: () => T;
  /** Calls `onChange` after each change. Returns a function that stops the calls. */
  readonly listen: (onChange: () => void) => () => void;
}

/**
 * Returns the result of `source.read`, and renders the component again when the result has changed.
 *
 * @example
 * function SaveMark({ todo }: { todo: edit.Edit<typeof TodoResource.partialUpdate> }) {
 *   const { state } = useWatched(todo);
 *   return state === 'clean' ? null : <span>{state}</span>;
 * }
 */
export function useWatched<T>(source: Watched<T>): T {
  return useSyncExternalStore(source.listen, source.read, source.read);
}

export declare namespace useWatched {
  export type { Watched as Source };
}
