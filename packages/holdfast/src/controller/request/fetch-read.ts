// Runs a read: joins a request in flight or sends one, stores the response unless newer data is stored, and resolves with the
// stored value. An error that readers are to get from the slot is stored before the promise rejects.
import { HoldfastError } from '../../support/errors.ts';
import { applyPayload } from './apply-payload.ts';
import { writeResponse, throwWrongShape } from './write-response.ts';
import { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { INVALID, isRowKind, isThere } from '../../schema/protocol/protocol.ts';
import { ServerLists } from '../../store/server-lists.ts';
import { sendFlight } from './send-flight.ts';
import { changeSlot, createStamp, writeError, writePage, writeResult } from '../slot/write-slot.ts';
import { tryRun } from '../../support/call-safely.ts';
import { Flight } from '../../dispatch/flights.ts';
import { findJoinable, readSlot, slotOf } from '../slot/read-slot.ts';
import { HttpError, isAbortError, isGone } from '../../support/network-errors.ts';
import { removeRows } from '../../store/apply-effects.ts';
import { withServerIds } from './drafts.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Effects } from '../../store/effects.ts';
import type { Core } from '../state/core.ts';

/** Joins a read in flight that the call may share, or sends a new one. See `isPoll` of Flight. */
export function startRead(core: Core, call: EndpointCall, isPoll = false): Flight {
  const slot = slotOf(core, call);
  const joined = findJoinable(core, call);
  if (joined) {
    joined.isPoll &&= isPoll;
    return joined;
  }
  const flight = new Flight(call, true);
  flight.isPoll = isPoll;
  core.flights.addRead(flight);
  // The promise is set before listeners are notified below, so that a listener that fetches the same key joins this request.
  flight.promise = sendFlight(core, flight, {
    receive: (outcome) => receiveRead(core, flight, slot, outcome),
    fail: (error) => {
      failRead(core, flight, slot, error);
      return { type: 'failure', key: call.key, isRead: true, error };
    },
  });
  // A failed read must not cause an unhandled rejection, because perhaps no code waits for the promise.
  flight.promise.catch(() => undefined);
  changeSlot(core.engine.store, slot, {});
  core.emit({ type: 'fetch', key: call.key, isRead: true });
  return flight;
}

/**
 * Stores the response and returns its value. If the value is incomplete for the first time, returns INVALID, so that the request is
 * sent again.
 */
function receiveRead(core: Core, flight: Flight, slot: Slot, outcome: RequestOutcome): unknown {
  const { call, sent, readers } = flight;
  const { engine } = core;
  const { endpoint, kind } = call;
  const { value, response, isNotModified, isOwned } = outcome;
  const origin = createStamp(core, endpoint, { isRead: true, sent });
  if (isNotModified && slot.hasResult) {
    // Status 304: the last response is still correct. Its effects, if they were kept, are applied again, because later writes may
    // have replaced some of its data; and the slot is fresh again.
    const { effects: last } = slot;
    // The effects of a further page are not kept, so only its stamp is renewed.
    if (call.isPage) writePage(engine.store, slot, slot.stored, origin);
    else {
      if (last && areAllStored(last)) applyPayload(core, last, origin, flight);
      writeResult(engine.store, slot, slot.firstPage ?? slot.stored, origin);
    }
    slot.failureCount = 0;
    return readSlot(core, call).data;
  }
  // Status 304 without a stored response is an error.
  if (isNotModified && response)
    throw new HttpError({ method: endpoint.method ?? 'GET', url: response.url }, response);
  // A response that is only an id, or another primitive, is not an entity, so the read fails.
  if (isRowKind(kind) && value !== undefined && typeof value !== 'object')
    throwWrongShape(value, endpoint.name);
  // The arguments may contain the local id of a row that has a server id now, so the list is stored under the server's id.
  const effects = writeResponse(core, call, value, origin, {
    args: withServerIds(core, call.args),
    isOwned,
    flight,
  });
  const hasTag = response?.headers.has('etag') || response?.headers.has('last-modified');
  if (!call.isPage) slot.effects = hasTag ? effects : undefined;
  // A further page without its first page is not a list. A caller of `fetch` gets the rows of the page; observers have nothing to
  // show.
  const isLonePage = !slot.hasResult && !readers.has(flight);
  const stored = isLonePage ? INVALID : storedValue(engine, call, slot, effects);
  // The value is incomplete, and this is not the first failure in a row: an error is thrown. So the request is not sent again at
  // once, but after the pause that follows a failure.
  if (stored === INVALID && slot.failureCount > 0)
    throw new HoldfastError('INCOMPLETE_ENTITY', {
      ...(effects.missing ?? { entity: endpoint.name, pk: call.slotKey, field: 'part' }),
    });
  slot.failureCount = stored === INVALID ? 1 : 0;
  return stored;
}

/** Whether all rows and lists that a response wrote are still stored: some may have been removed as unused. */
function areAllStored({ rows, lists }: Effects): boolean {
  return (
    rows.every((row) => row.table.rows.get(row.pk) === row) &&
    lists.every(({ list }) => list.table.lists.get(list.identity.id) === list)
  );
}

/**
 * Returns the stored value. If the value cannot be read, for example because a row was deleted, reads it with the fields that the
 * response has for its rows. Returns INVALID if this fails too.
 */
function storedValue(engine: Engine, call: EndpointCall, slot: Slot, effects: Effects): unknown {
  const { kind, args } = call;
  if (!call.hasSchema) return effects.stored;
  const value = call.isPage
    ? engine.readStored(kind, effects.stored, args, null)
    : engine.read(engine.responseView(slot, kind, args));
  if (isThere(value)) return value;
  const detached = engine.readStored(kind, effects.stored, args, effects);
  return detached === undefined ? INVALID : detached;
}

function failRead(core: Core, { call, isPoll, sent }: Flight, slot: Slot, error: Error): void {
  const { engine } = core;
  // An abort, by the caller or because the last reader has left, does not change the stored data.
  if (isAbortError(error)) return;
  // A request that failed before it was sent counts as sent now.
  const origin = createStamp(core, call.endpoint, {
    isRead: true,
    sent: sent || Infinity,
    failureCount: slot.failureCount + 1,
  });
  if (isGone(error)) {
    // Status 404 or 410: the entity that the arguments identify does not exist, so its row is removed, unless newer data contained
    // the row.
    const view = engine.cellView(call.kind, call.argsForLookUp);
    tryRun(() => engine.read(view)); // readers get errors of user code from `read`
    if (view.stored instanceof Row) removeRows(new ServerLists(engine.store, origin), [view.stored]);
  }
  // A failed poll does not change the shown data, because the next poll follows.
  else if (isPoll && tryRun(() => readSlot(core, call).data) !== undefined) return;
  writeError(engine.store, slot, error, origin);
}
