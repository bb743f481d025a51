// `transaction`: several mutations that are shown together. If one of them fails, they are by default undone together.
//
//   function runs ─▶ each call is open and shown ─▶ it returns ─▶ all are sent; queues and drafts order them
//              └▶ it throws ─▶ all are discarded, in the same batch
//   one fails ─▶ what is not sent is discarded; the rest is undone (undo.ts) unless `onFailure` is 'keep'; in the same batch
import type { Controller } from '../../controller/controller.ts';
import type { ResolveType } from '../../controller/controller.types.ts';
import { CORE } from '../../controller/state/core.ts';
import { discardWrite } from '../../controller/request/amend-write.ts';
import type { Core } from '../../controller/state/core.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { AnyEndpoint, EndpointArgs } from '../../endpoint/endpoint-interface.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import { HoldfastError, ResetError } from '../../support/errors.ts';
import { copyPlain } from '../../support/plain.ts';
import { holdWrite } from './held-write.ts';
import type { HeldWrite } from './held-write.ts';
import { withOptimisticUpdate } from './inverse.ts';
import type { InverseEndpoint, LeftField } from './inverse.ts';
import { undo } from './undo.ts';
import type { EndpointsOf } from './undo.ts';
import { endpointsFor } from './undo-resources.ts';
import type { UndoResource } from './undo-resources.ts';
import { listenToWrites } from './write-events.ts';
import { runInGroup } from './write-groups.ts';

/**
 * Options of {@link transaction}.
 *
 * @example const options: transaction.Options = { onFailure: 'keep', label: 'Import' };
 */
export interface TransactionOptions {
  /** What happens to the other sent calls after a call has failed. Default: `undo`. */
  readonly onFailure?: 'undo' | 'keep';
  /** The name of this step in a history. Default: the name of the first endpoint. */
  readonly label?: string;
  /**
   * The resources whose endpoints undo the calls. For the rows of other tables, the resources of the controller's histories are
   * used, or else the endpoints of the calls.
   */
  readonly resources?: readonly UndoResource[];
}

/**
 * The object that the function of a {@link transaction} gets.
 *
 * @example
 * const addTodo = (tx: transaction.Calls, title: string) => tx.create(TodoResource.getList.push, { title });
 */
export interface TransactionCalls {
  /**
   * Calls a mutation. Its optimistic update is applied at once. When the function has returned, readers are notified and the
   * mutation is sent.
   */
  readonly fetch: <E extends AnyEndpoint>(endpoint: E, ...args: EndpointArgs<E>) => void;
  /**
   * Calls a creation, and returns the new row. A row to which the call gives no id has a local id, which later calls may contain.
   */
  readonly create: <E extends AnyEndpoint>(endpoint: E, ...args: EndpointArgs<E>) => ResolveType<E>;
}

/**
 * A call of a transaction that has failed.
 *
 * @example const lineOf = ({ endpoint, error }: transaction.Failure) => `${endpoint}: ${error.message}`;
 */
export interface TransactionFailure {
  readonly endpoint: string;
  readonly args: readonly unknown[];
  readonly error: Error;
}

/**
 * At least one call of a transaction has failed. The cause is the error of the first call that failed.
 *
 * @example
 * const textOf = (error: unknown) =>
 *   error instanceof TransactionError ? `${error.failed.length} failed, ${error.left.length} left` : String(error);
 */
export class TransactionError extends HoldfastError {
  override name = 'TransactionError';
  /** How many calls the server has accepted and the undo has not reverted. */
  declare readonly done: number;
  declare readonly failed: readonly TransactionFailure[];
  /** How many calls were undone. */
  declare readonly undone: number;
  /** The fields that could not be restored. */
  declare readonly left: readonly LeftField[];

  constructor(outcome: Pick<TransactionError, 'done' | 'failed' | 'undone' | 'left'>) {
    const { done, failed, undone, left } = outcome;
    const [first] = failed;
    const counts = { done, failed: failed.length, undone, left: left.length, endpoint: first?.endpoint };
    super('TRANSACTION_FAILED', counts, { cause: first?.error });
    Object.assign(this, outcome);
  }
}

