// The interface of schema kinds, and the contexts that normalize/write.ts and normalize/read.ts pass to them. Kinds call each
// other through these contexts, which limit the depth of the call stack: a value may be nested as deep as memory allows.
//
//   writing      enter(value) ─▶ the stored form. A form with parts is allocated first and filled through `at.fill`
//   reading      open(stored) ─▶ the value. Parts are opened through `at.open`, rows and lists through `at.readNode`
//   looking up   query(args)  ─▶ the stored form that the arguments alone identify, without a stored response
import type { Effects, MissingPart } from '../../store/effects.ts';
import type { Fields, Row, RowState, Table } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';
import type { Node, View, ViewBuilder } from '../../store/graph.ts';
import { rowOf } from '../../store/stored-form.ts';

/** The property of a schema that holds its kind. */
export const KIND: unique symbol = Symbol();

/** The value of a deleted row, or of a value that lacks a required part. Callers of the library never get it. */
export const INVALID: unique symbol = Symbol();

/** Whether a read returned a value that can be shown. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== INVALID;
}

/** What `query` returns when the arguments identify no stored form. */
export const UNKNOWN: unique symbol = Symbol();

/** A compiled schema. */
export interface Kind {
  enter(value: unknown, at: WriteContext): unknown;
  open(stored: unknown, at: ReadContext): unknown;
  /** For kinds whose values can be looked up: the stored form that the arguments identify. Call it through `queryKind`. */
  query?(args: readonly unknown[], at: QueryContext): unknown;
  /** For kinds that may leave out items of an array: enters all items in place, and returns their number. */
  enterAll?(items: unknown[], at: WriteContext): number;
  /** Fast path: opens leading rows that were never read, and returns the index of the first member that needs `open`. */
  openNew?(members: readonly unknown[], values: unknown[], views: Node[]): number;
  /** For kinds of one row: whether `fields` contains every field that the kind declares. */
  covers?(fields: Fields): boolean;
  /** For kinds of one row: the primary key that the arguments contain. */
  pkOf?(args: readonly unknown[]): string | undefined;
  /** For kinds of one row: true when the store has no row object, not even an empty one, that the arguments can identify. */
  isAbsent?(args: readonly unknown[], host: Host): boolean;
  /** For kinds of one row: the row that a payload identifies; its fields are not written. */
  identify?(value: unknown, at: WriteContext): Row | undefined;
  /** The entity types whose rows the kind's values contain. They determine the table of a list. */
  owners?(): readonly TableOwner[];
  /** For objects: the kinds of the properties. */
  readonly members?: ReadonlyMap<string, Kind>;
  /** True when the kind has a value before any response, as All has; an endpoint still waits for its own response. */
  readonly isLive?: boolean;
  /** True for kinds whose value follows from the row that has the field: `open` gets that row, also when the field is absent. */
  readonly isDerived?: boolean;
  /** True for kinds that add rows to lists, remove them from lists, or move them. */
  readonly isPlacement?: boolean;
  /** For kinds that remove rows: the kind of the removed rows. */
  removed?(): Kind;
  /** For kinds of maps, and of Collections: how the Collection stores its members. */
  readonly form?: ListForm;
}

/** The stored form that the arguments alone identify; UNKNOWN when there is none. */
export function queryKind(kind: Kind, args: readonly unknown[], at: QueryContext): unknown {
  return kind.query ? kind.query(args, at) : UNKNOWN;
}

/** Like `queryKind`, but also UNKNOWN for a row that has no fields yet or was deleted. */
export function findKnown(kind: Kind, args: readonly unknown[], at: QueryContext): unknown {
  const stored = queryKind(kind, args, at);
  const row = rowOf(stored);
  if (row) at.depend(row);
  return !row || row.shown ? stored : UNKNOWN;
}

/** A kind whose stored form is allocated first and filled afterwards: `fill` normalizes the parts of `source` into `stored`. */
export interface FormFiller {
  fill(source: unknown, stored: unknown, at: WriteContext, row: Row | null): void;
  /** True when the row of an object may depend on the object's parent, so that one object may become several rows. */
  readonly isContextual?: boolean;
}

/** A ViewBuilder that knows the type of its context. */
export interface ViewReader extends ViewBuilder {
  /** Builds the view's value and calls `at.finishView`; when `at.isWaiting`, leaves the view as it is. */
  build(view: View, at: ReadContext): void;
}

/** A kind of one row, which also builds the views of its rows. */
interface RowKind extends Kind, ViewReader {}

export function isRowKind(kind: Kind): kind is RowKind {
  return 'pkOf' in kind;
}

