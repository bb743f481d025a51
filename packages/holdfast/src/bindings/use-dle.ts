// Reads an endpoint without Suspense: data, loading and error as values.
import type { AnyReadEndpoint, EndpointArgs, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import type { DataLoadingError, MaybeArgs, MaybeDataLoadingError } from './hook.types.ts';
import { useObserver, useShown } from './use-observer.ts';

/**
 * Reads an endpoint's data and tells whether it is loading or has failed. After checking both, the data is complete.
 *
 * @example
 * function TodoTitle({ id }: { id: string }) {
 *   const { data, loading, error } = useDLE(TodoResource.get, { id });
 *   if (error) return <p role="alert">{error.message}</p>;
 *   if (loading) return <p>Loading</p>;
 *   return <h1>{data.title}</h1>;
 * }
 */
export function useDLE<E extends AnyReadEndpoint>(endpoint: E, ...args: EndpointArgs<E>): DataLoadingError<E>;
export function useDLE<E extends AnyReadEndpoint>(
  endpoint: E,
  ...args: MaybeArgs<E>
): MaybeDataLoadingError<E>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const { data, isBlocked, error } = useShown(useObserver(endpoint, args));
  return { data, loading: isBlocked, error };
}
