// Walks from stored data to what readers get. Memoized: a clean view is its value; what a view reads while it is built
// becomes its children, and their changes mark it. Kinds recurse; parts that are too deep for the call stack are opened by
// themselves (deep-parts.ts), and circles close on one instance (cycles.ts).
import { addClean, finishBuild, failBuild, linkChildren, unlink, NO_ARGS, View } from '../store/graph.ts';
import { isNode, Row } from '../store/nodes.ts';
import type { Fields, RowState } from '../store/nodes.ts';
import type { Node } from '../store/graph.ts';
import { contentOf } from '../store/overlay.ts';
import { ensure } from '../support/ensure.ts';
import { isObject } from '../support/plain.ts';
import type { Host, Kind, QueryContext, ReadContext, ViewReader } from '../schema/protocol/protocol.ts';
import { INVALID } from '../schema/protocol/protocol.ts';
import { keepCreated } from '../schema/protocol/view-key.ts';
import { failTakers, undoGuests, unbuildTakers } from './cycles.ts';
import type { Cycles } from './cycles.ts';
import { DeepParts } from './deep-parts.ts';
import type { Owner, DeepPart } from './deep-parts.ts';

/** The nodes a read without memo met, and what they held. */
export type Reads = Map<Node, unknown>;

/** So many views and forms are opened one inside the other on the call stack: a small part of it on every platform. */
const DEEPEST_READ = 100;

export class Reader implements ReadContext, QueryContext {
  // fast: N1-N3, D1, W2. V8 drops the code compiled for a class when a full collection finds no instance of it
  static readonly specimen: object = new this({} as never, new View(null, null, []), null); // cast: never run
  readonly engine: Host;
  readonly #root: View;
  #depth = 0;
  /** The view under construction; set before anything is opened. */
  #owner!: Owner;
  #deep: DeepParts | null = null;
  #cycles: Cycles | null = null;
  #hasPoison = false;
  /** Without memo: views of this read alone, and the record of what it touched. */
  readonly #fresh: Map<Node, Map<ViewReader, View>> | null;
  readonly #reads: Reads | null;
  /** Fields to take for rows in place of the stored ones: for a value built from an answer alone. */
  readonly #states: ReadonlyMap<Row, Fields> | null;
  /** A root that is read once and not kept: nothing has to mark it. */
  readonly #once: View | null;

  constructor(
    engine: Host,
    root: View,
    reads: Reads | null,
    states: ReadonlyMap<Row, Fields> | null = null,
    isOnce = false,
  ) {
    this.engine = engine;
    this.#root = root;
    this.#fresh = !reads ? null : new Map();
    this.#reads = reads;
    this.#states = states;
    this.#once = isOnce ? root : null;
  }

  /** The arguments of the answer or look-up in work; an entity's own view has none, it serves them all. */
  get args(): readonly unknown[] {
    return this.#owner.view.args;
  }

