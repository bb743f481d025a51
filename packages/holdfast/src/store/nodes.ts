// The store's data model: a class for each type of stored thing, without behaviour. The views over them are in graph.ts; the
// other files of this folder change them. Nodes are mutable, but fields, member arrays and the values of views are never changed
// in place.
//
//   Row, List, Table, IndexEntry, Slot (slot.ts)  ──▶  View  ──▶  View  ──▶  subscribers
//   (edges point from a node to the views that have read it: `dependents`)
import type { SmallSet, Node, View } from './graph.ts';
import type { Layers } from './layers.ts';
import { NO_STAMP } from './order.ts';
import type { Stamp } from './order.ts';

/** The normalized fields of one row: own keys only; nested rows and lists are nodes. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a row: `undefined` when the row was never loaded, `null` when it was deleted. */
export type RowState = Fields | null | undefined;

/**
 * The merge rules of an entity class that overrides its lifecycle or declares a version; other classes have the default rules.
 */
export interface RowPolicy {
  /** Compares the versions: below 0 when the incoming one is lower; undefined when the order of requests decides. */
  byVersion(existing: Fields, incoming: Fields): number | undefined;
  /** Returns the fields to store, and whether the incoming ones count as newer. Null when the class has the default rules. */
  readonly merge:
    | ((
        existing: Fields,
        incoming: Fields,
        stamp: Stamp,
        origin: Stamp,
      ) => { readonly fields: Fields; readonly isNewer: boolean })
    | null;
  /** Returns the fields with an optimistic update applied; the update counts as newer unless the class decides otherwise. */
  overlay(existing: Fields, incoming: Fields): Fields;
}

/** `base` is what the server has reported; `shown` is base with the layers of the pending intents. */
export interface Layered<T> {
  base: T;
  shown: T;
  /** Null when no pending intent changes the node. */
  layers: Layers<T> | null;
}

/**
 * Which fields of a row its responses were to contain, and how old these fields are. A row has a coverage once a response was to
 * contain only some fields. Immutable, so that the rows of one response share it. See addons/local/row-coverage.ts.
 */
export interface Coverage {
  /** The fields that some response was to contain; null when a response was to contain all of them. */
  readonly names: ReadonlySet<string> | null;
  /**
   * The fields by age, the last response first; the last group has all other fields. Empty when all fields are as old as the stamp
   * of the row. The row's stamp never expires later than the oldest group.
   */
  readonly groups: readonly { readonly names: ReadonlySet<string> | null; readonly stamp: Stamp }[];
}

/** How the rows of a table are read when responses were to contain only some of their fields. */
export interface TableCoverage {
  /** True for rows of a saved state while no picked class of the table was used. */
  readonly isSaved?: boolean;
  /** The fields of the row for a kind: none when responses have left out a field that the kind declares. */
  stateOf(row: Row, kind: object): RowState;
  /** The stamps by which the fields of a kind expire; undefined when those of the row or list count. */
  stampsOf(part: Row | List, kind: object): readonly Stamp[] | undefined;
}

/** One stored entity. */
export class Row implements Node, Layered<RowState> {
  dependents: SmallSet<View> = null;
  readonly table: Table;
  pk: string;
  base: RowState;
  shown: RowState;
  stamp: Stamp = NO_STAMP;
  /** The lists whose base holds this row. */
  listsInBase: SmallSet<List> = null;
  /** The index of the row in the last payload that contains it. To be checked before use: an earlier payload has it elsewhere. */
  payloadIndex = 0;
  /** Stamps of the fields that came with another request than the one in `stamp`. */
  fieldStamps: ReadonlyMap<string, Stamp> | null = null;
  /**
   * When the delete was acknowledged, or when the read that reported it was sent: no request that was sent before this time can
   * bring the row back. 0 when the row was never deleted.
   */
  deletedAt = 0;
  layers: Layers<RowState> | null = null;
  /** The id that a draft has until the server names it, and after that the row's key on screen. Null for a row that was no draft. */
  localId: string | null = null;
  /** For a draft: the row that was already stored under the id that the server gave the draft. */
  replacedBy: Row | null = null;
  /** When the last write with an unknown result was sent: the response to an earlier write may not know of it. */
  unknownWriteSent = 0;
  /**
   * When the row became stale; 0 when it is not. It is stale until responses to later requests have contained each of its fields, or it
   * is deleted.
   */
  staleSince = 0;
  /** When a read last changed the row, or a response brought it while it was absent. */
  changedByReadAt = 0;
  /** Only on a row of which a response was to contain only some fields. */
  declare coverage: Coverage | undefined;

