// `Retry-After` for a whole origin: a 429 or 503 response with this header closes the gate of its origin until the time in the
// header. Until then, requests wait; if the wait is too long, they get a response with the same status at once.
import { waitForDelay } from '../../dispatch/backoff.ts';
import type { Environment } from '../../support/environment.ts';
import { readHttpDateMs, readRetryAfterMs } from '../../support/header-values.ts';

/**
 * How long a gate stays closed at most, in milliseconds. There is a limit, because a wrong clock can make the wait far too long.
 */
const LONGEST_CLOSED_MS = 3_600_000;

interface ClosedGate {
  readonly status: number;
  readonly closedAt: number;
  readonly opensAt: number;
}

export class RetryGate {
  readonly #longestWaitMs: number;
  readonly #closings = new Map<string, ClosedGate>();

  constructor(longestWaitMs: number) {
    this.#longestWaitMs = longestWaitMs;
  }

  /** Opens all gates. Called at a reset, because a server's limits for one user do not apply to the next user. */
  openAll(): void {
    this.#closings.clear();
  }

  /**
   * Returns undefined if the gate is open, so that the request is sent synchronously. Else returns a promise that resolves with
   * undefined when the gate opens or the signal aborts, or with a response if the wait is too long.
   */
  waitUntilOpen(
    origin: string,
    environment: Environment,
    signal: AbortSignal,
  ): Promise<Response | undefined> | undefined {
    return this.#msUntilOpen(origin, environment) > 0 ? this.#wait(origin, environment, signal) : undefined;
  }

  async #wait(origin: string, environment: Environment, signal: AbortSignal): Promise<Response | undefined> {
    for (;;) {
      const leftMs = this.#msUntilOpen(origin, environment);
      const status = this.#closings.get(origin)?.status;
      if (status === undefined || signal.aborted) return undefined; // without a status the gate is open
      if (leftMs > this.#longestWaitMs) {
        const headers = { 'retry-after': String(Math.ceil(leftMs / 1_000)) };
        return new Response(null, { status, headers });
      }
      await waitForDelay(environment.timers, leftMs, signal);
    }
  }

  #msUntilOpen(origin: string, { clock }: Environment): number {
    const closing = this.#closings.get(origin);
    const now = clock.now();
    // A clock that was set back must not keep the gate closed.
    if (closing && closing.closedAt <= now && now < closing.opensAt) return closing.opensAt - now;
    this.#closings.delete(origin);
    return 0;
  }

  /** Closes the gate of the origin if the response has `Retry-After` and the status 429 or 503. */
  closeIfBusy(origin: string, { status, headers }: Response, { clock }: Environment): void {
    if (!isBusyStatus(status)) return;
    const now = clock.now();
    // A date in `Retry-After` is compared with the server's own `Date`, or with this machine's clock if `Date` is absent.
    const waitMs = readRetryAfterMs(headers, readHttpDateMs(headers.get('date')) ?? now);
    if (!waitMs) return;
    const opensAt = now + Math.min(waitMs, LONGEST_CLOSED_MS);
    // Of several responses, the response with the latest time counts.
    if (opensAt > (this.#closings.get(origin)?.opensAt ?? 0))
      this.#closings.set(origin, { status, closedAt: now, opensAt });
  }
}

/** True for 429 Too Many Requests and 503 Service Unavailable. */
export function isBusyStatus(status: number): boolean {
  return status === 429 || status === 503;
}
