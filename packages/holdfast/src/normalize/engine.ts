// Connects schemas with the store: normalizes payloads into it and reads views from it. It has the maps that exist once per store:
// tables by entity kind, readers of responses by kind, cells by kind and arguments.
import { Store } from '../store/store.ts';
import { isRowOrList } from '../store/nodes.ts';
import type { Fields, Row, Table } from '../store/nodes.ts';
import { Slot } from '../store/slot.ts';
import { unionKey } from '../store/union-name.ts';
import { applyEffects } from '../store/apply-effects.ts';
import { contentOf } from '../store/overlay.ts';
import { share } from '../schema/protocol/share.ts';
import { HoldfastError, warnOnce } from '../support/errors.ts';
import { INVALID, isRowKind, queryKind, UNKNOWN } from '../schema/protocol/protocol.ts';
import type {
  Host,
  Kind,
  QueryContext,
  ReadContext,
  ToStored,
  TableOwner,
  ViewReader,
} from '../schema/protocol/protocol.ts';
import { Reader } from './read.ts';
import type { ReadNodes } from './read.ts';
import { Writer } from './write.ts';
import type { WriteOptions } from './write.ts';
import { ensure } from '../support/ensure.ts';
import { isEqual } from '../store/fields.ts';
import { freezePlain, inDevelopment } from '#env';
import { NO_ARGS, View, addItem } from '../store/graph.ts';
import type { Node, ViewBuilder } from '../store/graph.ts';
import { stableText } from '../support/stable-text.ts';
import { isPlain } from '../support/plain.ts';
import type { Effects } from '../store/effects.ts';
import type { Stamp } from '../store/order.ts';
import type { Timeline } from '../store/timeline.ts';

export interface EngineOptions {
  /**
   * The timeline. The engines before and after a reset share it, so that times after the reset are later than all times before it.
   */
  readonly timeline: Timeline;
  /** Returns a number in [0, 1); used for local ids. */
  readonly random: () => number;
}

export class Engine implements Host {
  readonly store: Store;
  readonly #random: () => number;
  /** The tables of all entity kinds that were used so far. */
  readonly tablesByOwner: Map<TableOwner, Table> = new Map();
  readonly #responseReaders = new WeakMap<Kind, ResponseReader>();
  readonly #cells = new Map<Kind, Map<string, View>>();
  /** The ids of arguments that are compared by identity, for the keys of cells. */
  readonly #idsByObject = new WeakMap<object, string>();
  readonly #symbolIds = new Map<symbol, string>();
  #idCount = 0;
  #draftCount = 0;

