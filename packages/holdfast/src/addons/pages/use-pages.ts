// `usePages`: reads a list page by page, for infinite scroll. The hook combines the result of `useDLE` with the state of the page
// loads at both ends of the list.
import { useCallback, useState } from 'react';
import type { Controller } from '../../controller/controller.ts';
import { loadMore, loadPrevious, stateOfPages } from './load-more.ts';
import type { ResponseData } from '../../controller/controller.types.ts';
import type { Observer } from '../../controller/observe/shown.ts';
import type { AnyReadEndpoint, EndpointArgs, ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { Paged } from '../../endpoint/rest.types.ts';
import { toError } from '../../support/errors.ts';
import { useController } from '../../bindings/controller-context.ts';
import type { DataLoadingError, MaybeArgs, MaybeDataLoadingError } from '../../bindings/hook.types.ts';
import { useDLE } from '../../bindings/use-dle.ts';
import { useObserver } from '../../bindings/use-observer.ts';

/**
 * The type of the list in a response. The list is the response itself, or a property of the response.
 *
 * @example type Items = usePages.Items<{ posts: Post[]; next: string }>; // Post[]
 */
export type ItemsIn<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]-?: Extract<T[K], readonly unknown[]> }[keyof T]
    : never;

/**
 * The properties of the result of {@link usePages} that a result of `useDLE` does not have.
 *
 * @example
 * const More = ({ hasMore, loadMore }: usePages.PagesLoaded<typeof getFeed>) =>
 *   hasMore && <button onClick={() => void loadMore()}>More</button>;
 */
export interface PagesLoaded<E extends AnyReadEndpoint> {
  /** The items in `data`, which are those of all loaded pages once the list is loaded; empty while there is no data. */
  readonly items: ItemsIn<NonNullable<ResponseData<E>>>;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** The error of the last `loadMore`; the next call tries again. */
  readonly moreError: Error | undefined;
  /** Loads the next page. Never rejects; a call while that page is in flight joins its request. */
  readonly loadMore: () => Promise<void>;
  /** Whether there is a page before the loaded pages; always false unless the options of `inPages` have `previous`. */
  readonly hasPrevious: boolean;
  readonly isLoadingPrevious: boolean;
  /** The error of the last `loadPrevious`; the next call tries again. */
  readonly previousError: Error | undefined;
  /** Loads the page before the loaded pages. Never rejects; a call while that page is in flight joins its request. */
  readonly loadPrevious: () => Promise<void>;
}

/** The state of the last page load at one end of the list. */
interface PageLoad {
  readonly observer: Observer | null;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
}

const NOT_LOADING: PageLoad = { observer: null, isLoading: false, error: undefined };

/**
 * Reads a list whose endpoint has `pages`, and loads more pages at its ends.
 *
 * @example
 * function Feed() {
 *   const { items, loading, error, hasMore, isLoadingMore, moreError, loadMore } = usePages(getFeed);
 *   if (loading) return <p>Loading</p>;
 *   if (error) return <p role="alert">{error.message}</p>;
 *   return (
 *     <>
 *       {items.map((post) => <p key={post.id}>{post.title}</p>)}
 *       {moreError && <p role="alert">{moreError.message}</p>}
 *       {hasMore && <button disabled={isLoadingMore} onClick={loadMore}>More</button>}
 *     </>
 *   );
 * }
 */
export function usePages<E extends AnyReadEndpoint>(
  endpoint: Paged<E>,
  ...args: EndpointArgs<E>
): DataLoadingError<E> & PagesLoaded<E>;
export function usePages<E extends AnyReadEndpoint>(
  endpoint: Paged<E>,
  ...args: MaybeArgs<E>
): MaybeDataLoadingError<E> & PagesLoaded<E>;
export function usePages(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const controller = useController();
  const observer = useObserver(endpoint, args);
  const shown = useDLE(endpoint, ...(args as readonly [null])); // cast: the overloads check the arguments
  const { data, loading, error, isPreviousData, isPlaceholderData, refetch } = shown;
  const more = useLoad(controller, endpoint, args, observer, loadMore);
  const previous = useLoad(controller, endpoint, args, observer, loadPrevious);
  return {
    data,
    loading,
    error,
    isPreviousData,
    isPlaceholderData,
    refetch,
    get isFetching() {
      return shown.isFetching;
    },
    ...stateOfPages(controller, endpoint, args, data),
    isLoadingMore: more.isLoading,
    moreError: more.error,
    loadMore: more.load,
    isLoadingPrevious: previous.isLoading,
    previousError: previous.error,
    loadPrevious: previous.load,
  };
}

/** Returns a function that loads a page at one end of the list, and the state of its last load. */
function useLoad(
  controller: Controller,
  endpoint: ReadEndpoint,
  args: readonly unknown[],
  observer: Observer,
  loadPage: typeof loadMore,
): Pick<PageLoad, 'isLoading' | 'error'> & { readonly load: () => Promise<void> } {
  const [last, setLast] = useState(NOT_LOADING);
  const load = useCallback(async (): Promise<void> => {
    if (args[0] === null) return;
    setLast({ observer, isLoading: true, error: undefined });
    let failure: Error | undefined;
    try {
      await loadPage(controller, endpoint, ...args);
    } catch (thrown) {
      failure = toError(thrown);
    }
    setLast((now) => (now.observer === observer ? { observer, isLoading: false, error: failure } : now));
    // Endpoint and arguments are not listed, because the observer changes with them. `loadPage` never changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [controller, observer]);
  // The state of a load for other arguments is ignored.
  const { isLoading, error } = last.observer === observer ? last : NOT_LOADING;
  return { isLoading, error, load };
}

export declare namespace usePages {
  export type { ItemsIn as Items, PagesLoaded };
}
