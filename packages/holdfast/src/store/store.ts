// The store: tables of rows, lists, results, and the batch in which they change. Knows no schemas and no network.
// Writes go through apply-effects.ts (server truth) and overlay.ts (pending intents); this file finds and makes nodes,
// tells views of changes, and wakes subscribers once per batch, after it, and only if their value changed.
import { isEqual } from './fields.ts';
import { markDependents, slotsOver } from './graph.ts';
import { indexList } from './list-index.ts';
import { textOf } from './loose-match.ts';
import { fieldOf } from './merge-row.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Intent, Layered, RowState } from './nodes.ts';
import type { ListIdentity } from './list-identity.ts';
import type { Node, Subscriber, View } from './view.ts';
import { hasItem, itemsOf, withItem, withoutItem } from './small-set.ts';
import type { Timeline } from './timeline.ts';
import { callSafely } from '../support/call-safely.ts';

export class Store {
  readonly timeline: Timeline;
  readonly tables = new Map<string, Table>();
  readonly slots = new Map<string, Slot>();
  /** Pending intents in the order of their calls. */
  readonly intents: Intent[] = [];
  /** Rows with a write that ended unknown, and when it was sent: an answer to an earlier write may not know of it. */
  readonly unknownWrites: Map<Row, number> = new Map();
  /** Set when an intent's ground moved: the overlay is laid anew before anything is read. */
  replayFrom = Infinity;
  /** Lays them anew. Put here with the first intent: who has none does not ship the overlay. */
  replay: ((store: Store) => void) | null = null;
  /** What the functions of pending intents have read: a guess is made again when one of these changes. */
  readonly guessReads = new Set<Node>();
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
    let table = this.tables.get(key);
    if (!table) this.tables.set(key, (table = new Table(key)));
    return table;
  }

  /** The row of a primary key or a local id, made absent when there is none: readers may wait on it. */
  row(table: Table, pk: string): Row {
    let row = table.rows.get(pk);
    if (!row && table.aliases.size > 0) row = table.aliases.get(pk);
    if (!row) table.rows.set(pk, (row = new Row(table, pk)));
    this.touched?.add(row);
    return row;
  }

  list(table: Table, identity: ListIdentity): List {
    let list = table.lists.get(identity.id);
    if (!list) table.lists.set(identity.id, (list = new List(table, identity)));
    this.touched?.add(list);
    return list;
  }

  slot(key: string): Slot {
    let slot = this.slots.get(key);
    if (!slot) this.slots.set(key, (slot = new Slot(key)));
    this.touched?.add(slot);
    return slot;
  }

  /** The rows with this value in an indexed field; the index is made on first use and kept from then on. */
  indexEntry(table: Table, field: string, value: unknown): IndexEntry {
    let byValue = table.indexes.get(field);
    if (!byValue) {
      table.indexes.set(field, (byValue = new Map()));
      for (const row of table.rows.values()) this.#indexRow(byValue, field, row, undefined, row.shown);
    }
    return ensureEntry(byValue, textOf(value));
  }

  /** A list that now exists takes part in filters. */
  establish(list: List): void {
    if (list.exists) return;
    list.exists = true;
    indexList(list);
    markDependents(list, this.#wake);
    // pending creations and moves may belong into it
    this.layAnew();
  }

  // ── change ───────────────────────────────────────────────────────────────────────────────────

  /** Shows base under the layers: the node's views, and those of its table and the indexes, hear of a change. */
  show(node: Row | List): void {
    // what is layered is compared once, at the end of the batch
    if (node.layers !== null) this.remember(node);
    const before = node.shown;
    if (node instanceof Row) this.#showRow(node);
    else node.shown = fold(node);
    if (before === node.shown || (this.#before.size > 0 && this.#before.has(node))) return;
    this.#announce(node, before);
  }

  #showRow(row: Row): void {
    const { table, shown: before } = row;
    const state = fold(row);
    row.shown = state;
    if (!before !== !state) table.present = null;
    // at once, layered or not: a guess that is made again looks rows up through the indexes
    if (table.indexes.size > 0)
      for (const [field, byValue] of table.indexes) this.#indexRow(byValue, field, row, before, state);
    // a reader that asked early made the row: it takes its place among the others when it comes
    if (!before && state && row.dependents !== null && table.rows.delete(row.pk)) table.rows.set(row.pk, row);
  }

  /** A node that is about to be layered, or to lose its layers: what it shows now is what its readers know. */
  remember(node: Row | List): void {
    if (!this.#before.has(node)) this.#before.set(node, node.shown);
  }

  /** What the node holds may no longer be so: stale until a read sent later than this. */
  doubt(node: Row | List, since: number): void {
    node.staleSince = since;
    for (const slot of slotsOver(node)) {
      slot.staleSince = since;
      markDependents(slot, this.#wake);
    }
    markDependents(node, this.#wake);
  }

  /** An answer settled the doubt, if it was asked for after the doubt arose. */
  trust(node: Row | List, sent: number): void {
    if (node.staleSince === 0 || sent < node.staleSince) return;
    node.staleSince = 0;
    markDependents(node, this.#wake);
  }

  /** The intent, or every one, and those behind it are laid anew before anything is read. */
  layAnew(first?: Intent): void {
    this.replayFrom = first ? Math.min(this.replayFrom, this.intents.indexOf(first)) : 0;
  }

  /** Server truth of a node changed: guesses that read it are made again. */
  moveGround(node: Node): void {
    if (this.guessReads.size === 0 || !this.guessReads.has(node)) return;
    // where none has read it, one waits for it to come back
    this.layAnew(this.intents.find((intent) => intent.reads.has(node)));
  }

  /** The same for a row, and for where it is looked for. */
  moveRow(row: Row, before: RowState, after: RowState): void {
    if (this.guessReads.size === 0) return;
    this.moveGround(row);
    if (!before !== !after) this.moveGround(row.table);
    for (const [field, byValue] of row.table.indexes) {
      for (const state of [before, after]) {
        const entry = byValue.get(textOf(fieldOf(state, field)));
        if (entry) this.moveGround(entry);
      }
    }
  }

  mark(node: Node): void {
    markDependents(node, this.#wake);
    this.moveGround(node);
  }

  #announce(node: Row | List, before: unknown): void {
    markDependents(node, this.#wake);
    if (node instanceof Row && !before !== !node.shown) markDependents(node.table, this.#wake);
  }

  #indexRow(
    byValue: Map<unknown, IndexEntry>,
    field: string,
    row: Row,
    before: RowState,
    after: RowState,
  ): void {
    const old = fieldOf(before, field);
    const now = fieldOf(after, field);
    if (old === now) return;
    if (old !== undefined) {
      const entry = byValue.get(textOf(old));
      entry?.rows.delete(row);
      if (entry) markDependents(entry, this.#wake);
      if (entry && entry.rows.size === 0 && entry.dependents === null) byValue.delete(textOf(old));
    }
    if (now !== undefined) {
      const entry = ensureEntry(byValue, textOf(now));
      entry.rows.add(row);
      markDependents(entry, this.#wake);
    }
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

  /** Whether layered nodes wait for the end of the batch. */
  get isUnsettled(): boolean {
    return this.#before.size > 0;
  }

  /** Makes what is shown true: replays intents whose ground moved, then announces what really changed. */
  settle(): void {
    if (this.replayFrom < this.intents.length) this.replay?.(this);
    this.replayFrom = Infinity;
    if (this.#before.size === 0) return;
    // a guess that the server confirmed changes nothing: views keep their references
    for (const [node, before] of this.#before) if (!isEqual(before, node.shown)) this.#announce(node, before);
    this.#before.clear();
  }

  /** Wakes the subscriber after every batch in which the view's value changed. */
  subscribe(view: View, subscriber: Subscriber): void {
    if (view.subscribers === null) view.told = this.#readOrError(view);
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
      if (view.subscribers === null) continue;
      const value = this.#readOrError(view);
      if (value === view.told) continue;
      view.told = value;
      for (const one of itemsOf(view.subscribers)) {
        // one may have ended another
        if (hasItem(view.subscribers, one)) callSafely(() => one.wake());
      }
    }
    this.#isWaking = false;
  }
}

/** No store is asked: it may be another one by now. */
export function unsubscribe(view: View, subscriber: Subscriber): void {
  view.subscribers = withoutItem(view.subscribers, subscriber);
}

function fold<T>({ base, layers }: Layered<T>): T {
  return layers === null ? base : layers.reduce((below, { edit }) => edit(below), base);
}

function ensureEntry(byValue: Map<unknown, IndexEntry>, key: string): IndexEntry {
  let entry = byValue.get(key);
  if (!entry) byValue.set(key, (entry = new IndexEntry()));
  return entry;
}
