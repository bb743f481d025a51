// Runs a mutation: lays its guess over the store, sends it, and puts the answer in the guess's place in one batch. Its end
// takes its own guess away and nobody else's.
import type { Ask } from '../../dispatch/ask.ts';
import { Flight } from '../../dispatch/flights.ts';
import { withPk } from '../../endpoint/row-name.ts';
import { INVALID, isThere } from '../../schema/protocol/protocol.ts';
import { isNode, Row } from '../../store/nodes.ts';
import type { Intent } from '../../store/nodes.ts';
import { removeIntent } from '../../store/overlay.ts';
import { itemsOf } from '../../store/small-set.ts';
import { pruneJournals } from '../../store/server-lists.ts';
import { attempt } from '../../support/call-safely.ts';
import { ResetError, toError } from '../../support/errors.ts';
import { isHttpError } from '../../support/network-errors.ts';
import { namedRow } from '../slot/named-row.ts';
import type { Core } from '../state/core.ts';
import { tag } from '../state/tagged-promise.ts';
import { isUnnamed, keepDrafts } from './drafts.ts';
import { makeGuess } from './guess.ts';
import { originOf } from './origin.ts';
import { sendFlight } from './send-flight.ts';
import { dropUnnamed } from './unnamed.ts';

export function startWrite(core: Core, ask: Ask): Promise<unknown> {
  const intent = makeGuess(core, ask);
  const flight = core.flights.start(new Flight(ask, { isRead: false }));
  flight.intent = intent;
  flight.callers += 1;
  core.emit({ type: 'fetch', key: ask.key, isRead: false });
  const answered = run(core, flight);
  flight.promise = tag(answered);
  if (intent) keepDrafts(core, intent.drafts, answered);
  return answered;
}

async function run(core: Core, flight: Flight): Promise<unknown> {
  const { generation } = core;
  try {
    const { outcome, args } = await sendFlight(core, flight);
    if (core.generation !== generation) throw new ResetError();
    const value = core.engine.store.batch(() => succeed(core, flight, args, outcome.value));
    dropUnnamed(core);
    return value;
  } catch (thrown) {
    const isReset = core.generation !== generation;
    const error = isReset ? new ResetError() : toError(thrown);
    if (!isReset) core.engine.store.batch(() => fail(core, flight, error));
    throw error;
  } finally {
    core.flights.end(flight);
    pruneJournals(core.engine.store);
  }
}

/** Puts the answer where the guess was; `args` are the arguments as they were sent. Called inside a batch. */
function succeed(core: Core, flight: Flight, args: readonly unknown[], answer: unknown): unknown {
  const { ask, intent, sent } = flight;
  const { endpoint, kind } = ask;
  const { engine } = core;
  const origin = originOf(core, endpoint, { isRead: false, sent });
  // an answer without a body confirms what was intended
  const isEmpty = answer === null || answer === undefined;
  const value = isEmpty ? intent?.value : named(ask, answer);
  core.flights.advance();
  core.emit({ type: 'answer', key: ask.key, isRead: false });
  const isNameless = isEmpty && intent?.drafts.some(isUnnamed) === true;
  if (!ask.hasSchema || isNameless || value === null || value === undefined) {
    if (ask.hasSchema) doubt(core, flight);
    // the rows of a creation that nobody has named stay on screen: see unnamed.ts
    if (isNameless) intent.answeredAt = origin.stamp.fence;
    drop(core, intent);
    return answer;
  }
  const { name } = endpoint;
  const effects = engine.normalize(kind, value, { args, sent: ask.sentOf(args), name, answerTo: intent });
  drop(core, intent);
  engine.apply(effects, origin);
  if (endpoint.method === 'PATCH' || endpoint.method === 'PUT') doubtRenamed(core, ask, effects.stored);
  const stored = engine.readStored(kind, effects.stored, args, null);
  if (isThere(stored)) return stored;
  // deleted, by this very call or meanwhile: the value is built from the answer alone
  const { sourceKind } = ask;
  const own = engine.normalize(sourceKind, value, { args, name });
  const detached = engine.readStored(sourceKind, own.stored, args, own);
  return detached === INVALID ? undefined : detached;
}

/** A delete without a body is answered by its parameters, which may know the row's key by another name. */
function named({ endpoint, kind }: Ask, value: unknown): unknown {
  const isParams = kind.removed && typeof value === 'object' && value !== null;
  return isParams && !Array.isArray(value) ? withPk(endpoint, value) : value;
}

/** Called inside a batch. */
function fail(core: Core, flight: Flight, error: Error): void {
  const { ask, intent, sent } = flight;
  // a mutation that never left has changed nothing
  if (sent > 0 && !isRefusal(error)) {
    core.flights.advance();
    doubt(core, flight);
  }
  drop(core, intent);
  core.emit({ type: 'failure', key: ask.key, isRead: false, error });
}

/**
 * Whether the server said no, and nothing happened. A lost answer says nothing; nor does a 5xx, which a gateway may have
 * sent; and "not found" says that what is shown is wrong, perhaps because the request had arrived once before.
 */
function isRefusal(error: Error): boolean {
  return isHttpError(error) && error.status < 500 && error.status !== 404 && error.status !== 410;
}

/** Takes the guess away; one that was answered without a name stays for a while. */
function drop(core: Core, intent: Intent | undefined): void {
  if (intent === undefined) return;
  core.pending.end(intent);
  if (intent.answeredAt === 0) removeIntent(core.engine.store, intent);
}

/** An update that is answered with another row than it named, as a rename is: what it named may be gone. */
function doubtRenamed({ engine }: Core, ask: Ask, answered: unknown): void {
  if (!(answered instanceof Row && ask.kind.pkOf)) return;
  const before = namedRow(engine, ask);
  if (!before?.base || before === answered || before.forward === answered) return;
  const since = engine.store.timeline.tick();
  for (const node of [before, ...itemsOf(before.holders)]) engine.store.doubt(node, since);
}

/** What the mutation may have changed is stale until a read sent from now on. */
function doubt({ engine }: Core, { ask, intent, sent }: Flight): void {
  const { store } = engine;
  const since = store.timeline.tick();
  const { sourceKind } = ask;
  const view = engine.cellView(sourceKind, ask.lookUpArgs);
  attempt(() => engine.read(view)); // where a class's own code throws, readers meet that
  for (const node of [...(intent?.rows ?? []), view.stored]) {
    if (node instanceof Row) store.unknownWrites.set(node, sent);
    if (isNode(node)) store.doubt(node, since);
  }
  for (const owner of sourceKind.owners?.() ?? []) {
    for (const list of engine.tableOf(owner).lists.values()) store.doubt(list, since);
  }
}
