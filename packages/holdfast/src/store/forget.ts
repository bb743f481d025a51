// Removes nodes from the store for good: from every map that contains them, and from the graph, so that neither a view nor a list
// keeps them in memory. normalize/collect.ts calls these functions for nodes that are not in use.
import { unlink, View, viewsOver, removeItem } from './graph.ts';
import type { Node } from './graph.ts';
import { indexList } from './list-index.ts';
import { List, Row } from './nodes.ts';
import type { Table } from './nodes.ts';
import { Slot } from './slot.ts';
import type { Store } from './store.ts';
import { rowOf } from './stored-form.ts';

/** Removes one node. Call it inside a batch, because a forgotten row marks the views of its table and of the indexes. */
export function forgetNode(store: Store, node: Node): void {
  if (node instanceof View) return unlink(node);
  if (node instanceof Slot) store.slots.delete(node.key);
  else if (node instanceof List) forgetList(node);
  else if (node instanceof Row) forgetRow(store, node);
  store.staleNodes.delete(node);
  for (const view of viewsOver(node)) unlink(view);
  node.dependents = null;
}

function forgetList(list: List): void {
  const { table, identity } = list;
  table.lists.delete(identity.id);
  table.alwaysChecked.delete(list);
  if (list.exists) indexList(list, removeItem);
  for (const member of list.base) {
    const row = rowOf(member);
    if (row) row.listsInBase = removeItem(row.listsInBase, list);
  }
}

function forgetRow(store: Store, row: Row): void {
  const { table } = row;
  // A saved state may later bring the row with the fields that it had before its last write. `listsStaleAt` of the table then makes
  // the row stale.
  table.listsStaleAt ||= row.stamp.writeSent;
  row.base = undefined;
  store.show(row);
  table.rows.delete(row.pk);
}

/** Removes local ids whose rows are removed, and index values that no row has and no view reads. */
export function forgetUnusedKeys(table: Table, isGone: (row: Row) => boolean): void {
  for (const [localId, row] of table.rowsByLocalId) if (isGone(row)) table.rowsByLocalId.delete(localId);
  for (const byValue of table.indexes.values()) {
    for (const [value, { rows, dependents }] of byValue) if (!rows.size && !dependents) byValue.delete(value);
  }
}
