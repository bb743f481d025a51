// The hook that reads the stored error of an endpoint and never fetches.
import type { AnyEndpoint, EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';
import { useObserver, useStoredData } from './use-observer.ts';

/**
 * Returns the error that readers of the endpoint get, if there is one. Never fetches.
 *
 * @example
 * function FailureMark({ id }: { id: string }) {
 *   const error = useError(TodoResource.get, { id });
 *   return isHttpError(error, 404) ? <p>There is no such todo.</p> : null;
 * }
 */
export function useError<E extends AnyEndpoint>(endpoint: E, ...args: MaybeArgs<E>): Error | undefined;
export function useError(endpoint: EndpointInterface, ...args: readonly unknown[]): Error | undefined {
  return useStoredData(useObserver(endpoint, args)).error;
}
