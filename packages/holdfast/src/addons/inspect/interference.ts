// Lets a developer change requests with the buttons of the panel: hold the response to the next request back, or let that request fail.
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { ConnectionError } from '../../support/network-errors.ts';

/**
 * Whether the response to the next request will be held, how many responses are held now, and whether the next request will fail.
 *
 * @example
 * const isAtRest = ({ isHolding, heldCount, isFailing }: Inspector.InterferenceState) => !isHolding && !isFailing && heldCount === 0;
 * isAtRest(inspect().interference());
 */
export interface InterferenceState {
  readonly isHolding: boolean;
  readonly heldCount: number;
  readonly isFailing: boolean;
}

/**
 * Called by the recorder. The production version returns undefined (env.production.ts): no request is held or made to fail. The class
 * of the error is passed, because `#env` imports this file, and the file of the class imports `#env`.
 */
export const createInterference = (Failure: typeof ConnectionError): Interference =>
  new Interference(Failure);

export class Interference {
  readonly #Failure: typeof ConnectionError;
  #holdsNext = false;
  #failsNext = false;
  #held: (() => void)[] = [];

  constructor(Failure: typeof ConnectionError) {
    this.#Failure = Failure;
  }

  get state(): InterferenceState {
    return { isHolding: this.#holdsNext, heldCount: this.#held.length, isFailing: this.#failsNext };
  }

  holdNext(): void {
    this.#holdsNext = true;
  }

  failNext(): void {
    this.#failsNext = true;
  }

  /** Lets the held responses arrive, and cancels `holdNext` and `failNext`. */
  release(): void {
    this.#holdsNext = this.#failsNext = false;
    for (const arrive of this.#held.splice(0)) arrive();
  }

  sendThrough(
    { endpoint, key }: NetworkRequest,
    signal: AbortSignal,
    send: () => Promise<RequestOutcome>,
  ): Promise<RequestOutcome> {
    if (this.#failsNext) {
      this.#failsNext = false;
      return Promise.reject(new this.#Failure({ method: endpoint.method ?? 'GET', url: key }));
    }
    if (!this.#holdsNext) return send();
    this.#holdsNext = false;
    const released = new Promise<void>((resolve) => {
      this.#held.push(resolve);
      signal.addEventListener('abort', () => {
        this.#held = this.#held.filter((arrive) => arrive !== resolve);
        resolve();
      });
    });
    const holding = async (sent: Promise<RequestOutcome>): Promise<RequestOutcome> => {
      await sent.catch(() => undefined);
      await released;
      return sent;
    };
    return holding(send());
  }
}
