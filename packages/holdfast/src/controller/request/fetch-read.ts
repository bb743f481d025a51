// Runs a read: joins a request that is under way, or sends one; applies the answer in the order of requests; resolves
// with the stored value. Every promise settles, and a failure is stored for the readers before it is handed out.
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { lookUpArgs } from '../../endpoint/row-name.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import { removeRow } from '../../store/apply-effects.ts';
import { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { readOrigin } from '../../store/stamp.ts';
import type { Origin } from '../../store/stamp.ts';
import { pruneJournals, ServerLists } from '../../store/server-lists.ts';
import { HoldfastError, nameOf, ResetError, toError, ValidationError } from '../../support/errors.ts';
import { HttpError, isAbortError, isHttpError } from '../../support/network-errors.ts';
import { hasSchema, keyOf, kindFor, sendFlight, slotKeyOf, slotOf } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { whenNamed, withServerIds } from '../state/drafts.ts';
import { dataExpiry, errorExpiry } from '../state/lifetimes.ts';
import { readSlot } from '../slot/read-slot.ts';
import { tag } from '../state/tagged-promise.ts';
import { dropUnnamed } from './unnamed.ts';
import { renewResult, writeError, writeResult } from '../slot/write-slot.ts';

/** How often an answer may turn out incomplete before it is an error. */
const INCOMPLETE_ANSWERS = 2;

/** The request for this key: the one under way in the current freshness, or a new one. */
export function startRead(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  isSoft: boolean = false,
): Flight {
  const key = keyOf(endpoint, args);
  const { signal, timeout } = endpoint;
  const joined = core.flights.joinable(key, endpoint);
  if (joined) {
    if (!isSoft) joined.isSoft = false;
    return joined;
  }
  const slotKey = slotKeyOf(endpoint, args);
  const flight = core.flights.start({ endpoint, args, key, slotKey, isRead: true });
  flight.isSoft = isSoft;
  flight.signal = signal;
  flight.timeout = timeout;
  // before anyone is told: whoever hears of the request joins it
  flight.promise = tag(run(core, endpoint, args, flight));
  // whoever asked handles the failure, or reads it from the slot; an observer's request has no one to catch it
  flight.promise.catch(() => undefined);
  setFetching(core, slotKey, 1);
  core.emit({ type: 'fetch', key, isRead: true });
  return flight;
}

/** One request; a second one when the answer turns out incomplete; then it is an error. */
async function run(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  flight: Flight,
): Promise<unknown> {
  const { generation } = core;
  const { timeline } = core.engine.store;
  const slot = slotOf(core, endpoint, args, flight.slotKey);
  // one that failed before gets no second request: the pause between its tries holds for it too
  const mostAnswers = slot.failures === 0 ? INCOMPLETE_ANSWERS : 1;
  for (let attempt = 1; ; attempt += 1) {
    let sent = 0;
    let outcome: RequestOutcome | undefined;
    let failure: Error | undefined;
    try {
      // not an await when there is nothing to wait for: the request leaves in this very call
      const waiting = core.drafts.liveIn(args);
      if (waiting.length > 0) {
        const request = { method: endpoint.method ?? 'GET', url: endpoint.name };
        await whenNamed(waiting, request, [flight.aborter.signal]);
      }
      sent = timeline.open();
      // a reader may still know the row by its local id
      outcome = await sendFlight(core, flight, endpoint, withServerIds(core.engine, args));
    } catch (thrown) {
      failure = toError(thrown);
    }
    if (sent === 0) sent = timeline.tick();
    else timeline.close(sent);
    if (core.generation !== generation) {
      core.flights.end(flight);
      throw new ResetError();
    }
    const value = core.engine.store.batch(() => {
      try {
        if (outcome === undefined) throw failure;
        const settled = settle(core, endpoint, args, flight, outcome, sent);
        if (settled === INVALID && attempt === mostAnswers) {
          slot.failures += attempt - 1;
          const missing = core.engine.missing ?? { entity: endpoint.name, pk: flight.slotKey, field: 'part' };
          throw new HoldfastError('INCOMPLETE_ENTITY', { ...missing });
        }
        if (settled !== INVALID) {
          slot.failures = 0;
          land(core, flight);
        }
        return settled;
      } catch (thrown) {
        const error = toError(thrown);
        fail(core, endpoint, args, flight, error, sent);
        land(core, flight);
        throw error;
      } finally {
        pruneJournals(core.engine.store);
      }
    });
    if (value !== INVALID) return value;
  }
}

/** Inside the batch of the answer, so that readers hear of both at once. */
function land(core: Core, flight: Flight): void {
  core.flights.end(flight);
  setFetching(core, flight.slotKey, -1);
  dropUnnamed(core);
}

/** Called inside the batch of the answer. */
function settle(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  flight: Flight,
  outcome: RequestOutcome,
  sent: number,
): unknown {
  const { engine } = core;
  const kind = kindFor(endpoint);
  const origin = readOrigin(sent, engine.store.timeline.tick(), dataExpiry(core, endpoint));
  const slot = engine.store.slot(flight.slotKey);
  if (outcome.isNotModified && slot.hasResult) {
    renewResult(engine, slot, origin);
    return readSlot(core, endpoint, args).data;
  }
  const { value, response } = outcome;
  // nothing to keep: the server answered a question that nobody asked
  if (outcome.isNotModified && response)
    throw new HttpError({ method: endpoint.method ?? 'GET', url: response.url }, response);
  const isMissing = value === null || value === undefined;
  // an id alone is no entity: whoever asks for one is given more
  const isBare = kind instanceof EntityKind && typeof value !== 'object';
  if (hasSchema(endpoint) && (isMissing || isBare)) {
    const expected = isMissing ? 'a body' : 'an object';
    throw new ValidationError('WRONG_SHAPE', { expected, found: nameOf(value), path: endpoint.name });
  }
  // a list asked for by a local id is the list of the row that the server has named meanwhile
  const named = withServerIds(engine, args);
  const { isOwned = false } = outcome;
  const effects = engine.normalize(kind, value, { args: named, isOwned, name: endpoint.name });
  engine.missing = null;
  engine.apply(effects, origin);
  writeResult(engine, slot, effects.stored, origin, endpoint.listKey !== undefined);
  // a row that came into doubt after this was asked for: the answer may be older than what happened
  for (const row of effects.rows)
    slot.staleSince = Math.max(slot.staleSince, row.staleSince > sent ? row.staleSince : 0);
  core.emit({ type: 'answer', key: flight.key, isRead: true });
  return resolved(core, endpoint, args, slot, effects);
}

/** The stored value; built from the answer alone when what it brought is no longer there. */
function resolved(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  slot: Slot,
  effects: Effects,
): unknown {
  const { engine } = core;
  const kind = kindFor(endpoint);
  if (!hasSchema(endpoint)) return effects.stored;
  const isPage = endpoint.listKey !== undefined;
  const value = isPage
    ? engine.readStored(kind, effects.stored, args, null)
    : engine.read(engine.answerView(slot, kind, args));
  if (value !== INVALID && value !== undefined) return value;
  const own = engine.readStored(kind, effects.stored, args, effects);
  return own === undefined ? INVALID : own;
}

function fail(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  flight: Flight,
  error: Error,
  sent: number,
): void {
  const { engine } = core;
  core.emit({ type: 'failure', key: flight.key, isRead: true, error });
  // nobody waits any more, or somebody changed their mind: not a state of the data
  if (isAbortError(error)) return;
  const slot = engine.store.slot(flight.slotKey);
  const expiresAt = errorExpiry(core, endpoint, slot.failures + 1);
  const origin = readOrigin(sent, engine.store.timeline.tick(), expiresAt);
  const isGone = isHttpError(error, 404) || isHttpError(error, 410);
  if (isGone) removeNamed(core, endpoint, args, origin);
  // a poll that failed leaves what is shown as it is; the next one is on its way
  if (flight.isSoft && !isGone && readSlot(core, endpoint, args).data !== undefined) return;
  writeError(engine, slot, error, origin);
}

/** "Not found" for a read of one entity whose arguments name it: the server says that it is gone. */
function removeNamed(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  origin: Origin,
): void {
  const { engine } = core;
  const view = engine.cellView(kindFor(endpoint), lookUpArgs(endpoint, args));
  engine.read(view);
  if (view.stored instanceof Row) removeRow(new ServerLists(engine.store, origin), view.stored);
}

function setFetching(core: Core, slotKey: string, change: 1 | -1): void {
  const { store } = core.engine;
  const slot = store.slot(slotKey);
  slot.flights += change;
  store.batch(() => store.mark(slot));
}
