// The hook that returns failed mutations, either of one row or of all rows.
import { useCallback, useSyncExternalStore } from 'react';
import { FailedManager } from '../dispatch/failed-manager.ts';
import type { FailedMutation } from '../dispatch/failed-manager.ts';
import { MANAGERS } from '../dispatch/manager.ts';
import type { Queryable, SchemaArgs } from '../schema/protocol/schema.types.ts';
import { HoldfastError } from '../support/errors.ts';
import { useController } from './controller-context.ts';

/**
 * Returns the failed mutations that the controller's {@link FailedManager} keeps. With a schema and arguments, returns only the
 * mutations of the row that these identify. Throws when the controller has no FailedManager.
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
  const manager = controller[MANAGERS].find((candidate) => candidate instanceof FailedManager);
  if (!manager) throw new HoldfastError('MANAGER_MISSING', { hook: 'useFailed', manager: 'FailedManager' });
  const subscribe = useCallback((onChange: () => void) => manager.listen(onChange), [manager]);
  const read = (): readonly FailedMutation[] => manager.get(...query);
  return useSyncExternalStore(subscribe, read, read);
}
