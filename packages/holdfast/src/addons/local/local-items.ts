// The items of a local query: selected by the fields of their rows, sorted, counted off, and reduced to the query's result. Kept up
// from one change to the next: an item that changed is taken out of the sorted array and inserted again.
import { inDevelopment } from '#env';
import { fitOf, hasFields } from '../../store/filters.ts';
import { hasSameItems } from '../../store/graph.ts';
import type { Fields, Fit, List, RowState } from '../../store/nodes.ts';
import { ensure } from '../../support/ensure.ts';
import { compareValues, SortedItems } from '../../schema/kinds/sorted-items.ts';

type ItemFields = Readonly<Record<string, unknown>>;
type ItemArray = readonly ItemFields[];

/** How the items are arranged and reduced. */
export interface LocalArrangement {
  readonly orderBy?: string | ((left: never, right: never) => number) | undefined;
  readonly descending?: boolean | undefined;
  readonly limit?: number | undefined;
  /** The field by whose values the items are grouped. */
  readonly group?: string | undefined;
  /** Makes the result from the items, or from those of each group. Default: the items. */
  readonly fold?: ((items: ItemArray) => unknown) | undefined;
}

/** A function that decides by the fields of a row whether its item is wanted. */
export type JudgeRow = (state: RowState) => Fit;

/**
 * Selects rows by these filters. A row that lacks one of them, or a field that the result needs, is of unknown place; so is a member
 * of the covering list whose fields contradict the key of that list, because requests have crossed.
 */
export function judgeBy(
  filters: ReadonlyMap<string, string>,
  used: readonly string[],
  cover: List | undefined,
): JudgeRow {
  const rule = { identity: { key: filters, filterNames: [...filters.keys()] } };
  return (state) => {
    const fit = cover && fitOf(cover, state) === 'out' ? 'unknown' : fitOf(rule, state);
    return fit === 'in' && !hasFields(state as Fields, used) ? 'unknown' : fit; // cast: only fields fit
  };
}

interface ItemEntry {
  readonly item: unknown;
  readonly state: RowState;
  readonly fit: Fit;
}

export class LocalItems {
  readonly #judge: JudgeRow;
  readonly #arrangement: LocalArrangement;
  readonly #sorted: SortedItems;
  #entries: readonly ItemEntry[] = [];
  #arranged: readonly unknown[] | null = null;
  #items: ItemArray = [];
  #groups: ReadonlyMap<unknown, ItemArray> = new Map();
  /** True when the place of a row is unknown: its item is left out. */
  isUndecided = false;
  result: unknown;

  /** `before` are the items of another source, whose arrays stay where nothing differs. */
  constructor(judge: JudgeRow, arrangement: LocalArrangement, before: LocalItems | null) {
    this.#judge = judge;
    this.#arrangement = arrangement;
    const { orderBy, descending } = arrangement;
    const compare = (left: unknown, right: unknown): number =>
      typeof orderBy === 'function'
        ? (orderBy as (one: unknown, other: unknown) => number)(left, right) // cast: typed by the items where the query is declared
        : compareValues((left as ItemFields)[orderBy!], (right as ItemFields)[orderBy!]); // called with an order only
    this.#sorted = new SortedItems(
      {
        filter: (entry) => (entry as ItemEntry).fit === 'in',
        descending: descending ?? false,
        ...(orderBy && {
          orderBy: (left, right) => compare((left as ItemEntry).item, (right as ItemEntry).item),
        }),
      },
      [],
    );
    if (!before) return;
    this.#items = before.#items;
    this.#groups = before.#groups;
    this.result = before.result;
  }

  /** Brings the result up to date. `items` are in the order of the source, and `states` are the fields of their rows. */
  update(items: readonly unknown[], states: readonly RowState[]): void {
    const before = this.#entries;
    let byItem: Map<unknown, ItemEntry> | undefined;
    let isUndecided = false;
    this.#entries = items.map((item, index) => {
      const state = states[index];
      let entry = before[index];
      if (entry?.item !== item) {
        byItem ??= new Map(before.map((one) => [one.item, one]));
        entry = byItem.get(item);
      }
      if (entry?.state !== state || !entry) entry = { item, state, fit: this.#judge(state) };
      if (entry.fit === 'unknown') isUndecided = true;
      return entry;
    });
    this.isUndecided = isUndecided;
    const arranged = this.#sorted.update(this.#entries);
    if (arranged === this.#arranged) return;
    const isFirst = this.#arranged === null && this.result === undefined;
    this.#arranged = arranged;
    const now = arranged
      .slice(0, this.#arrangement.limit)
      .map((entry) => (entry as ItemEntry).item as ItemFields);
    if (hasSameItems(now, this.#items) && !isFirst) return;
    this.#items = frozen(now);
    this.result = this.#reduce(now);
  }

  #reduce(items: ItemArray): unknown {
    const { group, fold = (all: ItemArray): unknown => all } = this.#arrangement;
    if (group === undefined) return fold(items);
    const groups = new Map<unknown, ItemFields[]>();
    for (const item of items) ensure(groups, item[group], () => []).push(item);
    const kept = new Map<unknown, ItemArray>();
    for (const [value, members] of groups) {
      const known = this.#groups.get(value);
      kept.set(value, known && hasSameItems(known, members) ? known : frozen(members));
    }
    this.#groups = kept;
    const result = new Map([...kept].map(([value, members]) => [value, fold(members)]));
    return isSameMap(this.result, result) ? this.result : result;
  }
}

function frozen(items: ItemArray): ItemArray {
  inDevelopment(() => void Object.freeze(items));
  return items;
}

function isSameMap(before: unknown, now: ReadonlyMap<unknown, unknown>): boolean {
  return (
    before instanceof Map &&
    hasSameItems([...before.keys()], [...now.keys()]) &&
    hasSameItems([...before.values()], [...now.values()])
  );
}
