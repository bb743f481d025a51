// What hooks take and give, looked up in the endpoint: arguments that may be null, data that may be missing.
import type { ResolveType, ResponseData } from '../controller/controller.types.ts';
import type { AnyEndpoint, EndpointArgs } from '../endpoint/endpoint-interface.ts';

/**
 * An endpoint's arguments, where each may be null: with null for the first, nothing is fetched and there is no data. One
 * tuple where there is one argument: of a union, the compiler would not say which member is wrong.
 *
 * @example const args: MaybeArgs<typeof TodoResource.get> = [null];
 */
export type MaybeArgs<E> = E extends AnyEndpoint ? MaybeNull<EndpointArgs<E>> : readonly unknown[];
type MaybeNull<A extends readonly unknown[]> = A extends readonly []
  ? readonly [nothing?: null]
  : A extends readonly [unknown?]
    ? OrNull<A>
    : OrNull<A> | readonly [null];

/** What the last signature of a hook gives, for any type that it may be called with. */
export type MaybeData<E> = E extends AnyEndpoint ? ResponseData<E> : never;

/** OrNull<[params: P, body?: B]>  →  [params: P | null, body?: B | null] */
type OrNull<A extends readonly unknown[]> = { readonly [I in keyof A]: A[I] | null };

/**
 * Data, loading and error in one: `loading` and `error` tell whether the data is complete.
 *
 * @example
 * function lengthOf({ data, loading, error }: useDLE.Result<typeof TodoResource.getList>) {
 *   return loading || error ? 0 : data.length;
 * }
 */
export type DataLoadingError<E extends AnyEndpoint> = FetchFlags &
  (
    | { readonly data: ResolveType<E>; readonly loading: false; readonly error: undefined }
    | { readonly data: ResponseData<E>; readonly loading: true; readonly error: undefined }
    | { readonly data: ResponseData<E>; readonly loading: false; readonly error: Error }
  );

export interface FetchFlags {
  /** Whether a request is under way, in the background too. A component that reads it renders when it changes. */
  readonly isFetching: boolean;
  /** Whether the data is that of the former arguments: see the endpoint's `keepPreviousData`. */
  readonly isPreviousData: boolean;
}

/**
 * What {@link useDLE} gives where the arguments may be null: the data may be undefined at any time.
 *
 * @example
 * const lengthOf = ({ data }: useDLE.MaybeResult<typeof TodoResource.getList>) => data?.length ?? 0;
 */
export interface MaybeDataLoadingError<E> extends FetchFlags {
  readonly data: MaybeData<E>;
  readonly loading: boolean;
  readonly error: Error | undefined;
}
