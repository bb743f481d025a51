// Walks up from stored data to what readers get. Memoized: a view that is clean is its value; what a view reads while it
// is built becomes its children, and their changes mark it. Iterative: chains of any length resolve, cycles close.
import { addClean, close, closeFailed, linkChildren, relinkChildren, unlink } from '../store/graph.ts';
import { List, Row } from '../store/nodes.ts';
import { View } from '../store/view.ts';
import type { ListIdentity } from '../store/list-identity.ts';
import type { Fields, IndexEntry, RowState, Table } from '../store/nodes.ts';
import type { Node } from '../store/view.ts';
import { contentOf } from '../store/overlay.ts';
import { TaggedReference } from '../store/reference.ts';
import type {
  Kind,
  MissingPart,
  QueryContext,
  ReadContext,
  Restore,
  TableOwner,
} from '../schema/protocol.ts';
import { INVALID, ReadFrame } from '../schema/protocol.ts';
import { keepKey } from '../schema/view-key.ts';
import { createCycles, createOwner, failTakers, MOST_NESTED, undoGuests, unbuildTakers } from './cycles.ts';
import type { Cycles, Owner } from './cycles.ts';
import type { WalkHost } from './host.ts';

/** The nodes a read without memo came across, and what they held. */
export type Reads = Map<Node, unknown>;

export class Reader implements ReadContext, QueryContext {
  static readonly specimen: object = new Reader({} as never, new View(null, null, []), null); // cast: never run
  readonly #engine: WalkHost;
  readonly #root: View;
  readonly #frames: ReadFrame[] = [];
  #owner: Owner | null = null;
  #cycles: Cycles | null = null;
  #hasPoison = false;
  /** Without memo: views of this read alone, and the record of what it touched. */
  readonly #fresh: Map<Node, View[]> | null;
  readonly #reads: Reads | null;
  /** Fields to take for rows in place of the stored ones: for a value built from an answer alone. */
  readonly #states: ReadonlyMap<Row, Fields> | null;

  constructor(
    engine: WalkHost,
    root: View,
    reads: Reads | null,
    states: ReadonlyMap<Row, Fields> | null = null,
  ) {
    this.#engine = engine;
    this.#root = root;
    this.#fresh = reads === null ? null : new Map();
    this.#reads = reads;
    this.#states = states;
  }

