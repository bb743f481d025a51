// What only guesses show: a declared order judges answers without it. And what a read finds to be in doubt.
import { isEqual } from '../../store/fields.ts';
import { itemsOf, viewsOver } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { List } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';
import type { Host } from '../protocol/protocol.ts';

/** The item that a row has without pending guesses. */
export function withoutOptimistic(row: Row, item: unknown, engine: Host): unknown {
  const view = itemsOf(row.dependents).find(({ value }) => value === item);
  const optimistic = [...engine.store.intents].flatMap(({ applied }) => [...applied.values()]);
  const states = new Map(
    optimistic.flatMap((node) => (node instanceof Row && node.base ? [[node, node.base]] : [])),
  );
  return view && engine.readWithoutMemo(view, new Map(), states);
}

/** A read changes nothing: a list that it finds to be in doubt is doubted when the read is over. */
export function markStaleAfterRead(store: Store, list: List): void {
  if (list.staleSince >= store.timeline.last) return;
  store.found.push(list);
  // a read outside of a batch tells nobody
  queueMicrotask(() => store.batch(() => undefined));
}

/** The values of all views that pending guesses change. */
export function optimisticRowsIn({ intents }: Store): ReadonlySet<unknown> {
  const nodes = new Set([...intents].flatMap(({ applied }) => [...applied.values()]));
  const changed = [...nodes].filter(({ base, shown }) => !isEqual(base, shown));
  return new Set(changed.flatMap((node) => [...viewsOver(node)].map(({ value }) => value)));
}
