// The store's data model: the classes of rows, lists, tables and the entries of indexes, nearly without behaviour. Other files
// change the nodes; views are in graph.ts. Nodes are mutable, but stored fields, member arrays and the finished values of views are
// never changed in place.
//
//   Row, List, Table, IndexEntry, Slot (slot.ts)  ──▶  View  ──▶  View  ──▶  subscribers
//   (edges point from a node to the views that have read it: `dependents`)
import type { SmallSet, Node, View } from './graph.ts';
import type { Layers } from './layers.ts';
import { NO_STAMP } from './order.ts';
import type { Stamp } from './order.ts';

/** The normalized fields of one row. They are own properties; nested rows and lists are nodes. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a row: `undefined` when the row has no data, `null` when it was deleted. */
export type RowState = Fields | null | undefined;

/** The merge rules of an entity class that overrides a merge hook or declares a version; other classes have the default rules. */
export interface RowPolicy {
  /** Compares the versions: below 0 when the incoming version is lower; undefined when the order of requests decides. */
  compareVersions(existing: Fields, incoming: Fields): number | undefined;
  /** Returns the fields to store, and whether the incoming fields count as newer. Null when the class overrides no merge hook. */
  readonly merge:
    | ((
        existing: Fields,
        incoming: Fields,
        stamp: Stamp,
        origin: Stamp,
      ) => { readonly fields: Fields; readonly isNewer: boolean })
    | null;
  /** Returns the fields with an optimistic update applied. The update counts as newer unless the class decides otherwise. */
  overlay(existing: Fields, incoming: Fields): Fields;
}

/**
 * The two states of a node: `base` is the data that the server has reported; `shown` is base with the layers of the pending
 * intents.
 */
export interface Layered<T> {
  base: T;
  shown: T;
  /** Null when no pending intent changes the node. */
  layers: Layers<T> | null;
}

/**
 * The fields of a row that its responses declare, and the age of these fields. A row gets a coverage when its class in a response
 * declares only some of the fields (see `pick`). A coverage is immutable, so that the rows of one response share it. See
 * addons/local/row-coverage.ts.
 */
export interface Coverage {
  /** The fields that at least one response declares; null for all fields. */
  readonly names: ReadonlySet<string> | null;
  /**
   * The fields by age, the newest first; the last group has all fields that are in no other group. Empty when all fields are as old
   * as the stamp of the row. The row's stamp never expires later than the oldest group.
   */
  readonly groups: readonly { readonly names: ReadonlySet<string> | null; readonly stamp: Stamp }[];
}

/** How readers get the rows of a table when some responses declare only some fields. */
export interface TableCoverage {
  /**
   * True for the object that serves the rows of a saved state, until a picked class of the table is used and replaces the object.
   */
  readonly isSaved?: boolean;
  /**
   * The fields that a kind shows of the row. Undefined, for example, when the kind has a field that is not stored and that no
   * response declares.
   */
  stateOf(row: Row, kind: object): RowState;
  /** The stamps that decide when the fields of a kind expire; undefined when the stamps of the row or list decide. */
  stampsOf(part: Row | List, kind: object): readonly Stamp[] | undefined;
}