  constructor(table: Table, pk: string) {
    this.table = table;
    this.pk = pk;
  }

  /** True when the row was not created here, was never deleted, has no layers and is not stale. */
  get isUntouched(): boolean {
    return !this.layers && !this.localId && !this.deletedAt && !this.staleSince;
  }

  toString(): string {
    return (this.replacedBy ?? this).pk;
  }
}

/** The part of a response's effects that tells which fields the response contained of every row of a list. */
export interface ResponseRows {
  readonly rows: readonly Row[];
  readonly fields: readonly Fields[];
  readonly lists: readonly { readonly list: List; readonly members: readonly unknown[] }[];
}

/**
 * The effects of the response that brought a segment, under each rule by which that response tells whether the list is whole. A
 * segment of a saved state has none.
 */
interface SegmentOrigin {
  /** Set when the option `complete` of the Collection has called the response whole. */
  readonly whole?: ResponseRows | false;
  /** Set when the rule of the pages noted with the response which pages are not loaded (`unloaded`). */
  readonly paged?: ResponseRows;
  /** Set when the response contained the total from which `restCount` was computed. */
  readonly counted?: ResponseRows;
}

/** One page of a list. A list that was never paginated is one segment. */
export interface Segment extends SegmentOrigin {
  /** The cursor in the request of the page; null for the first page. */
  readonly cursor: string | null;
  /** The order of the page in the list: see `pageSortKey`. */
  readonly sortKey: number;
  readonly stamp: Stamp;
  readonly members: readonly unknown[];
}

/** A Collection's own merge of a page's present and incoming members; `stamp` belongs to the present ones. */
export type MergePage = (
  present: readonly unknown[],
  incoming: readonly unknown[],
  stamp: Stamp,
  origin: Stamp,
) => readonly unknown[];

/** The values that a row, or a creation's parameters and body, have under a name. They are compared with a list's filters. */
export type ValuesOf = (name: string) => readonly unknown[];

/** Whether a row belongs to a list by its fields: `out` when a field contradicts the key, else `unknown` when a field cannot decide. */
export type Fit = 'in' | 'out' | 'unknown';

/** The rules of one list that follow from the declared roles of its arguments: see schema/collection/argument-roles.ts. */
export interface ListRule {
  /**
   * Decides by the list's tests and searches whether values fit; undefined when the list has neither. A list of a saved state gets
   * this function when its Collection is used.
   */
  testFit?: ((valuesOf: ValuesOf) => Fit) | undefined;
  /** The fields that filters and tests read. Default: `filterNames`. */
  readonly fields?: readonly string[];
  /** How many rows a response has at most: 0 when the list always counts as full, as a page does; undefined or Infinity for no limit. */
  limit?: number | undefined;
  /** The values of the arguments that name the server's order, '' for none. */
  readonly order?: string | undefined;
}

/** What identifies a list, and the options that decide which rows belong to it. */
export interface ListIdentity extends ListRule {
  /** The form of the members, the scope and the canonical key as one string; unique in a table. */
  readonly id: string;
  /** The entries of the key as strings; null for a list that filters never select. */
  readonly key: ReadonlyMap<string, string> | null;
  /** The names in the key by which rows are filtered for equal values; names of tests, orders, limits and the like are left out. */
  readonly filterNames: readonly string[];
  /** Whether the fields of a row decide its membership. */
  readonly followsFields: boolean;
  /** Whether the Collection declares `membership: 'server'`. */
  readonly declaresServerMembership: boolean;
  /** Whether members have names: `schema.Values` instead of an array. */
  readonly isKeyed: boolean;
}

export type Place = 'end' | 'start';
/** A user's own merge of added members into a list. */
export type MergeListMembers = (present: readonly unknown[], added: readonly unknown[]) => readonly unknown[];

/** Whether a name in a key means a sort order, which by default does not filter. */
export function isOrderName(name: string): boolean {
  return name.startsWith('order');
}

