// Marks the controllers that were created for one request on a server, or for a test. On a server, DataProvider refuses a
// controller without this mark, because several requests could share the controller, and one user would see the data of another.
import { useSyncExternalStore } from 'react';
import type { Controller } from '../controller/controller.ts';
import { hasNoPage } from '../support/environment.ts';
import { HoldfastError } from '../support/errors.ts';

// The set is weak: an entry is collected together with its controller.
const requestControllers = new WeakSet<Controller>();

export function markForRequest(controller: Controller): void {
  requestControllers.add(controller);
}

const returnFalse = (): boolean => false;
const subscribeToNothing = (): (() => void) => returnFalse;

/**
 * Whether a server renders this component. React calls `hasNoPage` on a server and in hydration, and `returnFalse` in any other
 * render.
 */
export function useIsServer(): boolean {
  return useSyncExternalStore(subscribeToNothing, returnFalse, hasNoPage);
}

export function requireRequestController(controller: Controller): void {
  if (!requestControllers.has(controller)) throw new HoldfastError('REQUEST_CONTROLLER_MISSING');
}

/** Replaces `fetch` when the provider created its own controller on a server: such a controller must not fetch. */
export async function refuseFetch(): Promise<never> {
  throw new HoldfastError('REQUEST_CONTROLLER_MISSING');
}
