// The optimistic half of a mutation: an intent in the store's log whose guess is made by the endpoint, and made again
// when what it read has changed.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { guessResponse } from '../../endpoint/optimistic-response.ts';
import { Intent } from '../../store/nodes.ts';
import type { Node } from '../../store/view.ts';
import { addIntent } from '../../store/overlay.ts';
import { toError } from '../../support/errors.ts';
import { kindFor, sentOf } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { withServerIds } from '../state/drafts.ts';
import { createSnapshot } from './snapshot-window.ts';

/** A mutation's guess; `value` is what it guessed last, undefined when it was called off. */
export interface Guess {
  readonly intent: Intent;
  value: unknown;
}

/** Lays the endpoint's optimistic response over the store. Throws what the endpoint's function threw the first time. */
export function makeGuess(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Guess | undefined {
  if (endpoint.getOptimisticResponse === undefined) return undefined;
  const { engine } = core;
  core.touch(); // a guess that throws is no event, but may have looked something up
  const sent = engine.store.timeline.tick();
  let failure: Error | undefined;
  const guess: Guess = {
    value: undefined,
    intent: new Intent(
      sent,
      () => {
        failure = run(core, endpoint, withServerIds(core.engine, args), guess, sent);
      },
      new Set(core.drafts.liveIn(args).map(({ row }) => row.localId ?? '')),
    ),
  };
  engine.store.batch(() => addIntent(engine.store, guess.intent));
  if (failure !== undefined) {
    core.engine.store.intents.splice(core.engine.store.intents.indexOf(guess.intent), 1);
    // what the library could not guess must not keep the request from being sent
    if (endpoint.getOptimisticResponse === guessResponse) return undefined;
    throw failure;
  }
  return guess;
}

function run(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  guess: Guess,
  sent: number,
): Error | undefined {
  const { intent } = guess;
  const reads = new Map<Node, unknown>();
  const snapshot = createSnapshot(core, sent, reads);
  intent.effects = null;
  guess.value = undefined;
  try {
    const respond = endpoint.getOptimisticResponse as (...given: readonly unknown[]) => unknown; // cast: users say what they take
    guess.value = respond.call(endpoint, snapshot, ...args);
    intent.effects = core.engine.normalize(kindFor(endpoint), guess.value, {
      args,
      sent: sentOf(endpoint, args),
      name: `${endpoint.name}.getOptimisticResponse()`,
      guessOf: intent,
    });
    return undefined;
  } catch (thrown) {
    guess.value = undefined;
    return thrown === snapshot.abort ? undefined : toError(thrown);
  } finally {
    intent.reads = reads;
  }
}
