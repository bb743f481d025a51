// Walks a payload down its schema and gives what it does to the store, as Effects. Iterative: depth is bounded by
// memory alone. Nothing is stored here, so a payload that turns out bad leaves the store as it was.
import { Effects } from '../store/effects.ts';
import type { Intent, List, Row, RowPolicy, Table } from '../store/nodes.ts';
import type { ListIdentity } from '../store/list-identity.ts';
import type { CreationContext, Kind, Restore, TableOwner, WriteContext } from '../schema/protocol.ts';
import { WriteFrame } from '../schema/protocol.ts';
import { ValidationError } from '../support/errors.ts';
import type { Store } from '../store/store.ts';
import type { WalkHost } from './host.ts';

/** How a payload is to be taken. */
export interface WriteOptions {
  readonly args: readonly unknown[];
  /** The arguments told apart, parameters and then the body, where an endpoint knows which is which. */
  readonly sent?: readonly unknown[];
  /** The payload's objects may be kept without a copy: it came off the wire and nobody else holds it. */
  readonly isOwned?: boolean;
  /** What the error path starts with: the endpoint's name. */
  readonly name?: string;
  /** The pending intent whose guess this is: rows without an id become its drafts. */
  readonly guessOf?: Intent;
  /** The intent that this answers: its drafts get the ids that the server gave. */
  readonly answerTo?: Intent;
}

/** A payload that is nested deeper than this may hold itself: from here on its objects are remembered. */
const FREE_DEPTH = 8;

export class Writer implements WriteContext {
  static readonly specimen: object = new Writer({} as never, { args: [] }); // cast: never run
  readonly effects = new Effects();
  readonly args: readonly unknown[];
  readonly sent: readonly unknown[];
  readonly isOwned: boolean;
  parent: unknown = undefined;
  key = '';
  part: string | null = null;
  item: number | null = null;
  existing: unknown = undefined;
  creation: CreationContext | null = null;
  readonly #engine: WalkHost;
  readonly #store: Store;
  readonly #options: WriteOptions;
  readonly #frames: WriteFrame[] = [];
  /** The rows of objects met so far, unless they came off the wire: others may hold one twice, or hold themselves. */
  #met: Map<unknown, Row> | null = null;
  /** The drafts that this payload names, by their new names. */
  #named: Map<string, Row> | null = null;
  /** How many rows of each type the creation has met: what is nested does not shift the count of the items. */
  #created: Map<Table, number> | null = null;
  #owner: TableOwner | null = null;
  #table: Table | null = null;
  #otherOwner: TableOwner | null = null;
  #otherTable: Table | null = null;

  constructor(engine: WalkHost, options: WriteOptions) {
    this.#engine = engine;
    this.#store = engine.store;
    this.#options = options;
    this.args = options.args;
    this.sent = options.sent ?? options.args;
    this.isOwned = options.isOwned ?? false;
  }

  run(kind: Kind, value: unknown): Effects {
    const frames = this.#frames;
    let stored = kind.enter(value, this);
    if (stored instanceof WriteFrame) {
      let frame: WriteFrame | undefined = stored;
      this.#push(frame);
      while (frame !== undefined) {
        if (frame.index < frame.size) {
          const child = frame.next(this);
          if (child instanceof WriteFrame) {
            this.#push(child);
            frame = child;
          } else {
            frame.accept(child);
            frame.index += 1;
          }
          continue;
        }
        stored = frame.finish(this);
        frames.pop();
        if (frame.isContextual) this.#met?.delete(frame.source);
        frame = frames.at(-1);
        if (frame !== undefined) {
          frame.accept(stored);
          frame.index += 1;
        }
      }
    }
    this.effects.stored = stored;
    return this.effects;
  }

