// Observers of the store alone, and what is pending, by import: an application without `useQuery` and `usePending` does not
// carry them.
import { kindOf } from '../schema/kinds/kind-of.ts';
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import type { Controller } from './controller.ts';
import { createPendingObserver, readPending } from './observe/pending-observer.ts';
import type { PendingObserver } from './observe/pending-observer.ts';
import type { Observer } from './observe/shown.ts';
import { watchSchema } from './observe/view-observer.ts';
import { CORE } from './state/core.ts';
import type { Pending } from './state/core.ts';

/**
 * Watches a schema and arguments in the store; never fetches. What `useQuery` stands on.
 *
 * @example
 * const observer = watchQuery(controller, Todo, { id: 5 });
 * const stop = observer.subscribe(() => console.log(observer.read().data?.title));
 */
export function watchQuery<S extends Queryable>(
  controller: Controller,
  schema: S,
  ...args: SchemaArgs<S>
): Observer<DenormalizeNullable<S>> {
  return watchSchema(controller[CORE], kindOf(schema), args) as Observer<DenormalizeNullable<S>>; // cast: the schema says so
}

/**
 * The mutations of an entity that have not been answered, oldest first.
 *
 * @example
 * const isSaving = getPending(controller, Todo, { id: 5 }).length > 0;
 */
export function getPending<S extends Queryable>(
  controller: Controller,
  schema: S,
  ...args: SchemaArgs<S>
): readonly Pending[] {
  return readPending(controller[CORE], kindOf(schema), args);
}

/**
 * Watches the mutations of an entity that have not been answered. What `usePending` stands on.
 *
 * @example
 * const observer = watchPending(controller, Todo, { id: 5 });
 * const stop = observer.subscribe(() => console.log(observer.read().length));
 */
export function watchPending<S extends Queryable>(
  controller: Controller,
  schema: S,
  ...args: SchemaArgs<S>
): PendingObserver {
  return createPendingObserver(controller[CORE], kindOf(schema), args);
}

export declare namespace watchPending {
  export type { PendingObserver as Observer };
}
