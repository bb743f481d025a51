// Optimism as a log of intents replayed over server truth. Each pending mutation lays its guess over rows and
// lists; its end takes away that one entry. When the ground below an intent moves, the intents from there on are
// taken off and laid again, and a guess is made again only if something its function read has changed.
//
//   shown:  base ─▶ +intent 1 ─▶ +intent 2 ─▶ +intent 3          intent 2 fails:
//           base ─▶ +intent 1 ─▶ +intent 3                       (nothing else is rolled back)
import type { Effects } from './effects.ts';
import { isEqual, mergeFields, omit } from './fields.ts';
import { itemsOf } from './graph.ts';
import type { Node } from './graph.ts';
import { Layers } from './layers.ts';
import { holds, withoutRepeats } from './list-members.ts';
import type { Members } from './list-members.ts';
import { isPlacedBy } from './membership.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Intent } from './intent.ts';
import type { Fields, Layered, RowPolicy, RowState } from './nodes.ts';
import { placeMembers, placeRow } from './place-rows.ts';
import type { Edit, Lists } from './place-rows.ts';
import { fold } from './store.ts';
import type { Store } from './store.ts';
import { rowOf } from './stored-form.ts';
import { ensure } from '../support/ensure.ts';

/** Adds a mutation that was just called. Call inside a batch. */
export function addIntent(store: Store, intent: Intent): void {
  store.settle();
  store.replay = replayIntents;
  store.intents.add(intent);
  intent.run();
  applyIntent(store, intent);
}

/** Takes one mutation's guess away, by identity; the others stay. Call inside a batch. */
export function removeIntent(store: Store, intent: Intent): void {
  if (!store.intents.delete(intent)) return;
  // what is stated may be taken from below later intents; anything else is a matter of order
  for (const [{ stated }, node] of intent.applied)
    if (stated) store.changeDependency(node, intent.sent);
    else store.reapply(intent.sent);
  store.inFlight.delete(intent);
  store.unnamed.delete(intent);
  rollBack(store, [intent]);
  if (store.intents.size === 0) store.dependencies.clear();
}

/**
 * A call sent later than some pending ones of the same row was answered, or a value was made in the knowledge of them (`sent` is
 * Infinity): their guesses do not cover the fields that it says. Call inside a batch.
 */
export function uncover(store: Store, row: Row, names: readonly string[], sent: number): void {
  if (!store.dependencies.has(row) && !row.layers) return; // no guess is about it
  const pending = sent < Infinity ? store.inFlight : [...store.intents].map((intent) => [intent, 0] as const);
  for (const [intent, requestSent] of pending) {
    if (requestSent >= sent) return;
    // a guess about a row that is gone lies nowhere, and shows when the row comes back
    if (!intent.dependencies.has(row) && ![...intent.applied.values()].includes(row)) continue;
    const covered = ensure(intent.covered, row, () => new Set<string>());
    for (const name of names) covered.add(name);
    store.reapply(intent.sent);
  }
}

/** Lays the intents again whose ground is not as they saw it, and those behind them. Called by the store before anything is read. */
function replayIntents(store: Store, moved: Store['moved']): void {
  let from = Infinity;
  for (const { node, afterCall } of moved) {
    if (!node) from = Math.min(from, afterCall);
    else
      for (const { sent, dependencies } of store.intents) {
        if (sent <= afterCall || !dependencies.has(node)) continue;
        if (!(node instanceof Row && isEqual(fold(node, sent), dependencies.get(node))))
          from = Math.min(from, sent);
        break; // what later ones stand on lies above this one
      }
  }
  const again = [...store.intents].filter(({ sent }) => sent >= from);
  rollBack(store, again);
  for (const intent of again) {
    const isOther = [...intent.reads].some(([node, seen]) => !isEqual(contentOf(node), seen));
    if (isOther) intent.run();
    applyIntent(store, intent);
  }
}

/** What a read of this node sees, to be compared with what it sees later. */
export function contentOf(node: Node): unknown {
  if (node instanceof Row) return node.shown;
  if (node instanceof List) return node.exists || node.layers ? node.shown : undefined;
  if (node instanceof Slot) return [node.stored, node.error, node.invalidatedAt];
  if (node instanceof Table) return [...node.rows.values()].filter((row) => row.shown);
  return node instanceof IndexEntry ? [...node.rows] : node;
}

