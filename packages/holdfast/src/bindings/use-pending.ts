// Tells which mutations of a row are under way.
import { useMemo, useSyncExternalStore } from 'react';
import type { Pending } from '../controller/state/core.ts';
import { watchPending } from '../controller/watch.ts';
import { stableText } from '../support/stable-text.ts';
import type { Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import { useController } from './controller-context.ts';

/**
 * The mutations of an entity that show already and have not been answered.
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
  const text = stableText(args);
  // by the arguments' content: callers write new objects at each render
  // oxlint-disable-next-line react/exhaustive-deps
  const observer = useMemo(() => watchPending(controller, queryable, ...args), [controller, queryable, text]);
  return useSyncExternalStore(observer.subscribe, observer.read, observer.read);
}
