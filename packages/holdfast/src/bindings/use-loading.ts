// The hook that runs an async function, usually a mutation, and returns its loading state and error.
import { useCallback, useState } from 'react';
import { toError } from '../support/errors.ts';

interface LoadingState<A> {
  /** The arguments of the latest call. Only the latest call sets `error`, even if an earlier call ends later. */
  readonly latest: A | null;
  readonly error: Error | undefined;
  /** The arguments of the calls that have not ended, in the order of calls. */
  readonly pending: readonly A[];
}

const IDLE: LoadingState<never> = { latest: null, error: undefined, pending: [] };

/**
 * Wraps an async function. Returns the wrapped function, whether its latest call is running, and the error of that call. A new call
 * clears the old error. A call that fails resolves with undefined. If the latest call has failed, `error` is set and `retry`
 * repeats the call. `pending` has the arguments of every call that has not ended, for example to find the busy button in a list.
 *
 * @example
 * function NewTodo() {
 *   const controller = useController();
 *   const [create, isCreating, error, retry] = useLoading(
 *     (title: string) => controller.fetch(TodoResource.getList.push, { title }),
 *     [controller],
 *   );
 *   return (
 *     <form action={(form) => void create(String(form.get('title')))}>
 *       <input name="title" disabled={isCreating} />
 *       {error && <p role="alert">{error.message} <button type="button" onClick={retry}>Try again</button></p>}
 *     </form>
 *   );
 * }
 */
export function useLoading<A extends readonly unknown[], T>(
  run: (...args: A) => Promise<T>,
  deps: readonly unknown[] = [run],
): [
  run: (...args: A) => Promise<T | undefined>,
  isLoading: boolean,
  error: Error | undefined,
  retry: (() => void) | undefined,
  pending: readonly A[],
] {
  const [{ latest, error, pending }, setState] = useState<LoadingState<A>>(IDLE);
  const start = useCallback(async (...args: A): Promise<T | undefined> => {
    const end = (failure: Error | undefined): void =>
      setState((state) => ({
        latest: state.latest,
        error: state.latest === args ? failure : state.error,
        pending: state.pending.filter((call) => call !== args),
      }));
    setState((state) => ({ latest: args, error: undefined, pending: [...state.pending, args] }));
    try {
      const value = await run(...args);
      end(undefined);
      return value;
    } catch (thrown) {
      end(toError(thrown));
      return undefined;
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the caller passes the dependencies of the function
  }, deps);
  const isLoading = latest !== null && pending.includes(latest);
  const retry = latest && error && (() => void start(...latest));
  return [start, isLoading, error, retry ?? undefined, pending];
}
