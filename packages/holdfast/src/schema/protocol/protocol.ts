// What a schema kind must be able to do. Kinds call each other by recursion through the two walks of normalize, which bound
// the depth of the call stack: a value may nest as deep as memory allows.
//
//   writing   enter(value) ─▶ the stored form. A form with parts is allocated first and filled through `at.fill`
//   reading   open(stored) ─▶ the value. Parts are opened through `at.open`, rows and lists through `at.view`
//   asking    query(args)  ─▶ the stored form that the arguments alone name, without a stored answer
import type { Effects } from '../../store/effects.ts';
import type { Fields, Row, RowState, Table } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';
import type { Node, View } from '../../store/graph.ts';
import { rowOf } from '../../store/stored-form.ts';

/** The slot under which a schema carries its kind. */
export const KIND: unique symbol = Symbol();

/** What a read gives for something deleted, or for a parent that lacks a required part. Never leaves the library. */
export const INVALID: unique symbol = Symbol();

/** Whether a read gave something to show. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== INVALID;
}

/** What a query gives when the arguments name nothing that is stored. */
export const UNKNOWN: unique symbol = Symbol();

/** A schema, compiled. */
export interface Kind {
  enter(value: unknown, at: WriteContext): unknown;
  open(stored: unknown, at: ReadContext): unknown;
  /** For kinds that arguments alone can name: the stored form; see `queryKind`. */
  query?(args: readonly unknown[], at: QueryContext): unknown;
  /** Puts new rows in the place of the first items, as long as nothing more is to be done; gives the place where it stopped. */
  enterNew?(items: unknown[], at: WriteContext): number;
  /** Opens the first rows of a list, as long as they were never read; gives the place where it stopped. */
  openNew?(members: readonly unknown[], values: unknown[], views: Node[]): number;
  /** For kinds that stand for one row: whether its fields are all that the kind declares. */
  covers?(fields: Fields): boolean;
  /** For kinds that stand for one row: the primary key that arguments name. */
  pkOf?(args: readonly unknown[]): string | undefined;
  /** For kinds that stand for one row: whether nothing is kept of the one that arguments name, not even that somebody waits for it. */
  isAbsent?(args: readonly unknown[], host: Host): boolean;
  /** For kinds that stand for one row: the row a payload names, without writing it. */
  identify?(value: unknown, at: WriteContext): Row | undefined;
  /** The entity types whose rows the kind's values stand for; what a list is about. */
  owners?(): readonly TableOwner[];
  /** For objects: the kinds of the members. */
  readonly members?: ReadonlyMap<string, Kind>;
  /** Whether it reads as something before any answer: an endpoint waits for its own all the same. */
  readonly isLive?: boolean;
  /** For kinds that put rows into lists. */
  readonly isPlacement?: boolean;
  /** For kinds that remove the rows they name: the kind of those. */
  removed?(): Kind;
  /** For kinds whose Collection is no array: how its members are kept. */
  readonly form?: ListForm;
}

/** The stored form that the arguments alone name; UNKNOWN where they name none. */
export function queryKind(kind: Kind, args: readonly unknown[], at: QueryContext): unknown {
  return kind.query ? kind.query(args, at) : UNKNOWN;
}

/** The same, and UNKNOWN also for a row that is not there. */
export function findKnown(kind: Kind, args: readonly unknown[], at: QueryContext): unknown {
  const stored = queryKind(kind, args, at);
  const row = rowOf(stored);
  if (row) at.depend(row);
  return !row || row.shown ? stored : UNKNOWN;
}

/** Fills the stored form of `source`, which is the row's where there is one, with its parts. */
export interface Filler {
  fill(source: unknown, stored: unknown, at: WriteContext, row: Row | null): void;
  /** Whether what is made of an object may depend on what is around it. */
  readonly isContextual?: boolean;
}

/** Makes the values of views. */
export interface ViewReader {
  /** Reads what the view shows and completes it; leaves it as it is where `at.isWaiting`. */
  build(view: View, at: ReadContext): void;
}