// ── laying and lifting ───────────────────────────────────────────────────────────────────────────

function applyIntent(store: Store, intent: Intent): void {
  const overlay = new Overlay(store, intent);
  for (const [node, seen] of intent.reads) overlay.dependOn(node, seen);
  const effects = intent.effects as Effects | null; // cast: nodes.ts cannot name them
  if (!effects) return; // the guess was called off
  const { rows, fields, policies, removed } = effects;
  for (const [at, row] of rows.entries()) overlay.applyRow(row, fields[at]!, policies?.get(at)); // grow together
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

/** One intent while it is laid. Of lists, each edit is a layer over what is below. */
class Overlay implements Lists {
  readonly sent: number = Infinity;
  readonly store: Store;
  readonly intent: Intent;

  constructor(store: Store, intent: Intent) {
    this.store = store;
    this.intent = intent;
  }

  /** What the intent does depends on what it sees of the node. */
  dependOn(node: Node, seen: unknown): void {
    const { dependencies } = this.intent;
    if (!dependencies.has(node)) dependencies.set(node, seen);
    this.store.dependencies.add(node);
  }

  applyRow(row: Row, fields: Fields | null, policy?: RowPolicy): void {
    const { isPartial, drafts, covered } = this.intent;
    const { table, localId, shown: before } = row;
    // a change cannot bring back what is deleted below it, nor a draft whose creation has ended: only a creation can
    // and of a row that was never loaded a change alone would show defaults
    const isGone = !before && (before === null || localId || isPartial);
    const names = covered.get(row);
    const remaining = fields && names ? omit(fields, names) : fields;
    const isStated = remaining && !policy && before && !isPlacedBy(table, remaining);
    // should a row that is gone come back, the change shows
    if (!isStated) this.dependOn(row, before);
    if (fields && isGone && (isPartial || !drafts.includes(row))) return;
    table.onRow?.(this, row);
    const edit = (below: RowState): RowState =>
      !remaining || !below
        ? remaining
        : policy
          ? policy.overlay(below, remaining)
          : mergeFields(below, remaining);
    this.#apply(row, edit, isStated ? remaining : null);
    // a changed field moves the row between lists at once, as the answer will
    if (before && row.shown) placeRow(this, row, row.shown, { before });
  }

  #apply<T>(node: (Row | List) & Layered<T>, edit: (below: T) => T, stated: Fields | null): void {
    const { sent, applied } = this.intent;
    const layer = { sent, edit, stated };
    applied.set(layer, node);
    (node.layers ??= new Layers() as never).add(layer); // cast: of the same node
    this.store.show(node, edit(node.shown));
  }

  /** A row that a pending intent has created stands in lists by layers alone. */
  of(row: Row): ReadonlySet<List> {
    return new Set([...itemsOf(row.holders), ...this.store.layeredLists]);
  }

  has(list: List, row: Row, among: Members = list.shown): boolean {
    return holds(among, row);
  }

  /** A guess proves nothing: no list is read again for it. */
  markStale(): void {}

  edit(list: List, edit: Edit): void {
    const { unnamed, layeredLists } = this.store;
    // asked for again since the intent was answered without a name: the list knows better
    const respondedAt = unnamed.get(this.intent) ?? Infinity;
    if (list.segments.some(({ stamp }) => stamp.fence > respondedAt)) return;
    layeredLists.add(list);
    this.#apply(list, (all) => edit(all, { isFirst: true, isLast: true, all }), null);
  }
}

/** Takes the layers of these intents off. */
function rollBack(store: Store, intents: readonly Intent[]): void {
  const nodes = new Set<Row | List>();
  for (const intent of intents) {
    for (const [layer, node] of intent.applied) {
      store.remember(node);
      node.layers?.delete(layer as never); // cast: it was put there
      nodes.add(node);
    }
    intent.applied.clear();
    intent.dependencies.clear();
  }
  for (const node of nodes) {
    if (node.layers?.size === 0) node.layers = null;
    if (node instanceof List && !node.layers) store.layeredLists.delete(node);
    store.show(node);
  }
}
