// What a schema kind must be able to do, in steps: the walker in normalize owns the stack and asks; a kind names its
// children and puts their results together; it never calls the walker, and the walker never looks at what kind it has.
//
//   writing   enter(value) ─▶ stored form, or a WriteFrame:  next() … accept() … finish()
//   reading   open(stored) ─▶ value, or a ReadFrame:         next() … accept() … finish()
//   asking    query(args)  ─▶ the stored form that the arguments alone name, without a stored answer
import type { Effects } from '../../store/effects.ts';
import type { ListIdentity } from '../../store/list-identity.ts';
import type { Fields, IndexEntry, List, Row, RowPolicy, RowState, Table } from '../../store/nodes.ts';
import type { Node, View } from '../../store/view.ts';

/** The slot under which a schema carries its kind. */
export const KIND: unique symbol = Symbol('holdfast.kind');

/** What a read gives for something deleted, or for a parent that lacks a required part. Never leaves the library. */
export const INVALID: unique symbol = Symbol('holdfast.invalid');

/** Whether a read gave something to show. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== INVALID;
}

/** What a query gives when the arguments name nothing that is stored. */
export const UNKNOWN: unique symbol = Symbol('holdfast.unknown');

export interface Kind {
  enter(value: unknown, at: WriteContext): unknown;
  open(stored: unknown, at: ReadContext): unknown;
  query(args: readonly unknown[], at: QueryContext): unknown;
  /** Whether nothing is nested in it: written without a frame, and read, unless a hook has a say, without one too. */
  readonly isLeaf?: boolean;
  /**
   * For rows that are new: writes the items from a place on, as long as there is nothing more to it; gives the place where it stopped.
   */
  enterNew?(items: readonly unknown[], from: number, stored: unknown[], at: WriteContext): number;
  /** For kinds with views of their own: starts building one. */
  openView?(view: View, at: ReadContext): unknown;
  /**
   * For rows that nobody has read: opens those from a place in a list on, as long as there is nothing more to it, and gives the
   * place where it stopped.
   */
  openNew?(members: readonly unknown[], from: number, values: unknown[], views: Node[]): number;
  /** For kinds whose views stand on one other view: makes the value without a walk. Throws, and keeps, what reading it threw. */
  readView?(view: View): unknown;
  /** For kinds that stand for one row: whether its fields are all that the kind declares. */
  covers?(fields: Fields): boolean;
  /** For kinds that stand for one row: the primary key that arguments name. */
  pkOf?(args: readonly unknown[]): string | undefined;
  /** For kinds that stand for one row: the row a payload names, without writing it. */
  identify?(value: unknown, at: WriteContext): Row | undefined;
  /** For kinds whose plain form is a name: what it names; undefined when that is not there. */
  recall?(plain: unknown, at: QueryContext): unknown;
  /** The entity types whose rows the kind's values stand for; what a list is about. */
  owners?(): readonly TableOwner[];
  /** For kinds that remove the rows they name: the kind of those. */
  removed?(): Kind;
  /** For kinds whose Collection is no array: how its members are kept. */
  readonly form?: ListForm;
}

/** How a Collection keeps its members. A map's way comes with `schema.Values`: who has no maps does not ship it. */
export interface ListForm {
  readonly isKeyed: boolean;
  /** The kinds that read such lists, by the kind of the items. */
  readonly readers: WeakMap<Kind, Kind>;
  /** Writes the members and hands them over; what that gives is the stored form. */
  write(item: Kind, value: unknown, at: WriteContext): readonly unknown[];
  read(view: View, item: Kind, members: readonly unknown[], at: ReadContext): unknown;
  /** The members in what a creation was answered, as `write` takes them. */
  take(value: unknown): unknown;
  /** The stored form of what a creation made of that value. */
  keep(members: readonly unknown[], value: unknown): unknown;
  openKept(item: Kind, stored: unknown, at: ReadContext): unknown;
  /** The members as a user's own merge knows them. */
  toPlain(members: readonly unknown[]): unknown;
}

