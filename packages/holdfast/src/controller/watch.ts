// Functions that observe the stored value of a schema, and that read or observe pending mutations. They are not methods of
// Controller, so that an application without `useQuery` and `usePending` does not contain their code.
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
 * Returns an observer of the stored value of a schema and arguments. Never fetches. `useQuery` is built on it.
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
  return watchSchema(controller[CORE], kindOf(schema), args) as Observer<DenormalizeNullable<S>>; // cast: the type follows from the schema
}

/**
 * Returns the mutations of a row that wait for their turn or for an id, are in flight or are in conflict, usually oldest first. A
 * mutation that an edit still holds back is not among them.
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
 * Returns an observer of the mutations that {@link getPending} returns. `usePending` is built on it.
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
