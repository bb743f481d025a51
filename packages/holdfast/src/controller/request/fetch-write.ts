// Runs a mutation in two steps. `openWrite` shows its optimistic update and puts it into its queues; `sendWrite` sends it, and
// replaces the update by the response in one batch. The optimistic updates of other mutations stay. The controller's `fetch`
// calls both.
import type { EndpointCall } from '../../dispatch/call.ts';
import { Flight, markOutdated } from '../../dispatch/flights.ts';
import {
  queueNameOf,
  queuesOf,
  targetsOfCall,
  rowsAmong,
  targetsOfArgs,
} from '../../dispatch/write-queues.ts';
import type { MutationFailure } from '../../dispatch/manager.ts';
import { respondOptimistically, pkByFields } from '../../endpoint/row-name.ts';
import { abortWith } from '../../endpoint/run-request.ts';
import { INVALID, isThere, ownersOf } from '../../schema/protocol/protocol.ts';
import { markListsStale, markRowAndHoldersStale } from '../../store/apply-effects.ts';
import { Intent } from '../../store/intent.ts';
import { isAfter, knowsOf, latest, mustRemember } from '../../store/order.ts';
import { addIntent, removeIntent } from '../../store/overlay.ts';
import { report, ResetError } from '../../support/errors.ts';
import { tryRun } from '../../support/call-safely.ts';
import { afterRepetition, isAbortError, isGone, isHttpError } from '../../support/network-errors.ts';
import { createSnapshot } from '../slot/read-stored.ts';
import { createStamp } from '../slot/write-slot.ts';
import type { Core } from '../state/core.ts';
import { notify } from '../state/listeners.ts';
import { applyPayload } from './apply-payload.ts';
import { completeResponse } from './complete-response.ts';
import { draftIdsIn, lacksServerId, registerDrafts, withServerIds } from './drafts.ts';
import { noteAcknowledged } from './keep-acknowledged.ts';
import { sendFlight } from './send-flight.ts';

type OptimisticFunction = (...given: readonly unknown[]) => unknown;

/**
 * Opens a mutation: its optimistic update is shown, and later mutations of its queues wait for it. If the endpoint's `queue` option
 * throws or returns an invalid value, this function throws before the store has changed. `headers` are the headers of an earlier
 * attempt.
 */
export function openWrite(core: Core, call: EndpointCall, headers?: Flight['headers']): Flight {
  const { engine, flights } = core;
  const flight = new Flight(call, false);
  flight.headers = headers;
  call.pkParams = tryRun(() => pkByFields(engine, call.endpoint, call.args)) ?? null;
  flight.rowQueues = targetsOfCall(engine, call).map(queueNameOf);
  flight.queues = queuesOf(call, flight.rowQueues);
  core.extension.onWrite?.(flight, 'open');
  flight.intent = applyUpdate(core, flight);
  flights.add(flight);
  core.emit({ type: 'fetch', key: call.key, isRead: false });
  return flight;
}

/** Sends an open mutation when it is the first of its queues. Resolves with its value; rejects when it fails. */
export function sendWrite(core: Core, flight: Flight): Promise<unknown> {
  const unlink = abortWith(flight.aborter, flight.call.endpoint.signal);
  const responded = sendFlight(core, flight, {
    receive({ value }, args) {
      const acknowledged = acknowledgeWrite(core, flight, args, value);
      core.extension.onWrite?.(flight, 'acknowledge');
      return acknowledged;
    },
    fail(error) {
      const event = failWrite(core, flight, error);
      core.extension.onWrite?.(flight, 'fail', error);
      return event;
    },
  });
  responded.then(unlink, unlink);
  if (flight.intent) registerDrafts(core, flight.intent.drafts, responded);
  // The caller gets a second promise, because `responded` has handlers: an error that neither the caller nor a manager handles must
  // be reported as an unhandled rejection, unless it is an abort or a reset.
  const returned: Promise<unknown> = responded.catch((error: unknown) => {
    if (core.handlesFailures || isAbortError(error) || error instanceof ResetError)
      returned.catch(() => undefined);
    throw error;
  });
  return returned;
}

/**
 * Applies the endpoint's optimistic response to the store. If `getOptimisticResponse` throws, nothing is applied and the
 * mutation continues; an error of the application other than `snapshot.abort` is reported.
 */
