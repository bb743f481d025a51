// A local query as `local` has compiled it: which items it selects from which list, and the reader that builds its views. A view
// belongs to the list of the endpoint with the query's arguments, even if no response has stored the list yet.
//
//   a whole list covers the query?   yes: its items          ─┐
//                                    no: the stored rows     ─┴─▶ LocalItems: select, sort, cut, reduce
import { isShallowEqual } from '../../controller/slot/read-slot.ts';
import type { AnyReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import { arrayForm, memberReader } from '../../schema/collection/collection-kind.ts';
import type { EntityReader } from '../../schema/entity/entity-read.ts';
import { readerOfTable } from '../../schema/kinds/all.ts';
import { isRowKind, isThere, ownersOf } from '../../schema/protocol/protocol.ts';
import type { Kind, ReadContext, ViewReader } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/graph.ts';
import { List } from '../../store/nodes.ts';
import type { Table } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { candidatesOf, covers, filtersBeyond, isConfirmed, isDecidable, slotsOf } from './covering-list.ts';
import type { Wanted } from './covering-list.ts';
import { createJudge, LocalItems } from './local-items.ts';
import type { LocalArrangement } from './local-items.ts';

export interface LocalFacts {
  readonly data: unknown;
  /**
   * The list that has every row that the query needs, expired or not. Null if there is no such list, or if one of its rows cannot
   * be judged or shown.
   */
  readonly coveringList: List | null;
  /**
   * Whether the fields of a row decide whether the row belongs to the covering list. If not, a pending optimistic update makes the
   * row's place unknown.
   */
  readonly isDecidable: boolean;
}

/** The part of a view that the next build uses again. */
interface KeptItems {
  readonly source: List | Table;
  readonly coveringList: List | undefined;
  readonly items: LocalItems;
}

/** What `local` has compiled of a query. */
type QueryParts = Pick<Plan, 'endpoint' | 'list' | 'item' | 'where' | 'used' | 'arrangement'>;

export class Plan implements ViewReader {
  declare readonly endpoint: AnyReadEndpoint;
  declare readonly list: Kind;
  /** The kind of the list's members. */
  declare readonly item: () => Kind;
  declare readonly where: ReadonlyMap<string, string>;
  declare readonly used: readonly string[];
  declare readonly arrangement: LocalArrangement;

  constructor(parts: QueryParts) {
    Object.assign(this, parts);
  }

  /** Whether every entity type of the items declares a field of this name. */
  readonly isField = (name: string): boolean =>
    ownersOf(this.list).every((owner) => owner.fieldNames().includes(name));

  build(view: View, at: ReadContext): void {
    const kept = view.builtFrom as KeptItems | undefined; // cast: only this function sets it
    const { store } = at.engine;
    // oxlint-disable-next-line typescript/no-misused-spread -- what `Wanted` declares are own properties
    const wanted: Wanted = { ...this, list: view.subject as List }; // cast: `LocalObserver` makes views of lists only
    // The view depends on this list even if another list covers the query, because `Engine.viewOf` finds the view among the
    // dependents of this list.
    at.depend(wanted.list);
    const coveringList = candidatesOf(wanted).find((list) => {
      const slots = slotsOf(store, list);
      // The view depends on the slots too, because a response that repeats the list marks only its slot.
      for (const node of [list, ...slots]) if (node !== wanted.list) at.depend(node);
      return covers(store, list, wanted) && isConfirmed(list, slots);
    });
    const list = coveringList ?? wanted.list;
    const areFieldsDeciding = isDecidable(list, this.isField);
    // While no list covers the query, the items are those of its own list. Before the first response of that list they are all rows of
    // the table, if the items are rows of one type, the fields of a row decide whether the row fits, and `where` contradicts no
    // argument.
    const { key } = list.identity;
    const isPossible = [...wanted.where].every(([name, text]) => (key?.get(name) ?? text) === text);
    const isOfRows = isPossible && !list.exists && isRowKind(this.item()) && areFieldsDeciding;
    const node = isOfRows ? list.table : list;
    const [values, members, isLacking] = this.#read(node, at);
    if (at.isWaiting) return;
    const { isBare } = this.item() as Partial<EntityReader>; // cast: only the kind of an entity class has it
    const items = kept?.items ?? new LocalItems(this.arrangement);
    if (kept?.source !== node || kept.coveringList !== coveringList)
      items.judgeAll(
        createJudge(filtersBeyond(isOfRows ? undefined : list, wanted), this.used, coveringList),
      );
    // A bare item is another object after each change of its fields. Any other item may stay the same, for example if its row gets a
    // missing field with the default value, so the fields of its row are compared.
    items.update(
      values,
      members,
      isBare && areFieldsDeciding ? values : members.map((member) => rowOf(member)?.shown),
    );
    view.builtFrom = { source: node, coveringList, items } satisfies KeptItems;
    const before = view.value as LocalFacts | undefined; // cast: only this function sets it
    const facts: LocalFacts = {
      data: items.result,
      coveringList: coveringList && !items.isUndecided && !isLacking ? coveringList : null,
      isDecidable: areFieldsDeciding,
    };
    at.finishView(view, isShallowEqual(facts, before) ? before : facts);
  }

  /**
   * The items of the source in the source's order, the members of these items, and whether a member has no item although it is not
   * deleted.
   */
  #read(
    node: List | Table,
    at: ReadContext,
  ): readonly [values: readonly unknown[], members: readonly unknown[], isLacking: boolean] {
    const item = this.item();
    const isList = node instanceof List;
    const reader = isList ? memberReader(item, arrayForm) : readerOfTable(ownersOf(this.list)[0]!); // a Collection has owners
    let values = (at.readNode(node, reader) ?? []) as readonly unknown[]; // cast: both readers make arrays
    let members: readonly unknown[] = isList ? node.shown : (node.presentRows ?? []);
    let isLacking = false;
    if (members.length !== values.length)
      members = members.filter((member) => {
        const isShown = isThere(at.open(item, member));
        if (!isShown && rowOf(member)?.shown !== null) isLacking = true;
        return isShown;
      });
    // A declared order shows the same items in another order.
    const shown = isList && this.arrangement.orderBy === undefined ? at.open(this.list, node) : values;
    if (Array.isArray(shown) && shown !== values) {
      const byItem = new Map(values.map((value, index) => [value, members[index]]));
      values = shown;
      members = values.map((value) => byItem.get(value));
    }
    return [values, members, isLacking];
  }
}
