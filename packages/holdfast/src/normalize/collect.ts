// The garbage collector of the store: marks every node that can be reached from a node in use, then removes the nodes that both
// this collection and the previous collection have found unused. A collection runs in slices: at each `yield`, the caller may pause
// the collection until the page is idle. There are no reference counts, because every write would have to update them.
//
//   readers' views ─▶ views ─▶ rows, lists ─▶ rows …      requests, pending mutations, recent data ─▶ the same
//
// Between two slices anything may be read or written. Nodes that are looked up meanwhile are marked too (`store.lookedUpNodes`). The
// roots are marked again at the end, in one step with the removal, so that no change can happen between the two.
import { mapPlain } from '../support/plain.ts';
import { forgetNode, forgetUnusedKeys } from '../store/forget.ts';
import { Wrapped } from '../store/stored-form.ts';
import { View } from '../store/graph.ts';
import { isRowOrList, List, Row } from '../store/nodes.ts';
import { Slot } from '../store/slot.ts';
import type { Node } from '../store/graph.ts';
import { isAfter, isStale, latest, mustRemember } from '../store/order.ts';
import type { Stamp } from '../store/order.ts';
import type { Engine } from './engine.ts';

/**
 * Returns the nodes that readers, requests and live subscriptions use. It is called at the start of a collection, and again before
 * nodes are removed.
 */
export type RootsInUse = () => Iterable<Node>;

/** Starts one collection. Nodes that were stored or changed at `youngSince` or later are kept. */
export type RunCollection = (youngSince: number) => Generator<void, void>;

export function createCollector(engine: Engine, roots: RootsInUse): RunCollection {
  const { store } = engine;
  /**
   * The nodes that the last collection found unused and kept. The set is weak, because other code may remove these nodes from the
   * store.
   */
  let suspects = new WeakSet<Node>();

  function* allNodes(): IterableIterator<Node> {
    yield* store.slots.values();
    for (const table of store.tables.values()) {
      yield* table.lists.values();
      yield* table.rows.values();
    }
    yield* engine.cells();
  }

  /**
   * The nodes that readers, pending mutations and requests use, and the rows in journals, because lists in later responses need
   * these rows.
   */
  function* nodesInUse(): IterableIterator<Node> {
    yield* roots();
    for (const intent of store.intents) {
      yield* intent.appliedLayers.values();
      yield* intent.drafts;
      yield* intent.dependencies.keys();
    }
    for (const table of store.tables.values()) for (const { row } of table.journal) yield row;
  }

  function* collect(youngSince: number): Generator<void, void> {
    const marked = new Set<Node>();
    const stack: Node[] = [];
    const markAll = (nodes: Iterable<Node>): void => {
      for (const node of nodes) {
        if (marked.has(node)) continue;
        marked.add(node);
        stack.push(node);
      }
    };
    /** Marks every node to which the marked nodes refer. */
    function* follow(): Generator<void, void> {
      for (let node = stack.pop(); node; node = stack.pop()) {
        yield;
        markAll(referencesOf(node));
      }
    }
    const lookedUp = new Set<Node>();
    store.lookedUpNodes = lookedUp;
    try {
      markAll(nodesInUse());
      for (const node of allNodes()) {
        yield;
        const isYoung = !isAfter(
          youngSince,
          latestTimeOf(node, ({ settled }) => settled),
        );
        if (isYoung) markAll([node]);
      }
      yield* follow();
      const unused: Node[] = [];
      for (const node of allNodes()) {
        yield;
        if (marked.has(node)) continue;
        // A node that changed after the oldest request in flight was sent is kept, because the response of that request may be
        // older than the node.
        const changedAt = latestTimeOf(node, ({ fence }) => fence);
        if (mustRemember(changedAt, store.timeline.oldestOpen())) markAll([node]); // so that the nodes to which it refers are kept too
        else unused.push(node);
      }
      // There is no `yield` from here on, so that no read or write can come between this marking and the removal.
      markAll([...nodesInUse(), ...lookedUp]);
      for (const _step of follow()) continue;
      const before = suspects;
      const removed = new Set<Node>();
      suspects = new WeakSet();
      // Nodes that were marked after they were added to `unused` are skipped, because they are in use now, or a kept node refers to
      // them.
      for (const node of unused) if (!marked.has(node)) (before.has(node) ? removed : suspects).add(node);
      for (const node of removed) {
        if (!(node instanceof Slot)) continue;
        // A slot is kept if it refers to a kept list, or if its whole response is a kept row, because only through the slot can the
        // list or the row be invalidated. An invalid or stale slot is kept if it refers to any kept node, because without the slot
        // that node would look fresh.
        const isInvalid = isAfter(node.invalidatedAt, 0) || isStale(node);
        const isReached = (held: Node): boolean =>
          (marked.has(held) || suspects.has(held)) &&
          (isInvalid || held instanceof List || held === node.stored);
        if (!referencesIn(node.stored).some(isReached)) continue;
        removed.delete(node);
        suspects.add(node);
      }
      store.batch(() => {
        for (const node of removed) forgetNode(store, node);
        for (const table of store.tables.values()) forgetUnusedKeys(table, (row) => removed.has(row));
      });
      engine.forgetCells(removed);
    } finally {
      store.lookedUpNodes = null;
    }
  }

  return collect;
}

function referencesOf(node: Node): Iterable<Node> {
  if (node instanceof View) return [node.subject ?? [], node.readNodes ?? []].flat();
  if (node instanceof Slot) return referencesIn(node.stored);
  return isRowOrList(node)
    ? referencesIn([node.base, node.shown, node instanceof Row ? node.replacedBy : null])
    : [];
}

/** The nodes that a stored form refers to. */
function referencesIn(root: unknown): Node[] {
  const found: Node[] = [];
  mapPlain(root, (leaf) => {
    if (isRowOrList(leaf)) found.push(leaf);
    return leaf instanceof Wrapped ? leaf.inside : leaf;
  });
  return found;
}

/**
 * The latest time at which the node was stored, deleted, invalidated or marked stale, or at which its call failed. `timeOf` selects
 * the time of a stamp: `settled` or `fence`.
 */
function latestTimeOf(node: Node, timeOf: (stamp: Stamp) => number): number {
  // cast: a type of node may lack some of these properties
  const {
    stamp,
    errorStamp,
    segments = [],
    deletedAt = 0,
    invalidatedAt = 0,
    staleSince = 0,
  } = node as Node & Partial<Pick<Row, 'deletedAt'> & Slot & Pick<List, 'segments'>>;
  const stamps = [stamp, errorStamp, ...segments.map((segment) => segment.stamp)];
  return latest(deletedAt, invalidatedAt, staleSince, ...stamps.map((mark) => (mark ? timeOf(mark) : 0)));
}
