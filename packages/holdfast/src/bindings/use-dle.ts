// The hook that reads an endpoint without Suspense and returns data, loading and error as values.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { EndpointObserver } from '../controller/observe/observer.ts';
import type { Shown } from '../controller/observe/shown.ts';
import { CORE } from '../controller/state/core.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import type { DataLoadingError, MaybeArgs, MaybeDataLoadingError } from './hook.types.ts';
import { useController } from './controller-context.ts';
import { useObserver } from './use-observer.ts';

/**
 * Reads an endpoint's data and returns it with `loading` and `error`; when both are falsy, there is data to show, unless the first
 * argument is `null`. `isFetching` is true during requests in the background too. `refetch` fetches now. When the endpoint has
 * `keepPreviousData`, the data of the previous arguments stays while the data of the new arguments loads, and `isPreviousData` is
 * true.
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
  const {
    fetch,
    [CORE]: { engine },
  } = useController();
  const observer = useObserver(endpoint, args);
  const [memory] = useState(() => new HookMemory());
  // When a request starts or ends, `observer.read` returns another object; `observer.readShown` returns the same object.
  const read = (): Shown => (memory.usesFetching ? observer.read() : observer.readShown());
  const { data, isBlocked, error } = useSyncExternalStore(observer.subscribe, read, read);
  useEffect(() => {
    // cast: the signatures above have checked the arguments
    memory.setFetch(() =>
      args[0] === null ? undefined : Reflect.apply(fetch, null, [endpoint, ...args] as never),
    );
    if (!isBlocked && !error)
      memory.keepPrevious({ name: endpoint.name, schema: endpoint.schema, engine, data });
    // After a reset of the store, the data may belong to another user.
    else if (memory.previous?.engine !== engine) memory.keepPrevious(null);
  });
  const { placeholderData } = endpoint;
  const kept = isBlocked && endpoint.keepPreviousData ? memory.previous : null;
  const isPreviousData =
    kept?.data !== undefined &&
    kept.name === endpoint.name &&
    kept.schema === endpoint.schema &&
    kept.engine === engine;
  const isPlaceholderData = isBlocked && !isPreviousData && placeholderData !== undefined;
  return {
    data: isPreviousData ? kept.data : isPlaceholderData ? placeholderData : data,
    loading: isBlocked && !isPreviousData && !isPlaceholderData,
    error,
    isPreviousData,
    isPlaceholderData,
    refetch: memory.refetch,
    get isFetching() {
      memory.markFetchingUsed();
      if (isBlocked || observer.read().isFetching) return true;
      // The first reader of stale data sends a request when it is mounted.
      const { listeners, awaitsData } = observer as Partial<EndpointObserver>; // cast: undefined for `null` arguments
      return listeners?.size === 0 && awaitsData === true;
    },
  };
}

/** The state that one call of the hook keeps between renders. */
class HookMemory {
  /** Whether the component reads `isFetching`. */
  usesFetching = false;
  previous: PreviousData | null = null;
  #fetch: () => unknown = () => undefined;

  readonly refetch = (): unknown => this.#fetch();

  setFetch(fetch: () => unknown): void {
    this.#fetch = fetch;
  }

  markFetchingUsed(): void {
    this.usesFetching = true;
  }

  keepPrevious(previous: PreviousData | null): void {
    this.previous = previous;
  }
}

/** The data that the observer last had without an error, and the endpoint and the engine to which the data belongs. */
interface PreviousData {
  readonly name: string;
  readonly schema: unknown;
  readonly engine: unknown;
  readonly data: unknown;
}

export declare namespace useDLE {
  export type { DataLoadingError as Result, MaybeDataLoadingError as MaybeResult };
}
