// Finds and removes what nobody uses: marks from what is in use, then forgets what was not marked now nor the time
// before. Runs in slices: each `yield` is a place to stop until there is time again. Marking starts from the readers,
// so their count does not matter to a write, and nothing has to be counted up and down.
//
//   readers' views ─▶ views ─▶ rows, lists ─▶ rows …      requests, pending mutations, what arrived lately ─▶ the same
//
// Between two slices anything may be read or written. Whatever is looked up meanwhile is marked too (`store.touched`), the
// roots are asked again at the end, and the removal itself is one step: it never sees half of a change.
import { mapPlain } from '../support/plain.ts';
import { forgetList, forgetNames, forgetRow, forgetSlot } from '../store/forget.ts';
import { Wrapped } from '../store/stored-form.ts';
import { unlink, View } from '../store/graph.ts';
import { isNode, List, Row, Slot } from '../store/nodes.ts';
import type { Node } from '../store/graph.ts';
import type { Engine } from './engine.ts';

/** What is in use beside the engine's own: asked at the start and again before anything is removed. */
export type Roots = () => Iterable<Node>;

/** How many steps a slice makes before it looks at the time. */
const STEPS = 16;

export class Collector {
  readonly #engine: Engine;
  readonly #roots: Roots;
  /** What nobody used the time before. Weak: it may go by another way. */
  #suspects = new WeakSet<Node>();
  #marked = new Set<Node>();
  readonly #stack: Node[] = [];

  constructor(engine: Engine, roots: Roots) {
    this.#engine = engine;
    this.#roots = roots;
  }

  /** One collection. Keeps what came or changed at `youngSince` or later. Gives the number of nodes removed. */
  *run(youngSince: number): Generator<void, number> {
    const { store } = this.#engine;
    const touched = new Set<Node>();
    store.touched = touched;
    try {
      this.#markAll(this.#roots());
      this.#markAll(this.#engineRoots());
      let steps = 0;
      for (const node of this.#nodes()) {
        if (latest(node, 'date') >= youngSince) this.#mark(node);
        if ((steps += 1) % STEPS > 0) continue;
        do yield;
        while (this.#enterSome(STEPS));
      }
      while (this.#enterSome(STEPS)) yield;
      const unused: Node[] = [];
      for (const node of this.#nodes()) {
        if ((steps += 1) % STEPS === 0) yield;
        if (this.#marked.has(node)) continue;
        if (this.#isForgettable(node)) unused.push(node);
        else this.#mark(node); // and what it holds
      }
      // the last look, in one step with the removal
      for (const roots of [this.#roots(), this.#engineRoots(), touched]) this.#markAll(roots);
      this.#enterSome(Infinity);
      const suspects = new WeakSet<Node>();
      const gone = new Set<Node>();
      // what came or was looked up between two slices is no suspect: what holds it is none either
      for (const node of unused) {
        if (this.#marked.has(node)) continue;
        if (this.#suspects.has(node)) gone.add(node);
        else suspects.add(node);
      }
      for (const node of gone) {
        if (!(node instanceof Slot)) continue;
        // what was called invalid must not be found fresh again through what it holds; nor can a list or a row be called so
        // without the answer that it is
        const isInvalid = node.invalidatedAt > 0 || node.staleSince > 0;
        const isHeld = (held: Node): boolean =>
          !gone.has(held) && (isInvalid || held instanceof List || held === node.stored);
        if (!referencesIn(node.stored).some(isHeld)) continue;
        gone.delete(node);
        suspects.add(node);
      }
      this.#suspects = suspects;
      return this.#forget(gone);
    } finally {
      store.touched = null;
      this.#marked = new Set();
      this.#stack.length = 0;
    }
  }

  // ── marking ──────────────────────────────────────────────────────────────────────────────────

  #markAll(nodes: Iterable<Node>): void {
    for (const node of nodes) this.#mark(node);
  }

  #mark(node: Node): void {
    if (this.#marked.has(node)) return;
    this.#marked.add(node);
    this.#stack.push(node);
  }

  /** Follows the references of marked nodes, so many of them; whether there are more. */
  #enterSome(count: number): boolean {
    for (let done = 0; done < count; done += 1) {
      const node = this.#stack.pop();
      if (node === undefined) return false;
      this.#enter(node);
    }
    return true;
  }

  #enter(node: Node): void {
    if (node instanceof View) {
      if (node.subject !== null) this.#mark(node.subject);
      this.#markAll(node.children ?? []);
    } else if (node instanceof Slot) this.#markAll(referencesIn(node.stored));
    else if (isNode(node))
      this.#markAll(referencesIn([node.base, node.shown, node instanceof Row ? node.forward : null]));
  }

  /** What pending mutations use and have read, and what a late list answer must still be told. */
  *#engineRoots(): IterableIterator<Node> {
    const { store } = this.#engine;
    for (const intent of store.intents) {
      yield* intent.rows;
      yield* intent.lists;
      yield* intent.drafts;
      yield* intent.reads.keys();
    }
    for (const table of store.tables.values()) for (const { row } of table.journal) yield row;
    for (const slot of store.slots.values()) if (slot.flights.length > 0) yield slot;
  }

  // ── removing ─────────────────────────────────────────────────────────────────────────────────

  *#nodes(): IterableIterator<Node> {
    const { store } = this.#engine;
    yield* store.slots.values();
    for (const table of store.tables.values()) {
      yield* table.lists.values();
      yield* table.rows.values();
    }
    yield* this.#engine.cells();
  }

  /** What came after a request in flight was sent is needed to judge its answer: a tombstone, a newer value, a doubt. */
  #isForgettable(node: Node): boolean {
    return latest(node, 'fence') <= this.#engine.store.timeline.oldestOpen();
  }

  #forget(gone: ReadonlySet<Node>): number {
    const { store } = this.#engine;
    store.batch(() => {
      for (const node of gone) {
        if (node instanceof Slot) forgetSlot(store, node);
        else if (node instanceof List) forgetList(node);
        else if (node instanceof Row) forgetRow(store, node);
        else if (node instanceof View) unlink(node);
        store.doubted.delete(node);
      }
      for (const table of store.tables.values()) forgetNames(table, (row) => gone.has(row));
    });
    this.#engine.forgetCells(gone);
    return gone.size;
  }
}

/** The references in a stored form. */
function referencesIn(root: unknown): Node[] {
  const found: Node[] = [];
  mapPlain(root, (leaf) => {
    if (isNode(leaf)) found.push(leaf);
    return leaf instanceof Wrapped ? leaf.inside : leaf;
  });
  return found;
}

/** When something happened to a node last: it came (by the `date` or the `fence` of its stamps), failed, went or was doubted. */
function latest(node: Node, mark: 'date' | 'fence'): number {
  // cast: what a node does not have never happened to it
  const happened = node as Node & Partial<Pick<Row, 'deletedAt'> & Slot & Pick<List, 'segments'>>;
  const { stamp, errorStamp, segments = [], deletedAt = 0, invalidatedAt = 0, staleSince = 0 } = happened;
  const stamps = [stamp, errorStamp, ...segments.map((segment) => segment.stamp)];
  return Math.max(deletedAt, invalidatedAt, staleSince, ...stamps.map((one) => one?.[mark] ?? 0));
}