/** What a kind may ask while a payload is written. */
export interface WriteContext {
  readonly effects: Effects;
  readonly args: readonly unknown[];
  /** Parameters and body of the request, told apart: what a creation's filter is given. */
  readonly sent: readonly unknown[];
  /** Whether the payload belongs to the store, so that its objects may be kept without a copy. */
  readonly isOwned: boolean;
  /** Where the value stands: the object it is a member of and its name there; an array's items have the array's. */
  parent: unknown;
  key: string;
  /** Where the walk is, for the path in an error: the names and places of the children in work, down to `depth`. */
  readonly steps: (string | number)[];
  depth: number;
  /** The nearest entity around the value. */
  around: Row | null;
  /** What is stored now where the value will stand, when known: a field is not parsed again, nor a row looked up. */
  existing: unknown;
  /** Whether a collection runs, which has to hear of every row that is made. */
  readonly isCollecting: boolean;
  /** Set inside a creation: how many new rows it has met, and the drafts a guess may use for rows without an id. */
  readonly creation: CreationContext | null;
  table(owner: TableOwner): Table;
  /** The table that keeps the lists over these entity types. */
  listTable(owners: readonly TableOwner[]): Table;
  row(table: Table, pk: string): Row;
  list(table: Table, identity: ListIdentity): List;
  /** The row of an object that was met before in this payload, or around this very place. */
  metRow(value: object): Row | undefined;
  /** Remembers the row of an object while what is in it is written. */
  meet(value: object, row: Row): void;
  forget(value: object): void;
  /** Writes what is in an entity later: the walk is too deep by now. */
  later(run: () => void): void;
  /** Enters the members of a creation; gives back what `creation` was before. */
  beginCreation(): CreationContext | null;
  endCreation(before: CreationContext | null): void;
  /** A policy made once per store for a kind with overridden lifecycle. */
  policy(kind: Kind, create: (restore: Restore) => RowPolicy): RowPolicy;
  /** Turns a plain value into its stored form with no other effect, for users' own merges. */
  readonly restore: Restore;
  fail(code: string, params: Record<string, unknown>, cause?: unknown): never;
  warn(code: string, subject: string, params: Record<string, unknown>): void;
}

/** Who names a table: two classes that both lean on their class name for one key are refused. */
export interface TableOwner {
  readonly key: string;
  readonly owner: object;
  readonly hasDefaultKey: boolean;
}

export type Restore = (kind: Kind, plain: unknown) => unknown;

export interface CreationContext {
  /** The row for the next creation without an id; undefined where only the server may name rows. */
  draft(table: Table): Row | undefined;
  /** The row for a creation the server has named; a draft that waited for the name becomes that row. */
  name(table: Table, pk: string): Row;
}

/** A part without which an entity is not what its type says. */
export interface MissingPart {
  readonly entity: string;
  readonly pk: string;
  readonly field: string;
}

/** What a kind may ask while a value is read. */
export interface ReadContext {
  readonly args: readonly unknown[];
  /** The value of a node as a kind sees it, or the frame that builds it. The view under construction depends on it. */
  view(subject: Node, kind: Kind): unknown;
  /** Opens members that nobody has read, as far as the kind can; gives the place of the first that it could not. */
  openNew(kind: Kind, members: readonly unknown[], from: number, values: unknown[]): number;
  /**
   * The view that the one under construction read at this point the last time, if it is this one and nothing has changed:
   * nearly always, and then neither the row nor the value need be looked at. Null otherwise.
   */
  recall(stored: unknown, kind: Kind): View | null;
  /** Tells which part an entity lacks: whoever has to say so in an error asks for it. */
  miss(part: MissingPart): void;
  /** The fields of a row for this read. */
  stateOf(row: Row): RowState;
  /** The view of the answer or look-up in work when it is this kind's own: it may keep there what it worked out. */
  cellOf(kind: Kind): View | null;
  /** Looks again at a view that the one under construction depends on already. */
  revisit(view: View): unknown;
  table(owner: TableOwner): Table;
  row(table: Table, pk: string): Row;
  /** Makes the view under construction depend on a node. */
  depend(node: Node): void;
  /** Makes the view the one under construction before, or without, a frame for it; `end` goes back to the one around it. */
  begin(view: View): void;
  end(): void;
  /** What an earlier try at this view made, which others may hold by now; read before anything else is. */
  readonly made: unknown;
  /** Whether a cycle has closed on the view's unfinished value. */
  isShared(view: View): boolean;
  /** Whether the value is that of the child read last, and the view under construction has just so many. */
  isChild(value: unknown, count: number): boolean;
  /** Called by a frame that builds a view when it is done. */
  complete(view: View, value: unknown): void;
  /** The same where only the children from `head` to `end` were read anew. */
  completePatch(view: View, value: unknown, head: number, end: number): void;
}

/** What a kind may ask when only arguments are given. */
export interface QueryContext {
  readonly args: readonly unknown[];
  table(owner: TableOwner): Table;
  listTable(owners: readonly TableOwner[]): Table;
  /** The row, whether it exists or not; the look-up depends on it. */
  row(table: Table, pk: string): Row;
  findList(table: Table, identity: ListIdentity): List;
  /** Whether a stored form stands for something that is there now. */
  exists(stored: unknown): boolean;
  /** Turns plain ids into their stored form. */
  readonly restore: Restore;
  findByIndex(table: Table, field: string, value: unknown): IndexEntry;
  depend(node: Node): void;
}

/** The order marks that lifecycle hooks get: when the data was asked for and when it arrived. */
export interface Meta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
}
