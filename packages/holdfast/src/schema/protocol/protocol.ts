// The interface of schema kinds, and the contexts that normalize/write.ts and normalize/read.ts pass to them. The contexts limit
// the depth of the call stack, so that a value may be nested as deep as memory allows.
//
//   writing      enter(value) ─▶ the stored form. Parts that may be nested deeply are filled in through `at.fill`
//   reading      open(stored) ─▶ the value. Parts are opened through `at.open`, rows and lists through `at.readNode`
//   looking up   query(args)  ─▶ the stored form that the arguments alone identify, without a stored response
import type { Effects, MissingPart } from '../../store/effects.ts';
import type { Fields, Row, RowState, Table } from '../../store/nodes.ts';
import type { Store } from '../../store/store.ts';
import type { Node, View, ViewBuilder } from '../../store/graph.ts';
import { rowOf } from '../../store/stored-form.ts';

/** The property with the kind of an entity class or a schema object. Shorthands such as `[S]` do not have it. */
export const KIND: unique symbol = Symbol();

/** The result of a read for a deleted row, and for data that cannot be shown, or not yet. Callers of the library never get it. */
export const INVALID: unique symbol = Symbol();

/** Whether a read returned a value that can be shown. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== INVALID;
}

/** The result of `query` when the arguments identify no stored form. */
export const UNKNOWN: unique symbol = Symbol();

/**
 * A compiled schema. Every kind writes and reads. Most other abilities of a kind are roles, which are the interfaces below. Only
 * the functions after these interfaces test whether a kind has a role. Callers use the functions, which return a default for a kind
 * without the role.
 */
export interface Kind extends Traits {
  enter(value: unknown, at: WriteContext): unknown;
  open(stored: unknown, at: ReadContext): unknown;
  /**
   * Only for kinds that may leave out items of an array. Enters items from the start, in place, and removes those that it leaves out.
   * Returns the index from which the caller enters the rest.
   */
  enterAll?(items: unknown[], at: WriteContext): number;
  /** Only for kinds of one row. Returns the row that a payload identifies, without writing its fields. */
  identify?(value: unknown, at: WriteContext): Row | undefined;
  /** Only for kinds that know the declared fields of a row. False if `fields` lacks a declared field that is not derived. */
  covers?(fields: Fields): boolean;
}

/** Facts about some kinds. Callers read them directly. */
interface Traits {
  /**
   * True if the kind has a value before any response, as All has. An endpoint with such a kind still waits for its own response.
   */
  readonly needsNoResponse?: boolean;
  /** True if the value of the kind follows from the row that has the field. `open` gets that row, even if the field is absent. */
  readonly isDerived?: boolean;
  /**
   * True for the kinds of `push`, `unshift`, `assign`, `remove` and `move` of a Collection, and for such kinds with a user's merge.
   */
  readonly isPlacement?: boolean;
  /**
   * The form in which members are stored. The kind of a map has the form that a Collection of such maps has. The kind of a
   * Collection, and its kinds with `isPlacement`, have the Collection's form.
   */
  readonly form?: ListForm;
}

// ── the roles of kinds ───────────────────────────────────────────────────────────────────────────

/** The role of kinds that know which entity types the rows in their values have. */
export interface HasOwners {
  /** The entity types of the rows. They determine the table of a list. */
  owners(): readonly TableOwner[];
}

/** The role of kinds whose values can be looked up. */
export interface HasQuery {
  /** The stored form that the arguments identify. Call it through `queryKind`. */
  query(args: readonly unknown[], at: QueryContext): unknown;
}

/** The role of kinds that remove rows. */
export interface Removes {
  /** The kind of the removed rows. */
  removed(): Kind;
}

/** The kind of an entity class, which also builds the views of its rows. */
export interface RowKind extends Kind, ViewReader, HasOwners, HasQuery {
  /** The primary key that the arguments contain. */
  pkOf(args: readonly unknown[]): string | undefined;
  /**
   * True when the arguments contain no primary key, or when the store has no row object, not even an empty one, for that key.
   * Always false for a class with `indexes`, by which the arguments may identify another row.
   */
  isAbsent(args: readonly unknown[], host: Host): boolean;
  /** A fast path. Opens leading rows that were never read, and returns the index of the first member that needs `open`. */
  openNew(members: readonly unknown[], values: unknown[], views: Node[]): number;
}

// ── which roles a kind has ───────────────────────────────────────────────────────────────────────

/** A kind with any of the roles. */
type WithRoles = Kind & Partial<RowKind & Removes>;

export function isRowKind(kind: WithRoles): kind is RowKind {
  return !!kind.pkOf;
}

/**
 * Whether the kind has owners and is not the kind of a map: its payloads are then usually rows or arrays of rows. Call it only for
 * a kind that is no ObjectKind.
 */
