// Runs a mutation: lays its guess over the store, sends it, and puts the answer in the guess's place in one batch. Its end
// takes its own guess away and leaves the others.
import type { Ask } from '../../dispatch/ask.ts';
import { Flight, outdate } from '../../dispatch/flights.ts';
import { laneOf, lanesOf, namedBy, rowsAmong, targetsOf } from '../../dispatch/lanes.ts';
import type { MutationFailure } from '../../dispatch/manager.ts';
import { guessResponse, pkByFields } from '../../endpoint/row-name.ts';
import { follow } from '../../endpoint/run-request.ts';
import { INVALID, isThere } from '../../schema/protocol/protocol.ts';
import { doubtLists, doubtRow } from '../../store/apply-effects.ts';
import { Intent } from '../../store/intent.ts';
import { addIntent, removeIntent } from '../../store/overlay.ts';
import { report, ResetError } from '../../support/errors.ts';
import { attempt } from '../../support/call-safely.ts';
import { afterRepetition, isAbortError, isGone, isHttpError } from '../../support/network-errors.ts';
import { createSnapshot } from '../slot/read-stored.ts';
import { originOf } from '../slot/write-slot.ts';
import type { Core } from '../state/core.ts';
import { tell } from '../state/listeners.ts';
import { completeAnswer } from './complete-answer.ts';
import { draftsIn, isUnnamed, keepDrafts, withServerIds } from './drafts.ts';
import { noteOwn } from './keep-own.ts';
import { sendFlight } from './send-flight.ts';

type Respond = (...given: readonly unknown[]) => unknown;

/** Throws, and does nothing, where the endpoint's own `lane` does not give one. */
export function startWrite(core: Core, ask: Ask, headers?: Flight['headers']): Promise<unknown> {
  const { engine, flights } = core;
  const flight = new Flight(ask, false);
  flight.headers = headers;
  ask.pk = attempt(() => pkByFields(engine, ask.endpoint, ask.args)) ?? null;
  flight.named = namedBy(engine, ask).map(laneOf);
  flight.lanes = lanesOf(ask, flight.named);
  flight.intent = makeGuess(core, ask);
  flights.add(flight);
  core.emit({ type: 'fetch', key: ask.key, isRead: false });
  const unlink = follow(flight.aborter, ask.endpoint.signal);
  const answered = sendFlight(core, flight, {
    receive: ({ value }, args) => succeed(core, flight, args, value),
    fail: (error) => fail(core, flight, error),
  });
  answered.then(unlink, unlink);
  if (flight.intent) keepDrafts(core, flight.intent.drafts, answered);
  // a promise of its own: a failure that neither the caller nor a manager handles is an unhandled rejection
  const handed: Promise<unknown> = answered.catch((error: unknown) => {
    if (core.handlesFailures || isAbortError(error) || error instanceof ResetError)
      handed.catch(() => undefined);
    throw error;
  });
  return handed;
}

/** Lays the endpoint's optimistic response over the store. A guess that throws lays nothing: it is reported, and the mutation goes on. */
function makeGuess(core: Core, ask: Ask): Intent | undefined {
  const { engine } = core;
  const { store } = engine;
  const { endpoint, kind } = ask;
  const respond = endpoint.getOptimisticResponse as Respond | undefined; // cast: users say what they take
  if (!respond) return undefined;
  core.touch(); // a guess may look something up
  const run = (): void => {
    const args = withServerIds(core, ask.args);
    const isOwn = respond === (guessResponse as Respond);
    const snapshot = createSnapshot(core, intent.sent, (intent.reads = new Map()));
    const name = `${endpoint.name}.getOptimisticResponse()`;
    intent.effects = null;
    intent.value = undefined;
    try {
      const value = respond.call(endpoint, snapshot, ...(isOwn ? ask.withPk(args) : args));
      const sent = ask.sentOf(args);
      intent.effects = engine.normalize(kind, value, { args, sent, name, guessOf: intent });
      intent.value = value;
    } catch (thrown) {
      // what the library itself could not guess is no fault of the application
      if (thrown !== snapshot.abort && !isOwn) report(thrown);
    }
  };
  const isPartial = endpoint.method === 'PATCH';
  const intent: Intent = new Intent(store.timeline.tick(), run, draftsIn(core, ask.args), isPartial);
  store.batch(() => addIntent(store, intent));
  return intent;
}