function applyUpdate(core: Core, flight: Flight): Intent | undefined {
  const { engine } = core;
  const { store } = engine;
  const { endpoint, kind, args: firstArgs } = flight.call;
  const respond = endpoint.getOptimisticResponse as OptimisticFunction | undefined; // cast: users declare its parameters
  if (!respond) return undefined;
  core.scheduleCollection(); // the optimistic response may look up data
  const computeUpdate = (): void => {
    const { call } = flight; // read now: a mutation that is not sent yet may have got other arguments
    const args = withServerIds(core, call.args);
    const isOwn = respond === (respondOptimistically as OptimisticFunction);
    const snapshot = createSnapshot(core, intent.calledAt, (intent.seenContents = new Map()));
    const name = `${endpoint.name}.getOptimisticResponse()`;
    intent.effects = null;
    intent.updateValue = undefined;
    try {
      const value = respond.call(endpoint, snapshot, ...(isOwn ? call.withPk(args) : args));
      const sent = call.splitSentArgs(args);
      intent.effects = engine.normalize(kind, value, { args, sent, name, optimisticOf: intent });
      intent.updateValue = value;
    } catch (thrown) {
      // An error of the library's own function (`optimistic: true`) is not a mistake of the application.
      if (thrown !== snapshot.abort && !isOwn) report(thrown);
    }
  };
  const isPartial = endpoint.method === 'PATCH';
  const intent: Intent = new Intent(
    store.timeline.tick(),
    computeUpdate,
    draftIdsIn(core, firstArgs),
    isPartial,
  );
  store.batch(() => addIntent(store, intent));
  return intent;
}

/** Replaces the optimistic update by the response; `args` are the arguments as they were sent. Call this inside a batch. */
function acknowledgeWrite(core: Core, flight: Flight, args: readonly unknown[], response: unknown): unknown {
  const { call, intent, sent } = flight;
  const { endpoint, kind, sourceKind } = call;
  const { engine, flights } = core;
  const { store } = engine;
  const origin = createStamp(core, endpoint, { isRead: false, sent });
  markOutdated(flights.reads);
  const namedRows = rowsAmong(targetsOfCall(engine, call));
  const {
    value,
    hasIds: isNamed,
    incompleteRows: omitted,
  } = completeResponse(call, call.withPk(args), response, intent?.updateValue, namedRows);
  const hasNoId = !isNamed && intent?.drafts.some(lacksServerId) === true;
  const { name } = endpoint;
  const sentArgs = call.splitSentArgs(args);
  const hasNoData = !call.hasSchema || hasNoId || value === null || value === undefined;
  // If `isNamed` is undefined, the row in the value was made without the response. Then an error while the value is normalized is
  // ignored, because the server did not send the row.
  const runNormalize = isNamed === undefined ? tryRun : <T>(make: () => T): T => make();
  const effects = hasNoData
    ? undefined
    : runNormalize(() => engine.normalize(kind, value, { args, sent: sentArgs, name, respondsTo: intent }));
  // An action such as `POST /todos/1/close` sends no field. If its response has no fields either, anything may have changed.
  const hasNoFields = (isNamed ?? sentArgs[1]) === undefined;
  if ((!effects || hasNoFields) && call.hasSchema) markTargetsStale(core, flight);
  // The response of a creation contained no id: its optimistic rows stay on screen for a while; see rollBackUnidentified.
  if (hasNoId) store.unidentifiedCreations.set(intent, origin.settled);
  endWrite(core, flight);
  if (!effects) return response;
  effects.noteNested();
  // Marks stale the rows of which the response contains fewer fields than were sent. Unless the call is a POST, also marks stale
  // the stored rows that the call identifies and that the response does not contain. The function is called before and after the
  // response is applied, to reach the lists that contained the rows and the lists that contain them now. Before,
  // it marks them only since `sent`, so that the fields of the response count as confirmed and decide about lists.
  const responded = new Set([...effects.rows, ...effects.removed]);
  const markOmittedStale = (since?: number): void => {
    const partial = targetsOfArgs(
      engine,
      sourceKind,
      omitted.map((row) => [row]),
    );
    const unmentioned = namedRows.filter(
      (row) => endpoint.method !== 'POST' && row.base && !responded.has(row),
    );
    for (const row of [...rowsAmong(partial), ...unmentioned]) markRowAndHoldersStale(store, row, since);
  };
  markOmittedStale(sent);
  applyPayload(core, effects, origin, flight);
  noteAcknowledged(core, flight, effects);
  for (const draft of intent?.drafts ?? [])
    if (draft.localId)
      flights.renameQueue(
        queueNameOf({ table: draft.table, pk: draft.localId }),
        queueNameOf(draft.replacedBy ?? draft),
      );
  markOmittedStale();
  if (!isNamed && response !== null && response !== undefined) return response;
  const stored = engine.readStored(kind, effects.stored, args, null);
  if (isThere(stored)) return stored;
  // The value cannot be read, for example because this call has deleted the row, so it is read with the fields that the completed
  // response has for its rows.
  const acknowledged = engine.normalize(sourceKind, value, { args, name });
  const detached = engine.readStored(sourceKind, acknowledged.stored, args, acknowledged);
  return detached === INVALID ? undefined : detached;
}

