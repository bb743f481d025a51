// Watches the mutations of one row that are under way: the observer of `usePending`.
import type { Kind } from '../../schema/protocol/protocol.ts';
import { Row } from '../../store/nodes.ts';
import type { Pending } from '../state/pending-book.ts';
import type { Core } from '../state/core.ts';

const NONE: readonly Pending[] = [];

/** Watches what is pending for a row. Its functions need no `this`. */
export interface PendingObserver {
  /** The same array as long as nothing in it changed. */
  readonly read: () => readonly Pending[];
  readonly subscribe: (onChange: () => void) => () => void;
}

/** The mutations of what the arguments name, oldest first. */
export function readPending(core: Core, kind: Kind, args: readonly unknown[]): readonly Pending[] {
  if (core.pending.size === 0) return NONE;
  const { engine } = core;
  const view = engine.cellView(kind, args);
  engine.read(view);
  if (!(view.stored instanceof Row)) return NONE;
  const { layers } = view.stored.forward ?? view.stored;
  // a mutation may lay several layers over one row
  const found = new Set((layers ?? []).map(({ intent }) => core.pending.get(intent)));
  found.delete(undefined);
  return [...(found as Set<Pending>)]; // cast: undefined was taken out
}

export function createPendingObserver(core: Core, kind: Kind, args: readonly unknown[]): PendingObserver {
  let last = NONE;
  return {
    read: () => {
      const now = readPending(core, kind, args);
      if (now.length !== last.length || now.some((one, at) => one !== last[at])) last = now;
      return last;
    },
    subscribe: core.pending.subscribe,
  };
}
