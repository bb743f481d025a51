// Changes or ends a mutation before it is sent, or sent again. Features such as edits and the rules of conflicts call these functions;
// the core does not.
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { recomputeIntent } from '../../store/overlay.ts';
import type { Core } from '../state/core.ts';
import { endWrite } from './fetch-write.ts';

/**
 * Gives a mutation that has not ended other arguments. The mutation keeps its place in its queues and among the optimistic updates.
 * `changed` are the fields whose values the application has changed. It is undefined if the library has changed the arguments: then
 * no extension gets the event `amend`, and the fields that later calls have overwritten stay overwritten.
 */
export function amendWrite(
  core: Core,
  flight: Flight,
  args: readonly unknown[],
  changed?: readonly string[],
  endpoint: AnyEndpoint = flight.call.endpoint,
): void {
  const { call, intent } = flight;
  flight.call = new EndpointCall(endpoint, args);
  flight.call.pkParams = call.pkParams;
  flight.sentRows = undefined;
  if (changed) core.extension.onWrite?.(flight, 'amend');
  if (!intent) return;
  // Later calls may have overwritten fields of this update. The fields in `changed` are newer than those calls, so they are shown
  // again.
  for (const superseded of intent.supersededFields.values())
    for (const name of changed ?? []) superseded.delete(name);
  recomputeIntent(core.engine.store, intent);
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
