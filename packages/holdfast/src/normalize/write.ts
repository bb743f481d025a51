// Normalizes a payload by its schema and returns Effects, which are the changes that the payload makes in the store. Kinds call
// each other recursively; objects below a fixed depth are handled from a queue, so that the call stack does not overflow. No stored
// data changes here, so that a rejected payload leaves the store as it was.
import { Effects } from '../store/effects.ts';
import { Row } from '../store/nodes.ts';
import type { Intent } from '../store/intent.ts';
import type { Table } from '../store/nodes.ts';
import type { FormFiller, Host, Kind, WriteContext } from '../schema/protocol/protocol.ts';
import { ValidationError } from '../support/errors.ts';

export interface WriteOptions {
  readonly args: readonly unknown[];
  /** The parameters, then the body, when the endpoint can tell which argument is which. Default: `args`. */
  readonly sent?: readonly unknown[];
  /**
   * True when no other code holds the payload, for example because it was just parsed. Its objects are then stored without a copy.
   */
  readonly isOwned?: boolean | undefined;
  /** The endpoint's name, with which the path in an error message starts. */
  readonly name?: string;
  /** Set when the payload is the optimistic update of this intent: created rows without an id become the intent's drafts. */
  readonly optimisticOf?: Intent;
  /** Set when the payload is the response to this intent: the intent's drafts get the ids that the server assigned. */
  readonly respondsTo?: Intent | undefined;
}

/**
 * From this depth on, the row of each entity with nested fields is recorded if the payload is not owned, so that the walk ends at
 * an object that contains itself. In a creation, and while objects are queued, the row is recorded at any depth.
 */
const FREE_DEPTH = 8;

/**
 * At most this many nested objects are normalized by recursion. A deeper object is queued, and recursion starts again below it. So
 * the recursion needs only a small part of the call stack.
 */
const DEEPEST_WRITE = 100;

/** An object that is normalized from the queue, and the queued object that contains it. */
interface QueuedObject {
  readonly source: unknown;
  readonly outer: QueuedObject | null;
}

export class Writer implements WriteContext {
  // fast: N1-N3, D1, W2. V8 discards the compiled code of a class when a garbage collection finds no instance of the class
  static readonly keptInstance: object = new this({} as never, { args: [] }); // cast: this writer never runs, so it needs no engine
  readonly effects = new Effects();
  readonly args: readonly unknown[];
  readonly sent: readonly unknown[];
  readonly isOwned: boolean;
  readonly isOptimistic: boolean;
  wholePayload: unknown;
  parent: unknown;
  keyInParent = '';
  enclosingRow: Row | null = null;
  existing: unknown;
  isCreation = false;
  readonly engine: Host;
  readonly #options: WriteOptions;
  /**
   * The path to the current part, for errors: property names and array indexes. The first `#depth` entries of the array are valid.
   */
  readonly #steps: (string | number)[] = [];
  #depth = 0;
  readonly #queue: (() => void)[] = [];
  /** The queued object that is being normalized. */
  #queuedObject: QueuedObject | null = null;
  #startPath: string;
  /** The rows of objects in a payload that is not owned: it may contain an object twice, or inside itself. */
  #rowsByObject: Map<unknown, Row> | null = null;
  /** The rows of the drafts to which this payload gives a primary key, by their table and this key. */
  #namedDrafts: Map<string, Row> | null = null;
  /**
   * How many rows of each table the creation contains so far. They are counted per table, so that nested rows of other types do not
   * count.
   */
  #createdCounts: Map<Table, number> | null = null;

  constructor(engine: Host, options: WriteOptions) {
    this.engine = engine;
    this.#options = options;
    this.#startPath = options.name ?? '';
    this.args = options.args;
    this.sent = options.sent ?? options.args;
    this.isOwned = options.isOwned ?? false;
    this.isOptimistic = !!options.optimisticOf;
  }

