// The hook that reads the stored data of an endpoint and never fetches.
import type { ResponseData } from '../controller/controller.types.ts';
import type { AnyEndpoint, EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';
import { useObserver, useStoredData } from './use-observer.ts';

/**
 * Returns the stored data of an endpoint and never fetches. Returns undefined if nothing is stored, or if `useSuspense` would
 * suspend.
 *
 * @example
 * function TodoTitle({ id }: { id: string }) {
 *   const todo = useCache(TodoResource.get, { id });
 *   return <h1>{todo?.title ?? 'not loaded yet'}</h1>;
 * }
 */
export function useCache<E extends AnyEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ResponseData<E>;
export function useCache(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  return useStoredData(useObserver(endpoint, args)).data;
}
