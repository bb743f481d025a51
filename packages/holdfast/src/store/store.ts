// The store: tables of rows, lists, slots, and the batch in which they change. It knows no schemas and no network. apply-effects.ts
// writes base, and overlay.ts writes pending intents. This file finds and makes nodes, marks the views over changed nodes, and
// notifies each subscriber once after the outermost batch, if the value of its view has changed.
import { ensure } from '../support/ensure.ts';
import { slotsOver } from './slots-over.ts';
import { IndexEntry, List, Row, Table } from './nodes.ts';
import type { Fields, Layered, ListIdentity, RowState } from './nodes.ts';
import { Slot } from './slot.ts';
import { hasItem, itemsOf, ViewMarker, addItem } from './graph.ts';
import type { Node, Subscriber, View } from './graph.ts';
import { callSafely } from '../support/call-safely.ts';
import { argumentText } from './filters.ts';
import { indexList } from './list-index.ts';
import { isFull } from './list-members.ts';
import { fieldOf, isEqual, mergeFields } from './fields.ts';
import type { Intent } from './intent.ts';
import { isAfter, isStale, knowsOf, latest } from './order.ts';
import type { Timeline } from './timeline.ts';

/**
 * How a call marks stored responses: `expireAll` marks a response stale, so that it is shown until it is read again;
 * `invalidateAll` marks a response invalid, so that it is not shown.
 */
export type StaleMarkType = 'invalidate' | 'expire';

export class Store {
  readonly timeline: Timeline;
  readonly tables = new Map<string, Table>();
  /** The rows and lists that are stale. */
  readonly staleNodes: Set<Node> = new Set();
  /**
   * Rows that had no data when a write that may have changed them ended with an unknown result (see `markTargetsStale` of
   * fetch-write.ts). Each is kept until all requests that were sent before the end of that write have ended.
   */
  readonly rowsOfUnknownWrites: Set<Row> = new Set();
  /** When a mutation last ended with an unknown result, so that it became unknown which rows belong to the lists of a table. */
  tablesStaleAt = 0;
  readonly slots = new Map<string, Slot>();
  /**
   * The calls of `expireAll` and `invalidateAll`: the keys of the map are a pattern of keys, an object that tests keys, or '' for
   * all. The calls are kept, because a saved state may later bring responses to which they apply.
   */
  readonly markedEndpoints: Map<string | object, StaleMarkType> = new Map();
  /** Pending intents in the order of their calls. */
  readonly intents: Set<Intent> = new Set();
  /** The pending intents whose request was sent, each with the time at which it was sent, the earliest first. */
  readonly intentsInFlight: Map<Intent, number> = new Map();
  /**
   * The intents whose response did not identify the created row, each with the time of that response. Such an intent stays on
   * screen while its lists are read again.
   */
  readonly unidentifiedCreations: Map<Intent, number> = new Map();
  readonly layeredLists: Set<List> = new Set();
  /**
   * The changes since the intents were last applied. Before anything is read, intents are applied again: for a change without a
   * node, all intents from `afterCall` on; for a change of a node, the first intent after `afterCall` that depends on the node, and
   * all later intents. A change of a row does not count if the first of these intents gets the same content of the row as before.
   */
  dependencyChanges: { readonly node: Node | null; readonly afterCall: number }[] = [];
  /**
   * Applies intents again. The first intent sets this function, so that an application without intents does not ship the overlay.
   */
  replay: ((store: Store, changes: Store['dependencyChanges']) => void) | null = null;
  /**
   * Lists whose order or total turned out uncertain while a view was read. The next `settle` marks them stale, because reading a
   * view must not change the store.
   */
  staleAfterRead: List[] = [];
  /** The nodes that pending intents depend on; a node of an ended intent stays until no intent is pending. */
  readonly dependencies: Set<Node> = new Set();
  /**
   * The nodes that were looked up since the store's garbage collection began: they are in use. Null while no garbage collection
   * runs.
   */
  lookedUpNodes: Set<Node> | null = null;
  readonly #marker = new ViewMarker();
  /** The values that the layered nodes showed before they were changed. The next `settle` compares each node once. */
  readonly #shownBefore = new Map<Row | List, unknown>();
  #depth = 0;
  #isWaking = false;
  readonly #read: (view: View) => unknown;

  constructor(timeline: Timeline, read: (view: View) => unknown) {
    this.timeline = timeline;
    this.#read = read;
  }

  // ── nodes ────────────────────────────────────────────────────────────────────────────────────

  /** The table of a key. `parts` are the keys of the entity types whose rows the table's lists contain. */
  table(key: string, parts: Iterable<string> = []): Table {
    return ensure(this.tables, key, () => {
      const made = new Table(key);
      for (const part of parts) {
        if (part === key) break;
        const table = this.table(part);
        table.unions.add(made);
        made.rowTables.add(table);
      }
      return made;
    });
  }

