// `useLocal`: the hook of a component that reads a local query.
import { useMemo, useSyncExternalStore } from 'react';
import { useController } from '../../bindings/controller-context.ts';
import { stableText } from '../../support/stable-text.ts';
import type { LocalArgs, LocalData, LocalValue } from './local.types.ts';
import type { Plan } from './plan.ts';
import { LocalObserver } from './watch-local.ts';
import type { LocalState } from './watch-local.ts';

/**
 * The result of {@link useLocal}.
 *
 * @example
 * const Count = ({ data, isComplete }: useLocal.Result<number>) => <b>{data}{!isComplete && '+'}</b>;
 */
export interface LocalResult<T> {
  /** The result from the stored rows. For a list it is never undefined, but empty until a row is stored. */
  readonly data: T;
  /** Whether the result is the same as on the server, because a whole and fresh list covers the query. */
  readonly isComplete: boolean;
  readonly isFetching: boolean;
  /** Why the last request for the missing rows failed. */
  readonly error: Error | undefined;
}

/**
 * Reads a local query. No request is sent while a whole and fresh list covers the query; else the endpoint is requested with these
 * arguments, and the stored rows are shown meanwhile.
 *
 * @example
 * const open = local(TodoResource.getList, { where: { done: false }, orderBy: 'title' });
 *
 * function OpenTodos({ userId }: { userId: string }) {
 *   const { data, isComplete } = useLocal(open, { userId });
 *   return <p>{data.length}{!isComplete && '+'} open</p>;
 * }
 */
export function useLocal<L extends LocalValue>(query: L, ...args: LocalArgs<L>): LocalResult<LocalData<L>> {
  const controller = useController();
  const key = stableText(args);
  const observer = useMemo(
    () => new LocalObserver(controller, query as L & Plan, args), // cast: `local` makes every query
    // `key` stands for the arguments, because callers write new objects at each render.
    // oxlint-disable-next-line react/exhaustive-deps
    [controller, query, key],
  );
  const state = useSyncExternalStore(observer.subscribe, observer.read, observer.read);
  return state as LocalState<LocalData<L>>; // cast: the data follows from the query
}

export declare namespace useLocal {
  export type { LocalResult as Result };
}
