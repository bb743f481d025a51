// HttpSemantics: the manager that applies HTTP's rules: expiry times and entity tags to reads, preconditions to mutations,
// `Retry-After` to all requests. It replaces the `fetch` of a request before any other manager gets the request. So it sees each
// request as it is sent and each response before it is parsed, whatever its position in the list of managers.
import type { Core } from '../../controller/state/core.ts';
import { EXTENSION, extend } from '../../dispatch/extension.ts';
import type { Extension, ExtensionHost } from '../../dispatch/extension.ts';
import type { ControllerEvent, Manager } from '../../dispatch/manager.ts';
import { readHttpRules } from './options.ts';
import type { HttpOptions, HttpRules } from './options.ts';
import { keepAncestors } from '../../controller/request/ancestor.ts';
import { entityKindOf } from '../../endpoint/row-name.ts';
import type { Queryable, SchemaArgs } from '../../schema/protocol/schema.types.ts';
import { Ancestry } from './ancestry.ts';
import type { ConflictRules } from './conflict.types.ts';
import { OpenConflicts } from './open-conflicts.ts';
import type { WatchedConflicts } from './open-conflicts.ts';
import { HttpSender } from './sender.ts';
import { RetryGate } from './retry-gate.ts';

/**
 * Obeys the headers of responses: how long a response is fresh (`Cache-Control`, `Expires`, `Age`), whether it has changed
 * (`ETag`), and when the server accepts requests again (`Retry-After`). With the options `preconditions` and `conflicts`, a
 * mutation does not replace a change of another client unnoticed.
 *
 * @example new Controller({ managers: [new HttpSemantics(), ...getDefaultManagers()] });
 */
export class HttpSemantics implements Manager {
  readonly #rules: HttpRules;
  readonly #gate: RetryGate;
  readonly #open = new OpenConflicts();

  constructor(options: HttpOptions = {}) {
    this.#rules = readHttpRules(options);
    this.#gate = new RetryGate(this.#rules.longestWaitMs);
  }

  /** @internal */ [EXTENSION](host: ExtensionHost, inner: Extension): Extension {
    const { conflicts } = this.#rules;
    const ancestry = new Ancestry(host);
    // cast: the host of an extension is the controller's core
    const sender = new HttpSender(host as Core, this.#rules, this.#gate, this.#open, ancestry);
    return extend(conflicts ? keepAncestors(host, inner, ancestry.findPending) : inner, sender);
  }

  /**
   * The conflicts of a row about which a person decides (`resolve: 'ask'`), for `useWatched` of `holdfast/react`. For the same row,
   * the method returns the same object until the last listener of the object has left; without a listener, until the method is
   * called for another row.
   *
   * @example
   * const http = new HttpSemantics({ conflicts: { resolve: 'ask' } });
   * const titles = () => http.conflicts(Todo, { id: '5' }).read().map(({ theirs }) => theirs);
   */
  conflicts<S extends Queryable>(entity: S, ...args: SchemaArgs<S>): WatchedConflicts {
    const kind = entityKindOf({ schema: entity });
    return this.#open.watch(kind?.entity.key ?? '', kind?.pkOf(args) ?? '');
  }

  event({ type }: ControllerEvent): void {
    if (type === 'reset') this.#gate.openAll();
  }
}

export declare namespace HttpSemantics {
  export type { ConflictRules as Conflicts, HttpOptions as Options, WatchedConflicts as Watched };
}
