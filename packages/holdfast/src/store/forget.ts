// Takes things out of the store for good: out of every book that names them, and out of the graph, so that neither a
// view nor a list keeps them alive. Called by the collector, which knows that nothing uses them.
import { itemsOf, unlink, viewsOver, withoutItem } from './graph.ts';
import type { Node } from './graph.ts';
import { indexList } from './membership.ts';
import type { List, Row, Slot, Table } from './nodes.ts';
import type { Store } from './store.ts';
import { rowOf } from './stored-form.ts';

export function forgetSlot(store: Store, slot: Slot): void {
  store.slots.delete(slot.key);
  unlinkViews(slot);
}

export function forgetList(list: List): void {
  list.table.lists.delete(list.identity.id);
  list.table.open.delete(list);
  if (list.exists) indexList(list, withoutItem);
  for (const member of list.base) {
    const row = rowOf(member);
    if (row) row.holders = withoutItem(row.holders, list);
  }
  unlinkViews(list);
}

/** Call inside a batch: indexes and "all rows" views hear of it. */
export function forgetRow(store: Store, row: Row): void {
  // a saved state may bring the row as it was before the write
  row.table.staleAt ||= row.stamp.writeSent;
  row.base = undefined;
  store.show(row);
  row.table.rows.delete(row.pk);
  unlinkViews(row);
}

/** Local ids whose rows are gone, and index values that no row has and no view asks for. */
export function forgetNames(table: Table, isGone: (row: Row) => boolean): void {
  for (const [localId, row] of table.aliases) if (isGone(row)) table.aliases.delete(localId);
  for (const byValue of table.indexes.values()) {
    for (const [value, { rows, dependents }] of byValue)
      if (rows.size + itemsOf(dependents).length === 0) byValue.delete(value);
  }
}

function unlinkViews(node: Node): void {
  for (const view of viewsOver(node)) unlink(view);
  node.dependents = null;
}
