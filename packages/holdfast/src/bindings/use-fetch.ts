// The hook that starts an endpoint's request and returns its promise, for React's `use`.
import type { ResolveType } from '../controller/controller.types.ts';
import type { Shown } from '../controller/observe/shown.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';
import { noteFailedObserver, useObserver, useShownData } from './use-observer.ts';

/**
 * Starts a request when one is needed and returns a promise for React's `use`. Several calls in one component load at the same
 * time. The hook returns the same promise until the data, the error or the awaited request changes; a settled promise does not
 * suspend. With `null` instead of the arguments it returns undefined.
 *
 * @example
 * import { use } from 'react';
 *
 * function Profile({ id }: { id: string }) {
 *   const loadingUser = useFetch(UserResource.get, { id });
 *   const loadingTodos = useFetch(TodoResource.getList);
 *   const user = use(loadingUser);
 *   const todos = use(loadingTodos);
 *   return <p>{user.name}: {todos.length}</p>;
 * }
 */
export function useFetch<E extends AnyReadEndpoint>(
  endpoint: E,
  ...args: EndpointArgs<E>
): Promise<ResolveType<E>>;
export function useFetch<E>(
  endpoint: Readable<E>,
  ...args: MaybeArgs<E>
): E extends AnyReadEndpoint ? Promise<ResolveType<E>> | undefined : never;
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): Promise<unknown> | undefined {
  const observer = useObserver(endpoint, args);
  const shown = useShownData(observer);
  // `use` will throw this error, so the observer is remembered for a reset of the error boundary.
  if (shown.error !== undefined) noteFailedObserver(shown.error, observer);
  return args.length > 0 && args[0] === null ? undefined : setStatus(observer.ensurePromise(shown), shown);
}

/**
 * Sets the `status` that `use` reads, so that `use` does not suspend for a settled promise. React itself marks pending promises.
 */
function setStatus(
  promise: Promise<unknown>,
  { data: value, error: reason, isBlocked }: Shown,
): Promise<unknown> {
  if (isBlocked) return promise;
  return Object.assign(promise, reason ? { status: 'rejected', reason } : { status: 'fulfilled', value });
}
