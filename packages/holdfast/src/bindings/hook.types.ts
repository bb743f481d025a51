// What hooks take and give, looked up in the endpoint: arguments that may be null, data that may be missing.
import type { ResolveType, ResponseData } from '../controller/controller.types.ts';
import type { AnyEndpoint, EndpointArgs } from '../endpoint/endpoint-interface.ts';

/** An endpoint's arguments, where each may be null: with null for the first, nothing is fetched and there is no data. */
export type MaybeArgs<E extends AnyEndpoint> = OrNull<EndpointArgs<E>> | readonly [null];

/** OrNull<[params: P, body?: B]>  →  [params: P | null, body?: B | null] */
type OrNull<A extends readonly unknown[]> = { readonly [I in keyof A]: A[I] | null };

/** Data, loading and error in one: `loading` and `error` tell whether the data is complete. */
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

/** The same where arguments may be null. */
export interface MaybeDataLoadingError<E extends AnyEndpoint> extends FetchFlags {
  readonly data: ResponseData<E>;
  readonly loading: boolean;
  readonly error: Error | undefined;
}
