// Keeps failed mutations, so that an application can show them beside a row and offer to repeat or forget them. The manager is
// optional.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { callSafely } from '../support/call-safely.ts';
import { isAbortError, isGone } from '../support/network-errors.ts';
import { ensure } from '../support/ensure.ts';
import { stableText } from '../support/stable-text.ts';
import { retryOf, unseenErrors } from './failure-notes.ts';
import { queueNameOf, targetsOfArgs } from './write-queues.ts';
import type { ControllerEvent, Manager, ManagerHost, MutationFailure } from './manager.ts';

/** How many failed mutations are kept; older failed mutations are forgotten. */
export const FAILED_MUTATIONS_KEPT = 100;

const NO_FAILURES: readonly FailedMutation[] = [];

/**
 * A mutation that failed, as a {@link FailedManager} keeps it.
 *
 * @example const lineOf = ({ endpoint, error }: FailedMutation) => `${endpoint.name}: ${error.message}`;
 */
export interface FailedMutation {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly error: Error;
  /** The time of the failure, in milliseconds since 1970. */
  readonly at: number;
  /**
   * False when no code has got the error: `mutate` of {@link useMutation} has failed without an `onError`, and its component is
   * unmounted or has made a later call. True when an `onError` has run, a mounted hook has the error, or a caller has the promise.
   */
  readonly isHandled: boolean;
  /** Forgets the failure and makes the call again, at the end of its queue and with the same idempotency key. */
  readonly retry: () => Promise<unknown>;
  readonly forget: () => void;
}

/**
 * Options of {@link FailedManager}.
 *
 * @example
 * const options: FailedManager.Options = {
 *   onFailure: ({ error, isHandled }) => isHandled || console.log(error.message),
 * };
 */
export interface FailedManagerOptions {
  /**
   * Called once for each failure that is kept, after the caller, the `onError` and the component of the mutation have got the
   * error.
   */
  readonly onFailure?: ((failed: FailedMutation) => void) | undefined;
}

/**
 * Keeps the newest hundred failed mutations until they are repeated or forgotten, or the store is reset. With this manager the
 * promise of a failed mutation never causes an unhandled rejection. It keeps no abort, no DELETE of a row that is already deleted,
 * and no failure that an edit or a transaction reports.
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
  readonly #onFailure: FailedManagerOptions['onFailure'];
  /** The last result of `get`, by schema and then by arguments. Empty results are not kept. */
  readonly #lastResults = new Map<unknown, Map<string, readonly FailedMutation[]>>();

  constructor({ onFailure }: FailedManagerOptions = {}) {
    this.#onFailure = onFailure;
  }

  /**
   * All failed mutations, oldest first. With a schema and arguments, only the failed mutations of the row that the arguments
   * identify. Returns the same array as long as it has the same items.
   */
  get(schema?: unknown, ...args: readonly unknown[]): readonly FailedMutation[] {
    const byArgs = ensure(this.#lastResults, schema, () => new Map<string, readonly FailedMutation[]>());
    const argsKey = stableText(args);
    const found = this.#find(schema, args);
    const former = byArgs.get(argsKey) ?? NO_FAILURES;
    if (former.length === found.length && found.every((failed, index) => failed === former[index]))
      return former;
    if (found.length > 0) byArgs.set(argsKey, found);
    else byArgs.delete(argsKey);
    return found.length > 0 ? found : NO_FAILURES;
  }

  #find(schema: unknown, args: readonly unknown[]): readonly FailedMutation[] {
    const [first] = this.#failures.values();
    if (!first || schema === undefined) return [...this.#failures.keys()];
    const targets = targetsOfArgs(first.engine, kindOf(schema), [args]);
    const queues = new Set(targets.map(queueNameOf));
    return [...this.#failures].flatMap(([failed, { flight }]) =>
      flight.rowQueues.some((queue) => queues.has(queue)) ? failed : [],
    );
  }

  /** Calls `onChange` whenever a failure is added or removed. Returns a function that stops the calls. */
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
    if (event.type !== 'failure' || event.isRead || isNotKept(event)) return;
    const { endpoint, args, error } = event;
    const forget = (): void => {
      if (this.#failures.delete(failed)) this.#notify();
    };
    const retry = (): Promise<unknown> => {
      forget();
      return event.retry();
    };
    const failed: FailedMutation = {
      endpoint,
      args,
      error,
      at: environment.clock.now(),
      retry,
      forget,
      get isHandled() {
        return !unseenErrors.has(error);
      },
    };
    this.#failures.set(failed, event);
    retryOf.set(error, retry);
    const onFailure = this.#onFailure;
    // A timer calls `onFailure`, because the promise rejects after this event, and which code gets the error is known only then.
    if (onFailure) environment.timers.set(() => callSafely(() => onFailure(failed)), 0);
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

/**
 * True for an aborted mutation, for a DELETE of a row that is already deleted, and when an edit or a transaction reports the
 * failure.
 */
function isNotKept({ endpoint, error, flight }: MutationFailure): boolean {
  return (
    flight.isFailureReported === true ||
    isAbortError(error) ||
    (isGone(error) && endpoint.method === 'DELETE')
  );
}

export declare namespace FailedManager {
  export type { FailedManagerOptions as Options };
}
