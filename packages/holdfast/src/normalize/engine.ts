// Joins schemas and store: payloads in, views out. Everything that must be one per store lives here: tables by entity
// class, views by schema, cells by arguments. Cache is its public face; the controller stands on it.
import { Store } from '../store/store.ts';
import { isNode, Slot } from '../store/nodes.ts';
import type { Fields, Row, Table } from '../store/nodes.ts';
import { unionKey } from '../store/union-name.ts';
import { applyEffects } from '../store/apply-effects.ts';
import { contentOf } from '../store/overlay.ts';
import { share } from '../schema/protocol/share.ts';
import { HoldfastError, warnOnce } from '../support/errors.ts';
import { INVALID, queryKind, UNKNOWN } from '../schema/protocol/protocol.ts';
import type {
  Host,
  Kind,
  MissingPart,
  QueryContext,
  ReadContext,
  Restore,
  TableOwner,
  ViewReader,
} from '../schema/protocol/protocol.ts';
import { Reader } from './read.ts';
import type { Reads } from './read.ts';
import { Writer } from './write.ts';
import type { WriteOptions } from './write.ts';
import { ensure } from '../support/ensure.ts';
import { isEqual } from '../store/fields.ts';
import { freezePlain, inDevelopment } from '#env';
import { NO_ARGS, View, withItem } from '../store/graph.ts';
import type { Node } from '../store/graph.ts';
import { stableText } from '../support/stable-text.ts';
import type { Effects } from '../store/effects.ts';
import type { Origin, Timeline } from '../store/stamp.ts';

export interface EngineOptions {
  /** Shared by the engines before and after a reset: stamps never go back. */
  readonly timeline: Timeline;
  /** In [0, 1), for local ids. */
  readonly random: () => number;
}

export class Engine implements Host {
  readonly store: Store;
  missing: MissingPart | null = null;
  readonly #random: () => number;
  /** The tables of the classes that have been met. */
  readonly owned: Map<TableOwner, Table> = new Map();
  readonly #responseViews = new WeakMap<Kind, ResponseKind>();
  readonly #cells = new Map<Kind, Map<string, View>>();
  /** Objects that are no plain data, by which look-ups are told apart. */
  readonly #ids = new WeakMap<object, string>();
  readonly #symbolIds = new Map<symbol, string>();
  #idCount = 0;
  readonly #warned = new Set<string>();
  #drafts = 0;

