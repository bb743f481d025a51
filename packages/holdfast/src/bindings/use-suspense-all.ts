// The hook that reads several endpoints. Their number may change between renders, which React forbids for hooks in a loop.
import { useContext, useState, useSyncExternalStore } from 'react';
import type { ResolveType } from '../controller/controller.types.ts';
import type { Observer, Shown } from '../controller/observe/shown.ts';
import type { AnyReadEndpoint, EndpointArgs, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import { noteFailedObserver } from './use-observer.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * An endpoint, then its arguments.
 *
 * @example const reading: useSuspenseAll.Reading = [TodoResource.get, { id: '5' }];
 */
export type Reading = readonly [endpoint: AnyReadEndpoint, ...args: readonly unknown[]];

/** A reading whose arguments have the types that its endpoint declares. */
type Checked<R extends Reading> = readonly [R[0], ...EndpointArgs<R[0]>];

/**
 * Reads several endpoints at once and suspends until all of their data is stored. All requests are sent together. The number of
 * endpoints may be different at the next render. The hook returns the same array until one of its items changes.
 *
 * @example
 * function Titles({ ids }: { ids: readonly string[] }) {
 *   const todos = useSuspenseAll(ids.map((id) => [TodoResource.get, { id }] as const));
 *   return <p>{todos.map((todo) => todo.title).join(', ')}</p>;
 * }
 */
export function useSuspenseAll<const R extends readonly Reading[]>(
  readings: R & { readonly [I in keyof R]: Checked<R[I]> },
): { readonly [I in keyof R]: ResolveType<R[I][0]> };
export function useSuspenseAll(
  readings: readonly (readonly [ReadEndpoint, ...args: readonly unknown[]])[],
): readonly unknown[] {
  const controller = useController();
  const room = useContext(WaitingRoom);
  const [groups] = useState(() => new ObserverGroups());
  const group = groups.groupOf(readings.map(([endpoint, ...args]) => controller.watch(endpoint, ...args)));
  const shown = useSyncExternalStore(group.subscribe, group.read, group.read);
  // All requests are started before the component suspends, so that they run at the same time.
  const waiting = group.observers.filter((_, index) => shown[index]?.isBlocked);
  if (waiting.length > 0)
    throw Promise.all(waiting.map((observer) => observer.ensurePromise(undefined, room)));
  const failure = shown.find(({ error }) => error)?.error;
  if (failure) {
    // Only the first error is thrown, but a reset of the error boundary retries every observer that failed.
    for (const [index, observer] of group.observers.entries())
      if (shown[index]?.error) noteFailedObserver(failure, observer);
    throw failure;
  }
  return group.dataOf(shown);
}

/** Keeps the group of the last render, and replaces it when the observers have changed. */
class ObserverGroups {
  #lastGroup: ObserverGroup | null = null;

  groupOf(observers: readonly Observer[]): ObserverGroup {
    const known = this.#lastGroup?.observers;
    if (known?.length === observers.length && known.every((observer, index) => observer === observers[index]))
      return this.#lastGroup!; // set, because `known` is an array here
    return (this.#lastGroup = new ObserverGroup(observers));
  }
}

/** Combines several observers into one. */
class ObserverGroup {
  readonly observers: readonly Observer[];
  #shown: readonly Shown[] = [];
  #data: readonly unknown[] = [];

  constructor(observers: readonly Observer[]) {
    this.observers = observers;
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    const stops = this.observers.map((observer) => observer.subscribe(onChange));
    return () => {
      for (const stop of stops) stop();
    };
  };

  /** Returns the same array until one of the observers shows other data or another error. */
  readonly read = (): readonly Shown[] => {
    const shown = this.observers.map((observer) => observer.readShown());
    const isSame =
      shown.length === this.#shown.length && shown.every((item, index) => item === this.#shown[index]);
    return isSame ? this.#shown : (this.#shown = shown);
  };

  dataOf(shown: readonly Shown[]): readonly unknown[] {
    const isSame =
      shown.length === this.#data.length && shown.every(({ data }, index) => data === this.#data[index]);
    return isSame ? this.#data : (this.#data = shown.map(({ data }) => data));
  }
}

export declare namespace useSuspenseAll {
  export type { Reading };
}