export class Row implements Node, Layered<RowState> {
  dependents: SmallSet<View> = null;
  readonly table: Table;
  pk: string;
  base: RowState;
  shown: RowState;
  stamp: Stamp = NO_STAMP;
  /** The lists whose base holds this row. */
  listsInBase: SmallSet<List> = null;
  /** The index of the row in the last payload that contains the row. An earlier payload may have the row at another index. */
  payloadIndex = 0;
  /** The stamps of the fields that came with another request than the row's own `stamp`; null when `mergeRow` keeps none. */
  fieldStamps: ReadonlyMap<string, Stamp> | null = null;
  /**
   * When the delete was acknowledged, when a message deleted the row, or when a read that found the row gone was sent: no request that
   * was sent before this time can bring the row back. 0 when the row was never deleted.
   */
  deletedAt = 0;
  layers: Layers<RowState> | null = null;
  /**
   * The id that a draft has until the server names the draft. It stays the row's key on screen (`viewKey`). Null for a row that
   * never was a draft.
   */
  localId: string | null = null;
  /** For a draft: the other row that already had the id that the server gave the draft. */
  replacedBy: Row | null = null;
  /**
   * The latest time at which a write was sent that ended with an unknown result (see `markTargetsStale` of fetch-write.ts); 0 for
   * never. The response to a write that was sent earlier may not know of that write.
   */
  unknownWriteSent = 0;
  /**
   * When the row became stale; 0 when the row is not stale. The row stays stale until each of its fields came with a request that
   * was not sent earlier, or until such a request, or a message, has deleted the row.
   */
  staleSince = 0;
  /**
   * When a read last changed the row, or when a response brought the row while it was absent. Also when a message brought a row of
   * which nothing was known (`isNewAndUnobserved` in apply-effects.ts).
   */
  changedByReadAt = 0;
  /** Set only after a response that declares only some fields, or a saved state with such a response, has brought the row. */
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

/** The part of a response's effects that tells which fields the response contained for each row of a list. */
export interface ResponseRows {
  readonly rows: readonly Row[];
  readonly fields: readonly Fields[];
  readonly lists: readonly { readonly list: List; readonly members: readonly unknown[] }[];
}

/**
 * Shows whether the list is known to be whole: there is one property for each rule, with the effects of the last response to which
 * the rule applied. A segment of a saved state has none of these properties.
 */
interface SegmentOrigin {
  /** The effects, if the option `complete` of the Collection has reported that the response is the whole list; else false. */
  readonly wholeBy?: ResponseRows | false;
  /** Set when the rule of the pages found from the response which pages are not loaded (`unloadedEnds`). */
  readonly pagedBy?: ResponseRows;
  /** Set when the response contained the field for the total of the list (`totalOf`). */
  readonly countedBy?: ResponseRows;
}

/** One page of a list. A stored list that was never paginated is one segment. */
export interface Segment extends SegmentOrigin {
  /** The cursor in the request of the page; null for the first page. */
  readonly cursor: string | null;
  /** The position of the page in the list: see `pageSortKey`. */
  readonly sortKey: number;
  readonly stamp: Stamp;
  readonly members: readonly unknown[];
}

/** A Collection's own merge of a page's present and incoming members; `stamp` is the stamp of the present members. */
export type MergePage = (
  present: readonly unknown[],
  incoming: readonly unknown[],
  stamp: Stamp,
  origin: Stamp,
) => readonly unknown[];

/** The values that a row, or the parameters and the body of a request, have under a name, to be compared with a list's filters. */
export type ValuesOf = (name: string) => readonly unknown[];

/** Whether a row belongs to a list by its fields: `out` when a field contradicts the key, else `unknown` when a field cannot decide. */
export type Fit = 'in' | 'out' | 'unknown';

/** The rules of one list that follow from the declared roles of its arguments: see schema/collection/argument-roles.ts. */
export interface ListRule {
  /**
   * Decides by the list's tests and searches whether values fit; undefined when the list has neither. For a list from a saved state
   * it returns 'unknown' until the Collection has looked the list up.
   */
  testFit?: ((valuesOf: ValuesOf) => Fit) | undefined;
  /** The fields that the filters and tests read. Default: `filterNames`. */
  readonly fields?: readonly string[];
  /**
   * The greatest number of rows in a response: 0 if the list always counts as full, as a page does; undefined or Infinity for no
   * limit.
   */
  limit?: number | undefined;
  /**
   * The values of the arguments that determine the server's order, with declared field names in place of the server's names; '' for
   * none. Default: the values under the names that start with `order`.
   */
  readonly order?: string | undefined;
}

/** The properties that identify a list, and the options that decide which rows belong to the list. */
export interface ListIdentity extends ListRule {
  /** The form of the members, the scope and the canonical key as one string. It is unique in a table. */
  readonly id: string;
  /** The entries of the key as strings; null for a list that no filter selects. */
  readonly key: ReadonlyMap<string, string> | null;
  /** The names in the key that must equal a field of a row. Names of tests, orders, limits and the like are left out. */
  readonly filterNames: readonly string[];
  /**
   * Whether rows belong to the list by their fields. False when the Collection declares `membership: 'server'`, and for a list
   * without filters, tests and searches.
   */
  readonly followsFields: boolean;
  /** Whether the Collection declares `membership: 'server'`. */
  readonly declaresServerMembership: boolean;
  /** True for a map (`schema.Values`), whose members have names; false for an array. */
  readonly isKeyed: boolean;
}

export type Place = 'end' | 'start';
/** A user's own merge of added members into a list. */
export type MergeListMembers = (present: readonly unknown[], added: readonly unknown[]) => readonly unknown[];

/**
 * Whether a name in a key counts as the name of a sort order, because it starts with `order`. By default, such a name does not
 * filter.
 */
export function isOrderName(name: string): boolean {
  return name.startsWith('order');
}

/** The members of one Collection under one key. */
export class List implements Node, Layered<readonly unknown[]> {
  dependents: SmallSet<View> = null;
  readonly table: Table;
  readonly identity: ListIdentity;
  /**
   * True once a payload or a saved state has contained the list. A reader may have made the node before that, to wait for the list.
   */
  declare exists: boolean | undefined;
  segments: readonly Segment[] = [];
  base: readonly unknown[] = [];
  shown: readonly unknown[] = [];
  layers: Layers<readonly unknown[]> | null = null;
  /**
   * True when only the server decides membership: the Collection declares `membership: 'server'`, or a response had a row that
   * contradicts the key, as for `status=all` or a search, and no later response has proved the opposite.
   */
  hasServerMembership: boolean;
  /**
   * The server order of the list; '' for none. For a list with a declared order, arranged.ts sets a blank while responses
   * contradict the declared order or a comparison throws, and '' otherwise.
   */
  serverOrder: string;
  /** The fields of the declared order, joined; a blank when any field may count. */
  declare arrangedBy: string | undefined;
  /**
   * The ends of the list at which pages are not loaded ('' for none), as the rule of the pages or a saved state reported; undefined
   * when neither of them did.
   */
  declare unloadedEnds: Place | 'both' | '' | undefined;
  /** The rest: how many rows the server has beyond the members; undefined when no total is known. */
  declare restCount: number | undefined;
  /**
   * True when `restCount` came from a saved state. `startCounting` in total.ts sets it to false when it begins to count the list:
   * before that, changes of rows do not change `restCount`.
   */
  declare isRestUnread: boolean | undefined;
  /**
   * When the list became stale; 0 when the list is not stale. The list stays stale until the fence of each loaded page is not
   * earlier than this time.
   */
  staleSince = 0;
  /**
   * When a response last changed the first page so that the further pages, which were requested before this time, may no longer
   * follow it. These pages may leave the list when a new further page comes.
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
export function stateShownTo(kind: object, row: Row): RowState {
  const { coverage } = row.table;
  return coverage ? coverage.stateOf(row, kind) : row.shown;
}

export function isRowOrList(stored: unknown): stored is Row | List {
  return stored instanceof Row || stored instanceof List;
}

/** The rows with one value in an indexed field. An entry without rows is a node too, because look-ups depend on it. */
export class IndexEntry implements Node {
  dependents: SmallSet<View> = null;
  readonly rows = new Set<Row>();
}

/**
 * Members that are added to lists of a table, removed from them, or moved between them: `push`, `remove`, `move` and similar
 * requests.
 */
export interface Placement {
  readonly table: Table;
  readonly members: readonly unknown[];
  readonly place: Place;
  /** The user's `addWith` or `moveWith`; when it is set, it decides the position, and `place` is ignored. */
  readonly merge: MergeListMembers | null;
  /** Finds the lists that take the members. For a creation with the default filter it looks them up in the index. */
  readonly selectLists: () => readonly List[];
  /** Whether a list takes the row. For a creation, the result does not depend on the row: the list takes all members or none. */
  readonly takes: (list: List, row: Row) => boolean;
  /** Whether a list that holds the row must remove it; null when no list must remove a row. */
  readonly mustLeave: ((list: List, row: Row) => boolean) | null;
  /** Whether a user's own merge or filter is called. */
  readonly hasHooks: boolean;
  /** Whether the rows also enter lists by their fields: true for a creation without a `createCollectionFilter`. */
  readonly isByRow: boolean;
}

/** An event of one row. membership.ts decides which lists the row enters or leaves because of the event. */
export interface RowEvent {
  /**
   * `created`: the row counts as new, so all its fields count as changed. `written`: a write contains the fields `incoming`.
   * Absent: the fields `before` and `after` may differ, the row was deleted, or a request puts the row into lists or removes it.
   */
  readonly type?: 'created' | 'written';
  readonly after: RowState;
  /** The fields before the event, to be compared with `after` when there is no `incoming`. */
  readonly before?: RowState;
  /** The fields that a write contains. */
  readonly incoming?: Fields;
  /** For an event of a read that has changed the row: the fields that the read contains. */
  readonly read?: Fields | undefined;
  /** Set only when a request puts the row into lists, or removes it. */
  readonly placement?: Placement;
  /** When the request of the event was sent; set only for a change of a stored row, and for an event of the journal. */
  readonly sent?: number;
  /**
   * Requests that were sent after this time know of the event. It is set in two cases. For a created row that was stored before and
   * not stale, it is the time at which the stored fields arrived. For a payload that was too old to replace the row, it is the
   * row's fence. In all other cases the times of the payload decide.
   */
  readonly fence?: number | undefined;
  /** The table with the lists into which the request puts the row. */
  readonly table?: Table;
  /** The member that the lists of `table` get: the row, or a form that refers to the row. */
  readonly member?: unknown;
  readonly place?: Place | undefined;
  /**
   * True when the event is no reason to move the row. For a mutation's response: no read has changed the row since the mutation was
   * sent, so the change of its fields has moved the row already. For a read: the read only adds fields. For a message: the message
   * repeats the stored fields.
   */
  readonly needsNoMove?: boolean | undefined;
}

/**
 * An event of a row, kept while a request from before the event is in flight or being applied, because the response to that request
 * may contain lists without the event.
 */
export interface JournalEntry extends Omit<RowEvent, 'after'> {
  readonly fence: number;
  readonly sent: number;
  readonly row: Row;
  readonly isMessage: boolean;
}

/**
 * The lists while a payload is applied to base, for functions such as `AfterWrite` and `BeforeRowWrite`. server-lists.ts implements
 * this interface.
 */
export interface BaseLists {
  readonly origin: Stamp;
  /** When the request of the payload was sent. */
  readonly sent: number;
  readonly oldestOpen: number;
  readonly store: StoreMarker;
  /** The lists that hold the row. */
  of(row: Row): readonly List[];
  /** Replaces the members of each page. */
  edit(list: List, edit: (page: readonly unknown[]) => readonly unknown[]): void;
}

/**
 * Takes the place of `BaseLists` in a call of `BeforeRowWrite` when an optimistic update writes the row, because an optimistic
 * update does not change base.
 */
interface UpdateLists {
  readonly origin?: undefined;
  readonly store: StoreMarker;
}

interface StoreMarker {
  mark(node: Node): void;
  markStale(list: List, since: number): void;
}

/**
 * Called before a row is written, with the lists and the payload of the write. It is called without a payload before a row is
 * deleted or changed by an optimistic update. The function that it returns is called after a write with a payload.
 */
export type BeforeRowWrite = (
  lists: BaseLists | UpdateLists,
  row: Row,
  payload?: { readonly placements: readonly Placement[]; readonly lists: readonly { readonly list: List }[] },
  /** The index of the row in the payload. */
  at?: number,
) => (() => void) | undefined;

/** The lists whose filters have these names, by the values of the filters. */
export interface ListGroup {
  readonly names: readonly string[];
  readonly byValues: Map<string, SmallSet<List>>;
}

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
  readonly listGroups = new Map<string, ListGroup>();
  /**
   * The lists that are checked at every change of a row. These are lists whose members or order only the server decides or once
   * decided, lists with a test, a search, a page or an unknown limit among their arguments, and lists with a declared order, into
   * which a row may move from an unloaded page. A list without a key is not among them.
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
   * lists that were requested before are stale. Any value above 0 makes the lists of a saved state stale, and its rows that are not
   * stored here.
   */
  listsStaleAt = 0;
  /** When a write last contained or deleted a row of the table. */
  writtenAt = 0;
  /**
   * When a mutation that names no row, and is no creation, removal or move, ended with an unknown result: a row that the response
   * to an earlier request stores for the first time is stale.
   */
  unnamedWriteAt = 0;
  /** True when several entity kinds, usually of different classes, share the table. They may differ in their nested fields. */
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
