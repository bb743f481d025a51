// Passes the events of a controller's mutations to the edits, transactions and histories that listen. An application without edits,
// transactions and histories has no listener.
import { extend } from '../../dispatch/extension.ts';
import type { WriteEvent } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Core } from '../../controller/state/core.ts';
import { ensure } from '../../support/ensure.ts';

export type OnWrite = (flight: Flight, event: WriteEvent, error: Error | undefined) => void;

// The keys are weak: an entry is collected together with its controller.
const listenersByCore = new WeakMap<Core, Set<OnWrite>>();

/** Calls `onWrite` for each event of a mutation. Returns a function that stops the calls. */
export function listenToWrites(core: Core, onWrite: OnWrite): () => void {
  const listeners = ensure(listenersByCore, core, () => {
    const made = new Set<OnWrite>();
    core.extension = extend(core.extension, {
      onWrite(flight, event, error) {
        for (const listener of made) listener(flight, event, error);
      },
    });
    return made;
  });
  listeners.add(onWrite);
  return () => void listeners.delete(onWrite);
}
