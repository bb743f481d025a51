// Takes things out of the store for good: out of every book that names them, and out of the graph, so that neither a
// view nor a list keeps them alive. Called by the collector, which knows that nobody uses them.
import { unlink } from './graph.ts';
import { unindexList } from './list-index.ts';
import type { List, Row, Slot, Table } from './nodes.ts';
import type { Node, View } from './view.ts';
import { rowOf } from './reference.ts';
import { itemsOf, withoutItem } from './small-set.ts';
import type { Store } from './store.ts';

export function forgetSlot(store: Store, slot: Slot): void {
  store.slots.delete(slot.key);
  unlinkDependents(slot);
}

export function forgetList(list: List): void {
  list.table.lists.delete(list.identity.id);
  if (list.exists) unindexList(list);
  for (const member of list.base) {
    const row = rowOf(member);
    if (row !== undefined) row.holders = withoutItem(row.holders, list);
  }
  unlinkDependents(list);
}

/** Call inside a batch: indexes and "all rows" views hear of it. */
export function forgetRow(store: Store, row: Row): void {
  row.base = undefined;
  store.show(row);
  row.table.rows.delete(row.pk);
  unlinkDependents(row);
}

/** Local ids whose rows are gone, and index values that no row has and nobody asks for. */
export function forgetNames(table: Table, isGone: (row: Row) => boolean): void {
  for (const [localId, row] of table.aliases) if (isGone(row)) table.aliases.delete(localId);
  for (const byValue of table.indexes.values()) {
    for (const [value, entry] of byValue) {
      if (entry.rows.size === 0 && itemsOf(entry.dependents).length === 0) byValue.delete(value);
    }
  }
}

/** Every view that was built over the node, and over those views, leaves the graph: what it read forgets it. */
function unlinkDependents(node: Node): void {
  const stack: View[] = [...itemsOf(node.dependents)];
  for (let view = stack.pop(); view !== undefined; view = stack.pop()) {
    stack.push(...itemsOf(view.dependents));
    unlink(view);
  }
  node.dependents = null;
}
