// Which controllers belong to one request of a server. Any other one would show what it keeps to the next request, so
// the provider refuses it there.
import { useSyncExternalStore } from 'react';
import type { Controller } from '../controller/controller.ts';
import { hasNoPage } from '../support/environment.ts';
import { HoldfastError } from '../support/errors.ts';

// keyed by the controllers themselves: gone with them
const ofRequests = new WeakSet<Controller>();

export function markForRequest(controller: Controller): void {
  ofRequests.add(controller);
}

const isNever = (): boolean => false;
const subscribeToNothing = (): (() => void) => isNever;

/** Whether a server renders this. React asks for the second snapshot on a server and while it hydrates a page. */
export function useIsServer(): boolean {
  return useSyncExternalStore(subscribeToNothing, isNever, hasNoPage);
}

export function checkForRequest(controller: Controller): void {
  if (!ofRequests.has(controller)) throw new HoldfastError('REQUEST_CONTROLLER_MISSING');
}

/** In place of the network, for a provider that made its own controller on a server. */
export async function refuseFetch(): Promise<never> {
  throw new HoldfastError('REQUEST_CONTROLLER_MISSING');
}
