// Runs a read: joins a request that is under way, or sends one; applies the answer in the order of requests; resolves
// with the stored value. Every promise settles, and a failure is stored for the readers before it is handed out.
import type { Ask } from '../../dispatch/ask.ts';
import { Flight } from '../../dispatch/flights.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { INVALID, isThere } from '../../schema/protocol/protocol.ts';
import { removeRow } from '../../store/apply-effects.ts';
import type { Effects } from '../../store/effects.ts';
import { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import type { Origin } from '../../store/stamp.ts';
import { pruneJournals, ServerLists } from '../../store/server-lists.ts';
import { HoldfastError, ResetError, toError } from '../../support/errors.ts';
import { HttpError, isAbortError, isHttpError } from '../../support/network-errors.ts';
import { readSlot, slotOf } from '../slot/read-slot.ts';
import { changeSlot, writeAnswer, writeError, writeResult } from '../slot/write-slot.ts';
import type { Core } from '../state/core.ts';
import { tag } from '../state/tagged-promise.ts';
import { withServerIds } from './drafts.ts';
import { originOf } from './origin.ts';
import { sendFlight } from './send-flight.ts';
import { dropUnnamed } from './unnamed.ts';
import { checkBody, refuse } from './wrong-shape.ts';

/** How often an answer may turn out incomplete before it is an error. */
const INCOMPLETE_ANSWERS = 2;

/**
 * The request for this ask: the one under way in the current freshness, or a new one. The failure of a soft one leaves what
 * readers show.
 */
export function startRead(
  core: Core,
  ask: Ask,
  { isSoft = false }: { readonly isSoft?: boolean } = {},
): Flight {
  const { flights, engine } = core;
  const joined = flights.joinable(ask);
  if (joined) {
    joined.isSoft &&= isSoft;
    return joined;
  }
  const flight = flights.start(new Flight(ask, { isRead: true }));
  flight.isSoft = isSoft;
  // before anyone is told: whoever hears of the request joins it
  flight.promise = tag(run(core, flight));
  // whoever asked handles the failure, or reads it from the slot; an observer's request has no one to catch it
  flight.promise.catch(() => undefined);
  const slot = slotOf(core, ask);
  changeSlot(engine.store, slot, { flights: slot.flights + 1 });
  core.emit({ type: 'fetch', key: ask.key, isRead: true });
  return flight;
}

/** One request; a second one when the answer turns out incomplete; then it is an error. */
async function run(core: Core, flight: Flight): Promise<unknown> {
  const { ask } = flight;
  const { engine, generation } = core;
  const { store } = engine;
  const slot = slotOf(core, ask);
  // one that failed before gets no second request: the pause between its tries holds for it too
  const mostAnswers = slot.failures === 0 ? INCOMPLETE_ANSWERS : 1;
  for (let attempt = 1; ; attempt += 1) {
    let outcome: RequestOutcome | undefined;
    let failure: unknown;
    try {
      ({ outcome } = await sendFlight(core, flight));
    } catch (thrown) {
      failure = thrown;
      flight.sent ||= store.timeline.tick(); // it never left
    }
    if (core.generation !== generation) {
      core.flights.end(flight);
      throw new ResetError();
    }
    const value = store.batch(() => {
      try {
        if (outcome === undefined) throw failure;
        const received = receive(core, flight, slot, outcome);
        if (received === INVALID && attempt < mostAnswers) return received;
        if (received === INVALID) {
          slot.failures += attempt - 1;
          const missing = engine.missing ?? { entity: ask.endpoint.name, pk: ask.slotKey, field: 'part' };
          throw new HoldfastError('INCOMPLETE_ENTITY', { ...missing });
        }
        slot.failures = 0;
        land(core, flight, slot);
        return received;
      } catch (thrown) {
        const error = toError(thrown);
        fail(core, flight, slot, error);
        land(core, flight, slot);
        throw error;
      } finally {
        pruneJournals(store);
      }
    });
    if (value !== INVALID) return value;
  }
}

/** Inside the batch of the answer, so that readers hear of both at once. */
function land(core: Core, flight: Flight, slot: Slot): void {
  core.flights.end(flight);
  changeSlot(core.engine.store, slot, { flights: slot.flights - 1 });
  dropUnnamed(core);
}

/** Stores the answer; gives the stored value, INVALID where it is incomplete. Called inside the batch of the answer. */
function receive(core: Core, { ask, sent }: Flight, slot: Slot, outcome: RequestOutcome): unknown {
  const { engine } = core;
  const { store } = engine;
  const { endpoint, kind } = ask;
  const { value, response, isNotModified, isOwned = false } = outcome;
  const origin = originOf(core, endpoint, { isRead: true, sent });
  if (isNotModified && slot.hasResult) {
    // nothing changed since: what is stored is fresh again
    writeResult(store, slot, slot.firstPage ?? slot.stored, origin);
    return readSlot(core, ask).data;
  }
  // nothing to keep: the server answered a question that nobody asked
  if (isNotModified && response)
    throw new HttpError({ method: endpoint.method ?? 'GET', url: response.url }, response);
  checkBody(ask, value);
  // an id alone is no entity: a reader of one is given more
  if (kind.pkOf && typeof value !== 'object') refuse(value, endpoint.name);
  // a list asked for by a local id is the list of the row that the server has named meanwhile
  const args = withServerIds(core, ask.args);
  const effects = engine.normalize(kind, value, { args, isOwned, name: endpoint.name });
  engine.missing = null;
  engine.apply(effects, origin);
  writeAnswer(store, ask, slot, effects.stored, origin);
  // a row that came into doubt after this was asked for: the answer may be older than what happened
  for (const { staleSince } of effects.rows)
    if (staleSince > sent) slot.staleSince = Math.max(slot.staleSince, staleSince);
  core.emit({ type: 'answer', key: ask.key, isRead: true });
  return storedValue(core, ask, slot, effects);
}

/** The stored value; built from the answer alone when what it brought is no longer there. */
function storedValue({ engine }: Core, ask: Ask, slot: Slot, effects: Effects): unknown {
  const { kind, args } = ask;
  if (!ask.hasSchema) return effects.stored;
  const value = ask.isPage
    ? engine.readStored(kind, effects.stored, args, null)
    : engine.read(engine.answerView(slot, kind, args));
  if (isThere(value)) return value;
  const own = engine.readStored(kind, effects.stored, args, effects);
  return own === undefined ? INVALID : own;
}

function fail(core: Core, { ask, isSoft, sent }: Flight, slot: Slot, error: Error): void {
  const { engine } = core;
  core.emit({ type: 'failure', key: ask.key, isRead: true, error });
  // nobody waits any more, or somebody changed their mind: not a state of the data
  if (isAbortError(error)) return;
  const origin = originOf(core, ask.endpoint, { isRead: true, sent, failures: slot.failures + 1 });
  const isGone = isHttpError(error, 404) || isHttpError(error, 410);
  if (isGone) removeNamed(core, ask, origin);
  // a poll that failed leaves what is shown as it is; the next one is on its way
  if (isSoft && !isGone && readSlot(core, ask).data !== undefined) return;
  writeError(engine.store, slot, error, origin);
}

/** "Not found" for a read of one entity whose arguments name it: the server says that it is gone. */
function removeNamed({ engine }: Core, ask: Ask, origin: Origin): void {
  const view = engine.cellView(ask.kind, ask.lookUpArgs);
  engine.read(view);
  if (view.stored instanceof Row) removeRow(new ServerLists(engine.store, origin), view.stored);
}
