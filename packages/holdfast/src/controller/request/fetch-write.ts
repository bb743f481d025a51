// Runs a mutation: lays its guess over the store, sends it, and puts the answer in the guess's place in one batch. Its end
// takes its own guess away and leaves the others.
import type { EndpointCall } from '../../dispatch/call.ts';
import { Flight, outdate } from '../../dispatch/flights.ts';
import { queueOf, queuesOf, namedBy, rowsAmong, targetsOf } from '../../dispatch/write-queues.ts';
import type { MutationFailure } from '../../dispatch/manager.ts';
import { respondOptimistically, pkByFields } from '../../endpoint/row-name.ts';
import { follow } from '../../endpoint/run-request.ts';
import { INVALID, isThere } from '../../schema/protocol/protocol.ts';
import { markListsStale, markRowStale } from '../../store/apply-effects.ts';
import { Intent } from '../../store/intent.ts';
import { addIntent, removeIntent } from '../../store/overlay.ts';
import { report, ResetError } from '../../support/errors.ts';
import { tryRun } from '../../support/call-safely.ts';
import { afterRepetition, isAbortError, isGone, isHttpError } from '../../support/network-errors.ts';
import { createSnapshot } from '../slot/read-stored.ts';
import { createOrigin } from '../slot/write-slot.ts';
import type { Core } from '../state/core.ts';
import { notify } from '../state/listeners.ts';
import { completeResponse } from './complete-response.ts';
import { draftsIn, isUnnamed, keepDrafts, withServerIds } from './drafts.ts';
import { noteAcknowledged } from './keep-acknowledged.ts';
import { sendFlight } from './send-flight.ts';

type Respond = (...given: readonly unknown[]) => unknown;

/** Throws, and does nothing, where the endpoint's own `queue` does not give one. */
export function startWrite(core: Core, call: EndpointCall, headers?: Flight['headers']): Promise<unknown> {
  const { engine, flights } = core;
  const flight = new Flight(call, false);
  flight.headers = headers;
  call.pk = tryRun(() => pkByFields(engine, call.endpoint, call.args)) ?? null;
  flight.named = namedBy(engine, call).map(queueOf);
  flight.queues = queuesOf(call, flight.named);
  flight.intent = applyUpdate(core, call);
  flights.add(flight);
  core.emit({ type: 'fetch', key: call.key, isRead: false });
  const unlink = follow(flight.aborter, call.endpoint.signal);
  const responded = sendFlight(core, flight, {
    receive: ({ value }, args) => acknowledgeWrite(core, flight, args, value),
    fail: (error) => failWrite(core, flight, error),
  });
  responded.then(unlink, unlink);
  if (flight.intent) keepDrafts(core, flight.intent.drafts, responded);
  // a promise of its own: a failure that neither the caller nor a manager handles is an unhandled rejection
  const returned: Promise<unknown> = responded.catch((error: unknown) => {
    if (core.handlesFailures || isAbortError(error) || error instanceof ResetError)
      returned.catch(() => undefined);
    throw error;
  });
  return returned;
}

/** Lays the endpoint's optimistic response over the store. A guess that throws lays nothing: it is reported, and the mutation goes on. */
function applyUpdate(core: Core, call: EndpointCall): Intent | undefined {
  const { engine } = core;
  const { store } = engine;
  const { endpoint, kind } = call;
  const respond = endpoint.getOptimisticResponse as Respond | undefined; // cast: users say what they take
  if (!respond) return undefined;
  core.touch(); // a guess may look something up
  const run = (): void => {
    const args = withServerIds(core, call.args);
    const isOwn = respond === (respondOptimistically as Respond);
    const snapshot = createSnapshot(core, intent.sent, (intent.reads = new Map()));
    const name = `${endpoint.name}.getOptimisticResponse()`;
    intent.effects = null;
    intent.value = undefined;
    try {
      const value = respond.call(endpoint, snapshot, ...(isOwn ? call.withPk(args) : args));
      const sent = call.sentOf(args);
      intent.effects = engine.normalize(kind, value, { args, sent, name, optimisticOf: intent });
      intent.value = value;
    } catch (thrown) {
      // what the library itself could not guess is no fault of the application
      if (thrown !== snapshot.abort && !isOwn) report(thrown);
    }
  };
  const isPartial = endpoint.method === 'PATCH';
  const intent: Intent = new Intent(store.timeline.tick(), run, draftsIn(core, call.args), isPartial);
  store.batch(() => addIntent(store, intent));
  return intent;
}

