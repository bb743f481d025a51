// Sends a mutation by the rules of HttpSemantics: when the server, or the option `preconditions`, requires a precondition and no
// tag is known, the row is read first.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { rowsAmong, targetsOfCall } from '../../dispatch/write-queues.ts';
import { isGone, isHttpError } from '../../support/network-errors.ts';
import type { HttpRules } from './options.ts';
import type { WriteSending } from './preconditions.ts';
import { readCallOf, readRow, whilePaused } from './read-row.ts';

export async function sendWriteByRules(
  { core, rules }: { readonly core: Core; readonly rules: HttpRules },
  request: NetworkRequest,
  flight: Flight,
  send: (sending: WriteSending) => Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  const sending: WriteSending = { flight, request, found: undefined, condition: undefined };
  for (;;)
    try {
      return await send(sending);
    } catch (error) {
      const read = readCallOf(request);
      const isUnasked = !rules.preconditions || sending.condition === 'theirs';
      if (!isHttpError(error, 428) || sending.found || isUnasked || !read) throw error;
      const isKnown = rowsAmong(targetsOfCall(core.engine, flight.call)).some(({ base }) => base);
      await whilePaused(core, flight, async () => {
        try {
          await readRow(core, read);
          sending.found = 'row';
        } catch (failure) {
          // a PUT may create a row that nobody has seen yet
          if (isKnown || !isGone(failure) || request.endpoint.method !== 'PUT') throw failure;
          sending.found = 'nothing';
        }
      });
    }
}
