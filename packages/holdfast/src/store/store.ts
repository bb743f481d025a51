// The store: tables of rows, lists, results, and the batch in which they change. Knows no schemas and no network.
// Writes go through apply-effects.ts (server truth) and overlay.ts (pending intents); this file finds and makes nodes,
// tells views of changes, and wakes subscribers once per batch, after it, and only if their value changed.
import { ensure } from '../support/ensure.ts';
import { slotsOver } from './slots-over.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Fields, Layered, ListIdentity, RowState } from './nodes.ts';
import { hasItem, itemsOf, markDependents, withItem } from './graph.ts';
import type { Node, Subscriber, View } from './graph.ts';
import { callSafely } from '../support/call-safely.ts';
import { indexList, argumentText } from './membership.ts';
import { fieldOf, isEqual, mergeFields } from './fields.ts';
import { unionParts } from './union-name.ts';
import type { Intent } from './intent.ts';
import type { Timeline } from './stamp.ts';

/** What `expireAll` and `invalidateAll` do to stored answers: expired answers are shown until they are read again, invalidated ones are not. */
export type Ageing = 'invalidate' | 'expire';

export class Store {
  readonly timeline: Timeline;
  readonly tables = new Map<string, Table>();
  /** The rows and lists in doubt. */
  readonly staleNodes: Set<Node> = new Set();
  /** Rows that are not here and were written: kept for the requests in flight that were sent before, the oldest first. */
  readonly absent: Set<Row> = new Set();
  /** When it last came into doubt which rows a table has. */
  tablesStaleAt = 0;
  readonly slots = new Map<string, Slot>();
  /** Which answers were called old, by the pattern of their keys or by what tests the keys; '' for all. A saved state may bring some later. */
  readonly aged: Map<string | object, Ageing> = new Map();
  /** Pending intents in the order of their calls. */
  readonly intents: Set<Intent> = new Set();
  /** Those whose request is under way, by when it was sent, in that order. */
  readonly inFlight: Map<Intent, number> = new Map();
  /** Those that were answered without a name for what they made, and when: they stay on screen for a while. */
  readonly unnamed: Map<Intent, number> = new Map();
  readonly layeredLists: Set<List> = new Set();
  /**
   * What has changed below the intents of the calls after `afterCall`: before anything is read, they are laid again where it is not
   * as they saw it. Without a node, they are laid again in any case.
   */
  moved: { readonly node: Node | null; readonly afterCall: number }[] = [];
  /** Lays them again. Put here with the first intent: an application without any does not ship the overlay. */
  replay: ((store: Store, moved: Store['moved']) => void) | null = null;
  /** Lists of which a read found that nobody here can tell their order or their count: in doubt as soon as the read is over. */
  found: List[] = [];
  /** What pending intents stand on, and those that were pending together with them. */
  readonly dependencies: Set<Node> = new Set();
  /** While a collection runs: what was looked up since it began, and so is in use. */
  touched: Set<Node> | null = null;
  readonly #wake = new Set<View>();
  /** What layered nodes showed when the batch began: they are compared once, at its end. */
  readonly #before = new Map<Row | List, unknown>();
  #depth = 0;
  #isWaking = false;
  readonly #read: (view: View) => unknown;

  constructor(timeline: Timeline, read: (view: View) => unknown) {
    this.timeline = timeline;
    this.#read = read;
  }

  // ── nodes ────────────────────────────────────────────────────────────────────────────────────

  table(key: string): Table {
    return ensure(this.tables, key, () => {
      const made = new Table(key);
      for (const part of unionParts(key)) {
        const table = this.table(part);
        table.unions.add(made);
        made.parts.add(table);
      }
      return made;
    });
  }

  /** The row of a primary key or a local id, made absent when there is none: readers may wait on it. */
  row(table: Table, pk: string): Row {
    let row = table.rows.get(pk) ?? table.aliases.get(pk);
    if (!row) table.rows.set(pk, (row = new Row(table, pk)));
    return this.#touch(row);
  }

