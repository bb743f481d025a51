// Sends one request, a read or a mutation: waits for the rows in its arguments that the server has not named yet, then
// hands it to the managers. From its sending to its end it is open on the timeline.
import type { Flight } from '../../dispatch/flights.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Core } from '../state/core.ts';
import { draftsIn, whenNamed, withServerIds } from './drafts.ts';

interface Sent {
  readonly outcome: RequestOutcome;
  /** The arguments as they were sent. */
  readonly args: readonly unknown[];
}

export async function sendFlight(core: Core, flight: Flight): Promise<Sent> {
  const { ask, aborter, isRead } = flight;
  const { environment, send } = core;
  const { endpoint, key } = ask;
  flight.sent = 0;
  // not an await when there is nothing to wait for: the request leaves in this very call
  const waiting = draftsIn(core, ask.args);
  if (waiting.length > 0) {
    core.pending.set(flight, 'waiting');
    await whenNamed(waiting, flight);
  }
  // a reader may still know the row by its local id
  const args = withServerIds(core, ask.args);
  core.pending.set(flight, 'sent');
  const { timeline } = core.engine.store;
  flight.sent = timeline.open();
  try {
    const outcome = await send({ endpoint, args, key, isRead, signal: aborter.signal, environment });
    return { outcome, args };
  } finally {
    timeline.close(flight.sent);
  }
}
