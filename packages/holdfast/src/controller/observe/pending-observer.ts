// The observer of the pending mutations of one row, for `watchPending` and `usePending`.
import type { Flight } from '../../dispatch/flights.ts';
import { queueNameOf, rowsAmong, targetsOfArgs } from '../../dispatch/write-queues.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import { Row } from '../../store/nodes.ts';
import { isShallowEqual } from '../slot/read-slot.ts';
import type { Core, Pending } from '../state/core.ts';
import { listen } from '../state/listeners.ts';

const NO_PENDING: readonly Pending[] = [];

/**
 * Observes the pending mutations of a row. Its functions need no `this`.
 *
 * @example
 * const observer: watchPending.Observer = watchPending(new Controller(), Todo, { id: '5' });
 * const stop = observer.subscribe(() => console.log(observer.read().length));
 */
export interface PendingObserver {
  /** Returns the pending mutations in the order of their turns: the same array as long as its content is the same. */
  readonly read: () => readonly Pending[];
  readonly subscribe: (onChange: () => void) => () => void;
}

/**
 * Returns the pending mutations of the row that the arguments identify, in the order of their turns. A mutation without a `status`
 * was not passed to `sendWrite` and is left out.
 */
export function readPending(
  { engine, flights }: Core,
  kind: Kind,
  args: readonly unknown[],
): readonly Pending[] {
  if (flights.size === 0) return NO_PENDING;
  const view = engine.cellView(kind, args);
  engine.read(view);
  const row = view.stored instanceof Row ? (view.stored.replacedBy ?? view.stored) : undefined;
  const queues = new Set((row ? [row] : targetsOfArgs(engine, kind, [args])).map(queueNameOf));
  const isOfRow = ({ rowQueues, intent }: Flight): boolean =>
    rowQueues.some((queue) => queues.has(queue)) ||
    (row !== undefined && rowsAmong(intent?.appliedLayers.values() ?? []).includes(row));
  return [...flights].flatMap((flight) => {
    const { call, status } = flight;
    const { endpoint, args: sent } = call;
    return status && isOfRow(flight) ? { endpoint, args: sent, status } : [];
  });
}

export function createPendingObserver(core: Core, kind: Kind, args: readonly unknown[]): PendingObserver {
  let last = NO_PENDING;
  return {
    read: () => {
      const now = readPending(core, kind, args);
      const isSame =
        now.length === last.length && now.every((item, index) => isShallowEqual(item, last[index]));
      if (!isSame) last = now;
      return last;
    },
    subscribe: (onChange) => listen(core.pendingListeners, onChange),
  };
}
