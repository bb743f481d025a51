// The React context that holds the controller. DataProvider sets it; hooks read it with `useController`.
import { createContext, useContext } from 'react';
import type { Context } from 'react';
import type { Controller } from '../controller/controller.ts';
import { HoldfastError } from '../support/errors.ts';

export const ControllerContext: Context<Controller | null> = createContext<Controller | null>(null);

/**
 * Returns the controller of the nearest DataProvider. Use it to fetch, mutate and invalidate.
 *
 * @example
 * const controller = useController();
 * const onToggle = (todo: Todo) =>
 *   controller.fetch(TodoResource.partialUpdate, { id: todo.id }, { done: !todo.done });
 */
export function useController(): Controller {
  const controller = useContext(ControllerContext);
  if (!controller) throw new HoldfastError('PROVIDER_MISSING');
  return controller;
}
