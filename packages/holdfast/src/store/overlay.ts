// Optimistic updates as a log of intents over base. Each pending mutation applies its update as layers of rows and lists; its end
// removes these layers. When a dependency of an intent changes, this intent and all later intents are rolled back and applied
// again. An update is computed again only if something that its function read, or an argument of the mutation, has changed.
//
//   shown:  base ─▶ +intent 1 ─▶ +intent 2 ─▶ +intent 3          intent 2 fails:
//           base ─▶ +intent 1 ─▶ +intent 3                       (the others stay)
import { isEqual, mergeFields, omit } from './fields.ts';
import { itemsOf } from './graph.ts';
import type { Node } from './graph.ts';
import { Layers } from './layers.ts';
import { containsRow, withoutRepeats } from './list-members.ts';
import type { Members } from './list-members.ts';
import { affectsPlacing } from './list-index.ts';
import { IndexEntry, List, Row, Table } from './nodes.ts';
import { Slot } from './slot.ts';
import type { Intent } from './intent.ts';
import type { Fields, Layered, RowPolicy, RowState } from './nodes.ts';
import { earlier, isAfter } from './order.ts';
import { placeMembers, placeRow } from './place-rows.ts';
import type { Edit, Lists } from './place-rows.ts';
import { withLayers } from './store.ts';
import type { Store } from './store.ts';
import { rowOf } from './stored-form.ts';
import { ensure } from '../support/ensure.ts';

/** Adds a mutation that was just called, or has no layers any more, and applies its update. Call it inside a batch. */
export function addIntent(store: Store, intent: Intent): void {
  store.settle();
  store.replay = replayIntents;
  store.intents.add(intent);
  intent.computeUpdate();
  applyIntent(store, intent);
}

/** Rolls back the update of one mutation; all other updates stay. Call it inside a batch. */
export function removeIntent(store: Store, intent: Intent): void {
  if (!store.intents.delete(intent)) return;
  // A layer that only overwrites fields can be removed although later intents have layers above it. If this intent has any other
  // layer, later intents depend on it and are applied again.
  for (const [{ overwritten }, node] of intent.appliedLayers)
    if (overwritten) store.reportChange(node, intent.calledAt);
    else store.reapply(intent.calledAt);
  store.intentsInFlight.delete(intent);
  store.unidentifiedCreations.delete(intent);
  rollBack(store, [intent]);
  if (store.intents.size === 0) store.dependencies.clear();
}

/**
 * Computes the update of a pending mutation again, because its arguments have changed. Later intents are applied again only if some
 * intent depends on a node, or if another intent has a layer of the same row or list.
 */
export function recomputeIntent(store: Store, intent: Intent): void {
  store.batch(() => {
    if (store.dependencies.size) {
      // The update counts as having read a new node with a content that no node has. So this content counts as changed, and the
      // update is computed again.
      intent.seenContents.set(new IndexEntry(), intent);
    } else {
      rollBack(store, [intent]);
      addIntent(store, intent);
    }
    // fast: B3, test/property/layers
    for (const { layers } of intent.appliedLayers.values())
      if (layers!.size > 1) store.reapply(intent.calledAt); // each has the layer of the intent
    if (store.dependencies.size) store.reapply(intent.calledAt);
  });
}

/**
 * Records that a call has written these fields of the row: the pending updates whose requests were sent before that call no longer
 * change these fields. `sent` is the time at which the call was sent. Infinity stands for all pending updates, even those whose
 * requests were not sent yet; it is passed for the result of a function that was given to `set`, because the function has read all
 * pending updates. Call inside a batch.
 */
export function supersedeFields(store: Store, row: Row, names: readonly string[], sent: number): void {
  if (!store.dependencies.has(row) && !row.layers) return; // no update concerns the row
  const pending = isAfter(Infinity, sent)
    ? store.intentsInFlight
    : [...store.intents].map((intent) => [intent, 0] as const);
  for (const [intent, requestSent] of pending) {
    if (!isAfter(sent, requestSent)) return;
    // An update of an absent row has no layer but depends on the row, so it is applied when the row comes back.
    if (!intent.dependencies.has(row) && ![...intent.appliedLayers.values()].includes(row)) continue;
    const superseded = ensure(intent.supersededFields, row, () => new Set<string>());
    for (const name of names) superseded.add(name);
    store.reapply(intent.calledAt);
  }
}

/**
 * Applies again the intents whose dependencies have changed, and all later intents. The store calls this before anything is read.
 */
function replayIntents(store: Store, changes: Store['dependencyChanges']): void {
  let from = Infinity;
  for (const { node, afterCall } of changes) {
    if (!node) from = earlier(from, afterCall);
    else
      for (const { calledAt, dependencies } of store.intents) {
        if (!isAfter(calledAt, afterCall) || !dependencies.has(node)) continue;
        if (!(node instanceof Row && isEqual(withLayers(node, calledAt), dependencies.get(node))))
          from = earlier(from, calledAt);
        break; // later intents depend on what this one shows
      }
  }
  const replayed = [...store.intents].filter(({ calledAt }) => !isAfter(from, calledAt));
  rollBack(store, replayed);
  for (const intent of replayed) {
    const hasChanged = [...intent.seenContents].some(([node, seen]) => !isEqual(contentOf(node), seen));
    if (hasChanged) intent.computeUpdate();
    applyIntent(store, intent);
  }
}

