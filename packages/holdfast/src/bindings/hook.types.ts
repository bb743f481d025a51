// The arguments and results of hooks, derived from the endpoint's type: arguments that may be null, data that may be missing.
import type { ResolveType, ResponseData } from '../controller/controller.types.ts';
import type { AnyEndpoint, EndpointArgs } from '../endpoint/endpoint-interface.ts';

/**
 * An endpoint's arguments, each of which may be null. If the first argument is null, nothing is fetched and there is no data. For
 * one argument, the type is a single tuple, because with a union of tuples the compiler would not report which property is wrong.
 *
 * @example const args: MaybeArgs<typeof TodoResource.get> = [null];
 */
export type MaybeArgs<E> = E extends AnyEndpoint ? MaybeNull<EndpointArgs<E>> : readonly unknown[];
type MaybeNull<A extends readonly unknown[]> = A extends readonly []
  ? readonly [nothing?: null]
  : A extends readonly [unknown?]
    ? EachOrNull<A>
    : EachOrNull<A> | readonly [null];

/** The data of a hook's last overload, which accepts any type: `never` for a type that is not an endpoint. */
export type MaybeData<E> = E extends AnyEndpoint ? ResponseData<E> : never;

/** EachOrNull<[params: P, body?: B]>  →  [params: P | null, body?: B | null] */
type EachOrNull<A extends readonly unknown[]> = { readonly [I in keyof A]: A[I] | null };

/**
 * The result of {@link useDLE}: when `loading` is false and `error` is undefined, there is data to show.
 *
 * @example
 * function lengthOf({ data, loading, error }: useDLE.Result<typeof TodoResource.getList>) {
 *   return loading || error ? 0 : data.length;
 * }
 */
export type DataLoadingError<E extends AnyEndpoint> = FetchFlags<Promise<ResolveType<E>>> &
  (
    | { readonly data: ResolveType<E>; readonly loading: false; readonly error: undefined }
    | { readonly data: ResponseData<E>; readonly loading: true; readonly error: undefined }
    | { readonly data: ResponseData<E>; readonly loading: false; readonly error: Error }
  );

interface FetchFlags<P> {
  /** Fetches now, whatever the age of the data, and returns the promise. The function is the same in all renders. */
  readonly refetch: () => P;
  /**
   * Whether the component waits for data, or a request is in flight in the background, or will be sent when the component is
   * mounted. A component that reads this property renders when it changes.
   */
  readonly isFetching: boolean;
  /** Whether the data is older data, usually the data of the previous arguments: see the endpoint's `keepPreviousData`. */
  readonly isPreviousData: boolean;
  /** Whether the data is the endpoint's `placeholderData`. */
  readonly isPlaceholderData: boolean;
}

/**
 * The result of {@link useDLE} when the arguments may be null: the data may be undefined at any time.
 *
 * @example
 * const lengthOf = ({ data }: useDLE.MaybeResult<typeof TodoResource.getList>) => data?.length ?? 0;
 */
export interface MaybeDataLoadingError<E> extends FetchFlags<Promise<MaybeData<E>> | undefined> {
  readonly data: MaybeData<E>;
  readonly loading: boolean;
  readonly error: Error | undefined;
}
