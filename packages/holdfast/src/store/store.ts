// The store: tables of rows, lists, results, and the batch in which they change. Knows no schemas and no network.
// Writes go through apply-effects.ts (server truth) and overlay.ts (pending intents); this file finds and makes nodes,
// tells views of changes, and wakes subscribers once per batch, after it, and only if their value changed.
import { callSafely } from '../support/call-safely.ts';
import { fieldOf, isEqual } from './fields.ts';
import { hasItem, itemsOf, markDependents, viewsOver, withItem, withoutItem } from './graph.ts';
import type { Node, Subscriber, View } from './graph.ts';
import { indexList, textOf } from './membership.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Intent, Layered, ListIdentity, RowState } from './nodes.ts';
import type { Timeline } from './stamp.ts';

export class Store {
  readonly timeline: Timeline;
  readonly tables = new Map<string, Table>();
  /** The rows and lists in doubt. */
  readonly doubted: Set<Node> = new Set();
  readonly slots = new Map<string, Slot>();
  /** Pending intents in the order of their calls. */
  readonly intents: Intent[] = [];
  /** Rows with a write that ended unknown, and when it was sent: an answer to an earlier write may not know of it. */
  readonly unknownWrites: Map<Row, number> = new Map();
  /** Set when an intent's ground moved: the overlay is laid again before anything is read. */
  replayFrom = Infinity;
  /** Lays them again. Put here with the first intent: an application without any does not ship the overlay. */
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
    return ensure(this.tables, key, () => new Table(key));
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
    const list = ensure(table.lists, identity.id, () => new List(table, identity));
    this.touched?.add(list);
    return list;
  }

  slot(key: string): Slot {
    const slot = ensure(this.slots, key, () => new Slot(key));
    this.touched?.add(slot);
    return slot;
  }

  /** The rows with this value in an indexed field; the index is made on first use and kept from then on. */
  indexEntry(table: Table, field: string, value: unknown): IndexEntry {
    const byValue = ensure(table.indexes, field, () => {
      const made = new Map<unknown, IndexEntry>();
      for (const row of table.rows.values()) this.#indexRow(made, row, undefined, fieldOf(row.shown, field));
      return made;
    });
    return ensure(byValue, textOf(value), () => new IndexEntry());
  }

  /** A list that now exists takes part in filters. */
  establish(list: List): void {
    if (list.exists) return;
    list.exists = true;
    indexList(list, withItem);
    markDependents(list, this.#wake);
    // pending creations and moves may belong into it
    this.layAnew(this.intents[0]);
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
      for (const [field, byValue] of table.indexes)
        this.#indexRow(byValue, row, fieldOf(before, field), fieldOf(state, field));
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
    this.doubted.add(node);
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
    this.doubted.delete(node);
    markDependents(node, this.#wake);
  }

  /** The intent, if there is one, and those behind it are laid again before anything is read. */
  layAnew(first: Intent | undefined): void {
    if (first) this.replayFrom = Math.min(this.replayFrom, this.intents.indexOf(first));
  }

  /** Server truth of a node changed: guesses that read it are made again. */
  moveGround(node: Node | undefined): void {
    if (!node || !this.guessReads.has(node)) return;
    // where none has read it, one waits for it to come back
    this.layAnew(this.intents.find(({ reads }) => reads.has(node)) ?? this.intents[0]);
  }

  /** The same for a row, and for where it is looked for. */
  moveRow(row: Row, before: RowState, after: RowState): void {
    if (this.guessReads.size === 0) return;
    this.moveGround(row);
    if (!before !== !after) this.moveGround(row.table);
    for (const [field, byValue] of row.table.indexes) {
      for (const state of [before, after]) this.moveGround(byValue.get(textOf(fieldOf(state, field))));
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

  #indexRow(byValue: Map<unknown, IndexEntry>, row: Row, old: unknown, now: unknown): void {
    if (old === now) return;
    for (const value of [old, now]) {
      if (value === undefined) continue;
      const key = textOf(value);
      const entry = ensure(byValue, key, () => new IndexEntry());
      if (value === now) entry.rows.add(row);
      else entry.rows.delete(row);
      markDependents(entry, this.#wake);
      if (entry.rows.size === 0 && entry.dependents === null) byValue.delete(key);
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

/** What the map has under the key, made where there is nothing. */
export function ensure<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  create: () => V,
): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

/** The answers of endpoints that show something of this node, through however many views. */
export function slotsOver(node: Node): Slot[] {
  const subjects = new Set([...viewsOver(node)].map(({ subject }) => subject));
  return [...subjects].filter((subject) => subject instanceof Slot);
}
