// The hook that returns the pending mutations of a row.
import { useMemo, useSyncExternalStore } from 'react';
import type { Pending } from '../controller/state/core.ts';
import { watchPending } from '../controller/watch.ts';
import { stableText } from '../support/stable-text.ts';
import type { Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import { useController } from './controller-context.ts';

/**
 * Returns the mutations of a row that wait for their turn or for an id, are in flight or are in conflict, usually oldest first. A
 * mutation that an edit still holds back is not among them.
 *
 * @example
 * function SaveMark({ todo }: { todo: Todo }) {
 *   const isSaving = usePending(Todo, { id: todo.id }).length > 0;
 *   return isSaving ? <span>Saving</span> : null;
 * }
 */
export function usePending<S extends Queryable>(
  queryable: S,
  ...args: NoInfer<SchemaArgs<S>>
): readonly Pending[] {
  const controller = useController();
  const key = stableText(args);
  // `key` stands for the arguments, because callers write new objects at each render.
  // oxlint-disable-next-line react/exhaustive-deps
  const observer = useMemo(() => watchPending(controller, queryable, ...args), [controller, queryable, key]);
  return useSyncExternalStore(observer.subscribe, observer.read, observer.read);
}