export function isOfRows(kind: WithRoles): boolean {
  return !!kind.owners && !kind.form?.isKeyed;
}

/** The entity types whose rows the values contain; empty for a kind without the role HasOwners, such as the kind of a map. */
export function ownersOf(kind: WithRoles): readonly TableOwner[] {
  return kind.owners?.() ?? [];
}

/** The stored form that the arguments alone identify; UNKNOWN if they identify no stored form. */
export function queryKind(kind: WithRoles, args: readonly unknown[], at: QueryContext): unknown {
  return kind.query ? kind.query(args, at) : UNKNOWN;
}

export function isRemoval(kind: WithRoles): boolean {
  return !!kind.removed;
}

/** The kind of the rows that a kind removes; the kind itself if it removes no rows. */
export function withoutRemoval(kind: WithRoles): Kind {
  return kind.removed?.() ?? kind;
}

/**
 * True for the kinds of `schema.Values`, of a Collection of Values, and of the creations, removals and moves of such a Collection.
 */
export function isKeyed(kind: WithRoles): boolean {
  return !!kind.form?.isKeyed;
}

export function isCollection(kind: WithRoles): boolean {
  return !!(kind.query && kind.form && kind.owners);
}

/**
 * Whether a field of this kind usually stores a row, or an array of rows. False for kinds whose values can be looked up, for kinds
 * with a `form`, such as maps, and for kinds that remove rows. Call it only for a kind that has owners and is not the kind of an
 * entity.
 */
export function isPointer(kind: WithRoles): boolean {
  return !(kind.query ?? kind.form ?? kind.removed);
}

/** Does the same as `queryKind`, but also returns UNKNOWN for a row that has no fields yet or was deleted. */
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
  /** Builds the view's value and calls `at.finishView`, which does nothing when `at.isWaiting`. */
  build(view: View, at: ReadContext): void;
}

