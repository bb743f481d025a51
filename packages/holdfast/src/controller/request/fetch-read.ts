// Runs a read: joins a request that is under way, or sends one; applies the answer in the order of requests; resolves
// with the stored value. A failure is stored for the readers before it is handed out.
import { HoldfastError } from '../../support/errors.ts';
import { writeResponse, refuse } from './write-response.ts';
import { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { INVALID, isThere } from '../../schema/protocol/protocol.ts';
import { ServerLists } from '../../store/server-lists.ts';
import { sendFlight } from './send-flight.ts';
import { changeSlot, createOrigin, writeError, writePage, writeResult } from '../slot/write-slot.ts';
import { tryRun } from '../../support/call-safely.ts';
import { Flight } from '../../dispatch/flights.ts';
import { joinable, readSlot, slotOf } from '../slot/read-slot.ts';
import { HttpError, isAbortError, isGone } from '../../support/network-errors.ts';
import { removeRows } from '../../store/apply-effects.ts';
import { withServerIds } from './drafts.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Effects } from '../../store/effects.ts';
import type { Core } from '../state/core.ts';

/**
 * The request for this ask: the one under way in the current freshness, or a new one. The failure of a soft one leaves what
 * readers show.
 */
export function startRead(core: Core, call: EndpointCall, isSoft = false): Flight {
  const slot = slotOf(core, call);
  const joined = joinable(slot, call);
  if (joined) {
    joined.isSoft &&= isSoft;
    return joined;
  }
  const flight = new Flight(call, true);
  flight.isSoft = isSoft;
  core.flights.reads.add(flight);
  slot.flights = [...slot.flights, flight];
  // set before the event and the wake-ups below: a listener that fetches the same joins this request
  flight.promise = sendFlight(core, flight, {
    receive: (outcome) => receive(core, flight, slot, outcome),
    fail: (error) => {
      failRead(core, flight, slot, error);
      return { type: 'failure', key: call.key, isRead: true, error };
    },
  });
  // callers of `fetch` have the promise itself, observers read the failure from the slot: this branch reports nothing
  flight.promise.catch(() => undefined);
  changeSlot(core.engine.store, slot, {});
  core.emit({ type: 'fetch', key: call.key, isRead: true });
  return flight;
}

/** Stores the answer; gives the stored value, INVALID where it is incomplete the first time. */
function receive(core: Core, flight: Flight, slot: Slot, outcome: RequestOutcome): unknown {
  const { call, sent, readers } = flight;
  const { engine } = core;
  const { endpoint, kind } = call;
  const { value, response, isNotModified, isOwned, finish } = outcome;
  const origin = createOrigin(core, endpoint, { isRead: true, sent });
  if (isNotModified && slot.hasResult) {
    // nothing changed since: what was written over here comes back, and what is stored is fresh again
    const last = slot.effects as Effects | undefined; // cast: set below
    // what a further page did is not kept: it is as it was
    if (call.isPage) writePage(engine.store, slot, slot.stored, origin);
    else {
      if (last && isKept(last)) engine.apply(last, origin);
      writeResult(engine.store, slot, slot.firstPage ?? slot.stored, origin);
    }
    slot.failures = 0;
    return readSlot(core, call).data;
  }
  // a 304 without a stored answer: nothing is there to keep
  if (isNotModified && response)
    throw new HttpError({ method: endpoint.method ?? 'GET', url: response.url }, response);
  // an id alone is no entity: a reader of one is given more
  if (kind.pkOf && value !== undefined && typeof value !== 'object') refuse(value, endpoint.name);
  engine.missing = null;
  // a list asked for by a local id is the list of the row that the server has named meanwhile
  const effects = writeResponse(core, call, value, origin, {
    args: withServerIds(core, call.args),
    isOwned,
    finish,
  });
  const hasTag = response?.headers.has('etag') || response?.headers.has('last-modified');
  if (!call.isPage) slot.effects = hasTag ? effects : undefined;
  // further pages alone make no list: a reader that knows nothing else has nothing to show, however often it asks
  const isAlone = !slot.hasResult && !readers.has(flight);
  const stored = isAlone ? INVALID : storedValue(engine, call, slot, effects);
  // one that failed before is not asked for again at once: the pause between its tries holds for it too
  if (stored === INVALID && slot.failures > 0) {
    const missing = engine.missing ?? { entity: endpoint.name, pk: call.slotKey, field: 'part' };
    throw new HoldfastError('INCOMPLETE_ENTITY', { ...missing });
  }
  slot.failures = stored === INVALID ? 1 : 0;
  return stored;
}

/** Whether everything that an answer wrote is still there: some of it may have been forgotten. */
function isKept({ rows, lists }: Effects): boolean {
  return (
    rows.every((row) => row.table.rows.get(row.pk) === row) &&
    lists.every(({ list }) => list.table.lists.get(list.identity.id) === list)
  );
}

/** The stored value; built from the answer alone when what it brought is no longer there. */
function storedValue(engine: Engine, call: EndpointCall, slot: Slot, effects: Effects): unknown {
  const { kind, args } = call;
  if (!call.hasSchema) return effects.stored;
  const value = call.isPage
    ? engine.readStored(kind, effects.stored, args, null)
    : engine.read(engine.responseView(slot, kind, args));
  if (isThere(value)) return value;
  const own = engine.readStored(kind, effects.stored, args, effects);
  return own === undefined ? INVALID : own;
}

function failRead(core: Core, { call, isSoft, sent }: Flight, slot: Slot, error: Error): void {
  const { engine } = core;
  // an abort, by the last reader that left or by the caller, is no state of the data
  if (isAbortError(error)) return;
  // one that never left fails at this moment
  const times = { isRead: true, sent: sent || Infinity, failures: slot.failures + 1 };
  const origin = createOrigin(core, call.endpoint, times);
  if (isGone(error)) {
    // the server says that the entity which the arguments name is gone
    const view = engine.cellView(call.kind, call.lookUpArgs);
    tryRun(() => engine.read(view)); // where a class's own code throws, readers meet that
    if (view.stored instanceof Row) removeRows(new ServerLists(engine.store, origin), [view.stored]);
  }
  // a poll that failed leaves what is shown as it is; the next one is on its way
  else if (isSoft && tryRun(() => readSlot(core, call).data) !== undefined) return;
  writeError(engine.store, slot, error, origin);
}
