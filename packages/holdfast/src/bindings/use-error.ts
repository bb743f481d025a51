// Reads the failure of an endpoint and never fetches.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';
import { useObserver, useStored } from './use-observer.ts';

/**
 * The failure that readers of the endpoint see, if any; never fetches.
 *
 * @example
 * const error = useError(TodoResource.get, { id });
 * const isGone = isHttpError(error, 404);
 */
export function useError<E extends EndpointInterface>(endpoint: E, ...args: MaybeArgs<E>): Error | undefined {
  return useStored(useObserver(endpoint, args)).error;
}