/** How a Collection stores its members: as an array or as a map. The code for maps is shipped only with `schema.Values`. */
export interface ListForm {
  readonly isKeyed: boolean;
  /** The readers of lists in this form, by the kind of their items. */
  readonly readers: WeakMap<Kind, ViewReader>;
  write(item: Kind, value: unknown, at: WriteContext): readonly unknown[];
  read(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void;
  /**
   * Converts the payload of a creation, a removal or a move to the input of `write`. A payload that is recognized as a single item
   * is wrapped.
   */
  toWriteInput(value: object, item: Kind, at: WriteContext): unknown;
  /** The stored form of the members of one such payload. */
  toStoredForm(members: readonly unknown[]): object;
  openCreated(item: Kind, stored: unknown, at: ReadContext): unknown;
  /** The members in the form that a user's merge hook gets. */
  toPlain(members: readonly unknown[]): unknown;
  /** Only for maps. Returns the member under the name that a user's merge hook returned. */
  withName?(member: unknown, name: string): unknown;
}

/** The part of the engine that kinds, the Writer and the Reader use. There is one per store. */
export interface Host {
  readonly store: Store;
  /**
   * Converts a plain value to its stored form without writing any row. It serves the results of users' merge hooks, and the ids of
   * a Lazy.
   */
  readonly toStored: ToStored;
  tableOf(owner: TableOwner): Table;
  /** The table for the lists of these entity types. */
  listTable(owners: readonly TableOwner[]): Table;
  createDraft(table: Table): Row;
  viewOf(subject: Node, reader: ViewBuilder): View;
  /** Reads without memo, into the returned view. Records the read nodes in `reads`; `states` replaces the fields of some rows. */
  readWithoutMemo(view: View, reads: Map<Node, unknown>, states: ReadonlyMap<Row, Fields>): View;
}

/** The tools that a kind can use while a payload is normalized. */
export interface WriteContext {
  readonly engine: Host;
  readonly effects: Effects;
  readonly args: readonly unknown[];
  /**
   * The parameters and the body of the request, or `args` when the two are not known. The filter of a creation, a removal or a move
   * gets them.
   */
  readonly sent: readonly unknown[];
  readonly wholePayload: unknown;
  /** True for an optimistic update, which is merged with the shown fields; any other payload is merged with base. */
  readonly isOptimistic: boolean;
  /** True when no other code holds the payload, so that its objects can be stored without a copy. */
  readonly isOwned: boolean;
  /**
   * The object that contains the value, and the name of the value's property in the object. The items of an array get the parent
   * and the name of the array.
   */
  readonly parent: unknown;
  readonly keyInParent: string;
  /** The nearest row that contains the value. */
  readonly enclosingRow: Row | null;
  /**
   * The stored form that the value will replace, if known. A kind that knows this form need not parse an unchanged field, or look
   * up the same row. For an entry of a map, it is the map that contains the entry.
   */
  existing: unknown;
  /** Sets the position of the part that is entered next; `step` is its property name or index, for the path in an error. */
  moveTo(step: string | number, parent: unknown, key: string, existing?: unknown): void;
  /** Calls `filler.fill` at once; or later, from a queue, when the payload is nested too deep for the call stack. */
  fill(filler: FormFiller, source: unknown, stored: unknown, row?: Row | null): void;
  /** Runs `write` for the members of a creation, a removal or a move, with `isCreation` set. */
  runInCreation<T>(write: () => T): T;
  /**
   * True inside a creation, and inside a removal or a move, which may create rows too: in an optimistic update, objects without an
   * id become drafts; in the response, these drafts get the server's ids.
   */
  readonly isCreation: boolean;
  /** The draft for a created object without an id; undefined unless the payload is an optimistic update. */
  nextDraft(table: Table): Row | undefined;
  /** The row for a created object with a primary key; the object's draft, if there is one, becomes that row. */
  nextCreatedRow(table: Table, pk: string): Row;
  /** The row with this primary key. A draft to which this payload gives the key counts as that row. */
  row(table: Table, pk: string): Row;
  /**
   * The row that was recorded for an object that was entered earlier in this payload, such as an object that contains the present
   * object. Undefined if none was recorded.
   */
  rowOfObject(value: unknown): Row | undefined;
  fail(code: string, params: Record<string, unknown>, options?: ErrorOptions): never;
  /** The path to the current part of the payload, for an error message or a warning. */
  path(): string;
}

/**
 * An entity kind as an owner of a table. All kinds with the same key share the table. Two classes with the same key are rejected
 * when both have `hasDefaultKey`.
 */
export interface TableOwner {
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
  /** The primary key that the arguments contain. */
  pkOf(args: readonly unknown[]): string | undefined;
  /** The names of the declared fields that are stored. */
  fieldNames(): readonly string[];
  /** Returns a payload, or an array of payloads, with the field names of the class instead of the server's names. */
  withOwnNames(value: unknown): unknown;
}

export type ToStored = (kind: Kind, plain: unknown) => unknown;

/** The tools that a kind can use while a value is read. */
export interface ReadContext {
  readonly engine: Host;
  readonly args: readonly unknown[];
  /**
   * Opens a part. Returns the memoized value if the last build of the view read the same row at this place and the row's view is
   * unchanged.
   */
  open(kind: Kind, stored: unknown): unknown;
  /** The value of a node as `reader` builds it. The view under construction then depends on the node. */
  readNode(subject: Node, reader: ViewReader): unknown;
  /** Opens leading members that were never read; returns the index of the first member that needs `open`. */
  openNew(kind: Kind, members: readonly unknown[], values: unknown[]): number;
  /** The current value of a view on which the view under construction already depends. */
  readView(view: View): unknown;
  /**
   * True when a part of the view under construction is too deep for the call stack, so that the view's value is not known yet. The
   * part is opened separately, then the view is built again.
   */
  readonly isWaiting: boolean;
  /**
   * The object that an earlier attempt created for the view before it had to wait. The object must be used again, because a value
   * in a cycle may hold it.
   */
  unfinishedOf(view: View): unknown;
  /** The fields of a row for this read: as the kind shows them, or the fields that the read uses instead of the stored fields. */
  stateOf(row: Row, kind: object): RowState;
  /**
   * The view under construction, if `kind` is its outermost kind and the read is memoized; else null. The kind may store data in
   * the view.
   */
  viewBuiltBy(kind: Kind): View | null;
  /** Makes the view under construction depend on a node. */
  depend(node: Node): void;
  /** Whether another view has taken the unfinished value of this view and may hold it, because the two refer to each other. */
  isInCycle(view: View): boolean;
  /** Whether the view under construction has exactly `count` children so far and `value` is the value of the last one. */
  isLastChild(value: unknown, count: number): boolean;
  /**
   * The part that the last incomplete entity lacked, among the entities that this read has built; null when none of them lacked a
   * required part.
   */
  missing: MissingPart | null;
  /**
   * Stores the view's value and its edges: the children that were read replace all old children, or only the children from `head`
   * to `end`.
   */
  finishView(view: View, value: unknown, head?: number, end?: number): void;
}

/** The tools that a kind can use when only arguments are known. */
export interface QueryContext {
  readonly engine: Host;
  readonly args: readonly unknown[];
  /** Makes the look-up depend on a node. */
  depend(node: Node): void;
}

/**
 * The times that lifecycle hooks get: when the data was requested, when it arrived, and when it expires. For stored data,
 * `fetchedAt` is the time with which the request time of the incoming data is compared.
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
