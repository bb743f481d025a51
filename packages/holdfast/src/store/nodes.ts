// The store's data model: every kind of thing it keeps, as classes that only hold. The views over them are in graph.ts, the
// other files beside this one are the verbs. Mutable inside, but records, member arrays and views' values never change.
//
//   Row, List, Slot, Table, IndexEntry  ──▶  View  ──▶  View  ──▶  subscribers
//   (edges point from what is read to the view that read it: `dependents`)
import type { SmallSet, Node, View } from './graph.ts';
import type { Layers } from './layers.ts';
import { NEVER } from './stamp.ts';
import type { Origin, Stamp } from './stamp.ts';

/** The normalized fields of one row: own keys only; nested entities are Nodes. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a row's fields are now: `undefined` when never seen, `null` when deleted. */
export type RowState = Fields | null | undefined;

/** How an entity class that overrides its lifecycle, or declares a version, wants rows merged; absent for the default rules. */
export interface RowPolicy {
  /** The order by version: below 0 where the incoming one is lower; undefined where the order of requests decides. */
  byVersion(existing: Fields, incoming: Fields): number | undefined;
  /** The fields to store, given both sides, and whether the incoming one was taken as the newer; null for the default rules. */
  readonly merge:
    | ((
        existing: Fields,
        incoming: Fields,
        stamp: Stamp,
        origin: Origin,
      ) => { readonly fields: Fields; readonly isNewer: boolean })
    | null;
  /** What a pending intent makes of the row: the newer side, unless the class calls it older. */
  overlay(existing: Fields, incoming: Fields): Fields;
}

/** Server truth in `base`; what is on screen, base under the layers of the pending intents, in `shown`. */
export interface Layered<T> {
  base: T;
  shown: T;
  /** Null where there are none. */
  layers: Layers<T> | null;
}

/** One entity. */
export class Row implements Node, Layered<RowState> {
  dependents: SmallSet<View> = null;
  readonly table: Table;
  pk: string;
  base: RowState;
  shown: RowState;
  stamp: Stamp = NEVER;
  /** The lists whose base holds this row. */
  holders: SmallSet<List> = null;
  /** Where the row stood last in a payload's effects: a hint, to be checked. */
  place = 0;
  /** Stamps of the fields that another request supplied than the one in `stamp`. */
  fieldStamps: Map<string, Stamp> | null = null;
  /** The acknowledgement of the delete: nothing sent before it may bring the row back. */
  deletedAt = 0;
  layers: Layers<RowState> | null = null;
  /** The id of a row created here before the server named it; also its key on screen, for good. */
  localId: string | null = null;
  /** Set on a draft that the server named as a row that was there already. */
  forward: Row | null = null;
  /** When the last write was sent that ended unknown: an answer to an earlier one may not know of it. */
  unknownSent = 0;
  /** When a write ended unknown, or the row came into doubt otherwise: stale until a read sent later; 0 for no doubt. */
  staleSince = 0;
  /** When a read last told of a change, or anything wrote the row first. */
  messageAt = 0;

  constructor(table: Table, pk: string) {
    this.table = table;
    this.pk = pk;
  }

  /** Whether it was never created here, layered or deleted. */
  get isPlain(): boolean {
    return !this.layers && !this.localId && !this.deletedAt && !this.staleSince;
  }

  toString(): string {
    return (this.forward ?? this).pk;
  }
}

/** One page of a list. A list that was never paginated is one segment. */
export interface Segment {
  /** The cursor the page was asked with; null for the first. */
  readonly cursor: string | null;
  /** Pages stand in the order of these. */
  readonly place: number;
  readonly stamp: Stamp;
  readonly members: readonly unknown[];
}

/** The members of a page by the Collection's own merge; the stamp is that of the members it has. */
export type MergePage = (
  present: readonly unknown[],
  incoming: readonly unknown[],
  stamp: Stamp,
  origin: Origin,
) => readonly unknown[];

