// The optimistic half of a mutation: an intent in the store's log whose guess is made by the endpoint, and made again
// when what it read has changed.
import type { Ask } from '../../dispatch/ask.ts';
import { guessResponse } from '../../endpoint/row-name.ts';
import { Intent } from '../../store/nodes.ts';
import { addIntent } from '../../store/overlay.ts';
import type { Node } from '../../store/view.ts';
import { toError } from '../../support/errors.ts';
import type { Core } from '../state/core.ts';
import { draftsIn, withServerIds } from './drafts.ts';
import { createSnapshot } from './snapshot-window.ts';

/** Lays the endpoint's optimistic response over the store. Throws what the endpoint's function threw the first time. */
export function makeGuess(core: Core, ask: Ask): Intent | undefined {
  const { store } = core.engine;
  const { getOptimisticResponse } = ask.endpoint;
  if (getOptimisticResponse === undefined) return undefined;
  core.touch(); // a guess that throws is no event, but may have looked something up
  let failure: Error | undefined;
  const intent: Intent = new Intent(
    store.timeline.tick(),
    () => {
      failure = run(core, ask, intent);
    },
    new Set(draftsIn(core, ask.args).map(({ row }) => row.localId ?? '')),
  );
  store.batch(() => addIntent(store, intent));
  if (failure === undefined) return intent;
  store.intents.splice(store.intents.indexOf(intent), 1);
  // what the library could not guess must not keep the request from being sent
  if (getOptimisticResponse === guessResponse) return undefined;
  throw failure;
}

function run(core: Core, ask: Ask, intent: Intent): Error | undefined {
  const { endpoint, kind } = ask;
  const args = withServerIds(core, ask.args);
  const reads = new Map<Node, unknown>();
  const snapshot = createSnapshot(core, intent.sent, reads);
  const respond = endpoint.getOptimisticResponse as (...given: readonly unknown[]) => unknown; // cast: users say what they take
  intent.reads = reads;
  intent.effects = null;
  intent.value = undefined;
  try {
    const value = respond.call(endpoint, snapshot, ...args);
    const name = `${endpoint.name}.getOptimisticResponse()`;
    intent.effects = core.engine.normalize(kind, value, {
      args,
      sent: ask.sentOf(args),
      name,
      guessOf: intent,
    });
    intent.value = value;
    return undefined;
  } catch (thrown) {
    return thrown === snapshot.abort ? undefined : toError(thrown);
  }
}
