// Helpers of arranged.ts and total.ts. They find the items with and without pending optimistic updates, and mark a list stale from
// inside a read.
import { isEqual } from '../../store/fields.ts';
import { itemsOf, viewsOver } from '../../store/graph.ts';
import { isAfter } from '../../store/order.ts';
import { Row } from '../../store/nodes.ts';
import type { List } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';
import type { Host } from '../protocol/protocol.ts';

/**
 * The row's item, built from base instead of the shown fields of the rows that pending optimistic updates change. Undefined when no
 * view of the row has this item.
 */
export function withoutOptimistic(row: Row, item: unknown, engine: Host): unknown {
  const view = itemsOf(row.dependents).find(({ value }) => value === item);
  const optimistic = [...engine.store.intents].flatMap(({ appliedLayers }) => [...appliedLayers.values()]);
  const states = new Map(
    optimistic.flatMap((node) => (node instanceof Row && node.base ? [[node, node.base]] : [])),
  );
  return view && engine.readWithoutMemo(view, new Map(), states).value;
}

/** Marks a list stale after the current read, because a read must not change the store. */
export function markStaleAfterRead(store: Store, list: List): void {
  if (!isAfter(store.timeline.last, list.staleSince)) return;
  store.staleAfterRead.push(list);
  // The end of a batch marks the list and notifies the readers. Perhaps no batch is running, so an empty one is run.
  queueMicrotask(() => store.batch(() => undefined));
}

/** The values of all views over the rows and lists that pending optimistic updates change. */
export function optimisticValues({ intents }: Store): ReadonlySet<unknown> {
  const nodes = new Set([...intents].flatMap(({ appliedLayers }) => [...appliedLayers.values()]));
  const changed = [...nodes].filter(({ base, shown }) => !isEqual(base, shown));
  return new Set(changed.flatMap((node) => [...viewsOver(node)].map(({ value }) => value)));
}