/** How a Collection keeps its members. A map's way comes with `schema.Values`: who has no maps does not ship it. */
export interface ListForm {
  readonly isKeyed: boolean;
  /** The readers of such lists, by the kind of the items. */
  readonly readers: WeakMap<Kind, ViewReader>;
  write(item: Kind, value: unknown, at: WriteContext): readonly unknown[];
  read(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void;
  /** The members in what a creation was answered, as `write` takes them: the value itself, or one item put among such. */
  take(value: object, item: Kind, at: WriteContext): unknown;
  /** The stored form of members that were created together. */
  hold(members: readonly unknown[]): object;
  openKept(item: Kind, stored: unknown, at: ReadContext): unknown;
  /** The members as a user's own merge knows them. */
  toPlain(members: readonly unknown[]): unknown;
  /** The member under the name that a user's own merge gave it; lists without names have none. */
  withName?(member: unknown, name: string): unknown;
}

/** What is one per store: the engine, as kinds and walks see it. */
export interface Host {
  readonly store: Store;
  /** Turns a plain value into its stored form with no other effect, for users' own merges. */
  readonly restore: Restore;
  /** The last part that a read found missing. */
  missing: MissingPart | null;
  tableOf(owner: TableOwner): Table;
  /** The table that keeps the lists over these entity types. */
  listTable(owners: readonly TableOwner[]): Table;
  createDraft(table: Table): Row;
  viewOf(subject: Node, reader: object): View;
  /** Reads without memo, with other fields for some rows. */
  readFresh(view: View, reads: Map<Node, unknown>, states: ReadonlyMap<Row, Fields>): unknown;
  warn(code: string, subject: string, params: Record<string, unknown>): void;
}

/** What a kind may ask while a payload is written. */
export interface WriteContext {
  readonly engine: Host;
  readonly effects: Effects;
  readonly args: readonly unknown[];
  /** Parameters and body of the request, told apart: what a creation's filter is given. */
  readonly sent: readonly unknown[];
  /** Whether the payload is a guess, made over what is shown; an answer meets server truth. */
  readonly isOptimistic: boolean;
  /** Whether the payload belongs to the store, so that its objects may be kept without a copy. */
  readonly isOwned: boolean;
  /** Where the value stands: the object it is a member of and its name there; an array's items have the array's. */
  readonly parent: unknown;
  readonly key: string;
  /** The nearest entity around the value. */
  readonly around: Row | null;
  /** What is stored now where the value will stand, when known: a field is not parsed again, nor a row looked up. */
  existing: unknown;
  /** Says where the part stands that is entered next; `step` is its name in the path of an error. */
  place(step: string | number, parent: unknown, key: string, existing?: unknown): void;
  /** Has the stored form filled: at once, or after everything else where the walk is too deep for the call stack. */
  fill(filler: Filler, source: unknown, stored: unknown, row?: Row | null): void;
  /** Writes the members of a creation, at once however deep: they are needed whole. */
  create<T>(write: () => T): T;
  /** Whether the value stands in a creation: its rows may be drafts, or get the names of drafts. */
  readonly isCreation: boolean;
  /** The row for the next creation without an id; undefined where only the server may name rows. */
  draft(table: Table): Row | undefined;
  /** The row for a creation that has a name; a draft that waited for the name becomes that row. */
  name(table: Table, pk: string): Row;
  /** The row of a name; a draft that this payload names is that row. */
  row(table: Table, pk: string): Row;
  /** The row of an object that was met before in this payload, or around this very place. */
  metRow(value: unknown): Row | undefined;
  fail(code: string, params: Record<string, unknown>, options?: ErrorOptions): never;
  warn(code: string, subject: string, params: Record<string, unknown>): void;
}

/** Who names a table: two classes that both lean on their class name for one key are refused. */
export interface TableOwner {
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
  /** The primary key that arguments name; absent for what is no entity. */
  readonly pkOf?: ((args: readonly unknown[]) => string | undefined) | undefined;
  /** The names of the fields that the class declares. */
  fieldNames?(): readonly string[];
}

export type Restore = (kind: Kind, plain: unknown) => unknown;

/** A part without which an entity is not what its type says. */
export interface MissingPart {
  readonly entity: string;
  readonly pk: string;
  readonly field: string;
}

/** What a kind may ask while a value is read. */
export interface ReadContext {
  readonly engine: Host;
  readonly args: readonly unknown[];
  /** Opens a part. Gives what the view under construction read here the last time where nothing has changed. */
  open(kind: Kind, stored: unknown): unknown;
  /** The value of a node as a reader sees it. The view under construction depends on it. */
  view(subject: Node, reader: ViewReader): unknown;
  /** Opens members that were never read, as far as the kind can; gives the place of the first that it could not. */
  openNew(kind: Kind, members: readonly unknown[], values: unknown[]): number;
  /** Looks again at a view that the one under construction depends on already. */
  revisit(view: View): unknown;
  /**
   * Whether a part of the view under construction is too deep for the call stack: what was opened so far is no value. The
   * part is opened by itself, then the view is built again.
   */
  readonly isWaiting: boolean;
  /** What was made of the view before it had to wait: circles may hold it. */
  madeOf(view: View): unknown;
  /** The fields of a row for this read. */
  stateOf(row: Row): RowState;
  /** The view of the answer or look-up in work when it is this kind's own: it may keep there what it worked out. */
  cellOf(kind: Kind): View | null;
  /** Makes the view under construction depend on a node. */
  depend(node: Node): void;
  /** Whether a circle has closed on the view's unfinished value. */
  isShared(view: View): boolean;
  /** Whether the value is that of the child read last, and the view under construction has just so many. */
  isChild(value: unknown, count: number): boolean;
  /** Gives the view its value, and as its edges the children that were read: all, or those from `head` to `end`. */
  complete(view: View, value: unknown, head?: number, end?: number): void;
}

/** What a kind may ask when only arguments are given. */
export interface QueryContext {
  readonly engine: Host;
  readonly args: readonly unknown[];
  /** Makes the look-up depend on a node. */
  depend(node: Node): void;
}

/**
 * The order marks that lifecycle hooks get: when the data was asked for and when it arrived.
 *
 * @example
 * class Note extends Entity {
 *   id = '';
 *   static override key = 'Note';
 *   static override shouldReorder(existing: Meta, incoming: Meta) {
 *     return incoming.fetchedAt < existing.fetchedAt;
 *   }
 * }
 */
export interface Meta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt?: number;
}
