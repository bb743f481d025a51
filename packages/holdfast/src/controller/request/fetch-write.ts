// Runs a mutation: lays its guess over the store, sends it, and puts the answer in the guess's place in one batch. Its end
// takes its own guess away and leaves the others.
import type { Ask } from '../../dispatch/ask.ts';
import { Flight, outdate } from '../../dispatch/flights.ts';
import { guessResponse, withPk } from '../../endpoint/row-name.ts';
import { INVALID, isThere } from '../../schema/protocol/protocol.ts';
import { Intent, isNode, Row } from '../../store/nodes.ts';
import type { List } from '../../store/nodes.ts';
import { addIntent } from '../../store/overlay.ts';
import { itemsOf } from '../../store/graph.ts';
import type { Store } from '../../store/store.ts';
import { attempt } from '../../support/call-safely.ts';
import { toError } from '../../support/errors.ts';
import { isGone, isHttpError } from '../../support/network-errors.ts';
import { createSnapshot } from '../slot/read-response.ts';
import { namedRows } from '../slot/read-slot.ts';
import { originOf } from '../slot/write-slot.ts';
import type { Core } from '../state/core.ts';
import { tag } from '../state/tagged-promise.ts';
import { draftsIn, endIntent, isUnnamed, keepDrafts, withServerIds } from './drafts.ts';
import { sendFlight } from './send-flight.ts';
import { putAnswer } from './write-direct.ts';

type Respond = (...given: readonly unknown[]) => unknown;

export function startWrite(core: Core, ask: Ask): Promise<unknown> {
  const intent = makeGuess(core, ask);
  const flight = new Flight(ask, { isRead: false, intent });
  core.flights.add(flight);
  flight.readers.add(flight);
  core.emit({ type: 'fetch', key: ask.key, isRead: false });
  const answered = sendFlight(core, flight, {
    receive: ({ value }, args) => succeed(core, flight, args, value),
    fail: (error) => fail(core, flight, error),
  });
  flight.promise = tag(answered);
  if (intent) keepDrafts(core, intent.drafts, answered);
  return answered;
}

/** Lays the endpoint's optimistic response over the store. Throws what the endpoint's function threw the first time. */
function makeGuess(core: Core, ask: Ask): Intent | undefined {
  const { engine } = core;
  const { store } = engine;
  const { endpoint, kind } = ask;
  const respond = endpoint.getOptimisticResponse as Respond | undefined; // cast: users say what they take
  if (respond === undefined) return undefined;
  core.touch(); // a guess that throws is no event, but may have looked something up
  let failure: Error | undefined;
  const run = (): void => {
    const args = withServerIds(core, ask.args);
    const snapshot = createSnapshot(core, intent.sent, (intent.reads = new Map()));
    const name = `${endpoint.name}.getOptimisticResponse()`;
    intent.effects = null;
    intent.value = failure = undefined;
    try {
      const value = respond.call(endpoint, snapshot, ...args);
      const sent = ask.sentOf(args);
      intent.effects = engine.normalize(kind, value, { args, sent, name, guessOf: intent });
      intent.value = value;
    } catch (thrown) {
      if (thrown !== snapshot.abort) failure = toError(thrown);
    }
  };
  const intent: Intent = new Intent(store.timeline.tick(), run, draftsIn(core, ask.args));
  store.batch(() => addIntent(store, intent));
  if (failure === undefined) return intent;
  store.intents.splice(store.intents.indexOf(intent), 1);
  // what the library could not guess must not keep the request from being sent
  if (respond === (guessResponse as Respond)) return undefined;
  throw failure;
}

/** Puts the answer where the guess was; `args` are the arguments as they were sent. Called inside a batch. */
function succeed(core: Core, flight: Flight, args: readonly unknown[], answer: unknown): unknown {
  const { ask, intent, sent } = flight;
  const { endpoint, kind, sourceKind } = ask;
  const { engine } = core;
  const origin = originOf(core, endpoint, { isRead: false, sent });
  // an answer without a body confirms what was intended
  const isEmpty = answer === null || answer === undefined;
  // a delete without a body is answered by its parameters, which may know the row's key by another name
  const named = (): unknown => (kind.removed ? withPk(endpoint, answer as object) : answer); // cast: a text has no parameters
  const value = isEmpty ? intent?.value : named();
  const isNameless = isEmpty && intent?.drafts.some(isUnnamed) === true;
  outdate(core.flights);
  // rows that the server has created without naming them stay on screen: see dropUnnamed
  if (isNameless) intent.answeredAt = origin.stamp.fence;
  if (!ask.hasSchema || isNameless || value === null || value === undefined) {
    if (ask.hasSchema) doubt(core, flight);
    endIntent(core, intent);
    return answer;
  }
  const { stored } = putAnswer(core, ask, value, origin, { args, answerTo: intent });
  if (endpoint.method === 'PATCH' || endpoint.method === 'PUT') doubtRenamed(core, ask, stored);
  const shown = engine.readStored(kind, stored, args, null);
  if (isThere(shown)) return shown;
  // deleted, by this very call or meanwhile: the value is built from the answer alone
  const own = engine.normalize(sourceKind, value, { args, name: endpoint.name });
  const detached = engine.readStored(sourceKind, own.stored, args, own);
  return detached === INVALID ? undefined : detached;
}

/** Called inside a batch. */
function fail(core: Core, flight: Flight, error: Error): void {
  const { intent, sent } = flight;
  // a mutation that never left has changed nothing
  try {
    if (sent === 0 || isRefusal(error)) return;
    outdate(core.flights);
    doubt(core, flight);
  } finally {
    endIntent(core, intent);
  }
}

/**
 * Whether the server said no, and nothing happened. A lost answer says nothing; nor does a 5xx, which a gateway may have
 * sent; and "not found" says that what is shown is wrong, perhaps because the request had arrived once before.
 */
function isRefusal(error: Error): boolean {
  return isHttpError(error) && error.status < 500 && !isGone(error);
}

/** An update that is answered with another row than it named, as a rename is: what it named may be gone. */
function doubtRenamed({ engine }: Core, ask: Ask, answered: unknown): void {
  const [before] = ask.kind.pkOf ? namedRows(engine, ask) : [];
  if (!before?.base || !(answered instanceof Row) || (before.forward ?? before) === answered) return;
  doubtAll(engine.store, [before, ...itemsOf(before.holders)]);
}

/** What the mutation may have changed is stale until a read sent from now on. */
function doubt({ engine }: Core, { ask, intent, sent }: Flight): void {
  const { sourceKind, lookUpArgs } = ask;
  const view = engine.cellView(sourceKind, lookUpArgs);
  attempt(() => engine.read(view)); // where a class's own code throws, readers meet that
  const named = [...(intent?.rows ?? []), view.stored].filter(isNode);
  for (const node of named) if (node instanceof Row) engine.store.unknownWrites.set(node, sent);
  const owners = sourceKind.owners?.() ?? [];
  const lists = owners.flatMap((owner) => [...engine.tableOf(owner).lists.values()]);
  doubtAll(engine.store, [...named, ...lists]);
}

function doubtAll(store: Store, nodes: readonly (Row | List)[]): void {
  const since = store.timeline.tick();
  for (const node of nodes) store.doubt(node, since);
}
