// Finds and removes what is not in use: marks from what is, then forgets what was not marked now nor the time before. Runs in
// slices: each `yield` is a place to stop until there is time again. Marking starts from the readers, so their count does not
// matter to a write, and no references are counted.
//
//   readers' views ─▶ views ─▶ rows, lists ─▶ rows …      requests, pending mutations, what arrived lately ─▶ the same
//
// Between two slices anything may be read or written. What is looked up meanwhile is marked too (`store.touched`), the
// roots are asked again at the end, and the removal itself is one step: it never sees half of a change.
import { mapPlain } from '../support/plain.ts';
import { forgetList, forgetNames, forgetRow, forgetSlot } from '../store/forget.ts';
import { Wrapped } from '../store/stored-form.ts';
import { unlink, View } from '../store/graph.ts';
import { isNode, List, Row, Slot } from '../store/nodes.ts';
import type { Node } from '../store/graph.ts';
import type { Stamp } from '../store/stamp.ts';
import type { Engine } from './engine.ts';

/** What is in use beside the engine's own: asked at the start and again before anything is removed. */
export type Roots = () => Iterable<Node>;

/** How many steps a slice makes before it looks at the time. */
const STEPS = 16;

/** One collection. Keeps what came or changed at `youngSince` or later. */
export type Collect = (youngSince: number) => Generator<void, void>;

export function createCollector(engine: Engine, roots: Roots): Collect {
  const { store } = engine;
  /** What was not in use the time before. Weak: it may go by another way. */
  let suspects = new WeakSet<Node>();

  function* allNodes(): IterableIterator<Node> {
    yield* store.slots.values();
    for (const table of store.tables.values()) {
      yield* table.lists.values();
      yield* table.rows.values();
    }
    yield* engine.cells();
  }

  /** What is in use: by readers, by pending mutations, and what a late list answer must still be told. */
  function* nodesInUse(): IterableIterator<Node> {
    yield* roots();
    for (const intent of store.intents) {
      yield* intent.applied.values();
      yield* intent.drafts;
      yield* intent.dependencies.keys();
    }
    for (const table of store.tables.values()) for (const { row } of table.journal) yield row;
    for (const slot of store.slots.values()) if (slot.flights.length) yield slot;
  }

  function* run(youngSince: number): Generator<void, void> {
    const marked = new Set<Node>();
    const stack: Node[] = [];
    const mark = (node: Node): void => {
      if (marked.has(node)) return;
      marked.add(node);
      stack.push(node);
    };
    const markAll = (nodes: Iterable<Node>): void => {
      for (const node of nodes) mark(node);
    };
    /** Follows the references of marked nodes, so many of them; whether there are more. */
    const followSome = (count: number): boolean => {
      for (let done = 0; done < count; done += 1) {
        const node = stack.pop();
        if (!node) return false;
        markAll(referencesOf(node));
      }
      return true;
    };
    const touched = new Set<Node>();
    store.touched = touched;
    try {
      markAll(nodesInUse());
      let steps = 0;
      for (const node of allNodes()) {
        if (latest(node, ({ date }) => date) >= youngSince) mark(node);
        if ((steps += 1) % STEPS > 0) continue;
        do yield;
        while (followSome(STEPS));
      }
      while (followSome(STEPS)) yield;
      const unused: Node[] = [];
      for (const node of allNodes()) {
        if ((steps += 1) % STEPS === 0) yield;
        if (marked.has(node)) continue;
        // what came after a request in flight was sent is needed to judge its answer: a tombstone, a newer value, a doubt
        if (latest(node, ({ fence }) => fence) <= store.timeline.oldestOpen()) unused.push(node);
        else mark(node); // and what it holds
      }
      // the last look, in one step with the removal
      markAll([...nodesInUse(), ...touched]);
      followSome(Infinity);
      const before = suspects;
      const gone = new Set<Node>();
      suspects = new WeakSet();
      // what came or was looked up between two slices is no suspect: what holds it is none either
      for (const node of unused) {
        if (marked.has(node)) continue;
        if (before.has(node)) gone.add(node);
        else suspects.add(node);
      }
      for (const node of gone) {
        if (!(node instanceof Slot)) continue;
        // what was called invalid must not be found fresh again through what it holds; nor can a list or a row be called so
        // without the answer that it is
        const isInvalid = node.invalidatedAt > 0 || node.staleSince > 0;
        const isHeld = (held: Node): boolean =>
          (marked.has(held) || suspects.has(held)) &&
          (isInvalid || held instanceof List || held === node.stored);
        if (!referencesIn(node.stored).some(isHeld)) continue;
        gone.delete(node);
        suspects.add(node);
      }
      store.batch(() => {
        for (const node of gone) {
          if (node instanceof Slot) forgetSlot(store, node);
          else if (node instanceof List) forgetList(node);
          else if (node instanceof Row) forgetRow(store, node);
          else if (node instanceof View) unlink(node);
          store.staleNodes.delete(node);
        }
        for (const table of store.tables.values()) forgetNames(table, (row) => gone.has(row));
      });
      engine.forgetCells(gone);
    } finally {
      store.touched = null;
    }
  }

  return run;
}

/** The nodes that a node leads to. */
function referencesOf(node: Node): Iterable<Node> {
  if (node instanceof View) return [...(node.subject ? [node.subject] : []), ...(node.readNodes ?? [])];
  if (node instanceof Slot) return referencesIn(node.stored);
  return isNode(node) ? referencesIn([node.base, node.shown, node instanceof Row ? node.forward : null]) : [];
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
function latest(node: Node, timeOf: (stamp: Stamp) => number): number {
  // cast: what a node does not have never happened to it
  const happened = node as Node & Partial<Pick<Row, 'deletedAt'> & Slot & Pick<List, 'segments'>>;
  const { stamp, errorStamp, segments = [], deletedAt = 0, invalidatedAt = 0, staleSince = 0 } = happened;
  const stamps = [stamp, errorStamp, ...segments.map((segment) => segment.stamp)];
  return Math.max(deletedAt, invalidatedAt, staleSince, ...stamps.map((one) => (one ? timeOf(one) : 0)));
}
