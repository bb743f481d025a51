// What a contestant can do, in the words of the scenarios. A contestant leaves out what it cannot do at all;
// engine/scenarios turns these operations into timed trials and checks their answers first.
import type { ItemRow } from '../payloads/flat.ts';
import type { AuthorRow, PostRow } from '../payloads/nested.ts';

/** A store of flat items, empty until `write`. Every write has applied when it returns. */
export interface FlatStore {
  /** A response with the whole list arrives. */
  write(rows: readonly ItemRow[]): void;
  /** The same where the library takes a parsed response over, which nobody else holds. See `takeResponse`. */
  take?(rows: readonly ItemRow[]): void;
  /** The list as a component would read it. */
  read(): readonly unknown[];
  /** A response with one row arrives; the list must show it. */
  writeOne?(row: ItemRow): void;
  /** A response to a create arrives: the row joins the end of the list. */
  push?(row: ItemRow): void;
  /** One reader per id is mounted. `onWake` runs for each reader that has to look again after a write. */
  watch?(ids: readonly string[], onWake: (id: string) => void): void;
  /** A reader of the whole list comes and goes. */
  retainAndRelease?(): void;
  /** The view of `selectActiveByPrice` as a component would read it. */
  readSelected?(): readonly unknown[];
}

/** A store of flat items that also sends requests, as far as optimistic updates and bulk deletions need it. */
export interface OptimisticStore {
  write(rows: readonly ItemRow[]): void;
  read(): readonly unknown[];
  writeOne(row: ItemRow): void;
  /** Optimistic updates to these rows are sent, and shown, and stay without an answer until `settle`. */
  begin(rows: readonly ItemRow[]): void;
  /** Each update is answered with the row that it sent, in the order of calls; the list is read after each answer. */
  settle?(): Promise<void>;
  /** A call that deletes these rows is sent and answered with them. */
  remove?(rows: readonly Pick<ItemRow, 'id'>[]): Promise<void>;
}

/** A store of nested posts. */
export interface NestedStore {
  write(posts: readonly PostRow[]): void;
  take?(posts: readonly PostRow[]): void;
  read(): readonly unknown[];
  writeAuthor?(author: AuthorRow): void;
}

/** Many cached lists of one type, told apart by `owner`. */
export interface ListsStore {
  write(owner: string, rows: readonly ItemRow[]): void;
  read(owner: string): readonly unknown[];
  push(row: ItemRow): void;
}

/** Mounted readers of one row each, as hooks are: through whatever carries expiry and refetch. */
export interface ObservedStore {
  write(rows: readonly ItemRow[]): void;
  observe(id: string, onWake: () => void): void;
  writeOne(row: ItemRow): void;
}

/** A store of flat items, one of which is edited by letters that are saved after a pause. The pause does not end. */
export interface TypedStore {
  write(rows: readonly ItemRow[]): void;
  watch(ids: readonly string[], onWake: (id: string) => void): void;
  /** A letter was typed: the row has this title at once. */
  type(id: string, title: string): void;
  read(id: string): string | undefined;
}

/** A loaded list of flat items, and queries over it that are kept up. */
export interface QueriesStore {
  write(rows: readonly ItemRow[]): void;
  writeOne(row: ItemRow): void;
  /** The active items. */
  readActive(): readonly unknown[];
  /** How many items each category has. */
  readCounts(): ReadonlyMap<unknown, number>;
  /** The items of this owner, by a query that was not made before. */
  readFirst(owner: string): readonly unknown[];
}

/** Some fields of an item, as a list sends them. */
export type ItemSummary = Pick<ItemRow, 'id' | 'title' | 'price'>;

/** A list with some fields of each item, and the page of one item, which shows them until the whole item is there. */
export interface SummariesStore {
  /** A response with the whole list arrives. */
  write(rows: readonly ItemSummary[]): void;
  /** The list as a component would read it. */
  read(): readonly unknown[];
  /** What the page of an item can show before its own response: the fields of the list, and no others. */
  readKnown(id: string): unknown;
  /** The page's own response arrives. */
  writeWhole(row: ItemRow): void;
  /** The item with all of its fields; undefined while some are missing. */
  readWhole(id: string): unknown;
}

/** A list of flat items, several of which are changed as one: shown together, and undone together if one of them is refused. */
export interface TransactedStore {
  write(rows: readonly ItemRow[]): void;
  read(): readonly unknown[];
  /** Changes the rows, one call for each. All of it is shown when this returns. No request ends. */
  change(rows: readonly ItemRow[]): void;
}

/** A store of flat items whose changes wait in one queue, while other clients change the same items. */
export interface JudgedStore {
  write(rows: readonly ItemRow[]): void;
  read(): readonly unknown[];
  /** Changes the title and the quantity of each row. The changes are shown, and none is sent until `settle`. */
  begin(rows: readonly Pick<ItemRow, 'id' | 'title' | 'quantity'>[]): void;
  /**
   * The list is read again, and the server has these rows by now. Then each change is compared with its row, sent and answered. Of both
   * quantities, the differences are added; what others have changed in other fields stays.
   */
  settle(theirs: readonly ItemRow[]): Promise<void>;
}

/** A store of links (payloads/chain); `read` gives the first one back with all that hangs on it. */
export interface ChainStore {
  writeNested(first: unknown): void;
  writeList(rows: unknown): void;
  read(): unknown;
}

/** A list in pages of {@link PAGE_ROWS}, with a reader; pages come over requests that are answered at once. */
export interface PagedStore {
  /** Loads so many pages, one behind the other. */
  load(pages: number): Promise<void>;
  /** The list is read again, as far as it is loaded. */
  reread(): Promise<void>;
  read(): readonly unknown[];
  /** How many requests were sent so far, and how often the reader was woken. */
  readonly requests: number;
  readonly wakes: number;
}

/** How many rows a page has. */
export const PAGE_ROWS = 100;

export interface Contestant {
  readonly name: string;
  /** npm package name, for the version in the report. Absent for a floor. */
  readonly packageName?: string;
  /** A floor is what plain code would cost: it bounds the others, and need not be a store. */
  readonly isFloor?: boolean;
  /** Said beside the figures where the comparison is not like for like. */
  readonly remark?: string;
  readonly flat?: () => FlatStore;
  /** The same rows, each of them checked by the schemas of `payloads/item-schema` before it is stored. */
  readonly checked?: () => Pick<FlatStore, 'write' | 'take' | 'read'>;
  /** A list that is kept in the order of its prices, whatever is written. */
  readonly ordered?: () => Pick<FlatStore, 'write' | 'read'> & Required<Pick<FlatStore, 'writeOne' | 'push'>>;
  readonly nested?: () => NestedStore;
  readonly optimistic?: () => OptimisticStore;
  readonly paged?: () => PagedStore;
  readonly lists?: () => ListsStore;
  readonly observed?: () => ObservedStore;
  readonly typed?: () => TypedStore;
  readonly queries?: () => QueriesStore;
  readonly summaries?: () => SummariesStore;
  readonly transacted?: () => TransactedStore;
  readonly judged?: () => JudgedStore;
  readonly chain?: () => ChainStore;
  /** The cache key of a request for one item, by id. */
  readonly createKey?: () => (id: string) => unknown;
}

/** A response that was parsed for this store alone: kept as it is where the library does that with what it fetches. */
export function takeResponse<Payload>(
  store: { write(payload: Payload): void; take?(payload: Payload): void },
  payload: Payload,
): void {
  if (store.take) store.take(payload);
  else store.write(payload);
}