  run(kind: Kind, value: unknown): Effects {
    this.wholePayload = value;
    this.effects.stored = kind.enter(value, this);
    // The queue may grow during the loop.
    for (const fill of this.#queue) fill();
    return this.effects;
  }

  moveTo(step: string | number, parent: unknown, key: string, existing?: unknown): void {
    this.#steps[this.#depth - 1] = step;
    this.parent = parent;
    this.keyInParent = key;
    this.existing = existing;
  }

  fill(filler: FormFiller, source: unknown, stored: unknown, row: Row | null = null): void {
    const { parent, keyInParent, existing, isCreation } = this;
    const enclosing = row ?? this.enclosingRow;
    // Near the root, the row is not recorded, so an object that occurs twice is written twice. In a creation, and while objects are
    // queued, it is recorded: in a creation, each write would create a row.
    const isNearRoot = this.#depth < FREE_DEPTH && !isCreation && this.#queue.length === 0;
    if (row && !this.isOwned && !isNearRoot)
      (this.#rowsByObject ??= new Map<unknown, Row>()).set(source, row);
    if (this.#depth < DEEPEST_WRITE) return this.#fill(filler, source, stored, row, enclosing);
    for (let around = this.#queuedObject; around; around = around.outer)
      if (around.source === source) this.fail('WRONG_SHAPE', { expected: 'a tree', found: 'a cycle' });
    const start = this.path();
    const queued: QueuedObject = { source, outer: this.#queuedObject };
    this.#queue.push(() => {
      Object.assign(this, { parent, keyInParent, existing, isCreation });
      this.#queuedObject = queued;
      this.#startPath = start;
      this.#fill(filler, source, stored, row, enclosing);
    });
  }

  #fill(filler: FormFiller, source: unknown, stored: unknown, row: Row | null, enclosing: Row | null): void {
    const outer = this.enclosingRow;
    this.enclosingRow = enclosing;
    this.#depth += 1;
    filler.fill(source, stored, this, row);
    this.#depth -= 1;
    this.enclosingRow = outer;
    // If the row of an object depends on its parent, the object may occur again under another parent and become another row there:
    // so `#rowsByObject` forgets the object. While objects are queued, the object is kept, because a queued object may be inside it
    // and contain it again.
    if (filler.isContextual && this.#queue.length === 0) this.#rowsByObject?.delete(source);
  }

  runInCreation<T>(write: () => T): T {
    const { isCreation } = this;
    this.isCreation = true;
    this.#depth += 1;
    const written = write();
    this.#depth -= 1;
    this.isCreation = isCreation;
    return written;
  }

  rowOfObject(value: unknown): Row | undefined {
    return this.#rowsByObject?.get(value);
  }

  // ── nodes ────────────────────────────────────────────────────────────────────────────────────

  row(table: Table, pk: string): Row {
    // fast: N3, test/property/order. Usually the field already refers to this row, so no look-up is needed.
    const { existing } = this;
    if (existing instanceof Row && existing.pk === pk && existing.table === table && existing.isUntouched)
      return existing;
    return this.#namedDrafts?.get(rowKey(table, pk)) ?? this.engine.store.row(table, pk);
  }

  // ── creations ────────────────────────────────────────────────────────────────────────────────

  /**
   * Returns the draft for the next created row of a table; undefined unless the payload is an optimistic update. The n-th created
   * row is the same draft at every replay of the update.
   */
  nextDraft(table: Table): Row | undefined {
    const { optimisticOf } = this.#options;
    if (!optimisticOf) return undefined;
    const index = draftIndex(optimisticOf.drafts, table, this.#nextCreatedIndex(table));
    return (optimisticOf.drafts[index] ??= this.engine.createDraft(table));
  }

  /**
   * Returns the row for the next created row of a table, whose primary key is known. In a response, the n-th created row is the
   * n-th draft of the optimistic update: the draft gets the server's id, or refers to the row that has this id already.
   */
  nextCreatedRow(table: Table, pk: string): Row {
    const { optimisticOf, respondsTo } = this.#options;
    const nth = this.#nextCreatedIndex(table);
    const present = table.rows.get(pk);
    if (optimisticOf) optimisticOf.drafts[draftIndex(optimisticOf.drafts, table, nth)] = this.row(table, pk);
    const draft = respondsTo?.drafts[draftIndex(respondsTo.drafts, table, nth)];
    if (!draft?.localId || draft.pk !== draft.localId) return this.row(table, pk);
    const row = present ?? draft;
    this.effects.namings.push({ draft, row, pk });
    (this.#namedDrafts ??= new Map<string, Row>()).set(rowKey(table, pk), row);
    return row;
  }

  #nextCreatedIndex(table: Table): number {
    const created = (this.#createdCounts ??= new Map<Table, number>());
    const count = created.get(table) ?? 0;
    created.set(table, count + 1);
    return count;
  }

  // ── errors ───────────────────────────────────────────────────────────────────────────────────

  fail(code: string, params: Record<string, unknown>, options?: ErrorOptions): never {
    throw new ValidationError(code, { ...params, path: this.path() }, options);
  }

  path(): string {
    const steps = this.#steps.slice(0, this.#depth);
    return (
      this.#startPath + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    );
  }
}

function rowKey(table: Table, pk: string): string {
  return JSON.stringify([table.key, pk]);
}

/** The index of a table's n-th row among the drafts, counted from 0; `drafts.length` when the table has fewer. */
function draftIndex(drafts: readonly Row[], table: Table, nth: number): number {
  return [...drafts.keys()].filter((index) => drafts[index]?.table === table)[nth] ?? drafts.length;
}
