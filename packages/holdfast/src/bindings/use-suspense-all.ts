// Reads a list of endpoints whose length may change: what hooks in a loop would do if React allowed it.
import { useContext, useState, useSyncExternalStore } from 'react';
import type { ResolveType } from '../controller/controller.types.ts';
import type { Observer, Shown } from '../controller/observe/shown.ts';
import type { AnyReadEndpoint, EndpointArgs, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import { blame } from './use-observer.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * An endpoint, then its arguments.
 *
 * @example const reading: useSuspenseAll.Reading = [TodoResource.get, { id: '5' }];
 */
export type Reading = readonly [endpoint: AnyReadEndpoint, ...args: readonly unknown[]];

/** The reading with the arguments that its endpoint takes. */
type Checked<R extends Reading> = readonly [R[0], ...EndpointArgs<R[0]>];

/**
 * Reads several endpoints at once and suspends until all data is there: all requests leave together. The list may have another
 * length at the next render. The array is the same one until something in it changes.
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
  const [groups] = useState(() => new Groups());
  const group = groups.take(readings.map(([endpoint, ...args]) => controller.watch(endpoint, ...args)));
  const shown = useSyncExternalStore(group.subscribe, group.read, group.read);
  // asked for together: the first that waits does not hold the others up
  const waiting = group.observers.filter((_, at) => shown[at]?.isBlocked);
  if (waiting.length > 0)
    throw Promise.all(waiting.map((observer) => observer.ensurePromise(undefined, room)));
  const failure = shown.find(({ error }) => error)?.error;
  if (failure) {
    // a boundary that is reset tries all of them again
    for (const [at, observer] of group.observers.entries()) if (shown[at]?.error) blame(failure, observer);
    throw failure;
  }
  return group.dataOf(shown);
}

/** The group of the last render, for as long as its observers are the same. */
class Groups {
  #last: Group | null = null;

  take(observers: readonly Observer[]): Group {
    const known = this.#last?.observers;
    if (known?.length === observers.length && known.every((one, at) => one === observers[at]))
      return this.#last!; // it has them
    return (this.#last = new Group(observers));
  }
}

/** Several observers as one. */
class Group {
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

  /** The same array until one of them shows something else. */
  readonly read = (): readonly Shown[] => {
    const shown = this.observers.map((observer) => observer.readShown());
    const isSame = shown.length === this.#shown.length && shown.every((one, at) => one === this.#shown[at]);
    return isSame ? this.#shown : (this.#shown = shown);
  };

  dataOf(shown: readonly Shown[]): readonly unknown[] {
    const isSame =
      shown.length === this.#data.length && shown.every(({ data }, at) => data === this.#data[at]);
    return isSame ? this.#data : (this.#data = shown.map(({ data }) => data));
  }
}

export declare namespace useSuspenseAll {
  export type { Reading };
}