/** The members of one Collection under one key. */
export class List implements Node, Layered<readonly unknown[]> {
  dependents: SmallSet<View> = null;
  readonly table: Table;
  readonly identity: ListIdentity;
  /** True once the list was stored. A reader may have made the node earlier, to wait for the list. */
  declare exists: boolean | undefined;
  segments: readonly Segment[] = [];
  base: readonly unknown[] = [];
  shown: readonly unknown[] = [];
  layers: Layers<readonly unknown[]> | null = null;
  /**
   * True when only the server decides membership: the Collection declares `membership: 'server'`, or the last response that could
   * tell contained a row whose fields contradict the key, as for `status=all` or a search.
   */
  hasServerMembership: boolean;
  /**
   * The server order of the list, '' when there is none. For a declared order arranged.ts sets it: to a blank while responses
   * contradict that order or a comparison throws, else to ''.
   */
  serverOrder: string;
  /** The fields of the declared order, joined; a blank when any field may count. */
  declare arrangedBy: string | undefined;
  /**
   * At which ends there are pages that are not loaded ('' for none), as the rule of the pages or a saved state reported; undefined
   * when neither did.
   */
  declare unloaded: Place | 'both' | '' | undefined;
  /** The rest: how many rows the server has beyond the members; undefined when no total is known. */
  declare restCount: number | undefined;
  /** True when `restCount` came with a saved state and was not read since: writes do not change it then. */
  declare isUnread: boolean | undefined;
  /** When the list became stale; 0 when it is not. It is stale until each of its loaded pages was requested later. */
  staleSince = 0;
  /**
   * When the first page last lost a row, or its response changed, for example its token. Further pages that were requested before
   * may no longer follow it: they leave the list when a new further page comes.
   */
  firstPageChangedAt = 0;

  constructor(table: Table, identity: ListIdentity) {
    this.table = table;
    this.identity = identity;
    this.hasServerMembership = identity.declaresServerMembership;
    this.serverOrder =
      identity.order ??
      [...(identity.key ?? [])].flatMap(([name, text]) => (isOrderName(name) ? text : [])).join();
  }

  toString(): string {
    return this.identity.id;
  }
}

/** The fields of a row as a kind shows them. */
export function shownTo(kind: object, row: Row): RowState {
  const { coverage } = row.table;
  return coverage ? coverage.stateOf(row, kind) : row.shown;
}

/** Whether a stored value is a row or a list. */
export function isNode(stored: unknown): stored is Row | List {
  return stored instanceof Row || stored instanceof List;
}

/** The rows with one value in an indexed field. An entry without rows is a node too, because look-ups depend on it. */
export class IndexEntry implements Node {
  dependents: SmallSet<View> = null;
  readonly rows = new Set<Row>();
}

/**
 * Members that are added to lists of a table, removed from them, or moved between them: `push`, `remove`, `move` and their like.
 */
export interface Placement {
  readonly table: Table;
  readonly members: readonly unknown[];
  readonly place: Place;
  /** When set, the user's `addWith` or `moveWith` decides the position, and `place` is ignored. */
  readonly merge: MergeListMembers | null;
  /** Finds the lists that take the members: for a creation with the default filter, through the index. */
  readonly selectLists: () => readonly List[];
  /** Whether a list takes the row. A creation does not depend on the row: the list takes all its members or none. */
  readonly takes: (list: List, row: Row) => boolean;
  /** Whether a list that holds the row must remove it; null when no list must. */
  readonly mustLeave: ((list: List, row: Row) => boolean) | null;
  /** Whether a user's own merge or filter is called. */
  readonly hasHooks: boolean;
  /** Whether the rows' fields decide too: true for a creation without a `createCollectionFilter`. */
  readonly isByRow: boolean;
}

/** A change of a row. membership.ts decides by it which lists the row enters or leaves. */
export interface RowEvent {
  /**
   * `created`: a request created the row, or nothing was known of it; all its fields count as changed. `written`: a write contains
   * the fields `incoming`. `changed`: the fields `before` and `after` differ. `placed`: a request puts the row into lists, or
   * removes it. `deleted`: the row has no fields any more.
   */
  readonly type: 'created' | 'written' | 'changed' | 'placed' | 'deleted';
  /** The present fields. */
  readonly after: RowState;
  /** The fields before the event. Compared with `after` when there is no `incoming`. */
  readonly before?: RowState;
  /** The fields that a write contains. */
  readonly incoming?: Fields;
  /** Set only when the event is `placed`. */
  readonly placement?: Placement;
  /** When the request of the event was sent; set only for an event of the journal. */
  readonly sent?: number;
  /**
   * A list that was requested after this time knows of the event. For a created row that was already stored, and not stale: when its
   * stored data arrived. For a payload that was too old to replace the row: the fence of the row. Undefined for any other event:
   * then the fence of the payload counts.
   */
  readonly fence?: number | undefined;
  /** The table whose lists the request puts the row into. */
  readonly table?: Table;
  /** The member for these lists: the row, or a form that refers to it. */
  readonly member?: unknown;
  /** Where the member is added: at the start or at the end. */
  readonly place?: Place | undefined;
  /** True when the row is stale: lists that it enters or leaves become stale too. */
  readonly isStale?: boolean | undefined;
  /**
   * True when the event is no new reason to move the row. For a mutation's response: no read has changed the row since the mutation
   * was sent, so a `changed` event has moved the row already. For a read: it only adds fields. For a message: it repeats the stored
   * fields.
   */
  readonly needsNoMove?: boolean | undefined;
}

