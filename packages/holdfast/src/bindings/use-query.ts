// The hook that reads a schema from the store by its arguments and never fetches.
import { inDevelopment } from '#env';
import { useMemo, useSyncExternalStore } from 'react';
import { watchQuery } from '../controller/watch.ts';
import { ENDPOINT_STATE } from '../endpoint/endpoint-base.ts';
import { HoldfastError } from '../support/errors.ts';
import { stableText } from '../support/stable-text.ts';
import type { Askable, DenormalizeNullable, Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import { useController } from './controller-context.ts';

/**
 * Returns the stored value of a schema, such as an entity, a list or a Query; undefined when it is not stored or cannot be shown.
 * Never fetches.
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
  // These are two mistakes of people who know other libraries: an endpoint, and options with a `queryKey`.
  inDevelopment(() => {
    const { queryKey } = queryable as { readonly queryKey?: unknown }; // cast: an entity class has a method of that name
    const isOptions = Array.isArray(queryKey) && 'options with a queryKey';
    const found = (ENDPOINT_STATE in queryable && 'an endpoint') || isOptions;
    if (found) throw new HoldfastError('NOT_A_SCHEMA', { found });
  });
  const key = stableText(args);
  const given = args as readonly never[]; // cast: fits the arguments of any schema; the signatures above have checked them
  // `key` stands for the arguments, because callers write new objects at each render.
  // oxlint-disable-next-line react/exhaustive-deps
  const observer = useMemo(() => watchQuery(controller, queryable, ...given), [controller, queryable, key]);
  return useSyncExternalStore(observer.subscribe, observer.read, observer.read).data;
}