/** Puts the answer where the guess was; `args` are the arguments as they were sent. Called inside a batch. */
function acknowledgeWrite(core: Core, flight: Flight, args: readonly unknown[], response: unknown): unknown {
  const { call, intent, sent } = flight;
  const { endpoint, kind, sourceKind } = call;
  const { engine, flights } = core;
  const { store } = engine;
  const origin = createOrigin(core, endpoint, { isRead: false, sent });
  outdate(flights.reads);
  const before = rowsAmong(namedBy(engine, call));
  const { value, isNamed, omitted } = completeResponse(
    call,
    call.withPk(args),
    response,
    intent?.value,
    before,
  );
  const hasNoId = !isNamed && intent?.drafts.some(isUnnamed) === true;
  const { name } = endpoint;
  const sentArgs = call.sentOf(args);
  const hasNoData = !call.hasSchema || hasNoId || value === null || value === undefined;
  // what was sent and does not do for a row is no answer that could be refused
  const run = isNamed === undefined ? tryRun : <T>(make: () => T): T => make();
  const effects = hasNoData
    ? undefined
    : run(() => engine.normalize(kind, value, { args, sent: sentArgs, name, answerTo: intent }));
  if (!effects && call.hasSchema) markTargetsStale(core, flight);
  // the rows of a creation that the server has not named stay on screen: see dropUnnamed
  if (hasNoId) store.unnamed.set(intent, origin.settled);
  endWrite(core, flight);
  if (!effects) return response;
  effects.noteNested();
  // rows of which the answer said less than was sent, or nothing though they were named, are read again, with the lists that held
  // them and those that hold them now
  const responded = new Set([...effects.rows, ...effects.removed]);
  const markOmittedStale = (): void => {
    const partial = targetsOf(
      engine,
      sourceKind,
      omitted.map((row) => [row]),
    );
    const unmentioned = before.filter((row) => endpoint.method !== 'POST' && row.base && !responded.has(row));
    for (const row of [...rowsAmong(partial), ...unmentioned]) markRowStale(store, row);
  };
  markOmittedStale();
  engine.apply(effects, origin);
  noteAcknowledged(core, flight, effects);
  for (const { table, localId, pk, forward } of intent?.drafts ?? [])
    if (localId) flights.renameQueue(queueOf({ table, pk: localId }), queueOf(forward ?? { table, pk }));
  markOmittedStale();
  if (!isNamed && response !== null && response !== undefined) return response;
  const stored = engine.readStored(kind, effects.stored, args, null);
  if (isThere(stored)) return stored;
  // deleted, by this very call or meanwhile: the value is built from the answer alone
  const acknowledged = engine.normalize(sourceKind, value, { args, name });
  const detached = engine.readStored(sourceKind, acknowledged.stored, args, acknowledged);
  return detached === INVALID ? undefined : detached;
}

/** Called inside a batch. */
function failWrite(core: Core, flight: Flight, error: Error): MutationFailure {
  const { engine } = core;
  const { call, sent } = flight;
  const { endpoint, args, key } = call;
  // a mutation that never left has changed nothing, a refused one nothing but what was said meanwhile and left aside
  try {
    if (sent > 0 && (!isRefusal(error) || sent < core.messageIgnoredAt)) {
      outdate(core.flights.reads);
      // a precondition that failed says that the row is another one than the row shown here, and that nothing has happened
      if (isHttpError(error, 412))
        for (const row of rowsAmong(namedBy(engine, call))) markRowStale(engine.store, row);
      else markTargetsStale(core, flight);
      // the row that a DELETE names is gone: as if it had been answered with nothing
      if (isGone(error) && endpoint.method === 'DELETE')
        tryRun(() => acknowledgeWrite(core, flight, args, undefined));
    }
  } finally {
    endWrite(core, flight);
  }
  const retry = (): Promise<unknown> => startWrite(core, call, flight.headers);
  return { type: 'failure', key, isRead: false, error, endpoint, args, flight, engine, retry };
}

/**
 * Whether the server said no, and nothing happened. A lost answer says nothing; nor does a 5xx, which a gateway may have
 * sent; and "not found" says that what is shown is wrong, perhaps because the request had arrived once before. A refused
 * repetition says nothing of the first try.
 */
function isRefusal(error: Error): boolean {
  const isOutcomeKnown = isGone(error) || isHttpError(error, 412);
  return isHttpError(error) && error.status < 500 && !isOutcomeKnown && !afterRepetition.has(error);
}

/** Ends what is pending and takes the guess away; one that was answered without a name stays for a while. */
function endWrite(core: Core, flight: Flight): void {
  const { intent } = flight;
  const { store } = core.engine;
  flight.status = undefined;
  // told when the batch of the answer is over, and before anything is rendered
  queueMicrotask(() => notify(core.pendingListeners));
  if (intent && !store.unnamed.has(intent)) removeIntent(store, intent);
}

/** What the mutation may have changed is stale until a read sent from now on. */
function markTargetsStale({ engine }: Core, { call, intent, sent }: Flight): void {
  const { store } = engine;
  const since = store.timeline.tick();
  const named = namedBy(engine, call);
  const isCreation = call.kind.isPlacement;
  // a read in flight may bring the row first, as the row was before: the row that is not here keeps the doubt for that read
  const isAwaited = store.timeline.oldestOpen() < since;
  for (const { table, pk } of isAwaited && !isCreation ? named : []) {
    const row = store.row(table, pk);
    if (row.base === undefined) store.absent.add(row);
  }
  for (const row of new Set(rowsAmong([...(intent?.applied.values() ?? []), ...namedBy(engine, call)]))) {
    row.unknownSent = sent;
    store.markStale(row, since);
  }
  store.tablesStaleAt = since;
  for (const owner of call.sourceKind.owners?.() ?? []) {
    const table = engine.tableOf(owner);
    // nobody knows which row of those that are not here it was
    if (!isCreation && named.length === 0) table.changedAt = since;
    markListsStale(store, table, since);
  }
}
