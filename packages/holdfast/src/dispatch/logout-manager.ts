// Ends the session when the server says that there is none: the store is emptied, and nothing of the old session that
// is still under way can enter the new one.
import { isHttpError } from '../support/network-errors.ts';
import type { ControllerEvent, Manager, ManagerHost } from './manager.ts';

export interface LogoutOptions {
  /** Which failures end the session. Default: an answer 401. */
  readonly shouldLogout?: (error: Error) => boolean;
  /** What to do. Default: reset the store. */
  readonly handleLogout?: (host: ManagerHost) => void;
}

/**
 * Resets the store when a request is answered 401.
 *
 * @example
 * new LogoutManager({ handleLogout(controller) { controller.resetEntireStore(); location.assign('/login'); } });
 */
export class LogoutManager implements Manager {
  readonly #options: LogoutOptions;

  constructor(options: LogoutOptions = {}) {
    this.#options = options;
  }

  event(event: ControllerEvent, host: ManagerHost): void {
    if (event.type !== 'failure') return;
    const { shouldLogout = isUnauthorized, handleLogout = resetStore } = this.#options;
    // later: the failure is still being stored, and the store that holds it is to go
    if (shouldLogout(event.error)) queueMicrotask(() => handleLogout(host));
  }
}

function isUnauthorized(error: Error): boolean {
  return isHttpError(error, 401);
}

function resetStore(host: ManagerHost): void {
  host.resetEntireStore();
}