  /**
   * The row of a primary key or a local id. If no such row is stored, a row without data is made, so that readers can wait for it.
   */
  row(table: Table, pk: string): Row {
    let row = table.rows.get(pk) ?? table.rowsByLocalId.get(pk);
    if (!row) table.rows.set(pk, (row = new Row(table, pk)));
    return this.#noteLookUp(row);
  }

  list(table: Table, identity: ListIdentity): List {
    const { filterNames, fields = filterNames, testFit } = identity;
    for (const name of fields) table.placingFields.add(name);
    const list = ensure(table.lists, identity.id, () => new List(table, identity));
    if (testFit) list.identity.testFit = testFit;
    return this.#noteLookUp(list);
  }

  slot(key: string): Slot {
    return this.#noteLookUp(ensure(this.slots, key, createSlot));
  }

  #noteLookUp<T extends Node>(node: T): T {
    this.lookedUpNodes?.add(node);
    return node;
  }

  /** The rows with this value in an indexed field. The index is made at its first use, and then kept. */
  indexEntry(table: Table, field: string, value: unknown): IndexEntry {
    const byValue = ensure(table.indexes, field, () => {
      const made = new Map<unknown, IndexEntry>();
      for (const row of table.rows.values()) this.#indexRow(made, row, undefined, fieldOf(row.shown, field));
      table.placingFields.add(field);
      this.reapply(0);
      return made;
    });
    return ensureEntries(byValue, [value])[0]!; // an array of one value has one entry
  }

  /** Marks the list as stored and adds it to the index, so that filters find the list. */
  registerList(list: List): void {
    const { key, testFit = isFull(list, 0) } = list.identity;
    if (key && (list.hasServerMembership || list.serverOrder || testFit)) list.table.alwaysChecked.add(list);
    if (list.exists) return;
    list.exists = true;
    indexList(list, addItem);
    this.#marker.mark(list);
    // Pending creations and moves may add rows to the list.
    this.reapply(0);
  }

  // ── change ───────────────────────────────────────────────────────────────────────────────────

  /**
   * Sets the value that the node shows: base with its layers. Marks the views if the value changed; the views of a layered node are
   * marked by the next `settle`.
   */
  show(node: Row | List, state: unknown = withLayers<unknown>(node)): void {
    if (node.layers) this.rememberShown(node);
    const before = node.shown;
    if (node instanceof Row) this.#showRow(node, state as RowState); // cast: computed from its base
    else node.shown = state as List['shown']; // cast: computed from its base too
    if (before === node.shown || this.#shownBefore.has(node)) return;
    this.#announce(node, before);
  }

  #showRow(row: Row, state: RowState): void {
    const { table, shown: before } = row;
    row.shown = state;
    if (!before !== !state) table.presentRows = null;
    // The indexes are changed at once, even for a layered row, because an optimistic update that is computed again looks rows up in
    // them.
    for (const [field, byValue] of table.indexes)
      this.#indexRow(byValue, row, fieldOf(before, field), fieldOf(state, field));
    // When an absent row appears on which a view depends, the row moves to the end of the table, as if it were made now. A draft
    // keeps its place when its optimistic update is only applied again.
    if (!before && state && row.dependents && !this.#shownBefore.get(row) && table.rows.delete(row.pk))
      table.rows.set(row.pk, row);
  }

  /**
   * Remembers the value that the node shows, before its layers change. `settle` compares it with the value that the node then
   * shows.
   */
  rememberShown(node: Row | List): void {
    if (!this.#shownBefore.has(node)) this.#shownBefore.set(node, node.shown);
  }

  /** Marks the node, and the slots that show the node, stale since `since`; a later mark stays. */
  markStale(node: Row | List, since: number): void {
    this.staleNodes.add(node);
    for (const each of [...slotsOver(node), node]) {
      each.staleSince = latest(each.staleSince, since);
      this.#marker.mark(each);
    }
  }

  /** Ends the staleness of the node, unless the node became stale after `sent`. */
  clearStale(node: Row | List, sent: number): void {
    if (!isStale(node) || !knowsOf(sent, node.staleSince)) return;
    node.staleSince = 0;
    this.staleNodes.delete(node);
    this.#marker.mark(node);
  }

  /** Causes the intent of the call at `calledAt`, and all later intents, to be applied again before anything is read. */
  reapply(calledAt: number): void {
    this.dependencyChanges.push({ node: null, afterCall: calledAt });
  }

  /** Does the same as `reapply`, from the call of the oldest intent that has a layer of the node. */
  reapplyLayersOf({ layers }: Row | List): void {
    if (layers) for (const { calledAt } of layers) return this.reapply(calledAt);
  }

  /**
   * Reports a change of the node to the intents that depend on it: to those of calls after `afterCall`, or to all if `afterCall` is
   * 0, which means a change of base. See `dependencyChanges`.
   */
  reportChange(node: Node, afterCall = 0): void {
    if (this.dependencies.has(node)) this.dependencyChanges.push({ node, afterCall });
  }

  /**
   * Reports a change of a row in base: of the row, of its entries in the indexes, and of its table when the row appears or
   * disappears.
   */
  reportRowChange(row: Row, before: RowState, after: RowState): void {
    if (!this.dependencies.size) return;
    this.reportChange(row);
    if (!before !== !after) this.reportChange(row.table);
    for (const [field, byValue] of row.table.indexes)
      for (const state of [before, after])
        for (const entry of ensureEntries(byValue, fieldOf(state, field))) this.reportChange(entry);
  }

  mark(node: Node): void {
    this.#marker.mark(node);
    this.reportChange(node);
  }

  #announce(node: Row | List, before: unknown): void {
    this.#marker.mark(node);
    if (node instanceof Row && !before !== !node.shown) this.#marker.mark(node.table);
  }

  #indexRow(byValue: Map<unknown, IndexEntry>, row: Row, old: unknown, now: unknown): void {
    if (old === now) return;
    for (const value of [old, now])
      for (const entry of ensureEntries(byValue, value)) {
        if (value === now) entry.rows.add(row);
        else entry.rows.delete(row);
        this.#marker.mark(entry);
      }
  }

  /**
   * Moves rows with the local id of a draft in an indexed field to the index entry of the new id, because the server has named the
   * draft.
   */
  renameIndexed(localId: string): void {
    for (const { indexes } of this.tables.values())
      for (const [field, byValue] of indexes)
        for (const row of byValue.get(localId)?.rows ?? [])
          this.#indexRow(byValue, row, localId, fieldOf(row.shown, field));
  }

  // ── batch ────────────────────────────────────────────────────────────────────────────────────

  /** Runs a group of writes. After the outermost batch, each subscriber whose view has another value is notified once. */
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

  /** Whether `settle` has work to do before the store may be read. */
  get isUnsettled(): boolean {
    return this.dependencyChanges.length + this.#shownBefore.size + this.staleAfterRead.length > 0;
  }

  /**
   * Completes the shown state: marks stale the lists that reads have reported, replays intents whose dependencies changed, and
   * marks the views of the nodes whose value has changed.
   */
  settle(): void {
    if (!this.isUnsettled) return;
    for (const list of this.staleAfterRead.splice(0)) this.markStale(list, this.timeline.last);
    const changes = this.dependencyChanges.splice(0);
    if (changes.length) this.replay?.(this, changes);
    // An optimistic update that the server confirmed changes nothing, so the views keep their references.
    for (const [node, before] of this.#shownBefore)
      if (!isEqual(before, node.shown)) this.#announce(node, before);
    this.#shownBefore.clear();
  }

  /** Notifies the subscriber after every batch in which the view's value changed. */
  subscribe(view: View, subscriber: Subscriber): void {
    if (!view.subscribers) view.notifiedValue = this.#readOrError(view);
    view.subscribers = addItem(view.subscribers, subscriber);
  }

  /** A thrown error counts as a value: the subscribers are notified once, and the error is thrown when they read. */
  #readOrError(view: View): unknown {
    try {
      return this.#read(view);
    } catch (error) {
      return error;
    }
  }

  #wakeSubscribers(): void {
    if (this.#isWaking) return; // a subscriber wrote: the running loop continues with its views
    this.#isWaking = true;
    const { toWake } = this.#marker;
    for (const view of toWake) {
      if (!view.subscribers) continue;
      const value = this.#readOrError(view);
      if (value === view.notifiedValue) continue;
      view.notifiedValue = value;
      for (const subscriber of itemsOf(view.subscribers)) {
        // A subscriber that was notified before may have removed this subscriber.
        if (hasItem(view.subscribers, subscriber)) callSafely(() => subscriber.wake());
      }
    }
    toWake.length = 0;
    this.#isWaking = false;
  }
}

const createSlot = (key: string): Slot => new Slot(key);

/** Base with the layers of the calls before `end`. */
export function withLayers<T>({ base, layers }: Layered<T>, end = Infinity): T {
  if (!layers) return base;
  // fast: B2, test/property/layers. Fields that are only overwritten do not depend on the state below.
  const overwritten = end === Infinity && base ? layers.collectOverwritten() : null;
  if (overwritten) return mergeFields(base as Fields, overwritten) as T; // cast: only layers of rows overwrite fields
  let state = base;
  for (const layer of layers) {
    if (!isAfter(end, layer.calledAt)) break;
    state = layer.edit(state);
  }
  return state;
}

/** The entries of a value in an index. For an array they are the entries of its items. */
function ensureEntries(byValue: Map<unknown, IndexEntry>, value: unknown): IndexEntry[] {
  if (value === undefined) return [];
  return [value].flat().map((part) => ensure(byValue, argumentText(part), () => new IndexEntry()));
}
