// Builds the values that readers get from stored data. Values are memoized: a clean view returns its value. The nodes that a view
// reads while it is built become its children, and a change of a child marks the view. Kinds call each other recursively; parts
// that are too deep for the call stack are opened separately (deep-parts.ts). Rows that refer to each other get one instance each
// (cycles.ts).
import {
  addCleanNodes,
  finishBuild,
  failBuild,
  linkChildren,
  unlink,
  NO_ARGS,
  View,
} from '../store/graph.ts';
import { isRowOrList, Row, stateShownTo } from '../store/nodes.ts';
import type { Fields, RowState } from '../store/nodes.ts';
import type { Node } from '../store/graph.ts';
import { contentOf } from '../store/overlay.ts';
import { ensure } from '../support/ensure.ts';
import { isObject } from '../support/plain.ts';
import type { MissingPart } from '../store/effects.ts';
import type { Host, Kind, QueryContext, ReadContext, ViewReader } from '../schema/protocol/protocol.ts';
import { INVALID, isRowKind } from '../schema/protocol/protocol.ts';
import { recordLocalId } from '../schema/protocol/view-key.ts';
import { failTakers, markTakersOfUnfinished, markTakersOfInvalid } from './cycles.ts';
import type { Cycles } from './cycles.ts';
import { DeepParts } from './deep-parts.ts';
import type { ViewInBuild, DeepPart } from './deep-parts.ts';

/** The nodes that a read without memo has read, each with its content at that time. */
export type ReadNodes = Map<Node, unknown>;

/**
 * How many nested views and stored forms are opened by recursion. Recursion to this depth uses only a small part of the call stack.
 */
const DEEPEST_READ = 100;

export class Reader implements ReadContext, QueryContext {
  // fast: N1-N3, D1, W2. V8 discards the compiled code of a class when a garbage collection finds no instance of the class
  static readonly keptInstance: object = new this({} as never, new View(null, null, []), null); // cast: this reader never runs, so it needs no engine
  readonly engine: Host;
  readonly #root: View;
  #depth = 0;
  /** The view under construction. `#tryOpen` sets it before any part is opened. */
  #owner!: ViewInBuild;
  #deepParts: DeepParts | null = null;
  #cycles: Cycles | null = null;
  #mustRebuild = false;
  missing: MissingPart | null = null;
  /** A read without memo has its own views here, and in `#reads` the nodes that it has read. Both are null for a memoized read. */
  readonly #viewsWithoutMemo: Map<Node, Map<ViewReader, View>> | null;
  readonly #reads: ReadNodes | null;
  /** For each row, the fields that this read uses instead of the stored fields. */
  readonly #replacedStates: ReadonlyMap<Row, Fields> | null;
  /** The root, if it is read once and then discarded. It gets no edges, because no change needs to mark it. */
  readonly #discardedRoot: View | null;

  constructor(
    engine: Host,
    root: View,
    reads: ReadNodes | null,
    states: ReadonlyMap<Row, Fields> | null = null,
    isDiscarded = false,
  ) {
    this.engine = engine;
    this.#root = root;
    this.#viewsWithoutMemo = reads && new Map<Node, Map<ViewReader, View>>();
    this.#reads = reads;
    this.#replacedStates = states;
    this.#discardedRoot = isDiscarded ? root : null;
  }

  /**
   * The arguments of the call, the look-up or the local query that is being read. They are empty in the view of a row or list,
   * which all calls share.
   */
  get args(): readonly unknown[] {
    return this.#owner.view.args;
  }

