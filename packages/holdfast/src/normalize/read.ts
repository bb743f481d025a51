// Walks up from stored data to what readers get. Memoized: a view that is clean is its value; what a view reads while it
// is built becomes its children, and their changes mark it. Iterative: chains of any length resolve, cycles close.
import { addClean, close, closeFailed, linkChildren, relinkChildren, unlink } from '../store/graph.ts';
import { List, Row } from '../store/nodes.ts';
import { View } from '../store/view.ts';
import type { ListIdentity } from '../store/list-identity.ts';
import type { Fields, IndexEntry, RowState, Table } from '../store/nodes.ts';
import type { Node } from '../store/view.ts';
import { contentOf } from '../store/overlay.ts';
import { Wrapped } from '../store/fields.ts';
import { INVALID } from '../schema/protocol/protocol.ts';
import type {
  Kind,
  MissingPart,
  QueryContext,
  ReadContext,
  Restore,
  TableOwner,
} from '../schema/protocol/protocol.ts';
import { keepKey } from '../schema/protocol/view-key.ts';
import { createCycles, createOwner, failTakers, undoGuests, unbuildTakers } from './cycles.ts';
import type { Cycles, Owner } from './cycles.ts';
import type { WalkHost } from './host.ts';

/** The nodes a read without memo met, and what they held. */
export type Reads = Map<Node, unknown>;

/** So many views may be built one inside the other on the machine's own stack. */
const DEEPEST = 100;
const DEEPER = new Error();

interface Former {
  readonly value: unknown;
  readonly builtFrom: unknown;
  /** The try in which it had to wait. */
  readonly level: number;
}

export class Reader implements ReadContext, QueryContext {
  static readonly specimen: object = new Reader({} as never, new View(null, null, []), null); // cast: never run
  readonly #engine: WalkHost;
  readonly #root: View;
  made: unknown = undefined;
  #depth = 0;
  #level = 0;
  #deep: View | null = null;
  /** What views were before they had to wait for something that is nested too deep. */
  #kept: Map<View, Former> | null = null;
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

  /** Views that are nested too deep for the machine's stack are built first; who came to them tries again. */
  #build(): void {
    const views = [this.#root];
    for (let view = views.at(-1); view !== undefined; view = views.at(-1)) {
      this.#depth = 0;
      this.#level = views.length;
      this.#owner = null;
      try {
        if (!view.isClean) this.#start(view);
        views.pop();
      } catch (error) {
        if (error === DEEPER && this.#deep !== null) views.push(this.#deep);
        else views.pop(); // it keeps the error, and whoever reads it meets that
      }
    }
  }

  #start(view: View): unknown {
    const depth = this.#depth;
    const owner = this.#owner;
    if (depth >= DEEPEST) {
      this.#deep = view;
      throw DEEPER;
    }
    // what was made at the first try may be held by now
    const kept = this.#kept?.get(view);
    this.made = kept && view.value;
    const former = kept ?? { value: view.value, builtFrom: view.builtFrom, level: 0 };
    this.#kept?.delete(view);
    view.value = former.value;
    view.builtFrom = former.builtFrom;
    view.isBuilding = true;
    this.#depth = depth + 1;
    try {
      const value = (view.reader as Kind).openView!(view, this); // cast: readers of views are kinds that make views
      if (this.#cycles !== null) this.#remember(this.#cycles, view, former.value, value);
      this.#depth = depth;
      return value;
    } catch (error) {
      if (error === DEEPER)
        (this.#kept ??= new Map<View, Former>()).set(view, { ...former, level: this.#level });
      else this.#fail(view, error);
      this.#owner = owner;
      this.#depth = depth;
      throw error;
    }
  }

  /** What is in work depends on what failed: it keeps the error until something it read has changed. */
  #fail(view: View, error: unknown): void {
    const failure = { error };
    if (this.#cycles !== null) failTakers(this.#cycles, failure);
    // a patch reads only what changed: what stood there before is waited for as well
    if (this.#owner?.view === view) addClean(this.#owner.children, view.children ?? []);
    this.complete(view, undefined);
    closeFailed(view, failure);
  }

  #remember({ shared, condemned, tentative }: Cycles, view: View, before: unknown, value: unknown): void {
    if (shared.size > 0) tentative.push({ view, before });
    if (value !== INVALID || !this.isShared(view) || condemned.has(view)) return;
    condemned.add(view);
    this.#hasPoison = true;
  }

  /** Whoever turned out invalid holds nothing. */
  isShared(view: View): boolean {
    return this.#cycles?.shared.get(view)?.some((taker) => taker.value !== INVALID) ?? false;
  }

  isChild(value: unknown, count: number): boolean {
    const children = this.#owner?.children;
    const last = children?.[count - 1];
    return children?.length === count && last instanceof View && last.value === value;
  }

  /** All that took an unfinished value that turned out invalid is built anew. */
  #discard(): void {
    this.#kept = null;
    unbuildTakers(this.#cycles!); // poison comes from there
    // a read without memo has no edges by which the takers would be found: nothing of it stays
    for (const views of this.#fresh?.values() ?? []) for (const view of views) unlink(view);
    if (this.#fresh !== null) unlink(this.#root);
  }

  begin(view: View): void {
    this.#owner = createOwner(view, this.#owner);
  }

  end(): void {
    this.#owner = this.#owner!.outer; // begun before
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
    // what had to wait in this very try is gone on with; what waits further out is held as it is
    if (!view.isBuilding || this.#kept?.get(view)?.level === this.#level) return this.#start(view);
    const { shared, condemned } = (this.#cycles ??= createCycles());
    if (condemned.has(view)) return INVALID;
    const taker = this.#owner?.view ?? this.#root;
    if (!shared.get(view)?.push(taker)) shared.set(view, [taker]);
    return view.value;
  }

  #freshView(subject: Node, kind: Kind): View {
    let view = this.#fresh?.get(subject)?.find(({ reader }) => reader === kind);
    if (view) return view;
    view = new View(subject, kind, []);
    if (!this.#fresh?.get(subject)?.push(view)) this.#fresh?.set(subject, [view]);
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
    const { subject: row } = view;
    if (row instanceof Row && row.localId !== null && row.forward === null) keepKey(value, row.localId);
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
    if (stored instanceof Wrapped) return this.exists(stored.inside);
    if (!(stored instanceof Row)) return stored instanceof List ? stored.exists : true;
    this.depend(stored);
    return !!stored.shown;
  }

  get restore(): Restore {
    return this.#engine.restore;
  }
}
