// Reads the row of a mutation before the mutation is sent, or sent again: by GET of the mutation's own address.
import { EndpointCall } from '../../dispatch/call.ts';
import { markOutdated } from '../../dispatch/flights.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import { waitUnlessAborted } from '../../controller/request/drafts.ts';
import { startRead } from '../../controller/request/fetch-read.ts';
import type { Core } from '../../controller/state/core.ts';
import { RestPipeline } from '../../endpoint/rest-pipeline.ts';
import { entityOf } from '../../endpoint/row-name.ts';

/** The call that reads the row of a mutation; undefined when the endpoint has no address. */
export function readCallOf({ endpoint, args }: NetworkRequest): EndpointCall | undefined {
  if (!(endpoint instanceof RestPipeline)) return undefined;
  const { params } = endpoint.splitArgs(args);
  const { schema } = endpoint;
  // The schema of a DELETE removes rows.
  const isDelete = endpoint.method === 'DELETE';
  const options = { method: 'GET', body: undefined, schema: isDelete ? entityOf(endpoint) : schema };
  const read = endpoint.extend({ ...options, ...(isDelete && { isRemoval: false }) } as object); // cast: no option of users
  return new EndpointCall(read as never, Object.keys(params).length ? [params] : []); // cast: a RestPipeline is an endpoint
}

/**
 * Runs a read on behalf of a mutation. The mutation has no time on the timeline meanwhile, because it is sent after the read; so
 * nothing is stale when the mutation is not sent any more.
 */
export async function whilePaused(core: Core, flight: Flight, run: () => Promise<unknown>): Promise<void> {
  const { engine } = core;
  const { timeline, inFlight } = engine.store;
  timeline.close(flight.sent);
  flight.sent = 0;
  if (flight.intent) inFlight.delete(flight.intent);
  await waitUnlessAborted(flight, run);
  flight.sent = timeline.open();
  if (flight.intent) inFlight.set(flight.intent, flight.sent);
}

/** Reads the row. An earlier request for it is not joined. */
export async function readRow(core: Core, call: EndpointCall): Promise<unknown> {
  markOutdated(core.flights.readsOf(call.slotKey));
  const read = startRead(core, call);
  read.readers.add(read);
  return read.promise;
}