/** What a list's identity and options say; made once per Collection object and key. */
export interface ListIdentity {
  /** Entity type + scope + canonical key, as one text. */
  readonly id: string;
  /** The key's members as text, in their own order; null for a list that takes no part in filters. */
  readonly key: ReadonlyMap<string, string> | null;
  /** The key's names that filter rows; the rest (sort orders and so on) do not decide membership. */
  readonly filterNames: readonly string[];
  /** Whether membership follows fields. */
  readonly followsFields: boolean;
  /** Whether it is declared that only the server decides. */
  readonly isServers: boolean;
  /** Whether members have names: Values instead of an Array. */
  readonly isKeyed: boolean;
}

export type Place = 'end' | 'start';
/** A user's own way of putting members in. */
export type MergeListMembers = (present: readonly unknown[], added: readonly unknown[]) => readonly unknown[];

/** Names that do not filter by default: sort orders. */
export function isOrderName(name: string): boolean {
  return name.startsWith('order');
}

/** One Collection's members, stored like an entity. */
export class List implements Node, Layered<readonly unknown[]> {
  dependents: SmallSet<View> = null;
  readonly table: Table;
  readonly identity: ListIdentity;
  /** False until something was stored: a reader that asked early waits on it. */
  declare exists: boolean | undefined;
  segments: readonly Segment[] = [];
  base: readonly unknown[] = [];
  shown: readonly unknown[] = [];
  layers: Layers<readonly unknown[]> | null = null;
  /** Whether the server has put rows here that its key does not equal: `status=all`, a search. Only it can tell then. */
  isByServer: boolean;
  /** The order that only the server knows; a declared one, which is none of those, is told apart when the list is read. */
  serverOrder: string;
  /** The fields of its declared order, by which each answer is judged; a blank where any field may count. */
  declare arrangedBy: string | undefined;
  /** At which ends there are pages that are not loaded, as far as their rule has told. */
  declare unloaded: Place | 'both' | '' | undefined;
  /** How many rows the server has counted here beyond the members; undefined where no answer has told. */
  declare restCount: number | undefined;
  /** Whether that came with a saved state and nobody has read it since: writes do not change it. */
  declare isUnread: boolean | undefined;
  /** When it came into doubt what belongs here: stale until a read sent later; 0 for no doubt. */
  staleSince = 0;
  /** When further pages ceased to follow on the first: those from before go as soon as a new one comes. */
  brokenAt = 0;

  constructor(table: Table, identity: ListIdentity) {
    this.table = table;
    this.identity = identity;
    this.isByServer = identity.isServers;
    this.serverOrder = [...(identity.key ?? [])]
      .flatMap(([name, text]) => (isOrderName(name) ? text : []))
      .join();
  }

  toString(): string {
    return this.identity.id;
  }
}

/** Whether a stored value stands for something that is kept elsewhere. */
export function isNode(stored: unknown): stored is Row | List {
  return stored instanceof Row || stored instanceof List;
}
const NONE: readonly never[] = [];

/** The answer of one endpoint for one set of arguments. */
export class Slot implements Node {
  dependents: SmallSet<View> = null;
  readonly key: string;
  /** The patterns of the keys of the REST endpoints that have asked for it: nearly always one. */
  keyPatterns: readonly string[] = NONE;
  hasResult = false;
  stored: unknown;
  stamp: Stamp = NEVER;
  /** Orders errors against results: the later-sent one is what the slot says. */
  error: Error | undefined;
  errorStamp: Stamp = NEVER;
  /** When it was invalidated, or expired by hand: an answer to an earlier request does not make it fresh; 0 for never. */
  invalidatedAt = 0;
  staleSince = 0;
  /** The stamp of the page whose tokens the answer shows; undefined when it shows its own. */
  page: Stamp | undefined;
  /** The answer as it came, where further pages have put their tokens into it. */
  firstPage: unknown;
  /** What the answer did to the store, where the server may say later that it is still so. Opaque here. */
  effects: unknown;
  /** The reads for this key that are under way. Opaque here. */
  flights: readonly object[] = NONE;
  /** Failures in a row, or answers that did not make a valid value: they space out further tries. */
  failures = 0;

  constructor(key: string) {
    this.key = key;
  }
}

