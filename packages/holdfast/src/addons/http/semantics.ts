// The manager of HTTP's rules for reading: lifetimes, tags, `Retry-After`. It stands around the sender, next to the network, so
// that it sees each request as it leaves and each response before it is read, wherever it stands in the list of managers.
import type { Core } from '../../controller/state/core.ts';
import { INSTALL } from '../../dispatch/manager.ts';
import type { ControllerEvent, Manager } from '../../dispatch/manager.ts';
import { readRules } from './options.ts';
import type { HttpOptions, HttpRules } from './options.ts';
import { HttpSender } from './sender.ts';
import { RetryGate } from './retry-gate.ts';

/**
 * Obeys what servers say of their answers: how long they are fresh (`Cache-Control`, `Expires`, `Age`), whether they have changed
 * (`ETag`), and when to come back (`Retry-After`).
 *
 * @example new Controller({ managers: [new HttpSemantics(), ...getDefaultManagers()] });
 */
export class HttpSemantics implements Manager {
  readonly #rules: HttpRules;
  readonly #gate: RetryGate;

  constructor(options: HttpOptions = {}) {
    this.#rules = readRules(options);
    this.#gate = new RetryGate(this.#rules.longestWaitMs);
  }

  /** @internal */ [INSTALL](given: unknown): null {
    new HttpSender(given as Core, this.#rules, this.#gate); // cast: only the controller calls this
    return null;
  }

  event({ type }: ControllerEvent): void {
    if (type === 'reset') this.#gate.open();
  }
}

export declare namespace HttpSemantics {
  export type { HttpOptions as Options };
}