  /** The arguments of the answer or look-up in work; an entity's own view has none, it serves them all. */
  get args(): readonly unknown[] {
    return (this.#owner?.view ?? this.#root).args;
  }

  /** The root's value, built from whatever is not clean below it. Throws what a user's own code threw. */
  run(): unknown {
    const root = this.#root;
    do {
      this.#hasPoison = false;
      this.#cycles?.shared.clear();
      this.#build();
      if (this.#hasPoison) this.#discard();
    } while (!root.isClean);
    if (this.#cycles !== null) undoGuests(this.#cycles);
    if (root.failure !== null) throw root.failure.error;
    return root.value;
  }

  #build(): void {
    const frames = this.#frames;
    try {
      const result = this.#start(this.#root);
      if (result instanceof ReadFrame) this.#push(result);
      this.#walk();
    } catch (error) {
      // every view in work depends on what failed: they keep the error until something they read has changed
      const failure = { error };
      if (this.#cycles !== null) failTakers(this.#cycles, failure);
      while (frames.length > 0) this.#fail(frames.pop()!.view, failure); // not empty
      if (!this.#root.isClean) this.#fail(this.#root, failure);
    }
  }

  #fail(view: View | null, failure: { readonly error: unknown }): void {
    if (view === null) return;
    // a patch reads only what changed: what stood there before is waited for as well
    if (this.#owner?.view === view) addClean(this.#owner.children, view.children ?? []);
    this.complete(view, undefined);
    closeFailed(view, failure);
    if (this.#owner?.view === view) this.end();
  }

  #walk(): void {
    const frames = this.#frames;
    let frame = frames.at(-1);
    while (frame !== undefined) {
      if (frame.index < frame.size) {
        const child = frame.next(this);
        if (child instanceof ReadFrame) {
          this.#push(child);
          frame = child;
        } else {
          frame.accept(child);
          frame.index += 1;
        }
        continue;
      }
      const { view } = frame;
      // whoever turned out invalid holds nothing
      if (view !== null && this.#cycles !== null)
        frame.isShared = this.#cycles.shared.get(view)?.some((taker) => taker.value !== INVALID) ?? false;
      const value = frame.finish(this);
      frames.pop();
      if (view !== null) {
        this.end(); // begun with the frame
        if (this.#cycles !== null) this.#remember(this.#cycles, frame, view, value);
      }
      frame = frames.at(-1);
      if (frame !== undefined) {
        frame.accept(value);
        frame.index += 1;
      }
    }
  }

  #remember({ shared, condemned, tentative }: Cycles, frame: ReadFrame, view: View, value: unknown): void {
    if (shared.size > 0) tentative.push(frame);
    if (value !== INVALID || !frame.isShared || condemned.has(view)) return;
    condemned.add(view);
    this.#hasPoison = true;
  }

  /** All that took an unfinished value that turned out invalid is built anew. */
  #discard(): void {
    unbuildTakers(this.#cycles!); // poison comes from there
    // a read without memo has no edges by which the takers would be found: nothing of it stays
    for (const views of this.#fresh?.values() ?? []) for (const view of views) unlink(view);
    if (this.#fresh !== null) unlink(this.#root);
  }

  #push(frame: ReadFrame): void {
    this.#frames.push(frame);
    if (frame.view !== null && !frame.isBegun) this.begin(frame.view);
  }

  begin(view: View): void {
    this.#owner = createOwner(view, this.#owner);
  }

  end(): void {
    this.#owner = this.#owner!.outer; // begun before
  }

  get isDeep(): boolean {
    return this.#owner !== null && this.#owner.depth > MOST_NESTED;
  }

  get hasCycles(): boolean {
    return this.#cycles !== null;
  }

  // ── views ────────────────────────────────────────────────────────────────────────────────────

  recall(stored: unknown, kind: Kind): View | null {
    const owner = this.#owner;
    const known = owner?.view.children?.[owner.children.length];
    if (!(known instanceof View) || known.subject !== stored || known.reader !== kind) return null;
    if (!known.isClean || known.failure !== null) return null;
    owner?.children.push(known);
    return known;
  }

  view(subject: Node, kind: Kind): unknown {
    const view = this.#fresh === null ? this.#engine.viewOf(subject, kind) : this.#freshView(subject, kind);
    this.depend(view);
    return this.revisit(view);
  }

  openNew(kind: Kind, members: readonly unknown[], from: number, values: unknown[]): number {
    const views = this.#fresh === null ? this.#owner?.children : undefined;
    return (views && kind.openNew?.(members, from, values, views)) ?? from;
  }

  revisit(view: View): unknown {
    if (view.isClean) {
      if (view.failure !== null) throw view.failure.error;
      return view.value;
    }
    if (!view.isBuilding) return this.#start(view);
    const { shared, condemned } = (this.#cycles ??= createCycles());
    if (condemned.has(view)) return INVALID;
    const taker = this.#owner?.view ?? this.#root;
    if (!shared.get(view)?.push(taker)) shared.set(view, [taker]);
    return view.value;
  }

  #start(view: View): unknown {
    const before = view.value;
    view.build();
    try {
      const result = (view.reader as Kind).openView!(view, this); // cast: readers of views are kinds that make views
      if (result instanceof ReadFrame) result.before = before;
      return result;
    } catch (error) {
      this.#fail(view, { error }); // it has no frame by which it would be found
      throw error;
    }
  }

  #freshView(subject: Node, kind: Kind): View {
    const known = this.#fresh?.get(subject)?.find((view) => view.reader === kind);
    if (known) return known;
    const view = new View(subject, kind, []);
    const views = this.#fresh?.get(subject);
    if (views) views.push(view);
    else this.#fresh?.set(subject, [view]);
    this.#reads?.set(subject, contentOf(subject));
    return view;
  }

  cellOf(kind: Kind): View | null {
    const view = this.#owner?.view;
    const reader = view?.reader as { kind?: Kind } | undefined; // cast: cells and answers name the kind they read
    return this.#fresh === null && view && reader?.kind === kind ? view : null;
  }

  miss(part: MissingPart): void {
    this.#engine.missing = part;
  }

  stateOf(row: Row): RowState {
    return this.#states?.get(row) ?? row.shown;
  }

  depend(node: Node): void {
    this.#owner?.children.push(node);
    if (this.#reads !== null && !(node instanceof View)) this.#reads.set(node, contentOf(node));
  }

  complete(view: View, value: unknown): void {
    this.#close(view, value);
    if (this.#fresh !== null) return;
    const owner = this.#owner;
    if (owner?.view === view) linkChildren(view, owner.children.length > 0 ? owner.children : null);
    else if (view.children !== null) linkChildren(view, null);
  }

  completePatch(view: View, value: unknown, head: number, end: number): void {
    this.#close(view, value);
    relinkChildren(view, this.#owner?.children ?? [], head, end);
  }

  #close(view: View, value: unknown): void {
    close(view, value);
    const { subject } = view;
    if (subject instanceof Row && subject.localId !== null && subject.forward === null)
      keepKey(value, subject.localId);
  }

  // ── look-ups ─────────────────────────────────────────────────────────────────────────────────

  table(owner: TableOwner): Table {
    return this.#engine.tableOf(owner);
  }

  listTable(owners: readonly TableOwner[]): Table {
    return this.#engine.listTable(owners);
  }

  row(table: Table, pk: string): Row {
    return this.#engine.store.row(table, pk);
  }

  findList(table: Table, identity: ListIdentity): List {
    const list = this.#engine.store.list(table, identity);
    if (!list.exists) this.depend(list);
    return list;
  }

  findByIndex(table: Table, field: string, value: unknown): IndexEntry {
    return this.#engine.store.indexEntry(table, field, value);
  }

  exists(stored: unknown): boolean {
    if (stored instanceof TaggedReference) return this.exists(stored.row);
    if (!(stored instanceof Row)) return stored instanceof List ? stored.exists : true;
    this.depend(stored);
    return !!stored.shown;
  }

  get restore(): Restore {
    return this.#engine.restore;
  }
}
