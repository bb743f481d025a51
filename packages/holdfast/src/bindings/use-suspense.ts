// Reads an endpoint; waits for it through Suspense, fails through the nearest error boundary.
import { useContext } from 'react';
import type { ResolveType } from '../controller/controller.types.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs, MaybeData } from './hook.types.ts';
import { blame, useObserver, useShown } from './use-observer.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * Reads an endpoint's data and suspends until it is there. A mounted reader keeps what it shows while newer data is
 * fetched, and suspends again only after `invalidate`. `null` for the arguments reads nothing.
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
  const shown = useShown(observer);
  if (shown.isBlocked) throw observer.ensurePromise(undefined, room);
  if (shown.error) {
    blame(shown.error, observer);
    throw shown.error;
  }
  return shown.data;
}