/** Puts the answer where the guess was; `args` are the arguments as they were sent. Called inside a batch. */
function succeed(core: Core, flight: Flight, args: readonly unknown[], answer: unknown): unknown {
  const { ask, intent, sent } = flight;
  const { endpoint, kind, sourceKind } = ask;
  const { engine, flights } = core;
  const { store } = engine;
  const origin = originOf(core, endpoint, { isRead: false, sent });
  outdate(flights.reads);
  const before = rowsAmong(namedBy(engine, ask));
  const { value, isNamed, unsaid } = completeAnswer(ask, ask.withPk(args), answer, intent?.value, before);
  const isNameless = !isNamed && intent?.drafts.some(isUnnamed) === true;
  const { name } = endpoint;
  const stated = ask.sentOf(args);
  const isSilent = !ask.hasSchema || isNameless || value === null || value === undefined;
  // what was sent and does not do for a row is no answer that could be refused
  const run = isNamed === undefined ? attempt : <T>(make: () => T): T => make();
  const effects = isSilent
    ? undefined
    : run(() => engine.normalize(kind, value, { args, sent: stated, name, answerTo: intent }));
  if (!effects && ask.hasSchema) doubt(core, flight);
  // the rows of a creation that the server has not named stay on screen: see dropUnnamed
  if (isNameless) store.unnamed.set(intent, origin.settled);
  drop(core, flight);
  if (!effects) return answer;
  effects.noteSides();
  // rows of which the answer said less than was sent, or nothing though they were named, are read again, with the lists that held
  // them and those that hold them now
  const answered = new Set([...effects.rows, ...effects.removed]);
  const doubtUnsaid = (): void => {
    const less = targetsOf(
      engine,
      sourceKind,
      unsaid.map((row) => [row]),
    );
    const missed = before.filter((row) => endpoint.method !== 'POST' && row.base && !answered.has(row));
    for (const row of [...rowsAmong(less), ...missed]) doubtRow(store, row);
  };
  doubtUnsaid();
  engine.apply(effects, origin);
  noteOwn(core, flight, effects);
  for (const { table, localId, pk, forward } of intent?.drafts ?? [])
    if (localId) flights.renameLane(laneOf({ table, pk: localId }), laneOf(forward ?? { table, pk }));
  doubtUnsaid();
  if (!isNamed && answer !== null && answer !== undefined) return answer;
  const stored = engine.readStored(kind, effects.stored, args, null);
  if (isThere(stored)) return stored;
  // deleted, by this very call or meanwhile: the value is built from the answer alone
  const own = engine.normalize(sourceKind, value, { args, name });
  const detached = engine.readStored(sourceKind, own.stored, args, own);
  return detached === INVALID ? undefined : detached;
}

/** Called inside a batch. */
function fail(core: Core, flight: Flight, error: Error): MutationFailure {
  const { engine } = core;
  const { ask, sent } = flight;
  const { endpoint, args, key } = ask;
  // a mutation that never left has changed nothing, a refused one nothing but what was said meanwhile and left aside
  try {
    if (sent > 0 && (!isRefusal(error) || sent < core.heardAt)) {
      outdate(core.flights.reads);
      // a precondition that failed says that the row is another one than the row shown here, and that nothing has happened
      if (isHttpError(error, 412))
        for (const row of rowsAmong(namedBy(engine, ask))) doubtRow(engine.store, row);
      else doubt(core, flight);
      // the row that a DELETE names is gone: as if it had been answered with nothing
      if (isGone(error) && endpoint.method === 'DELETE')
        attempt(() => succeed(core, flight, args, undefined));
    }
  } finally {
    drop(core, flight);
  }
  const retry = (): Promise<unknown> => startWrite(core, ask, flight.headers);
  return { type: 'failure', key, isRead: false, error, endpoint, args, flight, engine, retry };
}

/**
 * Whether the server said no, and nothing happened. A lost answer says nothing; nor does a 5xx, which a gateway may have
 * sent; and "not found" says that what is shown is wrong, perhaps because the request had arrived once before. A refused
 * repetition says nothing of the first try.
 */
function isRefusal(error: Error): boolean {
  const isTold = isGone(error) || isHttpError(error, 412);
  return isHttpError(error) && error.status < 500 && !isTold && !afterRepetition.has(error);
}

/** Ends what is pending and takes the guess away; one that was answered without a name stays for a while. */
function drop(core: Core, flight: Flight): void {
  const { intent } = flight;
  const { store } = core.engine;
  flight.status = undefined;
  // told when the batch of the answer is over, and before anything is rendered
  queueMicrotask(() => tell(core.pendingListeners));
  if (intent && !store.unnamed.has(intent)) removeIntent(store, intent);
}

/** What the mutation may have changed is stale until a read sent from now on. */
function doubt({ engine }: Core, { ask, intent, sent }: Flight): void {
  const { store } = engine;
  const since = store.timeline.tick();
  const named = namedBy(engine, ask);
  const isCreation = ask.kind.isPlacement;
  // a read in flight may bring the row first, as the row was before: the row that is not here keeps the doubt for that read
  const isAwaited = store.timeline.oldestOpen() < since;
  for (const { table, pk } of isAwaited && !isCreation ? named : []) {
    const row = store.row(table, pk);
    if (row.base === undefined) store.absent.add(row);
  }
  for (const row of new Set(rowsAmong([...(intent?.laid.values() ?? []), ...namedBy(engine, ask)]))) {
    row.unknownSent = sent;
    store.doubt(row, since);
  }
  store.tablesDoubtedAt = since;
  for (const owner of ask.sourceKind.owners?.() ?? []) {
    const table = engine.tableOf(owner);
    // nobody knows which row of those that are not here it was
    if (!isCreation && named.length === 0) table.changedAt = since;
    doubtLists(store, table, since);
  }
}
