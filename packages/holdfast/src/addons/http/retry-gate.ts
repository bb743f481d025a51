// `Retry-After` for a whole origin: an answer 429 or 503 that says when to come back closes a gate, and no other request asks
// that origin before. Short waits are waited out, long ones are answered here as the server has answered.
import { wait } from '../../dispatch/backoff.ts';
import type { Environment } from '../../support/environment.ts';
import { readHttpDateMs, readRetryAfterMs } from '../../support/header-values.ts';

/** However long a server, or a wrong clock, wants to be left alone: after this it is asked again. */
const LONGEST_CLOSED_MS = 3_600_000;

interface Closing {
  readonly status: number;
  readonly closedAt: number;
  readonly opensAt: number;
}

export class RetryGate {
  readonly #longestWaitMs: number;
  readonly #closings = new Map<string, Closing>();

  constructor(longestWaitMs: number) {
    this.#longestWaitMs = longestWaitMs;
  }

  /** Another user: the limits of the last one say nothing. */
  open(): void {
    this.#closings.clear();
  }

  /**
   * Waits until the origin may be asked; gives the answer where that takes too long. Undefined at once, not by a promise, where
   * the gate is open: the request leaves in the same call.
   */
  pass(
    origin: string,
    environment: Environment,
    signal: AbortSignal,
  ): Promise<Response | undefined> | undefined {
    return this.#leftMs(origin, environment) > 0 ? this.#wait(origin, environment, signal) : undefined;
  }

  async #wait(origin: string, environment: Environment, signal: AbortSignal): Promise<Response | undefined> {
    for (;;) {
      const leftMs = this.#leftMs(origin, environment);
      const status = this.#closings.get(origin)?.status;
      if (leftMs === 0 || status === undefined || signal.aborted) return undefined;
      if (leftMs > this.#longestWaitMs) {
        const headers = { 'retry-after': String(Math.ceil(leftMs / 1_000)) };
        return new Response(null, { status, headers });
      }
      await wait(environment.timers, leftMs, signal);
    }
  }

  #leftMs(origin: string, { clock }: Environment): number {
    const closing = this.#closings.get(origin);
    const now = clock.now();
    // a clock that was set back must not keep it closed
    const isClosed = closing !== undefined && closing.closedAt <= now && now < closing.opensAt;
    if (!isClosed) this.#closings.delete(origin);
    return isClosed ? closing.opensAt - now : 0;
  }

  /** An answer has come. */
  noteResponse(origin: string, { status, headers }: Response, { clock }: Environment): void {
    if (!isBusy(status)) return;
    const now = clock.now();
    // a date is compared with the server's own, where that can be read
    const requested = readRetryAfterMs(headers, readHttpDateMs(headers.get('date')) ?? now);
    if (requested === undefined || requested === 0) return;
    const opensAt = now + Math.min(requested, LONGEST_CLOSED_MS);
    // of several answers the most patient one counts
    if (opensAt > (this.#closings.get(origin)?.opensAt ?? 0))
      this.#closings.set(origin, { status, closedAt: now, opensAt });
  }
}

/** Too many requests, or out of service. */
export function isBusy(status: number): boolean {
  return status === 429 || status === 503;
}
