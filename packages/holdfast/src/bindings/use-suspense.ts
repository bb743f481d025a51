// The hook that reads an endpoint: it suspends until there is data, and throws errors to the nearest error boundary.
import { useContext } from 'react';
import type { ResolveType } from '../controller/controller.types.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs, MaybeData } from './hook.types.ts';
import { noteFailedObserver, useObserver, useShownData } from './use-observer.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * Reads an endpoint's data and suspends until it is stored. A mounted component keeps its data while newer data is fetched; for the
 * same arguments, it suspends again only when the data may not be shown any more, for example after `invalidate`. With `null`
 * instead of the arguments, nothing is read.
 *
 * @example
 * function TodoTitle({ id }: { id: string }) {
 *   const todo = useSuspense(TodoResource.get, { id });
 *   return <h1>{todo.title}</h1>;
 * }
 */
export function useSuspense<E extends AnyReadEndpoint>(endpoint: E, ...args: EndpointArgs<E>): ResolveType<E>;
export function useSuspense<E>(endpoint: Readable<E>, ...args: MaybeArgs<E>): MaybeData<E>;
export function useSuspense(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  const observer = useObserver(endpoint, args);
  const room = useContext(WaitingRoom);
  const shown = useShownData(observer);
  if (shown.isBlocked) throw observer.ensurePromise(undefined, room);
  if (shown.error) {
    noteFailedObserver(shown.error, observer);
    throw shown.error;
  }
  return shown.data;
}