  #push(frame: WriteFrame): void {
    this.#frames.push(frame);
    if (this.isOwned || frame.source === undefined || !frame.row) return;
    // near the top an object that is held twice may as well be written twice, unless each time would create a row
    if (this.#frames.length <= FREE_DEPTH && this.creation === null) return;
    (this.#met ??= new Map<unknown, Row>()).set(frame.source, frame.row);
  }

  metRow(value: object): Row | undefined {
    return this.#met?.get(value);
  }

  parentRow(): Row | null {
    for (let at = this.#frames.length - 1; at >= 0; at -= 1) {
      const row = this.#frames[at]?.row;
      if (row) return row;
    }
    return null;
  }

  // ── nodes ────────────────────────────────────────────────────────────────────────────────────

  table(owner: TableOwner): Table {
    // rows of one type come in runs, or take turns with what is nested in them
    if (owner !== this.#owner) {
      const table = owner === this.#otherOwner ? this.#otherTable : this.#engine.tableOf(owner);
      this.#otherOwner = this.#owner;
      this.#otherTable = this.#table;
      this.#owner = owner;
      this.#table = table;
    }
    return this.#table!; // set with the owner
  }

  listTable(owners: readonly TableOwner[]): Table {
    return this.#engine.listTable(owners);
  }

  row(table: Table, pk: string): Row {
    return this.#named?.get(JSON.stringify([table.key, pk])) ?? this.#store.row(table, pk);
  }

  get isCollecting(): boolean {
    return this.#store.touched !== null;
  }

  list(table: Table, identity: ListIdentity): List {
    return this.#engine.store.list(table, identity);
  }

  // ── creations ────────────────────────────────────────────────────────────────────────────────

  beginCreation(): CreationContext | null {
    const before = this.creation;
    this.creation = {
      draft: (table) => this.#draft(table),
      name: (table, pk) => this.#name(table, pk),
    };
    return before;
  }

  endCreation(before: CreationContext | null): void {
    this.creation = before;
  }

  /** The n-th row of a type in a guess is the same row at every replay. */
  #draft(table: Table): Row | undefined {
    const { guessOf } = this.#options;
    if (!guessOf) return undefined;
    const at = placeOf(guessOf.drafts, table, this.#count(table));
    return (guessOf.drafts[at] ??= this.#engine.createDraft(table));
  }

  /** The n-th row of a type in an answer is the n-th of the guess, now under the server's name. */
  #name(table: Table, pk: string): Row {
    const { guessOf, answerTo } = this.#options;
    const nth = this.#count(table);
    const present = table.rows.get(pk);
    if (guessOf) guessOf.drafts[placeOf(guessOf.drafts, table, nth)] = this.row(table, pk);
    const draft = answerTo?.drafts[placeOf(answerTo.drafts, table, nth)];
    if (!draft?.localId || draft.pk !== draft.localId) return this.row(table, pk);
    this.effects.namings.push({ draft, row: present ?? draft, pk });
    if (!present) (this.#named ??= new Map<string, Row>()).set(JSON.stringify([table.key, pk]), draft);
    return present ?? draft;
  }

  #count(table: Table): number {
    const created = (this.#created ??= new Map<Table, number>());
    const count = created.get(table) ?? 0;
    created.set(table, count + 1);
    return count;
  }

  // ── hooks ────────────────────────────────────────────────────────────────────────────────────

  policy(kind: Kind, create: (restore: Restore) => RowPolicy): RowPolicy {
    return this.#engine.policy(kind, create);
  }

  get restore(): Restore {
    return this.#engine.restore;
  }

  fail(code: string, params: Record<string, unknown>, cause?: unknown): never {
    const path = this.#path();
    throw new ValidationError(code, { ...params, path }, cause === undefined ? undefined : { cause });
  }

  warn(code: string, subject: string, params: Record<string, unknown>): void {
    this.#engine.warn(code, subject, { ...params, path: this.#path() });
  }

  /** Where in the payload the walk is. */
  #path(): string {
    const steps = this.#frames.map((frame) => frame.step());
    if (this.part !== null) steps.push(`.${this.part}`);
    if (this.item !== null) steps.push(`[${this.item}]`);
    return (this.#options.name ?? '') + steps.join('');
  }
}

/** Where the n-th row of a table stands among drafts; their length when there are fewer. */
function placeOf(drafts: readonly Row[], table: Table, nth: number): number {
  let left = nth;
  for (const [at, row] of drafts.entries()) {
    if (row.table !== table) continue;
    if (left === 0) return at;
    left -= 1;
  }
  return drafts.length;
}
