// Reads the row of a mutation before the mutation is sent, or sent again, by a GET of the mutation's own address.
import { EndpointCall } from '../../dispatch/call.ts';
import { markOutdated } from '../../dispatch/flights.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import { startRead } from '../../controller/request/fetch-read.ts';
import type { Core } from '../../controller/state/core.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { RestPipeline } from '../../endpoint/rest-pipeline.ts';
import { entityOf } from '../../endpoint/row-name.ts';

/** The call that reads the row of a mutation; undefined when the endpoint has no address. */
export function readCallOf({ endpoint, args }: NetworkRequest): EndpointCall | undefined {
  if (!(endpoint instanceof RestPipeline)) return undefined;
  const { params } = endpoint.splitArgs(args);
  const { schema } = endpoint;
  // The schema of a DELETE removes rows, so the read uses the schema of the entity.
  const isDelete = endpoint.method === 'DELETE';
  const rows = isDelete ? entityOf(endpoint) : schema;
  const read = endpoint.extend({ method: 'GET', body: undefined, schema: rows, isRemoval: false } as object); // cast: no option of users
  return new EndpointCall(read as RestPipeline & AnyEndpoint, Object.keys(params).length ? [params] : []); // cast: a RestPipeline is an endpoint
}

/**
 * Takes a mutation out of flight: until `resumeFlight`, the mutation has no time on the timeline. If the mutation fails before
 * that, the core marks no data stale.
 */
export function pauseFlight({ engine: { store } }: Core, flight: Flight): void {
  store.timeline.close(flight.sent);
  flight.sent = 0;
  if (flight.intent) store.intentsInFlight.delete(flight.intent);
}

/** Puts the mutation in flight again, with a new time, right before it is sent. */
export function resumeFlight({ engine: { store } }: Core, flight: Flight): void {
  flight.sent = store.timeline.open();
  if (flight.intent) store.intentsInFlight.set(flight.intent, flight.sent);
}

/**
 * Reads the row by a new request, not by a request that is in flight. Throws `failure` if there is no call with which the row can
 * be read.
 */
export async function readRow(core: Core, call: EndpointCall | undefined, failure: Error): Promise<unknown> {
  if (!call) throw failure;
  markOutdated(core.flights.readsOf(call.slotKey));
  const read = startRead(core, call);
  read.readers.add(read);
  return read.promise;
}
