// Changes or ends a mutation before it is sent, or sent again. Features such as edits and the rules of conflicts call these functions;
// the core does not.
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { IndexEntry } from '../../store/nodes.ts';
import type { Core } from '../state/core.ts';
import { endWrite } from './fetch-write.ts';

interface Amendment {
  readonly args: readonly unknown[];
  /** The endpoint of the new arguments. Default: the endpoint of the call. */
  readonly endpoint?: AnyEndpoint;
  /**
   * The fields that are newer than later calls, so that their values in the new arguments are shown even if a later call has
   * overwritten these fields.
   */
  readonly changed: readonly string[];
  /** True when the library corrects arguments of the application: then no extension gets the event `amend`. */
  readonly isCorrection?: boolean;
}

/** Gives a mutation other arguments. The mutation keeps its place in its queues and among the optimistic updates. */
export function amendWrite(
  core: Core,
  flight: Flight,
  { args, endpoint, changed, isCorrection }: Amendment,
): void {
  const { call, intent } = flight;
  const { store } = core.engine;
  flight.call = new EndpointCall(endpoint ?? call.endpoint, args);
  flight.call.pk = call.pk;
  flight.sentRows = undefined;
  if (!isCorrection) core.extension.onWrite?.(flight, 'amend');
  if (!intent) return;
  // Later calls may have overwritten fields of this update. The fields in `changed` are newer than those calls, so they are shown
  // again.
  for (const superseded of intent.supersededFields.values())
    for (const name of changed) superseded.delete(name);
  // The update counts as having read a new node with a content that no node has. So this content counts as changed, and the update
  // is computed again.
  intent.seenContents.set(new IndexEntry(), intent);
  store.batch(() => store.reapply(intent.calledAt));
}

/**
 * Ends a mutation before it is sent, or sent again: its optimistic update is rolled back, and later mutations of its queues
 * continue.
 */
export function discardWrite(core: Core, flight: Flight): void {
  const isWaiting = flight.status !== undefined;
  core.engine.store.batch(() => {
    endWrite(core, flight);
    core.extension.onWrite?.(flight, 'discard');
    // A mutation that waits for its turn or for a row's id ends by itself when it is aborted. A mutation that was not passed to
    // `sendWrite` yet must be ended here.
    if (isWaiting) flight.aborter.abort();
    else core.flights.endFlight(flight);
  });
}