/** The rows with one value in an indexed field; read by look-ups, so it is a node even while empty. */
export class IndexEntry implements Node {
  dependents: SmallSet<View> = null;
  readonly rows = new Set<Row>();
}

/** Members that go into, out of, or from one to another of the lists of a table: `push`, `remove`, `move` and their like. */
export interface Placement {
  readonly table: Table;
  readonly members: readonly unknown[];
  readonly place: Place;
  /** In place of `place`. */
  readonly merge: MergeListMembers | null;
  /** The lists that take the members now; found through the index where the filter is the default one. */
  readonly select: () => readonly List[];
  /** Whether a list takes the row; of those created together it takes all or none. */
  readonly matches: (list: List, row: Row) => boolean;
  /** Whether a list that holds the row lets it go; null where no list does. */
  readonly leaves: ((list: List, row: Row) => boolean) | null;
  /** Whether a user's own merge or filter is asked. */
  readonly hasHooks: boolean;
  /** Whether the fields of the stored rows are judged too: they were created, and no filter of the user's own says where they go. */
  readonly isByRow: boolean;
}

/** What has happened to a row: what lists judge it by beside its fields, see membership.ts. */
export interface RowChange {
  /** The fields before a read changed them; undefined for a write, which is judged by what it stated. */
  readonly before?: RowState;
  /** The fields that a write stated: it says nothing about lists that filter by others. */
  readonly incoming?: Fields;
  /** Whether a request created the row, or nothing was known of it: all its fields are news. */
  readonly isNew?: true;
  /** When it was first known: lists that were asked for later know of it. */
  readonly since?: number | undefined;
  /** The table whose lists the request put it into, the row as it stands there, and where. */
  readonly table?: Table;
  readonly member?: unknown;
  readonly place?: Place | undefined;
  /** Whether what is known of the row is in doubt: its lists are then too. */
  readonly isStale?: boolean | undefined;
  /** Whether it states what is known already: that changes no search. */
  readonly isKnown?: boolean;
}

/** A placement or a change, kept while a request sent before it is in flight: a list read cannot know of it. */
export interface JournalEntry extends RowChange {
  readonly fence: number;
  readonly sent: number;
  readonly row: Row;
  readonly isMessage: boolean;
  readonly placement?: Placement;
}

/** All rows of one entity type, the lists over them and the look-up structures. As a node: which rows exist. */
export class Table implements Node {
  dependents: SmallSet<View> = null;
  readonly key: string;
  readonly rows = new Map<string, Row>();
  /** Rows created here, by the local id they had. */
  readonly aliases = new Map<string, Row>();
  readonly lists = new Map<string, List>();
  /** Lists by the names of their filters, then by the values: found without a scan. */
  readonly listGroups = new Map<
    string,
    { names: readonly string[]; byValues: Map<string, SmallSet<List>> }
  >();
  /** Those judged for every change: rows that their key does not equal, or on a page that is not loaded, may come. */
  readonly open: Set<List> = new Set();
  readonly indexes = new Map<string, Map<unknown, IndexEntry>>();
  /** The fields by which rows are, or once were, looked up or put into lists. */
  readonly placing = new Set<string>();
  /** The tables of lists over several entity types, this one among them. */
  readonly unions = new Set<Table>();
  /** The tables of the rows in its lists: itself, or those of several entity types. */
  readonly parts: Set<Table> = new Set([this]);
  journal: JournalEntry[] = [];
  /** The rows that show something, in their order; null when that has changed since it was last asked for. */
  present: readonly Row[] | null = null;
  /** When a creation ended unknown, or left its row without a name: a list that was asked for before is stale. */
  staleAt = 0;
  /** When a write last told of a row. */
  writtenAt = 0;
  /** When a mutation ended unknown that names no row: a row first met in an answer that was asked for before is stale. */
  changedAt = 0;
  /** Whether several classes write rows here, which may differ in what they nest. */
  declare isShared: boolean | undefined;
  /** Told of a row before it is written, with the effects, deleted or guessed; what it gives is called after the write. For totals. */
  declare onRow: ((lists: object, row: Row, effects?: object) => (() => void) | undefined) | undefined;

  constructor(key: string) {
    this.key = key;
  }
}