  constructor({ timeline, random }: EngineOptions) {
    this.#random = random;
    this.store = new Store(timeline, (view) => this.read(view));
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Returns the changes that a payload would make in the store. Throws a ValidationError if the schema rejects the payload. The
   * call changes no stored data.
   */
  normalize(kind: Kind, value: unknown, options: WriteOptions): Effects {
    return new Writer(this, options).run(kind, value);
  }

  /** Applies effects to base, in one batch. */
  apply(effects: Effects, origin: Stamp): void {
    this.store.batch(() => applyEffects(this.store, effects, origin));
  }

  /** Converts a plain value, such as the result of a user's merge hook, to its stored form. Writes no row. */
  readonly toStored: ToStored = (kind, plain) => this.normalize(kind, plain, { args: [] }).stored;

  // ── tables ───────────────────────────────────────────────────────────────────────────────────

  tableOf(owner: TableOwner): Table {
    const known = this.tablesByOwner.get(owner);
    if (known) return known;
    const { key } = owner;
    const table = this.store.table(key);
    for (const other of this.tablesByOwner.keys()) {
      if (other.key !== key) continue;
      // Two classes with the same key share a table. If neither class declares the key, this is a mistake: the classes only have
      // the same name.
      if (other.owner !== owner.owner && other.hasDefaultKey && owner.hasDefaultKey)
        throw new HoldfastError('ENTITY_KEY_CLASH', { entity: key });
      // There is no warning if one class extends the other. There is also no warning if the two names are equal, because the class
      // may have been reloaded.
      inDevelopment(() => {
        const [left, right] = [other.owner, owner.owner] as [OwnerClass, OwnerClass]; // cast: owners of rows are classes
        const isRelated = Object.isPrototypeOf.call(left, right) || Object.isPrototypeOf.call(right, left);
        const params = { key, entity: left.name, other: right.name };
        if (!isRelated && left.name && right.name && left.name !== right.name)
          warnOnce(this, 'ENTITY_KEY_SHARED', key, params);
      });
      table.isShared = true;
    }
    this.tablesByOwner.set(owner, table);
    return table;
  }

  /**
   * The table for lists of these entity types. For one type it is the table of its rows; for several types it is a table without
   * rows.
   */
  listTable(owners: readonly TableOwner[]): Table {
    const keys = new Set(owners.map((owner) => this.tableOf(owner).key));
    return this.store.table(unionKey(keys), keys);
  }

  /** Creates a row for which the server has assigned no id yet. The row gets a random local id. */
  createDraft(table: Table): Row {
    this.#draftCount += 1;
    const localId = `local:${this.#draftCount}-${Math.floor(this.#random() * 2 ** 40).toString(36)}`;
    const row = this.store.row(table, localId);
    row.localId = localId;
    return row;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  viewOf(subject: Node, reader: ViewBuilder, args: readonly unknown[] = NO_ARGS): View {
    const { dependents } = subject;
    if (dependents instanceof View) {
      if (dependents.subject === subject && dependents.reader === reader) return dependents;
    } else if (dependents) {
      for (const view of dependents) if (view.subject === subject && view.reader === reader) return view;
    }
    const view = new View(subject, reader, args);
    subject.dependents = addItem(subject.dependents, view);
    return view;
  }

  responseView(slot: Slot, kind: Kind, args: readonly unknown[]): View {
    return this.viewOf(slot, this.#readerFor(kind), args);
  }

  #readerFor(kind: Kind): ResponseReader {
    return ensure(this.#responseReaders, kind, () => new ResponseReader(kind));
  }

  /**
   * The text for an argument in the key of a cell. For a date it is the time. For other instances and symbols, which are compared
   * by identity, it is an id. For plain data it is undefined, so that the content is written.
   */
  readonly #argumentId = (value: object | symbol): string | undefined => {
    // The ISO string of the date is not used, because a date and that string are different arguments.
    if (value instanceof Date) return `@${value.getTime()}`;
    const createId = (): string => `#${(this.#idCount += 1)}`;
    if (typeof value === 'symbol') return ensure(this.#symbolIds, value, createId);
    // `isPlain` is false for an array of another frame.
    return Array.isArray(value) || isPlain(value) ? undefined : ensure(this.#idsByObject, value, createId);
  };

  /** The view of the stored form that the arguments alone identify, without a stored response. */
  cellView(kind: Kind, args: readonly unknown[]): View {
    const views = ensure(this.#cells, kind, () => new Map<string, View>());
    const key = args.length === 0 ? '' : stableText(args, this.#argumentId);
    return ensure(views, key, () => new View(null, this.#readerFor(kind), args));
  }

  /** The value that the arguments identify; undefined when it is not stored or cannot be shown. */
  lookUp(kind: Kind, args: readonly unknown[]): unknown {
    return isRowKind(kind) && kind.isAbsent(args, this) ? undefined : this.read(this.cellView(kind, args));
  }

  /**
   * How many entries the store has: rows, local ids, lists, groups of lists, slots, cells, intents, and entries of indexes and
   * journals.
   */
  get size(): number {
    let size = this.store.slots.size + this.store.intents.size;
    for (const views of this.#cells.values()) size += views.size;
    for (const { rows, lists, rowsByLocalId, journal, listGroups, indexes } of this.store.tables.values()) {
      size += journal.length;
      for (const part of [rows, lists, rowsByLocalId, listGroups, ...indexes.values()]) size += part.size;
    }
    return size;
  }

  /** The views of all look-ups that are memoized. */
  *cells(): IterableIterator<View> {
    for (const views of this.#cells.values()) yield* views.values();
  }

  forgetCells(gone: ReadonlySet<Node>): void {
    for (const [kind, views] of this.#cells) {
      for (const [key, view] of views) if (gone.has(view)) views.delete(key);
      if (views.size === 0) this.#cells.delete(kind);
    }
  }

  read(view: View): unknown {
    const { store } = this;
    store.settle();
    if (!view.isClean) {
      new Reader(this, view, null).run();
      // The build may have found that a list is stale (`store.staleAfterRead`): the store settles, and the view is read again.
      if (store.isUnsettled) return this.read(view);
    }
    if (view.failure) throw view.failure.error;
    return view.value;
  }

  /**
   * Reads without memo, and records in `reads` every node that was read. For this read, the rows in `states` have the fields in
   * `states`. Returns a new view with the value; for a look-up, `stored` of this view is the form that was found.
   */
  readWithoutMemo(
    view: View,
    reads: ReadNodes = new Map(),
    states: ReadonlyMap<Row, Fields> | null = null,
  ): View {
    const fresh = new View(view.subject, view.reader, view.args);
    if (view.subject) reads.set(view.subject, contentOf(view.subject));
    new Reader(this, fresh, reads, states).run();
    return fresh;
  }

  /**
   * The value of a stored form. With the `effects` of a payload, the payload's rows have the payload's fields instead of the stored
   * fields; if the value cannot be shown, the reason is set as `missing` of the effects.
   */
  readStored(kind: Kind, stored: unknown, args: readonly unknown[], effects: Effects | null): unknown {
    const slot = new Slot('');
    slot.stored = stored;
    this.store.settle();
    const view = new View(slot, new ResponseReader(kind), args);
    if (!effects) return new Reader(this, view, null, null, true).run();
    const states = new Map(effects.rows.map((row, at) => [row, effects.fields[at]!])); // the arrays grow together
    const reader = new Reader(this, view, new Map(), states);
    const value = reader.run();
    effects.missing = reader.missing;
    return value;
  }
}

interface OwnerClass {
  readonly name: string;
}

/** Reads the stored form in a slot or, for a view without a subject, the stored form that the arguments identify. */
class ResponseReader implements ViewReader {
  readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  build(view: View, at: ReadContext & QueryContext): void {
    const { value: previous } = view;
    const slot = view.subject as Slot | null; // cast: see `responseView` and `cellView`
    const found = slot ? slot.stored : queryKind(this.kind, at.args, at);
    // The view keeps one object over all attempts of a read, because deep parts of the object are found by identity.
    if (!slot && !isEqual(view.stored, found)) view.stored = found;
    const stored = slot ? found : view.stored;
    const value = stored === UNKNOWN ? undefined : at.open(this.kind, stored);
    if (value === INVALID) {
      // A look-up shows undefined for a deleted and for an unknown row, so that a change between the two notifies no reader.
      at.finishView(view, slot ? INVALID : undefined);
    } else {
      // A row or a list has a view of its own, which already keeps unchanged references.
      at.finishView(view, isRowOrList(stored) ? value : share(previous, value));
      inDevelopment(() => freezePlain(view.value));
    }
  }
}
