// Walks a payload down its schema and gives what it does to the store, as Effects. Kinds recurse; what is deeper than the
// call stack may bear is filled from a queue. Nothing is stored here: a payload that turns out bad leaves the store as it was.
import { inDevelopment } from '#env';
import { Effects } from '../store/effects.ts';
import { Row } from '../store/nodes.ts';
import type { Intent } from '../store/intent.ts';
import type { Table } from '../store/nodes.ts';
import type { Filler, Host, Kind, WriteContext } from '../schema/protocol/protocol.ts';
import { ValidationError } from '../support/errors.ts';

/** How a payload is to be taken. */
export interface WriteOptions {
  readonly args: readonly unknown[];
  /** The arguments told apart, parameters and then the body, where an endpoint knows which is which. */
  readonly sent?: readonly unknown[];
  /** The payload's objects may be kept without a copy: it came off the wire and no other code holds it. */
  readonly isOwned?: boolean | undefined;
  /** What the error path starts with: the endpoint's name. */
  readonly name?: string;
  /** The pending intent whose guess this is: rows without an id become its drafts. */
  readonly optimisticOf?: Intent;
  /** The intent that this answers: its drafts get the ids that the server gave. */
  readonly answerTo?: Intent | undefined;
}

/** A payload that is nested deeper than this may hold itself: from here on its objects are remembered. */
const FREE_DEPTH = 8;

/** So many forms are filled one inside the other on the call stack: a tenth of it, whatever the platform. */
const DEEPEST_WRITE = 100;

/** A form that was filled from the queue, and the one inside which it was met. */
interface Queued {
  readonly source: unknown;
  readonly outer: Queued | null;
}

export class Writer implements WriteContext {
  // fast: N1-N3, D1, W2. V8 drops the code compiled for a class when a full collection finds no instance of it
  static readonly specimen: object = new this({} as never, { args: [] }); // cast: never run
  readonly effects = new Effects();
  readonly args: readonly unknown[];
  readonly sent: readonly unknown[];
  readonly isOwned: boolean;
  readonly isOptimistic: boolean;
  parent: unknown;
  key = '';
  around: Row | null = null;
  existing: unknown;
  isCreation = false;
  readonly engine: Host;
  readonly #options: WriteOptions;
  /** The names and places of the parts in work, down to `#depth`: the path in an error. */
  readonly #steps: (string | number)[] = [];
  #depth = 0;
  readonly #queue: (() => void)[] = [];
  /** The queued form in work. */
  #outer: Queued | null = null;
  #start: string;
  /** The rows of objects met so far, unless they came off the wire: others may hold one twice, or hold themselves. */
  #met: Map<unknown, Row> | null = null;
  /** The drafts that this payload names, by their new names. */
  #named: Map<string, Row> | null = null;
  /** How many rows of each type the creation has met: what is nested does not shift the count of the items. */
  #created: Map<Table, number> | null = null;

  constructor(engine: Host, options: WriteOptions) {
    this.engine = engine;
    this.#options = options;
    this.#start = options.name ?? '';
    this.args = options.args;
    this.sent = options.sent ?? options.args;
    this.isOwned = options.isOwned ?? false;
    this.isOptimistic = !!options.optimisticOf;
  }

