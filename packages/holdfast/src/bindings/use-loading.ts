// Runs an async function, usually a mutation, and tells how it goes.
import { useCallback, useState } from 'react';
import { toError } from '../support/errors.ts';

interface Run {
  /** The call that the state speaks of: an earlier one that ends later does not change it. */
  readonly call: object | null;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
}

const IDLE: Run = { call: null, error: undefined, isLoading: false };

/**
 * Wraps an async function: gives it back with whether it runs and the error of its latest call. A new call clears the
 * old error; a failure goes into `error` and the call resolves with undefined.
 *
 * @example
 * function NewTodo() {
 *   const controller = useController();
 *   const [create, isCreating, error] = useLoading(
 *     (title: string) => controller.fetch(TodoResource.getList.push, { title }),
 *     [controller],
 *   );
 *   return (
 *     <form action={(form) => void create(String(form.get('title')))}>
 *       <input name="title" disabled={isCreating} />
 *       {error && <p role="alert">{error.message}</p>}
 *     </form>
 *   );
 * }
 */
export function useLoading<A extends readonly unknown[], T>(
  run: (...args: A) => Promise<T>,
  deps: readonly unknown[] = [run],
): [run: (...args: A) => Promise<T | undefined>, isLoading: boolean, error: Error | undefined] {
  const [state, setState] = useState(IDLE);
  const start = useCallback(async (...args: A): Promise<T | undefined> => {
    const call = {};
    const end = (error: Error | undefined): void =>
      setState((now) => (now.call === call ? { call, error, isLoading: false } : now));
    setState({ call, error: undefined, isLoading: true });
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
  return [start, state.isLoading, state.error];
}
