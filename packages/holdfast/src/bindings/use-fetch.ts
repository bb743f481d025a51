// Starts the request of an endpoint and gives its promise, for React's own `use`.
import type { ResolveType } from '../controller/controller.types.ts';
import type { Shown } from '../controller/observe/shown.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';
import { blame, useObserver, useShown } from './use-observer.ts';

/**
 * Starts fetching and gives the promise, for `use`: several of them in one component load at the same time. The same
 * promise as long as nothing changed; one that is settled does not suspend. `null` for the arguments gives undefined.
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
  const shown = useShown(observer);
  // `use` will throw it
  if (shown.error !== undefined) blame(shown.error, observer);
  return args.length > 0 && args[0] === null ? undefined : tag(observer.ensurePromise(shown), shown);
}

/** Says how a promise has ended, as React reads it: one that is settled does not suspend. React marks the others itself. */
function tag(promise: Promise<unknown>, { data: value, error: reason, isBlocked }: Shown): Promise<unknown> {
  if (isBlocked) return promise;
  return Object.assign(promise, reason ? { status: 'rejected', reason } : { status: 'fulfilled', value });
}