  list(table: Table, identity: ListIdentity): List {
    for (const name of identity.filterNames) table.placing.add(name);
    return this.#touch(ensure(table.lists, identity.id, () => new List(table, identity)));
  }

  slot(key: string): Slot {
    return this.#touch(ensure(this.slots, key, () => new Slot(key)));
  }

  #touch<T extends Node>(node: T): T {
    this.touched?.add(node);
    return node;
  }

  /** The rows with this value in an indexed field; the index is made on first use and kept from then on. */
  indexEntry(table: Table, field: string, value: unknown): IndexEntry {
    const byValue = ensure(table.indexes, field, () => {
      const made = new Map<unknown, IndexEntry>();
      for (const row of table.rows.values()) this.#indexRow(made, row, undefined, fieldOf(row.shown, field));
      table.placing.add(field);
      this.reapply(0);
      return made;
    });
    return ensure(byValue, argumentText(value), () => new IndexEntry());
  }

  /** A list that now exists takes part in filters. */
  establish(list: List): void {
    if (list.identity.key && (list.isByServer || list.serverOrder)) list.table.open.add(list);
    if (list.exists) return;
    list.exists = true;
    indexList(list, withItem);
    markDependents(list, this.#wake);
    // pending creations and moves may belong into it
    this.reapply(0);
  }

  // ── change ───────────────────────────────────────────────────────────────────────────────────

  /** Shows base under the layers: the node's views, and those of its table and the indexes, hear of a change. */
  show(node: Row | List, state: unknown = fold<unknown>(node)): void {
    // what is layered is compared once, at the end of the batch
    if (node.layers) this.remember(node);
    const before = node.shown;
    if (node instanceof Row) this.#showRow(node, state as RowState); // cast: made of its base
    else node.shown = state as List['shown']; // cast: as above
    if (before === node.shown || this.#before.has(node)) return;
    this.#announce(node, before);
  }

  #showRow(row: Row, state: RowState): void {
    const { table, shown: before } = row;
    row.shown = state;
    if (!before !== !state) table.present = null;
    // at once, layered or not: a guess that is made again looks rows up through the indexes
    for (const [field, byValue] of table.indexes)
      this.#indexRow(byValue, row, fieldOf(before, field), fieldOf(state, field));
    // a reader that asked early made the row: it takes its place among the others when it comes
    if (!before && state && row.dependents && table.rows.delete(row.pk)) table.rows.set(row.pk, row);
  }

  /** A node that is about to be layered, or to lose its layers: what it shows now is what its readers know. */
  remember(node: Row | List): void {
    if (!this.#before.has(node)) this.#before.set(node, node.shown);
  }

  /** What the node holds may no longer be so: stale until a read sent later than this. */
  markStale(node: Row | List, since: number): void {
    this.staleNodes.add(node);
    for (const one of [...slotsOver(node), node]) {
      one.staleSince = Math.max(one.staleSince, since);
      markDependents(one, this.#wake);
    }
  }

  /** An answer settled the doubt, if it was asked for after the doubt arose. */
  clearStale(node: Row | List, sent: number): void {
    if (node.staleSince === 0 || sent < node.staleSince) return;
    node.staleSince = 0;
    this.staleNodes.delete(node);
    markDependents(node, this.#wake);
  }

  /** The intents from this call on are laid again before anything is read. */
  reapply(sent: number): void {
    this.moved.push({ node: null, afterCall: sent });
  }

  /** The same for all intents with a layer on the node. */
  applyOver({ layers }: Row | List): void {
    if (layers) for (const { sent } of layers) return this.reapply(sent);
  }

  /** The node changed below the intents of the calls after `afterCall`; all of them where server truth did. */
  changeDependency(node: Node | undefined, afterCall = 0): void {
    if (node && this.dependencies.has(node)) this.moved.push({ node, afterCall });
  }

  /** The same for a row, and for where it is looked for. */
  moveRow(row: Row, before: RowState, after: RowState): void {
    if (this.dependencies.size === 0) return;
    this.changeDependency(row);
    if (!before !== !after) this.changeDependency(row.table);
    for (const [field, byValue] of row.table.indexes) {
      for (const state of [before, after])
        this.changeDependency(byValue.get(argumentText(fieldOf(state, field))));
    }
  }

  mark(node: Node): void {
    markDependents(node, this.#wake);
    this.changeDependency(node);
  }

  #announce(node: Row | List, before: unknown): void {
    markDependents(node, this.#wake);
    if (node instanceof Row && !before !== !node.shown) markDependents(node.table, this.#wake);
  }

  #indexRow(byValue: Map<unknown, IndexEntry>, row: Row, old: unknown, now: unknown): void {
    if (old === now) return;
    for (const value of [old, now]) {
      if (value === undefined) continue;
      const entry = ensure(byValue, argumentText(value), () => new IndexEntry());
      if (value === now) entry.rows.add(row);
      else entry.rows.delete(row);
      markDependents(entry, this.#wake);
    }
  }

  /** The server has named a row: the rows that point at it are found under its new name. */
  renameIndexed(localId: string): void {
    for (const { indexes } of this.tables.values())
      for (const [field, byValue] of indexes)
        for (const row of byValue.get(localId)?.rows ?? [])
          this.#indexRow(byValue, row, localId, fieldOf(row.shown, field));
  }

  // ── batch ────────────────────────────────────────────────────────────────────────────────────

  /** Runs a group of writes; subscribers hear of all of them once, after the outermost batch. */
  batch<T>(run: () => T): T {
    this.#depth += 1;
    try {
      return run();
    } finally {
      if (this.#depth === 1) this.settle();
      this.#depth -= 1;
      if (this.#depth === 0) this.#wakeSubscribers();
    }
  }

  /** Whether what is shown waits for `settle`. */
  get isUnsettled(): boolean {
    return this.moved.length + this.#before.size + this.found.length > 0;
  }

  /** Makes what is shown true: doubts what reads found, replays intents whose ground moved, then announces what really changed. */
  settle(): void {
    for (const list of this.found.splice(0)) this.markStale(list, this.timeline.last);
    const moved = this.moved.splice(0);
    if (moved.length) this.replay?.(this, moved);
    // a guess that the server confirmed changes nothing: views keep their references
    for (const [node, before] of this.#before) if (!isEqual(before, node.shown)) this.#announce(node, before);
    this.#before.clear();
  }

  /** Wakes the subscriber after every batch in which the view's value changed. */
  subscribe(view: View, subscriber: Subscriber): void {
    if (!view.subscribers) view.notified = this.#readOrError(view);
    view.subscribers = withItem(view.subscribers, subscriber);
  }

  /** A read that throws is a value too: its listeners hear of it once, and meet the error when they read. */
  #readOrError(view: View): unknown {
    try {
      return this.#read(view);
    } catch (error) {
      return error;
    }
  }

  #wakeSubscribers(): void {
    if (this.#isWaking) return; // a listener wrote: the loop below picks it up
    this.#isWaking = true;
    for (const view of this.#wake) {
      this.#wake.delete(view);
      if (!view.subscribers) continue;
      const value = this.#readOrError(view);
      if (value === view.notified) continue;
      view.notified = value;
      for (const one of itemsOf(view.subscribers)) {
        // one may have ended another
        if (hasItem(view.subscribers, one)) callSafely(() => one.wake());
      }
    }
    this.#isWaking = false;
  }
}

/** Base under the layers of the calls before `end`. */
export function fold<T>({ base, layers }: Layered<T>, end = Infinity): T {
  if (!layers) return base;
  // fast: B2, test/property/layers. What is stated needs no look at what is below
  const stated = end === Infinity && base ? layers.stated : null;
  if (stated) return mergeFields(base as Fields, stated) as T; // cast: only layers of rows state fields
  let state = base;
  for (const layer of layers) {
    if (layer.sent >= end) break;
    state = layer.edit(state);
  }
  return state;
}