/** Marks stale the data that the mutation may have changed, and rolls its update back. Call this inside a batch. */
function failWrite(core: Core, flight: Flight, error: Error): MutationFailure {
  const { engine } = core;
  const { call, sent } = flight;
  const { endpoint, args, key } = call;
  // A mutation that was never sent, or was refused, has changed nothing on the server, so nothing is marked stale. But if fields of a
  // message were ignored while a refused mutation was in flight, they must be read again.
  try {
    if (isAfter(sent, 0) && (!isRefusal(error) || !knowsOf(sent, core.messageFieldsIgnoredAt))) {
      markOutdated(core.flights.reads);
      // The status is 412, precondition failed: the server has another version of the row.
      if (isHttpError(error, 412))
        for (const row of rowsAmong(targetsOfCall(engine, call))) markRowAndHoldersStale(engine.store, row);
      else markTargetsStale(core, flight);
      // A DELETE of a row that does not exist any more changes the store like a DELETE with an empty response.
      if (isGone(error) && endpoint.method === 'DELETE')
        tryRun(() => acknowledgeWrite(core, flight, args, undefined));
    }
  } finally {
    endWrite(core, flight);
  }
  const retry = (): Promise<unknown> => sendWrite(core, openWrite(core, call, flight.headers));
  return { type: 'failure', key, isRead: false, error, endpoint, args, flight, engine, retry };
}

/**
 * Whether the server has refused the mutation and changed nothing. Without a response, or with a 5xx status, which a gateway may
 * have sent, this is unknown. With 404, 410 or 412 the shown data is wrong, so that this does not count as a refusal and the data
 * is read again. If the request was repeated, its first attempt may have succeeded although the last attempt was refused.
 */
function isRefusal(error: Error): boolean {
  const isShownDataWrong = isGone(error) || isHttpError(error, 412);
  return isHttpError(error) && error.status < 500 && !isShownDataWrong && !afterRepetition.has(error);
}

/** Ends the pending status and rolls the optimistic update back, except the update of a creation whose response had no id. */
export function endWrite(core: Core, flight: Flight): void {
  const { intent } = flight;
  const { store } = core.engine;
  flight.status = undefined;
  // The listeners are notified in a microtask: after the batch of the response.
  queueMicrotask(() => notify(core.pendingListeners));
  if (intent && !store.unidentifiedCreations.has(intent)) removeIntent(store, intent);
}

/**
 * Marks stale the data that the mutation may have changed, usually because its result is unknown: for example, it got no response,
 * or a response without data. Only a request that is sent from now on removes the marks.
 */
function markTargetsStale({ engine }: Core, { call, intent, sent }: Flight): void {
  const { store } = engine;
  const since = store.timeline.tick();
  const named = targetsOfCall(engine, call);
  const isCreation = call.kind.isPlacement;
  const rows = new Set(rowsAmong([...(intent?.appliedLayers.values() ?? []), ...named]));
  // A read in flight may store a row of the call for the first time, with data from before the mutation. So the row is created
  // without data, and has the stale mark below when the response to the read arrives.
  if (!isCreation && mustRemember(since, store.timeline.oldestOpen()))
    for (const { table, pk } of named) {
      const row = store.row(table, pk);
      if (row.base === undefined) store.rowsOfUnknownWrites.add(row);
      rows.add(row);
    }
  for (const row of rows) {
    row.unknownWriteSent = latest(row.unknownWriteSent, sent);
    store.markStale(row, since);
  }
  store.tablesStaleAt = since;
  for (const owner of ownersOf(call.sourceKind)) {
    const table = engine.tableOf(owner);
    // The call identifies no row, so any row of the table that is not stored may have changed too.
    if (!isCreation && named.length === 0) table.unnamedWriteAt = since;
    markListsStale(store, table, since);
  }
}
