// Reads an endpoint without Suspense: data, loading and error as values.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Shown } from '../controller/observe/shown.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import type { DataLoadingError, MaybeArgs, MaybeDataLoadingError } from './hook.types.ts';
import { useObserver } from './use-observer.ts';

/**
 * Reads an endpoint's data and tells whether it is loading or has failed. After checking both, the data is complete. `isFetching`
 * tells of requests in the background too. With `keepPreviousData` on the endpoint, the data of the former arguments stays
 * while that of new ones loads, and `isPreviousData` tells.
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
export function useDLE<E>(endpoint: Readable<E>, ...args: MaybeArgs<E>): MaybeDataLoadingError<E>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const observer = useObserver(endpoint, args);
  const [memory] = useState(() => new PreviousData());
  // `read` gives another object when a request begins or ends, `readShown` does not
  const read = (): Shown => (memory.isAsked ? observer.read() : observer.readShown());
  const { data, isBlocked, error } = useSyncExternalStore(observer.subscribe, read, read);
  useEffect(() => {
    if (!isBlocked && !error) memory.keep({ name: endpoint.name, schema: endpoint.schema, data });
  });
  const kept = isBlocked && endpoint.keepPreviousData ? memory.former : null;
  const isPreviousData =
    kept?.data !== undefined && kept.name === endpoint.name && kept.schema === endpoint.schema;
  return {
    data: isPreviousData ? kept.data : data,
    loading: isBlocked && !isPreviousData,
    error,
    isPreviousData,
    get isFetching() {
      memory.call();
      // the request of a reader that comes new is sent when it is mounted
      return isBlocked || observer.read().isFetching;
    },
  };
}

/** What one component's hook remembers between renders. */
class PreviousData {
  /** Whether the component reads `isFetching`. */
  isAsked = false;
  former: Former | null = null;

  call(): void {
    this.isAsked = true;
  }

  keep(former: Former): void {
    this.former = former;
  }
}

/** What was last on screen. */
interface Former {
  readonly name: string;
  readonly schema: unknown;
  readonly data: unknown;
}

export declare namespace useDLE {
  export type { DataLoadingError as Result, MaybeDataLoadingError as MaybeResult };
}
