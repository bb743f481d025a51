// Runs a mutation: lays its guess over the store, waits for rows it names that the server has not named yet, sends it,
// and puts the answer in the guess's place in one batch. Its end takes its own guess away and nobody else's.
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { lookUpArgs, withPk } from '../../endpoint/row-name.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import { List, Row } from '../../store/nodes.ts';
import { removeIntent } from '../../store/overlay.ts';
import { itemsOf } from '../../store/small-set.ts';
import { writeOrigin } from '../../store/stamp.ts';
import { pruneJournals } from '../../store/server-lists.ts';
import { ResetError, toError } from '../../support/errors.ts';
import { isHttpError } from '../../support/network-errors.ts';
import { hasSchema, keyOf, kindFor, sendFlight, sentOf, sourceKind, tryRead } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { isUnnamed, whenNamed, withServerIds } from '../state/drafts.ts';
import { makeGuess } from './guess.ts';
import type { Guess } from './guess.ts';
import { dataExpiry } from '../state/lifetimes.ts';
import { namedRow } from './named-row.ts';
import { tag } from '../state/tagged-promise.ts';
import { dropUnnamed } from './unnamed.ts';

interface Mutation {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly flight: Flight;
  readonly guess: Guess | undefined;
  readonly generation: number;
  /** What makes a waiting mutation pointless, and tells it so. */
  readonly calledOff: AbortController;
}

