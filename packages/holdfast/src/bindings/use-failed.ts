// Tells which mutations have failed, of a row or at all.
import { useCallback, useSyncExternalStore } from 'react';
import { FailedManager } from '../dispatch/failed-manager.ts';
import type { FailedMutation } from '../dispatch/failed-manager.ts';
import { MANAGERS } from '../dispatch/manager.ts';
import type { Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import { HoldfastError } from '../support/errors.ts';
import { useController } from './controller-context.ts';

/**
 * The mutations that have failed and were neither tried again nor forgotten: of the row that a schema and arguments name, or
 * all. Needs a {@link FailedManager} in the controller's list.
 *
 * @example
 * function FailureMark({ todo }: { todo: Todo }) {
 *   const [failed] = useFailed(Todo, { id: todo.id });
 *   return failed ? <button onClick={() => void failed.retry()}>Not saved. Try again</button> : null;
 * }
 */
export function useFailed(): readonly FailedMutation[];
export function useFailed<S extends Queryable>(
  queryable: S,
  ...args: NoInfer<SchemaArgs<S>>
): readonly FailedMutation[];
export function useFailed(...query: readonly unknown[]): readonly FailedMutation[] {
  const controller = useController();
  const manager = controller[MANAGERS].find((one) => one instanceof FailedManager);
  if (!manager) throw new HoldfastError('MANAGER_MISSING', { hook: 'useFailed', manager: 'FailedManager' });
  const subscribe = useCallback((onChange: () => void) => manager.listen(onChange), [manager]);
  const read = (): readonly FailedMutation[] => manager.get(...query);
  return useSyncExternalStore(subscribe, read, read);
}