  /** The root's value, built from whatever is not clean below it. Throws what a user's own code threw. */
  run(): unknown {
    const root = this.#root;
    do {
      this.#hasPoison = false;
      this.#cycles?.shared.clear();
      this.#deep = null;
      this.#build();
      // all that took an unfinished value that turned out invalid is built again
      if (!this.#hasPoison) continue;
      if (this.#cycles) unbuildTakers(this.#cycles);
      // a read without memo has no edges by which the takers would be found: nothing of it stays
      for (const views of this.#fresh?.values() ?? []) for (const view of views.values()) unlink(view);
      if (this.#fresh) unlink(root);
    } while (!root.isClean);
    if (this.#cycles) undoGuests(this.#cycles);
    if (root.failure) throw root.failure.error;
    return root.value;
  }

  /** Builds the root, and before it the parts that it waits for. */
  #build(): void {
    const stack = [createPart(null, this.#root, null)];
    for (let part = stack.at(-1); part; part = stack.at(-1)) {
      this.#depth = 0;
      this.#deep?.startPart(part);
      if (this.#isOpened(part)) {
        stack.pop();
        this.#deep?.end(part);
      } else for (const deeper of this.#deep?.noted.reverse() ?? []) stack.push(deeper);
    }
  }

  /** Opens a part; false when it has to wait. What a user's own code threw is kept, and thrown to the readers of the part. */
  #isOpened(part: DeepPart): boolean {
    const { kind, stored, owner } = part;
    if (part.readNodes) return true;
    const own = createOwner(owner?.view ?? this.#root, null);
    this.#owner = own;
    part.failure = null;
    try {
      if (kind) part.value = kind.open(stored, this);
      else if (!(stored as View).isClean) this.#start(stored as View); // cast: a part without a kind is a view
    } catch (error) {
      part.failure = { error };
    }
    if (!own.isWaiting) part.readNodes = own.readNodes;
    return !own.isWaiting;
  }

  #start(view: View): unknown {
    const depth = this.#depth;
    const owner = this.#owner;
    if (this.#deep?.isWaiting(view)) return this.#wait(null);
    if (depth >= DEEPEST_READ) return this.#wait(createPart(null, view, owner));
    const { value: before, builtFrom } = view;
    const own = createOwner(view, owner);
    view.isBuilding = true;
    this.#owner = own;
    this.#depth = depth + 1;
    let failure: { readonly error: unknown } | null = null;
    try {
      (view.reader as ViewReader).build(view, this); // cast: opaque to the store
    } catch (error) {
      failure = { error };
    }
    if (own.isWaiting) {
      this.#deep?.wait(view);
      view.value = before;
      view.builtFrom = builtFrom;
    } else if (failure) this.#fail(view, failure);
    this.#owner = owner;
    this.#depth = depth;
    if (own.isWaiting) return this.#wait(null);
    if (failure) throw failure.error;
    if (this.#cycles) this.#remember(this.#cycles, view, before);
    return view.value;
  }

  /** The view under construction waits: for this part, or for what the view inside it waits for. */
  #wait(part: DeepPart | null): unknown {
    if (part) (this.#deep ??= new DeepParts()).note(part);
    this.#owner.isWaiting = true;
    return INVALID;
  }

  /** What is in work depends on what failed: it keeps the error until something it read has changed. */
  #fail(view: View, failure: { readonly error: unknown }): void {
    if (this.#cycles) failTakers(this.#cycles, failure);
    // a patch reads only what changed: what stood there before is waited for as well
    addClean(this.#owner.readNodes, view.readNodes ?? []);
    this.complete(view, undefined);
    failBuild(view, failure);
  }

  #remember({ shared, condemned, tentative }: Cycles, view: View, before: unknown): void {
    if (shared.size) tentative.push({ view, before });
    if (view.value !== INVALID || !this.isShared(view) || condemned.has(view)) return;
    condemned.add(view);
    this.#hasPoison = true;
  }

  // ── the view under construction ──────────────────────────────────────────────────────────────

  get isWaiting(): boolean {
    return this.#owner.isWaiting;
  }

  madeOf(view: View): unknown {
    return this.#deep?.madeOf(view);
  }

  /** A view that turned out invalid holds nothing. */
  isShared(view: View): boolean {
    return this.#cycles?.shared.get(view)?.some((taker) => taker.value !== INVALID) ?? false;
  }

  isChild(value: unknown, count: number): boolean {
    const { readNodes: children } = this.#owner;
    const last = children[count - 1];
    return children.length === count && last instanceof View && last.value === value;
  }

  cellOf(kind: Kind): View | null {
    const { view } = this.#owner;
    const reader = view.reader as { kind?: Kind }; // cast: cells and answers name the kind they read
    return !this.#fresh && reader.kind === kind ? view : null;
  }

  depend(node: Node): void {
    this.#owner.readNodes.push(node);
    if (this.#reads && !(node instanceof View)) this.#reads.set(node, contentOf(node));
  }

  complete(view: View, value: unknown, head?: number, end?: number): void {
    const { readNodes: children, isWaiting } = this.#owner;
    if (isWaiting) return;
    finishBuild(view, value);
    const { subject: row } = view;
    if (row instanceof Row && row.localId && !row.forward) keepCreated(value, row.localId, row.pk);
    const isLinked = !this.#fresh && view !== this.#once;
    if (isLinked && (children.length || view.readNodes)) linkChildren(view, children, head, end);
  }

  stateOf(row: Row): RowState {
    return this.#states?.get(row) ?? row.shown;
  }

  // ── parts ────────────────────────────────────────────────────────────────────────────────────

  open(kind: Kind, stored: unknown): unknown {
    const { view, readNodes: children } = this.#owner;
    // fast: W2, test/property/memo. What was read at this point the last time, if it is to be read now and has not changed
    const known = view.readNodes?.[children.length];
    // cast: the kind of an entity reads its rows' views
    if (known instanceof View && known.subject === stored && known.reader === (kind as unknown)) {
      if (known.isClean && !known.failure) {
        children.push(known);
        return known.value;
      }
    }
    // the depth of rows and lists is that of their views
    if (!isObject(stored) || isNode(stored)) return kind.open(stored, this);
    if (this.#depth >= DEEPEST_READ) return this.#openDeep(kind, stored);
    this.#depth += 1;
    const value = kind.open(stored, this);
    this.#depth -= 1;
    return value;
  }

  #openDeep(kind: Kind, stored: unknown): unknown {
    const owner = this.#owner;
    const part = this.#deep?.find(kind, stored, owner);
    if (!part?.readNodes) return this.#wait(part ?? createPart(kind, stored, owner));
    for (const child of part.readNodes) owner.readNodes.push(child);
    if (part.failure) throw part.failure.error;
    return part.value;
  }

  view(subject: Node, reader: ViewReader): unknown {
    const fresh = this.#fresh;
    if (fresh) this.depend(subject);
    const view = !fresh
      ? this.engine.viewOf(subject, reader)
      : ensure(
          ensure(fresh, subject, () => new Map<ViewReader, View>()),
          reader,
          () => new View(subject, reader, NO_ARGS),
        );
    this.depend(view);
    return this.revisit(view);
  }

  openNew(kind: Kind, members: readonly unknown[], values: unknown[]): number {
    return (!this.#fresh && kind.openNew?.(members, values, this.#owner.readNodes)) || 0;
  }

  revisit(view: View): unknown {
    if (view.isClean) {
      if (view.failure) throw view.failure.error;
      return view.value;
    }
    if (!view.isBuilding) return this.#start(view);
    const { shared, condemned } = (this.#cycles ??= {
      shared: new Map(),
      condemned: new Set(),
      tentative: [],
    });
    if (condemned.has(view)) return INVALID;
    ensure(shared, view, () => []).push(this.#owner.view);
    return view.value;
  }
}

function createOwner(view: View, outer: Owner | null): Owner {
  return { view, readNodes: [], outer, isWaiting: false };
}

function createPart(kind: Kind | null, stored: unknown, owner: Owner | null): DeepPart {
  return { kind, stored, owner, readNodes: null, value: undefined, failure: null, around: null };
}
