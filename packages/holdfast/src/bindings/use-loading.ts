// Runs an async function, usually a mutation, and tells how it goes.
import { useCallback, useState } from 'react';
import { toError } from '../support/errors.ts';

interface Run<A> {
  /** The arguments of the call that the state speaks of: an earlier one that ends later does not change it. */
  readonly latest: A | null;
  readonly error: Error | undefined;
  /** The arguments of the calls under way, in the order of calls. */
  readonly pending: readonly A[];
}

const IDLE: Run<never> = { latest: null, error: undefined, pending: [] };

/**
 * Wraps an async function: gives it back with whether it runs and the error of its latest call. A new call clears the
 * old error; a failure goes into `error` and the call resolves with undefined. Where the latest call has failed, `retry` makes
 * it again. `pending` has the arguments of every call under way: which button of a list is busy.
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
  const [{ latest, error, pending }, setState] = useState<Run<A>>(IDLE);
  const start = useCallback(async (...args: A): Promise<T | undefined> => {
    const end = (failure: Error | undefined): void =>
      setState((now) => ({
        latest: now.latest,
        error: now.latest === args ? failure : now.error,
        pending: now.pending.filter((call) => call !== args),
      }));
    setState((now) => ({ latest: args, error: undefined, pending: [...now.pending, args] }));
    try {
      const value = await run(...args);
      end(undefined);
      return value;
    } catch (thrown) {
      end(toError(thrown));
      return undefined;
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the caller says on what the function depends
  }, deps);
  const isLoading = latest !== null && pending.includes(latest);
  const retry = latest && error && (() => void start(...latest));
  return [start, isLoading, error, retry ?? undefined, pending];
}