export function startWrite(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Promise<unknown> {
  const key = keyOf(endpoint, args);
  const guess = makeGuess(core, endpoint, args);
  const flight = core.flights.start({ endpoint, args, key, slotKey: key, isRead: false });
  flight.callers += 1;
  const mutation: Mutation = {
    endpoint,
    args,
    flight,
    guess,
    generation: core.generation,
    calledOff: new AbortController(),
  };
  core.emit({ type: 'fetch', key, isRead: false });
  const answered = run(core, mutation);
  flight.promise = tag(answered);
  if (guess) core.drafts.register(guess.intent.drafts, answered);
  return flight.promise;
}

async function run(core: Core, mutation: Mutation): Promise<unknown> {
  const { endpoint, flight } = mutation;
  let sent = 0;
  try {
    // not an await when there is nothing to wait for: the request leaves in this very call
    const waiting = core.drafts.liveIn(mutation.args);
    if (waiting.length > 0) {
      setPending(core, mutation, 'waiting');
      await waitForNames(mutation, waiting);
    }
    const args = withServerIds(core.engine, mutation.args);
    setPending(core, mutation, 'sent');
    const { timeline } = core.engine.store;
    sent = timeline.open();
    let outcome: RequestOutcome;
    try {
      outcome = await sendFlight(core, flight, endpoint, args);
    } finally {
      timeline.close(sent);
    }
    if (core.generation !== mutation.generation) throw new ResetError();
    const value = core.engine.store.batch(() => succeed(core, mutation, args, outcome, sent));
    dropUnnamed(core);
    return value;
  } catch (thrown) {
    const isReset = core.generation !== mutation.generation;
    const error = isReset ? new ResetError() : toError(thrown);
    if (!isReset) core.engine.store.batch(() => fail(core, mutation, error, sent));
    throw error;
  } finally {
    core.flights.end(flight);
    pruneJournals(core.engine.store);
  }
}

function setPending(core: Core, { guess, endpoint, args }: Mutation, status: 'waiting' | 'sent'): void {
  if (guess) core.pending.set(guess.intent, { endpoint, args, status });
}

/** Waits until the server has named the rows. A delete calls off what else waits for the same row. */
async function waitForNames(
  mutation: Mutation,
  waiting: ReturnType<Core['drafts']['liveIn']>,
): Promise<void> {
  const { endpoint, calledOff, flight } = mutation;
  const giveUp = (): void => calledOff.abort();
  for (const creation of waiting) {
    if (endpoint.method === 'DELETE') for (const callOff of creation.waiting) callOff();
    creation.waiting.add(giveUp);
  }
  const request = { method: endpoint.method ?? 'POST', url: endpoint.name };
  await whenNamed(waiting, request, [calledOff.signal, flight.aborter.signal]);
}

/** Puts the answer where the guess was. Called inside a batch. */
function succeed(
  core: Core,
  mutation: Mutation,
  args: readonly unknown[],
  outcome: RequestOutcome,
  sent: number,
): unknown {
  const { endpoint, guess } = mutation;
  const { engine } = core;
  const kind = kindFor(endpoint);
  const origin = writeOrigin(sent, engine.store.timeline.tick(), dataExpiry(core, endpoint));
  // an answer without a body confirms what was intended
  const isEmpty = outcome.value === null || outcome.value === undefined;
  const value = isEmpty ? guess?.value : named(endpoint, outcome.value);
  core.flights.advance();
  core.emit({ type: 'answer', key: mutation.flight.key, isRead: false });
  if (!hasSchema(endpoint)) {
    drop(core, guess);
    return outcome.value;
  }
  if (guess && isEmpty && guess.intent.drafts.some(isUnnamed)) {
    guess.intent.answeredAt = origin.stamp.fence;
    core.pending.delete(guess.intent);
    doubt(core, mutation, sent);
    return outcome.value;
  }
  if (value === null || value === undefined) {
    doubt(core, mutation, sent);
    drop(core, guess);
    return outcome.value;
  }
  const effects = engine.normalize(kind, value, {
    args,
    sent: sentOf(endpoint, args),
    name: endpoint.name,
    ...(guess && { answerTo: guess.intent }),
  });
  drop(core, guess);
  engine.apply(effects, origin);
  if (endpoint.method === 'PATCH' || endpoint.method === 'PUT')
    doubtNamed(core, endpoint, args, effects.stored);
  const stored = engine.readStored(kind, effects.stored, args, null);
  if (stored !== INVALID && stored !== undefined) return stored;
  // deleted, by this very call or meanwhile: the value is built from the answer alone
  const source = sourceKind(endpoint);
  const own = engine.normalize(source, value, { args, name: endpoint.name });
  const detached = engine.readStored(source, own.stored, args, own);
  return detached === INVALID ? undefined : detached;
}

/** A delete without a body is answered by its parameters, which may know the row's key by another name. */
function named(endpoint: EndpointInterface, value: unknown): unknown {
  const isParams = kindFor(endpoint).removed && typeof value === 'object' && value !== null;
  return isParams && !Array.isArray(value) ? withPk(endpoint, value) : value;
}

/** Called inside a batch; `sent` is 0 for a mutation that never left. */
function fail(core: Core, mutation: Mutation, error: Error, sent: number): void {
  if (sent > 0 && !isRefusal(error)) {
    core.flights.advance();
    doubt(core, mutation, sent);
  }
  drop(core, mutation.guess);
  core.emit({ type: 'failure', key: mutation.flight.key, isRead: false, error });
}

/**
 * Whether the server said no, and nothing happened. A lost answer says nothing; nor does a 5xx, which a gateway may have
 * sent; and "not found" says that what is shown is wrong, perhaps because the request had arrived once before.
 */
function isRefusal(error: Error): boolean {
  if (!isHttpError(error)) return false;
  const { status } = error;
  return status < 500 && status !== 404 && status !== 410;
}

function drop(core: Core, guess: Guess | undefined): void {
  if (guess === undefined) return;
  core.pending.delete(guess.intent);
  removeIntent(core.engine.store, guess.intent);
}

/** An update that is answered with another row than it named, as a rename is: what it named may be gone. */
function doubtNamed(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  answered: unknown,
): void {
  const { store } = core.engine;
  if (!(answered instanceof Row && kindFor(endpoint) instanceof EntityKind)) return;
  const named = namedRow(core.engine, endpoint, args);
  if (!named?.base || named === answered) return;
  const since = store.timeline.tick();
  for (const node of [named, ...itemsOf(named.holders)]) store.doubt(node, since);
}

/** What the mutation may have changed is stale until a read sent from now on. */
function doubt(core: Core, { endpoint, args, guess }: Mutation, sent: number): void {
  const { engine } = core;
  const since = engine.store.timeline.tick();
  const kind = sourceKind(endpoint);
  const view = engine.cellView(kind, lookUpArgs(endpoint, args));
  tryRead(core, view);
  for (const node of [...(guess?.intent.rows ?? []), view.stored]) {
    if (node instanceof Row) engine.store.unknownWrites.set(node, sent);
    if (node instanceof Row || node instanceof List) engine.store.doubt(node, since);
  }
  for (const owner of kind.owners?.() ?? []) {
    for (const list of engine.tableOf(owner).lists.values()) engine.store.doubt(list, since);
  }
}
