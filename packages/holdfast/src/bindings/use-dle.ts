// The hook that reads an endpoint without Suspense and returns data, loading and error as values.
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
 * Reads an endpoint's data and returns it with `loading` and `error`; when both are falsy, the data is complete. `isFetching`
 * is true during requests in the background too. When the endpoint has `keepPreviousData`, the data of the previous arguments
 * stays while the data of the new ones loads, and `isPreviousData` is true.
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
  const [memory] = useState(() => new HookMemory());
  // `read` returns a new object when a request starts or ends, `readShown` does not.
  const read = (): Shown => (memory.usesFetching ? observer.read() : observer.readShown());
  const { data, isBlocked, error } = useSyncExternalStore(observer.subscribe, read, read);
  useEffect(() => {
    if (!isBlocked && !error) memory.keepPrevious({ name: endpoint.name, schema: endpoint.schema, data });
  });
  const kept = isBlocked && endpoint.keepPreviousData ? memory.previous : null;
  const isPreviousData =
    kept?.data !== undefined && kept.name === endpoint.name && kept.schema === endpoint.schema;
  return {
    data: isPreviousData ? kept.data : data,
    loading: isBlocked && !isPreviousData,
    error,
    isPreviousData,
    get isFetching() {
      memory.markFetchingUsed();
      // A component without data sends its request when it is mounted, so it counts as fetching before that.
      return isBlocked || observer.read().isFetching;
    },
  };
}

/** The state that one call of the hook keeps between renders. */
class HookMemory {
  /** Whether the component reads `isFetching`. */
  usesFetching = false;
  previous: PreviousData | null = null;

  markFetchingUsed(): void {
    this.usesFetching = true;
  }

  keepPrevious(previous: PreviousData): void {
    this.previous = previous;
  }
}

/** The data that was last on screen, and the endpoint that it belongs to. */
interface PreviousData {
  readonly name: string;
  readonly schema: unknown;
  readonly data: unknown;
}

export declare namespace useDLE {
  export type { DataLoadingError as Result, MaybeDataLoadingError as MaybeResult };
}
