// Changes or ends a mutation that is open and not sent yet. The core sends a mutation as soon as it is open; only features that hold
// mutations back, such as edits, call these functions.
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { IndexEntry } from '../../store/nodes.ts';
import type { Core } from '../state/core.ts';
import { endWrite } from './fetch-write.ts';

/** What {@link amendWrite} changes. */
interface Amendment {
  readonly args: readonly unknown[];
  /** Default: the endpoint of the call. */
  readonly endpoint?: AnyEndpoint;
  /** The fields whose values differ from those of the old arguments. */
  readonly changed: readonly string[];
  /** True when a rule has changed the arguments, and no later call: then nobody is told. */
  readonly isCorrection?: boolean;
}

/** Gives a mutation that is not sent yet other arguments. It keeps its place in its queues and among the optimistic updates. */
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
  if (!isCorrection) core.seam.onWrite?.(flight, 'amend');
  if (!intent) return;
  // A later call has overwritten fields of this update; the changed ones are newer than that call.
  for (const covered of intent.supersededFields.values()) for (const name of changed) covered.delete(name);
  // No node has this content, so the update is computed again.
  intent.seenContents.set(new IndexEntry(), intent);
  store.batch(() => store.reapply(intent.sent));
}

/** Ends a mutation that is not sent yet: its optimistic update is rolled back, and later mutations of its queues continue. */
export function discardWrite(core: Core, flight: Flight): void {
  const isWaiting = flight.status !== undefined;
  core.engine.store.batch(() => {
    endWrite(core, flight);
    core.seam.onWrite?.(flight, 'discard');
    // A mutation that waits for its turn or for a row's id ends by itself, as an aborted one.
    if (isWaiting) flight.aborter.abort();
    else core.flights.endFlight(flight);
  });
}
