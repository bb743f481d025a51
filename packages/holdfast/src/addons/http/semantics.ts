// HttpSemantics: the manager that applies HTTP's rules: expiry times and entity tags to reads, `Retry-After` to all requests. It
// replaces the `fetch` of a request before any other manager gets the request. So it sees each request as it is sent and each
// response before it is parsed, whatever its position in the list of managers.
import type { Core } from '../../controller/state/core.ts';
import { EXTENSION, extend } from '../../dispatch/extension.ts';
import type { Extension, ExtensionHost } from '../../dispatch/extension.ts';
import type { ControllerEvent, Manager } from '../../dispatch/manager.ts';
import { readHttpRules } from './options.ts';
import type { HttpOptions, HttpRules } from './options.ts';
import { HttpSender } from './sender.ts';
import { RetryGate } from './retry-gate.ts';

/**
 * Obeys the headers of responses: how long a response is fresh (`Cache-Control`, `Expires`, `Age`), whether it has changed
 * (`ETag`), and when the server accepts requests again (`Retry-After`).
 *
 * @example new Controller({ managers: [new HttpSemantics(), ...getDefaultManagers()] });
 */
export class HttpSemantics implements Manager {
  readonly #rules: HttpRules;
  readonly #gate: RetryGate;

  constructor(options: HttpOptions = {}) {
    this.#rules = readHttpRules(options);
    this.#gate = new RetryGate(this.#rules.longestWaitMs);
  }

  /** @internal */ [EXTENSION](host: ExtensionHost, inner: Extension): Extension {
    // cast: the host of an extension is the controller's core
    return extend(inner, new HttpSender(host as Core, this.#rules, this.#gate));
  }

  event({ type }: ControllerEvent): void {
    if (type === 'reset') this.#gate.openAll();
  }
}

export declare namespace HttpSemantics {
  export type { HttpOptions as Options };
}
