// Reads what is stored for an endpoint and never fetches.
import type { ResponseData } from '../controller/controller.types.ts';
import type { AnyEndpoint, EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';
import { useObserver, useStored } from './use-observer.ts';

/**
 * What is stored for an endpoint, if anything; never fetches. Undefined where `useSuspense` would suspend.
 *
 * @example
 * const todo = useCache(TodoResource.get, { id });
 * const title = todo?.title ?? 'not loaded yet';
 */
export function useCache<E extends AnyEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ResponseData<E>;
export function useCache(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  return useStored(useObserver(endpoint, args)).data;
}
