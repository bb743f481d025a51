// Removes nodes from the store for good: from every map that contains them, and from the graph, so that neither a view nor a list
// keeps them in memory. Called by normalize/collect.ts, which knows that nothing uses them.
import { itemsOf, unlink, viewsOver, withoutItem } from './graph.ts';
import type { Node } from './graph.ts';
import { indexList } from './list-index.ts';
import type { List, Row, Table } from './nodes.ts';
import type { Slot } from './slot.ts';
import type { Store } from './store.ts';
import { rowOf } from './stored-form.ts';

export function forgetSlot(store: Store, slot: Slot): void {
  store.slots.delete(slot.key);
  unlinkViews(slot);
}

export function forgetList(list: List): void {
  list.table.lists.delete(list.identity.id);
  list.table.alwaysChecked.delete(list);
  if (list.exists) indexList(list, withoutItem);
  for (const member of list.base) {
    const row = rowOf(member);
    if (row) row.listsInBase = withoutItem(row.listsInBase, list);
  }
  unlinkViews(list);
}

/** Call inside a batch, because the views of the table and of its indexes are marked. */
export function forgetRow(store: Store, row: Row): void {
  // A saved state may later bring the row as it was before its last write: `listsStaleAt` of the table then makes the row stale.
  row.table.listsStaleAt ||= row.stamp.writeSent;
  row.base = undefined;
  store.show(row);
  row.table.rows.delete(row.pk);
  unlinkViews(row);
}

/** Removes local ids whose rows are gone, and index values that no row has and no view reads. */
export function forgetUnusedKeys(table: Table, isGone: (row: Row) => boolean): void {
  for (const [localId, row] of table.rowsByLocalId) if (isGone(row)) table.rowsByLocalId.delete(localId);
  for (const byValue of table.indexes.values()) {
    for (const [value, { rows, dependents }] of byValue)
      if (rows.size + itemsOf(dependents).length === 0) byValue.delete(value);
  }
}

function unlinkViews(node: Node): void {
  for (const view of viewsOver(node)) unlink(view);
  node.dependents = null;
}
