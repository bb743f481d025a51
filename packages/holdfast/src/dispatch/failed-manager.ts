// Keeps failed mutations as state: what to show beside a row, to try again or to forget. Comes with its import: a controller
// without it leaves failures to the callers.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { Engine } from '../normalize/engine.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { callSafely } from '../support/call-safely.ts';
import { isAbortError, isGone } from '../support/network-errors.ts';
import { ensure } from '../support/ensure.ts';
import { stableText } from '../support/stable-text.ts';
import type { Flight } from './flights.ts';
import { queueOf, targetsOf } from './write-queues.ts';
import type { ControllerEvent, Manager, ManagerHost, MutationFailure } from './manager.ts';

/** How many failed mutations are kept: the newest ones. */
export const FAILED_MUTATIONS_KEPT = 100;

const NO_FAILURES: readonly FailedMutation[] = [];

/**
 * A mutation that failed and was neither repeated nor forgotten.
 *
 * @example const lineOf = ({ endpoint, error }: FailedMutation) => `${endpoint.name}: ${error.message}`;
 */
export interface FailedMutation {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly error: Error;
  /** When it failed. */
  readonly at: number;
  /** Makes the call again, at the end of its queue and with the same idempotency key. It is no longer kept as failed. */
  readonly retry: () => Promise<unknown>;
  readonly forget: () => void;
}

/**
 * Keeps the newest hundred failed mutations until they are repeated, forgotten or the store is reset. It handles them: none is
 * an unhandled rejection. An abort, a reset and a DELETE of what is gone are no failures.
 *
 * @example
 * const failed = new FailedManager();
 * const controller = new Controller({ managers: [failed, ...getDefaultManagers()] });
 * failed.get(Todo, { id: 5 })[0]?.retry();
 */
export class FailedManager implements Manager {
  readonly handlesFailures = true;
  readonly #failures = new Map<FailedMutation, MutationFailure>();
  readonly #listeners = new Set<() => void>();
  /** What `get` gave last, by schema and arguments; without those of which nothing has failed. */
  readonly #given = new Map<unknown, Map<string, readonly FailedMutation[]>>();

  /** All of them, oldest first, or those of the row that a schema and arguments name. The same array until one comes or goes. */
  get(schema?: unknown, ...args: readonly unknown[]): readonly FailedMutation[] {
    const given = ensure(this.#given, schema, () => new Map<string, readonly FailedMutation[]>());
    const text = stableText(args);
    const found = this.#find(schema, args);
    const former = given.get(text) ?? NO_FAILURES;
    if (former.length === found.length && found.every((one, at) => one === former[at])) return former;
    if (found.length > 0) given.set(text, found);
    else given.delete(text);
    return found.length > 0 ? found : NO_FAILURES;
  }

  #find(schema: unknown, args: readonly unknown[]): readonly FailedMutation[] {
    const [first] = this.#failures.values();
    if (!first || schema === undefined) return [...this.#failures.keys()];
    const targets = targetsOf(first.engine as Engine, kindOf(schema), [args]); // cast: opaque to users
    const queues = new Set(targets.map(queueOf));
    return [...this.#failures].flatMap(
      ([one, { flight }]) => ((flight as Flight).named.some((queue) => queues.has(queue)) ? one : []), // cast: as above
    );
  }

  /** Calls back after every change of what `get` gives. */
  listen(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  event(event: ControllerEvent, { environment }: ManagerHost): void {
    if (event.type === 'reset') {
      this.#failures.clear();
      this.#notify();
    }
    if (event.type !== 'failure' || event.isRead || isNoFailure(event)) return;
    const { endpoint, args, error } = event;
    const forget = (): void => {
      if (this.#failures.delete(failed)) this.#notify();
    };
    const retry = (): Promise<unknown> => {
      forget();
      return event.retry();
    };
    const failed: FailedMutation = { endpoint, args, error, at: environment.clock.now(), retry, forget };
    this.#failures.set(failed, event);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= FAILED_MUTATIONS_KEPT) break;
      this.#failures.delete(oldest);
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) callSafely(listener);
  }
}

/** Called off, or the row that it deletes is gone already. */
function isNoFailure({ endpoint, error }: MutationFailure): boolean {
  return isAbortError(error) || (isGone(error) && endpoint.method === 'DELETE');
}
