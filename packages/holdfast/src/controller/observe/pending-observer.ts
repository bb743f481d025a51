// Watches the mutations of one row that are under way: the observer of `usePending`.
import type { Kind } from '../../schema/protocol/protocol.ts';
import { hasSameItems } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Core, Pending } from '../state/core.ts';
import { listen } from '../state/listeners.ts';

const NONE: readonly Pending[] = [];

/** Watches what is pending for a row. Its functions need no `this`. */
export interface PendingObserver {
  /** The same array as long as nothing in it changed. */
  readonly read: () => readonly Pending[];
  readonly subscribe: (onChange: () => void) => () => void;
}

/** The mutations of what the arguments name, oldest first. */
export function readPending({ engine }: Core, kind: Kind, args: readonly unknown[]): readonly Pending[] {
  if (engine.store.intents.length === 0) return NONE;
  const view = engine.cellView(kind, args);
  engine.read(view);
  if (!(view.stored instanceof Row)) return NONE;
  const { layers } = view.stored.forward ?? view.stored;
  // a mutation may lay several layers over one row
  const intents = new Set(layers?.map(({ intent }) => intent));
  return [...intents].flatMap(({ pending }) => (pending as Pending | undefined) ?? []); // cast: set by send-flight.ts alone
}

export function createPendingObserver(core: Core, kind: Kind, args: readonly unknown[]): PendingObserver {
  let last = NONE;
  return {
    read: () => {
      const now = readPending(core, kind, args);
      if (!hasSameItems(now, last)) last = now;
      return last;
    },
    subscribe: (onChange) => listen(core.pendingListeners, onChange),
  };
}
