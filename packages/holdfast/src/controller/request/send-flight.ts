// Sends one request, a read or a mutation. It waits for the server ids of drafts in the arguments and for its turn in its queues,
// sends the request through the managers, and applies the response or the error to the store in one batch.
import { inDevelopment } from '#env';
import type { Flight } from '../../dispatch/flights.ts';
import { isExtensible, EXTENSION } from '../../dispatch/extension.ts';
import type { ControllerEvent } from '../../dispatch/manager.ts';
import { createIdempotencyHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import { pruneJournals } from '../../store/server-lists.ts';
import type { TimerId } from '../../support/environment.ts';
import { ResetError, toError, warnOnce } from '../../support/errors.ts';
import type { Core } from '../state/core.ts';
import { notify } from '../state/listeners.ts';
import {
  draftIdsIn,
  rollBackUnidentified,
  waitUnlessAborted,
  waitForServerIds,
  withServerIds,
} from './drafts.ts';

/** The functions that change the store when a request ends; called inside one batch. */
interface FlightHandlers {
  /**
   * Stores the response; `args` are the sent arguments. Returns the value to resolve with, or INVALID to send the request once
   * more.
   */
  receive(outcome: RequestOutcome, args: readonly unknown[]): unknown;
  /** Applies the error to the store; returns the event for the managers. */
  fail(error: Error): ControllerEvent;
}

export async function sendFlight(core: Core, flight: Flight, handlers: FlightHandlers): Promise<unknown> {
  const { aborter, isRead } = flight;
  const { engine, environment } = core;
  const { store } = engine;
  for (;;) {
    let { call } = flight;
    let args: readonly unknown[];
    let outcome: RequestOutcome | undefined;
    let failure: unknown;
    flight.sent = 0;
    flight.afterWrites = [];
    try {
      // There is no `await` when there is nothing to wait for, so that the request is sent synchronously.
      const draftIds = draftIdsIn(core, call.args);
      if (draftIds.size || core.flights.findAhead(flight)) setWriteStatus(core, flight, 'waiting');
      if (draftIds.size) await waitForServerIds(core, draftIds, flight);
      if (core.flights.findAhead(flight)) await waitForTurn(core, flight);
      // The call of a mutation may have changed while it waited (amend-write.ts).
      ({ call } = flight);
      const { endpoint, key } = call;
      // A caller may still use the local id of a row that has a server id.
      args = withServerIds(core, call.args, true);
      if (!isRead) flight.headers ??= createIdempotencyHeaders(endpoint, args, environment.random);
      setWriteStatus(core, flight, 'sent');
      flight.sent = store.timeline.open();
      if (flight.intent) store.intentsInFlight.set(flight.intent, flight.sent);
      const { headers } = flight;
      const request = { endpoint, args, key, isRead, signal: aborter.signal, headers, environment };
      const { pages } = endpoint;
      const extension = isExtensible(pages) ? pages[EXTENSION](core, core.extension) : core.extension;
      outcome = await extension.sendFlight(request, flight);
    } catch (thrown) {
      failure = thrown;
    }
    store.timeline.close(flight.sent);
    if (core.engine !== engine) {
      core.flights.endFlight(flight);
      throw new ResetError();
    }
    const value = store.batch(() => {
      let received: unknown;
      try {
        if (!outcome) throw failure;
        // If an extension has changed the call meanwhile, it has sent the arguments of the new call.
        received = handlers.receive(outcome, call === flight.call ? args! : flight.call.args); // there is an outcome
        core.emit({ type: 'answer', key: call.key, isRead });
        return received;
      } catch (thrown) {
        const error = toError(thrown);
        core.emit(handlers.fail(error));
        throw error;
      } finally {
        // This runs inside the batch of the response, so that readers are notified once of the data and of the end of the request.
        if (received !== INVALID) {
          core.flights.endFlight(flight);
          if (isRead) {
            store.mark(store.slot(call.slotKey));
            rollBackUnidentified(core);
          }
        }
        pruneJournals(store);
      }
    });
    if (value === INVALID) continue;
    rollBackUnidentified(core);
    return value;
  }
}

/** After waiting this long for the same call, development prints a warning: the queue may be blocked. */
const LONG_WAIT_MS = 10_000;

/** Waits for the earlier calls in the same queues. */
function waitForTurn(core: Core, flight: Flight): Promise<void> {
  const turn = waitUnlessAborted(
    flight,
    () => new Promise<void>((resolve) => (flight.endQueueWait = resolve)),
  );
  // A call that is awaited inside the `fetch` of a call in the same queue waits until that call has timed out; inside the `request`
  // of a manager, it waits for ever. Development warns of this.
  inDevelopment(() => {
    const { timers } = core.environment;
    const { flights } = core;
    let timer: TimerId;
    const watch = (): void => {
      const ahead = flights.findAhead(flight);
      timer = timers.set(() => {
        if (flights.findAhead(flight) !== ahead) return watch();
        const [endpoint, waitsFor] = [flight.call.endpoint.name, ahead?.call.endpoint.name ?? ''];
        warnOnce(core.engine, 'QUEUE_BLOCKED', `${endpoint} ${waitsFor}`, { endpoint, waitsFor });
      }, LONG_WAIT_MS);
    };
    const end = (): void => timers.clear(timer);
    watch();
    turn.then(end, end);
  });
  return turn;
}

function setWriteStatus(core: Core, flight: Flight, status: Flight['status']): void {
  if (flight.isRead) return;
  flight.status = status;
  notify(core.pendingListeners);
}
