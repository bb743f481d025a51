// Reads a schema from the store by its arguments and never fetches.
import { useMemo, useSyncExternalStore } from 'react';
import { watchQuery } from '../controller/watch.ts';
import { stableText } from '../support/stable-text.ts';
import type { Askable, DenormalizeNullable, Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import { useController } from './controller-context.ts';

/**
 * What the store holds for an entity, a list or a Query; undefined when it does not. Never fetches.
 *
 * @example
 * const openTodos = new schema.Query(new schema.All(Todo), (todos) => todos.filter((todo) => !todo.done));
 *
 * function OpenCount() {
 *   const todos = useQuery(openTodos);
 *   return <p>{todos?.length ?? 0} open</p>;
 * }
 */
export function useQuery<S extends Queryable>(
  queryable: S,
  ...args: NoInfer<SchemaArgs<S>>
): DenormalizeNullable<S> | undefined;
export function useQuery<S>(
  queryable: Askable<S>,
  ...args: NoInfer<SchemaArgs<S>>
): DenormalizeNullable<S> | undefined;
export function useQuery(queryable: Queryable, ...args: readonly unknown[]): unknown {
  const controller = useController();
  const text = stableText(args);
  // by the arguments' content: callers write new objects at each render
  const given = args as readonly never[]; // cast: the signature above has checked them
  // oxlint-disable-next-line react/exhaustive-deps
  const observer = useMemo(() => watchQuery(controller, queryable, ...given), [controller, queryable, text]);
  return useSyncExternalStore(observer.subscribe, observer.read, observer.read).data;
}