/**
 * An event of a row, kept while a request is in flight that was sent before the event: a list in the response to that request cannot
 * include the event.
 */
export interface JournalEntry extends Omit<RowEvent, 'after'> {
  readonly fence: number;
  readonly sent: number;
  readonly row: Row;
  readonly isMessage: boolean;
}

/** The lists while a payload is applied to base, for functions such as `AfterWrite` and `BeforeRowWrite`. server-lists.ts implements it. */
export interface BaseLists {
  readonly origin: Stamp;
  /** When the request of the payload was sent. */
  readonly sent: number;
  readonly oldestOpen: number;
  readonly store: StoreMarks;
  /** The lists that hold the row. */
  of(row: Row): readonly List[];
  /** Replaces the members of each page. */
  edit(list: List, edit: (page: readonly unknown[]) => readonly unknown[]): void;
}

/** For a `BeforeRowWrite` in place of `BaseLists` when the write is an optimistic update, which does not change base. */
interface UpdateLists {
  readonly origin?: undefined;
  readonly store: StoreMarks;
}

interface StoreMarks {
  mark(node: Node): void;
  markStale(list: List, since: number): void;
}

/**
 * Called before a row is written, with the placements and lists of the payload; and without them, before a row is deleted or changed
 * by an optimistic update. The function that it returns is called after the write.
 */
export type BeforeRowWrite = (
  lists: BaseLists | UpdateLists,
  row: Row,
  payload?: { readonly placements: readonly Placement[]; readonly lists: readonly { readonly list: List }[] },
  /** The index of the row in the payload. */
  at?: number,
) => (() => void) | undefined;

/**
 * All rows of one entity type, with the lists over them and the indexes. The table of lists over several types has no rows of its
 * own. A view that depends on a table is marked when a row is added or deleted.
 */
export class Table implements Node {
  dependents: SmallSet<View> = null;
  readonly key: string;
  readonly rows = new Map<string, Row>();
  /** The rows that drafts became when the server named them, by the local ids of the drafts. */
  readonly rowsByLocalId = new Map<string, Row>();
  readonly lists = new Map<string, List>();
  /** Lists by the names of their filters, then by the values, so that they are found without a scan. */
  readonly listGroups = new Map<
    string,
    { names: readonly string[]; byValues: Map<string, SmallSet<List>> }
  >();
  /**
   * The lists that every change of a row is checked against: lists whose members or order only the server decides, lists with a test,
   * a search or a page among their arguments, and lists with a declared order, into which a row may move from an unloaded page.
   */
  readonly alwaysChecked: Set<List> = new Set();
  readonly indexes = new Map<string, Map<unknown, IndexEntry>>();
  /** The fields by which rows are, or once were, looked up or placed into lists. */
  readonly placingFields = new Set<string>();
  /** The tables for lists over several entity types, of which this table's type is one. */
  readonly unions = new Set<Table>();
  /**
   * The tables whose rows the lists of this table may contain: the table itself and, when its lists are over several entity types,
   * the tables of these types.
   */
  readonly rowTables: Set<Table> = new Set([this]);
  journal: JournalEntry[] = [];
  /** The rows with data to show, in table order; null when they have changed since they were last collected. */
  presentRows: readonly Row[] | null = null;
  /**
   * When it became unknown which rows belong to the table's lists, for example because a mutation ended with an unknown result:
   * lists that were requested before are stale. Any value above 0 makes data of a saved state uncertain.
   */
  listsStaleAt = 0;
  /** When a write last contained or deleted a row of the table. */
  writtenAt = 0;
  /**
   * When a mutation that names no row ended with an unknown result: a row that the response to an earlier request stores for the
   * first time is stale.
   */
  unnamedWriteAt = 0;
  /** True when several entity classes share the table. They may differ in their nested fields. */
  declare isShared: boolean | undefined;
  /** Set by `addBeforeRowWrite`. */
  declare beforeRowWrite: BeforeRowWrite | undefined;
  declare coverage: TableCoverage | undefined;

  constructor(key: string) {
    this.key = key;
  }
}

/** Adds a function that is called before a row of the table is written, after the functions that the table has already. */
export function addBeforeRowWrite(table: Table, added: BeforeRowWrite): void {
  const { beforeRowWrite: first } = table;
  table.beforeRowWrite = first
    ? (...write) => {
        const ends = [first(...write), added(...write)];
        return () => {
          for (const end of ends) end?.();
        };
      }
    : added;
}