/** The content of the node, to be compared with its content at a later time. */
export function contentOf(node: Node): unknown {
  if (node instanceof Row) return node.shown;
  if (node instanceof List) return node.exists || node.layers ? node.shown : undefined;
  if (node instanceof Slot) return [node.stored, node.error, node.invalidatedAt];
  if (node instanceof Table) return [...node.rows.values()].filter((row) => row.shown);
  return node instanceof IndexEntry ? [...node.rows] : node;
}

// ── applying and rolling back ────────────────────────────────────────────────────────────────────

function applyIntent(store: Store, intent: Intent): void {
  const overlay = new Overlay(store, intent);
  for (const [node, seen] of intent.seenContents) overlay.dependOn(node, seen);
  const { effects } = intent;
  if (!effects) return; // cancelled, or its function threw
  const { rows, fields, policies, removed } = effects;
  for (const [at, row] of rows.entries()) overlay.applyRow(row, fields[at]!, policies?.get(at)); // parallel arrays
  for (const row of removed) overlay.applyRow(row, null);
  for (const { list, members } of effects.lists) overlay.edit(list, () => withoutRepeats(members));
  for (const placement of effects.placements) {
    for (const member of placement.members) {
      const row = rowOf(member);
      if (row) overlay.dependOn(row, row.shown);
    }
    placeMembers(overlay, placement);
  }
}

/** Applies one intent. Each change of a row or a list becomes a layer over the state below. */
class Overlay implements Lists {
  readonly sent: number = Infinity;
  readonly store: Store;
  readonly intent: Intent;

  constructor(store: Store, intent: Intent) {
    this.store = store;
    this.intent = intent;
  }

  /** Records that the layers of the intent depend on the node, and the content that the intent saw. */
  dependOn(node: Node, seen: unknown): void {
    const { dependencies } = this.intent;
    if (!dependencies.has(node)) dependencies.set(node, seen);
    this.store.dependencies.add(node);
  }

  applyRow(row: Row, fields: Fields | null, policy?: RowPolicy): void {
    const { isPartial, drafts, supersededFields } = this.intent;
    const { table, localId, shown: before } = row;
    // Only a creation can bring back a row that was deleted below this update, or a draft whose creation has ended. A PATCH of a
    // row that was never loaded is not shown, because all its other fields would be defaults.
    const isGone = !before && (before === null || localId || isPartial);
    const names = supersededFields.get(row);
    const remaining = fields && names ? omit(fields, names) : fields;
    const overwritesOnly = remaining && !policy && before && !affectsPlacing(table, remaining);
    // Unless the change only overwrites fields, its effect depends on the row below. For example, the change is applied when an
    // absent row comes back.
    if (!overwritesOnly) this.dependOn(row, before);
    if (fields && isGone && (isPartial || !drafts.includes(row))) return;
    table.beforeRowWrite?.(this, row);
    const edit = (below: RowState): RowState =>
      !remaining || !below
        ? remaining
        : policy
          ? policy.overlay(below, remaining)
          : mergeFields(below, remaining);
    this.#apply(row, edit, overwritesOnly ? remaining : null);
    // A changed field moves the row between lists at once, as the response will do.
    if (before && row.shown) placeRow(this, row, { before, after: row.shown });
  }

  #apply<T>(node: (Row | List) & Layered<T>, edit: (below: T) => T, overwritten: Fields | null): void {
    const { calledAt, appliedLayers } = this.intent;
    const layer = { calledAt, edit, overwritten };
    appliedLayers.set(layer, node);
    ((node as Layered<T>).layers ??= new Layers<T>()).add(layer); // widens the type of the node's own layers
    this.store.show(node, edit(node.shown));
  }

  /**
   * The lists that may hold the row. Every list with a layer is included, because a row that a pending mutation created is only in
   * the layers of lists, not in their base.
   */
  of(row: Row): ReadonlySet<List> {
    return new Set([...itemsOf(row.listsInBase), ...this.store.layeredLists]);
  }

  has(list: List, row: Row, among: Members = list.shown): boolean {
    return containsRow(among, row);
  }

  /** An optimistic update is not a fact from the server, so it marks no list stale. */
  markStale(): void {}

  edit(list: List, edit: Edit): void {
    const { unidentifiedCreations, layeredLists } = this.store;
    // The server did not identify the created row in its response, and the list was requested after that response: the list itself
    // now shows the row, so the update does not change the list.
    const respondedAt = unidentifiedCreations.get(this.intent) ?? Infinity;
    if (list.segments.some(({ stamp }) => isAfter(stamp.fence, respondedAt))) return;
    layeredLists.add(list);
    this.#apply(list, (all) => edit(all, { isFirst: true, isLast: true, all }), null);
  }
}

/** Removes the layers of these intents. */
function rollBack(store: Store, intents: readonly Intent[]): void {
  const nodes = new Set<Row | List>();
  for (const intent of intents) {
    for (const [layer, node] of intent.appliedLayers) {
      store.rememberShown(node);
      const layers: Set<unknown> | null = node.layers;
      layers?.delete(layer);
      nodes.add(node);
    }
    intent.appliedLayers.clear();
    intent.dependencies.clear();
  }
  for (const node of nodes) {
    if (node.layers?.size === 0) node.layers = null;
    if (node instanceof List && !node.layers) store.layeredLists.delete(node);
    store.show(node);
  }
}