  /**
   * Builds the root and the views below it that are not clean, and returns the root's value. Rethrows the error of a failed build.
   */
  run(): unknown {
    const root = this.#root;
    do {
      this.#mustRebuild = false;
      this.#cycles?.takersOf.clear();
      this.#deepParts = null;
      this.#build();
      // Views that hold an unfinished value which turned out invalid must be built again.
      if (!this.#mustRebuild) continue;
      if (this.#cycles) markTakersOfInvalid(this.#cycles);
      // A read without memo has no edges that lead to these views, so all of its views are reset.
      for (const views of this.#viewsWithoutMemo?.values() ?? [])
        for (const view of views.values()) unlink(view);
      if (this.#viewsWithoutMemo) unlink(root);
    } while (!root.isClean);
    if (this.#cycles) markTakersOfUnfinished(this.#cycles);
    if (root.failure) throw root.failure.error;
    return root.value;
  }

  /** Builds the root. While the root waits for deep parts, opens these first and then builds the root again. */
  #build(): void {
    const stack = [createPart(null, this.#root, null)];
    for (let part = stack.at(-1); part; part = stack.at(-1)) {
      this.#depth = 0;
      this.#deepParts?.startPart(part);
      if (this.#tryOpen(part)) {
        stack.pop();
        this.#deepParts?.endPart(part);
      } else for (const deeper of this.#deepParts?.notedParts.reverse() ?? []) stack.push(deeper);
    }
  }

  /** Opens a part. Returns false if the part waits for a deeper part. An error is stored, and thrown to readers of the part. */
  #tryOpen(part: DeepPart): boolean {
    const { kind, stored, owner } = part;
    if (part.readNodes) return true;
    const own = createViewInBuild(owner?.view ?? this.#root, null);
    this.#owner = own;
    part.failure = null;
    try {
      if (kind) part.value = kind.open(stored, this);
      else if (!(stored as View).isClean) this.#buildView(stored as View); // cast: a part without a kind is a view
    } catch (error) {
      part.failure = { error };
    }
    if (!own.isWaiting) part.readNodes = own.readNodes;
    return !own.isWaiting;
  }

  #buildView(view: View): unknown {
    const depth = this.#depth;
    const owner = this.#owner;
    if (this.#deepParts?.isWaiting(view)) return this.#waitFor(null);
    if (depth >= DEEPEST_READ) return this.#waitFor(createPart(null, view, owner));
    const { value: before, builtFrom } = view;
    const own = createViewInBuild(view, owner);
    view.isBuilding = true;
    this.#owner = own;
    this.#depth = depth + 1;
    let failure: { readonly error: unknown } | null = null;
    try {
      view.reader?.build(view, this);
    } catch (error) {
      failure = { error };
    }
    if (own.isWaiting) {
      this.#deepParts?.addWaiting(view);
      view.value = before;
      view.builtFrom = builtFrom;
    } else if (failure) this.#fail(view, failure);
    this.#owner = owner;
    this.#depth = depth;
    if (own.isWaiting) return this.#waitFor(null);
    if (failure) throw failure.error;
    if (this.#cycles) this.#noteFinished(this.#cycles, view, before);
    return view.value;
  }

  /** Makes the view under construction wait for `part`; without a part, makes it wait for a view inside it that waits already. */
  #waitFor(part: DeepPart | null): unknown {
    if (part) (this.#deepParts ??= new DeepParts()).addPart(part);
    this.#owner.isWaiting = true;
    return INVALID;
  }

  /** Stores the error in the view until a node that the view has read changes. */
  #fail(view: View, failure: { readonly error: unknown }): void {
    if (this.#cycles) failTakers(this.#cycles, failure);
    // The build that failed may have read only the changed children of the view. The view keeps its edges from the other children,
    // so that a change of any child still marks the view.
    addCleanNodes(this.#owner.readNodes, view.readNodes ?? []);
    this.finishView(view, undefined);
    failBuild(view, failure);
  }

  #noteFinished({ takersOf, invalidViews, finishedViews }: Cycles, view: View, before: unknown): void {
    if (takersOf.size) finishedViews.push({ view, before });
    if (view.value !== INVALID || !this.isInCycle(view) || invalidViews.has(view)) return;
    invalidViews.add(view);
    this.#mustRebuild = true;
  }

  // ── the view under construction ──────────────────────────────────────────────────────────────

  get isWaiting(): boolean {
    return this.#owner.isWaiting;
  }

  unfinishedOf(view: View): unknown {
    return this.#deepParts?.unfinishedOf(view);
  }

  /**
   * Whether another view has taken the unfinished value of this view and may hold it. A taker that turned out invalid holds no
   * value.
   */
  isInCycle(view: View): boolean {
    return this.#cycles?.takersOf.get(view)?.some((taker) => taker.value !== INVALID) ?? false;
  }

  isLastChild(value: unknown, count: number): boolean {
    const { readNodes: children } = this.#owner;
    const last = children[count - 1];
    return children.length === count && last instanceof View && last.value === value;
  }

  viewBuiltBy(kind: Kind): View | null {
    const { view } = this.#owner;
    const reader = view.reader as { kind?: Kind }; // cast: a ResponseReader has the kind that it reads
    return !this.#viewsWithoutMemo && reader.kind === kind ? view : null;
  }

  depend(node: Node): void {
    const owner = this.#owner;
    // V8 makes room for seventeen items when an empty array gets its first item. Most views have one child.
    if (owner.readNodes.length) owner.readNodes.push(node);
    else owner.readNodes = [node];
    if (this.#reads && !(node instanceof View)) this.#reads.set(node, contentOf(node));
  }

  finishView(view: View, value: unknown, head?: number, end?: number): void {
    const { readNodes: children, isWaiting } = this.#owner;
    if (isWaiting) return;
    finishBuild(view, value);
    const { subject: row } = view;
    if (row instanceof Row && row.localId && !row.replacedBy) recordLocalId(value, row.localId, row.pk);
    const isLinked = !this.#viewsWithoutMemo && view !== this.#discardedRoot;
    if (isLinked && (children.length || view.readNodes)) linkChildren(view, children, head, end);
  }

  stateOf(row: Row, kind: object): RowState {
    return this.#replacedStates?.get(row) ?? stateShownTo(kind, row);
  }

  // ── parts ────────────────────────────────────────────────────────────────────────────────────

  open(kind: Kind, stored: unknown): unknown {
    const { view, readNodes: children } = this.#owner;
    // fast: W2, test/property/memo. The child that the view read at this position last time is used again, if it is of the same row
    // and unchanged.
    const known = view.readNodes?.[children.length];
    // cast: the kind of an entity reads its rows' views
    if (known instanceof View && known.subject === stored && known.reader === (kind as unknown)) {
      if (known.isClean && !known.failure) {
        children.push(known);
        return known.value;
      }
    }
    // Rows and lists add to `#depth` when their views are built, in `#buildView`.
    if (!isObject(stored) || isRowOrList(stored)) return kind.open(stored, this);
    if (this.#depth >= DEEPEST_READ) return this.#openDeep(kind, stored);
    this.#depth += 1;
    const value = kind.open(stored, this);
    this.#depth -= 1;
    return value;
  }

  #openDeep(kind: Kind, stored: unknown): unknown {
    const owner = this.#owner;
    const part = this.#deepParts?.findPart(kind, stored, owner);
    if (!part?.readNodes) return this.#waitFor(part ?? createPart(kind, stored, owner));
    for (const child of part.readNodes) owner.readNodes.push(child);
    if (part.failure) throw part.failure.error;
    return part.value;
  }

  readNode(subject: Node, reader: ViewReader): unknown {
    const unmemoized = this.#viewsWithoutMemo;
    if (unmemoized) this.depend(subject);
    const view = !unmemoized
      ? this.engine.viewOf(subject, reader)
      : ensure(
          ensure(unmemoized, subject, () => new Map<ViewReader, View>()),
          reader,
          () => new View(subject, reader, NO_ARGS),
        );
    this.depend(view);
    return this.readView(view);
  }

  openNew(kind: Kind, members: readonly unknown[], values: unknown[]): number {
    return isRowKind(kind) && !this.#viewsWithoutMemo
      ? kind.openNew(members, values, this.#owner.readNodes)
      : 0;
  }

  readView(view: View): unknown {
    if (view.isClean) {
      if (view.failure) throw view.failure.error;
      return view.value;
    }
    if (!view.isBuilding) return this.#buildView(view);
    const { takersOf, invalidViews } = (this.#cycles ??= {
      takersOf: new Map(),
      invalidViews: new Set(),
      finishedViews: [],
    });
    if (invalidViews.has(view)) return INVALID;
    ensure(takersOf, view, () => []).push(this.#owner.view);
    return view.value;
  }
}

function createViewInBuild(view: View, outer: ViewInBuild | null): ViewInBuild {
  return { view, readNodes: [], outer, isWaiting: false };
}

function createPart(kind: Kind | null, stored: unknown, owner: ViewInBuild | null): DeepPart {
  return { kind, stored, owner, readNodes: null, value: undefined, failure: null, waitingViews: null };
}