/**
 * Shows the calls of a synchronous function together, and sends them when it has returned. If the function throws, all of its calls
 * are discarded, and `transaction` throws the error. If a call fails later, the calls that are not sent are discarded. The other
 * calls are undone, unless `onFailure` is `keep`.
 *
 * @example
 * const { done } = transaction(controller, (tx) => {
 *   const user = tx.create(UserResource.getList.push, { name: 'Ada' });
 *   tx.fetch(TodoResource.getList.push, { userId: user.id, title: 'Say hello' });
 * });
 * await done;
 */
export function transaction(
  controller: Controller,
  run: (tx: TransactionCalls) => void,
  options: TransactionOptions = {},
): { readonly done: Promise<void> } {
  const core = controller[CORE];
  const endpointsOf = endpointsFor(core, options.resources);
  const held: HeldWrite[] = [];
  let isOver = false;
  const open = (endpoint: AnyEndpoint, args: readonly unknown[]): Flight => {
    const call = new EndpointCall(endpoint, copyPlain(args) as readonly unknown[]); // cast: the copy of an array is an array
    const { name, sideEffect } = call.endpoint;
    if (isOver) throw new HoldfastError('TRANSACTION_OVER', { endpoint: name });
    if (!sideEffect) throw new HoldfastError('TRANSACTION_READ', { endpoint: name });
    const write = holdWrite(core, call);
    held.push(write);
    return write.flight;
  };
  const tx = {
    fetch: (endpoint: AnyEndpoint, ...args: readonly unknown[]) => void open(endpoint, args),
    create(endpoint: AnyEndpoint, ...args: readonly unknown[]) {
      const finished = finishEndpoint(endpoint) as InverseEndpoint; // cast: both endpoint classes have `extend`
      const { call, intent } = open(withOptimisticUpdate(finished), args);
      const stored =
        intent?.effects && core.engine.readStored(call.kind, intent.effects.stored, call.args, null);
      if (stored && isThere(stored)) return stored;
      throw new HoldfastError('TRANSACTION_DRAFT_MISSING', { endpoint: finished.name });
    },
  } as TransactionCalls; // cast: the types follow from the endpoints
  core.engine.store.batch(() =>
    runInGroup(core, { label: options.label }, () => {
      try {
        const returned: unknown = run(tx);
        if (!(returned instanceof Promise)) return;
        returned.catch(() => undefined);
        throw new HoldfastError('TRANSACTION_ASYNC');
      } catch (error) {
        for (const write of [...held].reverse()) write.discard();
        throw error;
      } finally {
        isOver = true;
      }
    }),
  );
  const done: Promise<void> = sendAll(core, held, endpointsOf, options).catch((error: unknown) => {
    if (error instanceof ResetError) done.catch(() => undefined);
    throw error;
  });
  return { done };
}

async function sendAll(
  core: Core,
  held: readonly HeldWrite[],
  endpointsOf: EndpointsOf,
  { onFailure }: TransactionOptions,
): Promise<void> {
  const { engine } = core;
  const flights = held.map(({ flight }) => flight);
  /** The calls that have not ended. */
  const open = new Set(flights);
  const acknowledged = new Set<Flight>();
  const failed: TransactionFailure[] = [];
  let undoing: ReturnType<typeof undo> | undefined;
  const stop = listenToWrites(core, (flight, event, error) => {
    if (event === 'amend' || (event === 'discard' && undoing) || !open.delete(flight)) return;
    if (event === 'acknowledge') acknowledged.add(flight);
    if (event !== 'fail') return;
    flight.isFailureReported = true;
    failed.push({ endpoint: flight.call.endpoint.name, args: flight.call.args, error: error! }); // an event `fail` has an error
    for (const other of [...open].reverse()) if (other.status !== 'sent') discardWrite(core, other);
    if (onFailure === 'keep' || undoing) return;
    const undone = flights.filter((other) => acknowledged.has(other) || open.has(other));
    undoing = undo(
      core,
      undone.map((other) => ({ flight: other })),
      endpointsOf,
    );
    for (const other of undone) core.extension.onWrite?.(other, 'discard'); // no history undoes it once more
  });
  await Promise.allSettled(held.map((write) => write.send()));
  stop();
  if (core.engine !== engine) throw new ResetError();
  if (failed.length === 0) return;
  const { undone = 0, left = [] } = (await undoing) ?? {};
  throw new TransactionError({ done: acknowledged.size - undone, failed, undone, left });
}

export declare namespace transaction {
  export type { TransactionCalls as Calls, TransactionFailure as Failure, TransactionOptions as Options };
}