  constructor({ timeline, random }: EngineOptions) {
    this.#random = random;
    this.store = new Store(timeline, (view) => this.read(view));
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  /** What a payload would do; throws a ValidationError and changes nothing when the schema refuses it. */
  normalize(kind: Kind, value: unknown, options: WriteOptions): Effects {
    return new Writer(this, options).run(kind, value);
  }

  /** Applies a payload to server truth. */
  apply(effects: Effects, origin: Origin): void {
    this.store.batch(() => applyEffects(this.store, effects, origin));
  }

  /** A plain value in its stored form, for users' own merges: whatever else it says is not written. */
  readonly restore: Restore = (kind, plain) => this.normalize(kind, plain, { args: [] }).stored;

  /** Prints a coded warning once per subject, in development. */
  readonly warn = (code: string, subject: string, params: Record<string, unknown>): void =>
    inDevelopment(() => warnOnce(this.#warned, code, subject, params));

  // ── tables ───────────────────────────────────────────────────────────────────────────────────

  tableOf(owner: TableOwner): Table {
    const known = this.owned.get(owner);
    if (known) return known;
    const { key } = owner;
    const table = this.store.table(key);
    for (const other of this.owned.keys()) {
      if (other.key !== key) continue;
      // two classes that share a key on purpose share a table; two that both lean on their name are an accident
      if (other.owner !== owner.owner && other.hasDefaultKey && owner.hasDefaultKey)
        throw new HoldfastError('ENTITY_KEY_CLASH', { entity: key });
      table.isShared = true;
    }
    this.owned.set(owner, table);
    return table;
  }

  /** Lists over one type live in its table; lists over several in one that all of them know. */
  listTable(owners: readonly TableOwner[]): Table {
    return this.store.table(unionKey(new Set(owners.map((owner) => this.tableOf(owner).key))));
  }

  /** A row that the server has not named yet. Its local id is drawn once. */
  createDraft(table: Table): Row {
    this.#drafts += 1;
    const localId = `local:${this.#drafts}-${Math.floor(this.#random() * 2 ** 40).toString(36)}`;
    const row = this.store.row(table, localId);
    row.localId = localId;
    return row;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  viewOf(subject: Node, reader: object, args: readonly unknown[] = NO_ARGS): View {
    const { dependents } = subject;
    if (dependents instanceof View) {
      if (dependents.subject === subject && dependents.reader === reader) return dependents;
    } else if (dependents) {
      for (const view of dependents) if (view.subject === subject && view.reader === reader) return view;
    }
    const view = new View(subject, reader, args);
    subject.dependents = withItem(subject.dependents, view);
    return view;
  }

  /** The view of an endpoint's stored answer. */
  responseView(slot: Slot, kind: Kind, args: readonly unknown[]): View {
    return this.viewOf(slot, this.#responseKind(kind), args);
  }

  #responseKind(kind: Kind): ResponseKind {
    return ensure(this.#responseViews, kind, () => new ResponseKind(kind));
  }

  /** Whatever is neither plain data nor a date counts by identity. */
  readonly #nameOf = (value: object | symbol): string | undefined => {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (Array.isArray(value) || prototype === Object.prototype || prototype === null) return undefined;
    // not its text, which is another argument
    if (value instanceof Date) return `@${value.getTime()}`;
    const ids = typeof value === 'symbol' ? this.#symbolIds : this.#ids;
    return ensure<never, string>(ids, value as never, () => `#${(this.#idCount += 1)}`); // cast: each map has keys of its own type
  };

  /** The view of what the arguments alone name. */
  cellView(kind: Kind, args: readonly unknown[]): View {
    const views = ensure(this.#cells, kind, () => new Map<string, View>());
    const key = args.length === 0 ? '' : stableText(args, this.#nameOf);
    return ensure(views, key, () => new View(null, this.#responseKind(kind), args));
  }

  /** What the arguments name, if it is there. */
  lookUp(kind: Kind, args: readonly unknown[]): unknown {
    return kind.isAbsent?.(args, this) ? undefined : this.read(this.cellView(kind, args));
  }

  /** Everything that is kept: rows, lists, answers, look-ups and names. 0 when the store is empty. */
  get size(): number {
    let size = this.store.slots.size + this.store.intents.size;
    for (const views of this.#cells.values()) size += views.size;
    for (const { rows, lists, aliases, journal, listGroups, indexes } of this.store.tables.values()) {
      size += journal.length;
      for (const part of [rows, lists, aliases, listGroups, ...indexes.values()]) size += part.size;
    }
    return size;
  }

  /** The look-ups that are remembered. */
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
    if (store.isUnsettled) store.settle();
    if (!view.isClean) {
      new Reader(this, view, null).run();
      // what the read found is true from now on, for this reader too
      if (store.isUnsettled) return this.read(view);
    }
    if (view.failure) throw view.failure.error;
    return view.value;
  }

  /** Reads without memo, and records every node it came across: for snapshots and for checking the memo. */
  readFresh(view: View, reads: Reads = new Map(), states: ReadonlyMap<Row, Fields> | null = null): unknown {
    return this.openFresh(view, reads, states).value;
  }

  /** The same as a view that no other reader shares: it also tells what a look-up found. */
  openFresh(view: View, reads: Reads, states: ReadonlyMap<Row, Fields> | null = null): View {
    const fresh = new View(view.subject, view.reader, view.args);
    if (view.subject) reads.set(view.subject, contentOf(view.subject));
    new Reader(this, fresh, reads, states).run();
    return fresh;
  }

  /** The value of a stored form; `effects` gives the fields of rows that are no longer there. */
  readStored(kind: Kind, stored: unknown, args: readonly unknown[], effects: Effects | null): unknown {
    const slot = new Slot('');
    slot.stored = stored;
    const view = new View(slot, new ResponseKind(kind), args);
    this.store.settle();
    if (!effects) return new Reader(this, view, null, null, true).run();
    const states = new Map(effects.rows.map((row, at) => [row, effects.fields[at]!])); // the arrays grow together
    return this.readFresh(view, new Map(), states);
  }
}

/** Reads what a slot holds, or, in a view of nothing, what its arguments name. */
class ResponseKind implements ViewReader {
  readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  build(view: View, at: ReadContext & QueryContext): void {
    const { value: previous } = view;
    const slot = view.subject as Slot | null; // cast: see `answerView` and `cellView`
    const found = slot ? slot.stored : queryKind(this.kind, at.args, at);
    // the same form at every attempt: deep parts of it are known by identity
    if (!slot && !isEqual(view.stored, found)) view.stored = found;
    const stored = slot ? found : view.stored;
    const value = stored === UNKNOWN ? undefined : at.open(this.kind, stored);
    if (value === INVALID) {
      // to a look-up deleted and unknown are one: its readers are not told that one became the other
      at.complete(view, slot ? INVALID : undefined);
    } else {
      // the value of a row or a list is its own view's and keeps its references by itself
      at.complete(view, isNode(stored) ? value : share(previous, value));
      inDevelopment(() => freezePlain(view.value));
    }
  }
}