  run(kind: Kind, value: unknown): Effects {
    this.effects.stored = kind.enter(value, this);
    // grows while it is worked off
    for (const fill of this.#queue) fill();
    return this.effects;
  }

  place(step: string | number, parent: unknown, key: string, existing?: unknown): void {
    this.#steps[this.#depth - 1] = step;
    this.parent = parent;
    this.key = key;
    this.existing = existing;
  }

  fill(filler: Filler, source: unknown, stored: unknown, row: Row | null = null): void {
    const { parent, key, existing, isCreation } = this;
    const around = row ?? this.around;
    // near the top an object that is held twice may as well be written twice, unless each time would create a row
    const isNear = this.#depth < FREE_DEPTH && !isCreation && this.#queue.length === 0;
    if (row && !this.isOwned && !isNear) (this.#met ??= new Map<unknown, Row>()).set(source, row);
    if (this.#depth < DEEPEST_WRITE) return this.#fill(filler, source, stored, row, around);
    for (let form = this.#outer; form; form = form.outer)
      if (form.source === source)
        this.fail('WRONG_SHAPE', { expected: 'a tree', found: 'an object that contains itself' });
    const start = this.#path();
    const form = { source, outer: this.#outer };
    this.#queue.push(() => {
      Object.assign(this, { parent, key, existing, isCreation });
      this.#outer = form;
      this.#start = start;
      this.#fill(filler, source, stored, row, around);
    });
  }

  #fill(filler: Filler, source: unknown, stored: unknown, row: Row | null, around: Row | null): void {
    const outer = this.around;
    this.around = around;
    this.#depth += 1;
    filler.fill(source, stored, this, row);
    this.#depth -= 1;
    this.around = outer;
    // a queued form may lead back to it
    if (filler.isContextual && this.#queue.length === 0) this.#met?.delete(source);
  }

  create<T>(write: () => T): T {
    const { isCreation } = this;
    this.isCreation = true;
    this.#depth += 1;
    const written = write();
    this.#depth -= 1;
    this.isCreation = isCreation;
    return written;
  }

  metRow(value: unknown): Row | undefined {
    return this.#met?.get(value);
  }

  // ── nodes ────────────────────────────────────────────────────────────────────────────────────

  row(table: Table, pk: string): Row {
    // fast: N3, test/property/order. The row that stood here before need not be looked up, unless its name leads elsewhere
    const { existing } = this;
    if (existing instanceof Row && existing.pk === pk && existing.table === table && existing.isPlain)
      return existing;
    return this.#named?.get(draftNameIn(table, pk)) ?? this.engine.store.row(table, pk);
  }

  // ── creations ────────────────────────────────────────────────────────────────────────────────

  /** The n-th row of a type in a guess is the same row at every replay. */
  draft(table: Table): Row | undefined {
    const { optimisticOf } = this.#options;
    if (!optimisticOf) return undefined;
    const at = draftPlace(optimisticOf.drafts, table, this.#count(table));
    return (optimisticOf.drafts[at] ??= this.engine.createDraft(table));
  }

  /** The n-th row of a type in an answer is the n-th of the guess, now under the server's name. */
  name(table: Table, pk: string): Row {
    const { optimisticOf, answerTo } = this.#options;
    const nth = this.#count(table);
    const present = table.rows.get(pk);
    if (optimisticOf) optimisticOf.drafts[draftPlace(optimisticOf.drafts, table, nth)] = this.row(table, pk);
    const draft = answerTo?.drafts[draftPlace(answerTo.drafts, table, nth)];
    if (!draft?.localId || draft.pk !== draft.localId) return this.row(table, pk);
    const row = present ?? draft;
    this.effects.namings.push({ draft, row, pk });
    (this.#named ??= new Map<string, Row>()).set(draftNameIn(table, pk), row);
    return row;
  }

  #count(table: Table): number {
    const created = (this.#created ??= new Map<Table, number>());
    const count = created.get(table) ?? 0;
    created.set(table, count + 1);
    return count;
  }

  // ── hooks ────────────────────────────────────────────────────────────────────────────────────

  fail(code: string, params: Record<string, unknown>, options?: ErrorOptions): never {
    throw new ValidationError(code, { ...params, path: this.#path() }, options);
  }

  warn(code: string, subject: string, params: Record<string, unknown>): void {
    inDevelopment(() => this.engine.warn(code, subject, { ...params, path: this.#path() }));
  }

  /** Where in the payload the walk is. */
  #path(): string {
    const steps = this.#steps.slice(0, this.#depth);
    return this.#start + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  }
}

function draftNameIn(table: Table, pk: string): string {
  return JSON.stringify([table.key, pk]);
}

/** Where the n-th row of a table stands among drafts; their length when there are fewer. */
function draftPlace(drafts: readonly Row[], table: Table, nth: number): number {
  return [...drafts.keys()].filter((at) => drafts[at]?.table === table)[nth] ?? drafts.length;
}
