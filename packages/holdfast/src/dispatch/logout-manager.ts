// Ends the session when the server says that there is none: the store is emptied, and nothing of the old session that
// is still under way can enter the new one. Readers that stay mounted ask again, with growing pauses.
import { follow } from '../endpoint/run-request.ts';
import type { RequestOutcome } from '../endpoint/run-request.ts';
import { isHttpError } from '../support/network-errors.ts';
import { backoffMs, wait } from './backoff.ts';
import type { ControllerEvent, Manager, ManagerHost, NetworkRequest, Send } from './manager.ts';

/**
 * Which failures end a session, and what happens then.
 *
 * @example
 * const options: LogoutOptions = { shouldLogout: (error) => isHttpError(error, 403) };
 * new Controller({ managers: [new LogoutManager(options), ...getDefaultManagers()] });
 */
export interface LogoutOptions {
  /** Which failures end the session. Default: an answer 401. */
  readonly shouldLogout?: (error: Error) => boolean;
  /** What to do; may be async. Default: reset the store. */
  readonly handleLogout?: (host: ManagerHost) => unknown;
}

/** The pauses of a key that was asked for when a session ended: half to all of a second, then doubled. */
const PAUSES = { delay: 1_000, maxDelay: 30_000 };

/**
 * Resets the store when a request is answered 401. What was asked for then is asked for again with growing pauses, until it is
 * answered. An answered mutation, such as a log-in, and a reset by the application end the pauses.
 *
 * @example
 * new LogoutManager({ handleLogout(controller) { controller.resetEntireStore(); location.assign('/login'); } });
 */
export class LogoutManager implements Manager {
  readonly #options: LogoutOptions;
  /** How often a session ended while a read of the key was under way, since the key was last answered. */
  readonly #ends = new Map<string, number>();
  /** The keys of the reads under way. */
  readonly #asked = new Set<string>();
  /** Aborted when the pauses end. */
  #pauses = new AbortController();
  /** How many calls of `handleLogout` have not ended: their resets keep the pauses. */
  #leaving = 0;

  constructor(options: LogoutOptions = {}) {
    this.#options = options;
  }

  async request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const { key, isRead, signal, environment } = request;
    if (!isRead) return next(request);
    const ends = this.#ends.get(key) ?? 0;
    if (ends > 0) {
      const aborter = new AbortController();
      const unlink = follow(aborter, signal, this.#pauses.signal);
      await wait(environment.timers, backoffMs(PAUSES, ends, environment.random), aborter.signal);
      unlink();
    }
    this.#asked.add(key);
    return next(request).finally(() => this.#asked.delete(key));
  }

  event(event: ControllerEvent, host: ManagerHost): void {
    if (event.type === 'answer' && event.isRead) this.#ends.delete(event.key);
    else if (event.type === 'answer' || (event.type === 'reset' && this.#leaving === 0)) this.#endPauses();
    else if (event.type === 'failure') {
      const { shouldLogout = isUnauthorized } = this.#options;
      if (!shouldLogout(event.error)) return;
      if (event.isRead) this.#asked.add(event.key);
      // later: the failure is still being stored, and the store that holds it is to go
      queueMicrotask(() => void this.#leave(host));
    }
  }

  async #leave(host: ManagerHost): Promise<void> {
    const { handleLogout = resetStore } = this.#options;
    for (const key of this.#asked) this.#ends.set(key, (this.#ends.get(key) ?? 0) + 1);
    this.#asked.clear();
    this.#leaving += 1;
    try {
      await handleLogout(host);
    } finally {
      this.#leaving -= 1;
    }
  }

  #endPauses(): void {
    this.#ends.clear();
    this.#pauses.abort();
    this.#pauses = new AbortController();
  }
}

function isUnauthorized(error: Error): boolean {
  return isHttpError(error, 401);
}

function resetStore(host: ManagerHost): void {
  host.resetEntireStore();
}
