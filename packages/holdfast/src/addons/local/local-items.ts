// The items of a local query: selected by the fields of their rows, sorted, cut at the limit, and reduced to the query's result.
// They are updated with each change. In a query with an order, a few changed items are removed from the sorted array and inserted
// again; after many changes the array is sorted anew.
import { inDevelopment } from '#env';
import { fitOf, hasFields } from '../../store/filters.ts';
import { ensure } from '../../support/ensure.ts';
import { hasSameItems } from '../../store/graph.ts';
import { commonEnds } from '../../store/list-members.ts';
import type { Fields, Fit, List, RowState } from '../../store/nodes.ts';
import { SortedItems } from '../../schema/kinds/sorted-items.ts';
import type { Arrangement } from '../../schema/kinds/sorted-items.ts';
import { rowOf } from '../../store/stored-form.ts';

type ItemFields = Readonly<Record<string, unknown>>;
/** How many items at the start and at the end are the same as before. */
type Ends = readonly [head: number, tail: number];
type ItemArray = readonly ItemFields[];

/** The order and the limit of the items, and how the result is made from them. */
export interface LocalArrangement {
  readonly orderBy?: string | ((left: never, right: never) => number) | undefined;
  readonly descending?: boolean | undefined;
  readonly limit?: number | undefined;
  /** The field by whose values the items are grouped. */
  readonly group?: string | undefined;
  /** Makes the result from the items, or from the items of each group. Default: the items. */
  readonly fold?: ((items: ItemArray) => unknown) | undefined;
}

/** A function that decides by the fields of a row whether the row's item is selected. */
export type JudgeRow = (state: RowState) => Fit;

/**
 * Returns a function that judges a row by these filters. The function returns `unknown` in two cases: the row lacks a field that
 * the query reads; or the row is a member of the covering list, but its fields contradict the key of that list, as may happen when
 * two requests cross.
 */
export function createJudge(
  filters: ReadonlyMap<string, string>,
  used: readonly string[],
  coveringList: List | undefined,
): JudgeRow {
  const rule = { identity: { key: filters, filterNames: [...filters.keys()] } };
  return (state) => {
    const fit = coveringList && fitOf(coveringList, state) === 'out' ? 'unknown' : fitOf(rule, state);
    return fit === 'in' && !hasFields(state as Fields, used) ? 'unknown' : fit; // cast: only fields fit
  };
}

export class LocalItems {
  #judge!: JudgeRow;
  readonly #arrangement: LocalArrangement;
  readonly #sorted: SortedItems | null;
  /** The `versions` of the last update. */
  #versions: readonly unknown[] = [];
  /** For each row of the source, whether the row fits. */
  #fits: readonly Fit[] = [];
  /** The items whose rows fit, in the order of the source. */
  #fitting: readonly unknown[] = [];
  /** The items of the result; null before the first update. */
  #items: ItemArray | null = null;
  #groups: ReadonlyMap<unknown, ItemArray> = new Map();
  /** True when it is unknown whether a row belongs to the result. The item of such a row is left out. */
  isUndecided = false;
  result: unknown;

  constructor(arrangement: LocalArrangement) {
    this.#arrangement = arrangement;
    this.#sorted = arrangement.orderBy ? new SortedItems(arrangement as Arrangement<unknown, []>, []) : null; // cast: typed by the items where the query is declared
  }

  /** Sets other filters. The next update judges all rows of the source. */
  judgeAll(judge: JudgeRow): void {
    this.#judge = judge;
    this.#versions = this.#fits = this.#fitting = [];
    this.isUndecided = false;
  }

  /**
   * Brings the result up to date. `items` are in the order of the source, and `members` refer to their rows. `versions` has one value
   * for each row. The value must differ after each change of the row that may change whether the row fits. It may be the item.
   */
  update(items: readonly unknown[], members: readonly unknown[], versions: readonly unknown[]): void {
    const [before, fits] = [this.#versions, this.#fits];
    // fast: Q2 and Q3. The rows before the first difference, and the rows after the last difference, are not examined.
    const [head, tail] = commonEnds(before, versions);
    const judged = members.slice(head, members.length - tail).map((member, index) => {
      const at = head + index;
      return (before[at] === versions[at] && fits[at]) || this.#judge(rowOf(member)?.shown);
    });
    this.#versions = versions;
    let ends: Ends | undefined;
    if (versions === items && hasSameItems(fits.slice(head, fits.length - tail), judged)) {
      // No row came or went. Each changed item takes the place of the former item.
      const fitting = this.#fitting.slice();
      const first = fitting.indexOf(before[fits.indexOf('in', head)]);
      let place = first;
      for (let at = head; at < items.length - tail; at += 1)
        if (fits[at] === 'in') fitting[place++] = items[at];
      this.#fitting = fitting;
      if (first >= 0) ends = [first, fitting.length - place];
    } else {
      const now = [...fits.slice(0, head), ...judged, ...fits.slice(fits.length - tail)];
      this.#fits = now;
      this.#fitting = items.filter((_item, at) => now[at] === 'in');
      this.isUndecided = now.includes('unknown');
    }
    const arranged = (this.#sorted?.update(this.#fitting) ?? this.#fitting) as ItemArray; // cast: items are entities
    const { limit } = this.#arrangement;
    const now = arranged.length > limit! ? arranged.slice(0, limit) : arranged; // without a limit, all items
    if (!ends || now !== this.#fitting) ends = commonEnds(this.#items ?? [], now);
    if (ends[0] === now.length && now.length === this.#items?.length) return;
    this.result = this.#reduce(now, ends);
    this.#items = frozen(now);
  }

  #reduce(items: ItemArray, [head, tail]: Ends): unknown {
    const { group, fold = (all: ItemArray): unknown => all } = this.#arrangement;
    if (group === undefined) return fold(items);
    const groups = this.#patchGroups(items, group, head, tail) ?? groupsOf(items, group);
    const results = this.result as ReadonlyMap<unknown, unknown> | undefined; // cast: a query has groups always or never
    const now = new Map<unknown, unknown>();
    for (const [value, members] of groups) {
      const known = this.#groups.get(value);
      const isKnown = known && (known === members || hasSameItems(known, members));
      groups.set(value, isKnown ? known : frozen(members));
      now.set(value, isKnown ? results?.get(value) : fold(members));
    }
    this.#groups = groups;
    return results && hasSameItems([...results].flat(), [...now].flat()) ? results : now;
  }

  /** Returns the groups after a change of one item that keeps its position and its group; null after any other change. */
  #patchGroups(items: ItemArray, group: string, head: number, tail: number): Map<unknown, ItemArray> | null {
    const before = this.#items ?? [];
    if (items.length !== before.length || head + tail + 1 !== items.length) return null;
    const item = items[head]!; // the item that differs
    const value = item[group];
    const members = this.#groups.get(value)?.slice() ?? [];
    const at = members.indexOf(before[head]!);
    members[at] = item;
    return at < 0 ? null : new Map(this.#groups).set(value, members);
  }
}

function groupsOf(items: ItemArray, group: string): Map<unknown, ItemArray> {
  const groups = new Map<unknown, ItemFields[]>();
  for (const item of items) ensure(groups, item[group], () => []).push(item);
  return groups;
}

function frozen(items: ItemArray): ItemArray {
  inDevelopment(() => void Object.freeze(items));
  return items;
}