/** How a Collection stores its members: as an array or as a map. The map's code is part of `schema.Values`, to save bytes. */
export interface ListForm {
  readonly isKeyed: boolean;
  /** The view readers of lists in this form, by the kind of their items. */
  readonly readers: WeakMap<Kind, ViewReader>;
  write(item: Kind, value: unknown, at: WriteContext): readonly unknown[];
  read(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void;
  /** Converts the response to a creation to the input of `write`; a response that is a single item is wrapped. */
  toWriteInput(value: object, item: Kind, at: WriteContext): unknown;
  /** The stored form of members that were created together. */
  toStoredForm(members: readonly unknown[]): object;
  openCreated(item: Kind, stored: unknown, at: ReadContext): unknown;
  /** The members in the form that a user's merge hook gets. */
  toPlain(members: readonly unknown[]): unknown;
  /** For maps: the member under the name that a user's merge hook returned. */
  withName?(member: unknown, name: string): unknown;
}

/** The part of the engine that kinds, the Writer and the Reader use. One per store. */
export interface Host {
  readonly store: Store;
  /** Converts a plain value to its stored form, without writing any row: for results of users' merge hooks, and ids of a Lazy. */
  readonly toStored: ToStored;
  tableOf(owner: TableOwner): Table;
  /** The table for the lists of these entity types. */
  listTable(owners: readonly TableOwner[]): Table;
  createDraft(table: Table): Row;
  viewOf(subject: Node, reader: ViewBuilder): View;
  /** Reads without memo, into the returned view; `states` replaces the fields of some rows. */
  readWithoutMemo(view: View, reads: Map<Node, unknown>, states: ReadonlyMap<Row, Fields>): View;
}

/** What a kind can use while a payload is normalized. */
export interface WriteContext {
  readonly engine: Host;
  readonly effects: Effects;
  readonly args: readonly unknown[];
  /** The parameters and the body of the request, or `args` when the two are not known: input for the filter of a creation. */
  readonly sent: readonly unknown[];
  /** The whole payload. */
  readonly wholePayload: unknown;
  /** True for an optimistic update, which is merged with the shown fields; a response is merged with base. */
  readonly isOptimistic: boolean;
  /** True when no other code holds the payload, so that its objects can be stored without a copy. */
  readonly isOwned: boolean;
  /** The object that contains the value, and in `key` the property name. Items of an array get those of the array. */
  readonly parent: unknown;
  readonly keyInParent: string;
  /** The row of the nearest entity that contains the value. */
  readonly enclosingRow: Row | null;
  /** The stored form that the value will replace, if known; saves parsing an unchanged field and looking up the same row. */
  existing: unknown;
  /** Sets the position of the part that is entered next; `step` is its property name or index, for the path in an error. */
  moveTo(step: string | number, parent: unknown, key: string, existing?: unknown): void;
  /** Calls `filler.fill` at once; or, when the payload is nested too deep for the call stack, after everything else. */
  fill(filler: FormFiller, source: unknown, stored: unknown, row?: Row | null): void;
  /** Runs `write` for the members of a creation, with `isCreation` set. */
  create<T>(write: () => T): T;
  /** True inside a creation: rows without an id become drafts, and rows of the response replace drafts. */
  readonly isCreation: boolean;
  /** The draft for a created object without an id; undefined unless the payload is an optimistic update. */
  draft(table: Table): Row | undefined;
  /** The row for a created object with a primary key; the draft that it was created as becomes that row. */
  createdRow(table: Table, pk: string): Row;
  /** The row with this primary key; a draft to which this payload gives the key counts as that row. */
  row(table: Table, pk: string): Row;
  /** The row recorded for an object that was normalized earlier in this payload, or that contains the current one. */
  rowOfObject(value: unknown): Row | undefined;
  fail(code: string, params: Record<string, unknown>, options?: ErrorOptions): never;
  /** The path to the current part of the payload, for an error message or a warning. */
  path(): string;
}

/** The entity kind that owns a table. Two classes with the same key are rejected when both have `hasDefaultKey`. */
export interface TableOwner {
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
  /** The primary key that the arguments contain. */
  readonly pkOf?: ((args: readonly unknown[]) => string | undefined) | undefined;
  /** The names of the fields that the class declares. */
  fieldNames?(): readonly string[];
  /** A payload, or an array of payloads, with the class's own names of its fields. */
  withOwnNames?(value: unknown): unknown;
}

export type ToStored = (kind: Kind, plain: unknown) => unknown;

/** What a kind can use while a value is read. */
export interface ReadContext {
  readonly engine: Host;
  readonly args: readonly unknown[];
  /** Opens a part. Returns the memoized value when the last build of the view read the same row here and it is unchanged. */
  open(kind: Kind, stored: unknown): unknown;
  /** The value of a node as `reader` builds it. The view under construction then depends on the node. */
  readNode(subject: Node, reader: ViewReader): unknown;
  /** Opens leading members that were never read; returns the index of the first member that needs `open`. */
  openNew(kind: Kind, members: readonly unknown[], values: unknown[]): number;
  /** The current value of a view on which the view under construction already depends. */
  readView(view: View): unknown;
  /**
   * True when a part of the view under construction is too deep for the call stack: the view has no value yet. The part is
   * opened separately, then the view is built again.
   */
  readonly isWaiting: boolean;
  /** The object that an earlier attempt created for the view before it had to wait. Reuse it: a cycle may hold it. */
  unfinishedOf(view: View): unknown;
  /** The fields of a row for this read, as the kind shows them. */
  stateOf(row: Row, kind: object): RowState;
  /** The view under construction, if `kind` is its outermost kind and the read is memoized: the kind may store data in it. */
  cellOf(kind: Kind): View | null;
  /** Makes the view under construction depend on a node. */
  depend(node: Node): void;
  /** Whether another view holds this view's unfinished value, because the two refer to each other. */
  isInCycle(view: View): boolean;
  /** Whether the view under construction has exactly `count` children and `value` is the value of the last one. */
  isChild(value: unknown, count: number): boolean;
  /** The last required part that this read has not found. */
  missing: MissingPart | null;
  /** Stores the view's value and its edges: the children that were read replace all old ones, or those from `head` to `end`. */
  finishView(view: View, value: unknown, head?: number, end?: number): void;
}

/** What a kind can use when only arguments are given. */
export interface QueryContext {
  readonly engine: Host;
  readonly args: readonly unknown[];
  /** Makes the look-up depend on a node. */
  depend(node: Node): void;
}

/**
 * The times that lifecycle hooks get: when the data was requested, when it arrived, and when it expires.
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
