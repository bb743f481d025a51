// A local query as `local` has compiled it: what it asks of which list, and the reader that builds its views. A view belongs to the
// list of the endpoint with the query's arguments, also while that list was never stored.
//
//   a whole list covers the query?   yes: its items          ─┐
//                                    no: what is there       ─┴─▶ LocalItems: select, sort, count off, reduce
import { isShallowEqual } from '../../controller/slot/read-slot.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { AnyReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import { arrayForm, memberReader } from '../../schema/collection/collection-kind.ts';
import { readerOfTable } from '../../schema/kinds/all.ts';
import { isRowKind, isThere } from '../../schema/protocol/protocol.ts';
import type { Kind, ReadContext, ViewReader } from '../../schema/protocol/protocol.ts';
import { hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import { List } from '../../store/nodes.ts';
import type { RowState, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { rowOf } from '../../store/stored-form.ts';
import { candidatesOf, covers, filtersBeyond, isConfirmed, isDecidable, slotsOf } from './covering-list.ts';
import type { Wanted } from './covering-list.ts';
import { judgeBy, LocalItems } from './local-items.ts';
import type { LocalArrangement } from './local-items.ts';

export interface LocalFacts {
  readonly data: unknown;
  /** The list that has everything the query asks for, if it has not expired; null when there is none. */
  readonly cover: List | null;
  /** Whether the fields of a row decide that it belongs to the covering list. Else an optimistic update makes that unknown. */
  readonly isDecidable: boolean;
}

/** The part of a view that is kept from one build to the next. */
interface KeptItems {
  readonly source: List | Table;
  readonly isCover: boolean;
  readonly items: LocalItems;
  /** The segments of the source, and the responses that contain the list; searched again after each change of the list. */
  readonly segments: List['segments'] | undefined;
  readonly slots: readonly Slot[];
}

/** What the items are read from. */
interface ItemSource {
  readonly node: List | Table;
  readonly filters: ReadonlyMap<string, string>;
  readonly isCover: boolean;
}

export class Plan implements ViewReader {
  readonly endpoint: AnyReadEndpoint;
  readonly list: Kind;
  /** The kind of the list's members. */
  readonly item: () => Kind;
  readonly where: ReadonlyMap<string, string>;
  readonly used: readonly string[];
  readonly arrangement: LocalArrangement;

  constructor(
    endpoint: AnyReadEndpoint,
    list: Kind,
    item: () => Kind,
    where: ReadonlyMap<string, string>,
    used: readonly string[],
    arrangement: LocalArrangement,
  ) {
    this.endpoint = endpoint;
    this.list = list;
    this.item = item;
    this.where = where;
    this.used = used;
    this.arrangement = arrangement;
  }

  /** The names of the fields that every item has. */
  isField(name: string): boolean {
    return (this.list.owners?.() ?? []).every((owner) => owner.fieldNames?.().includes(name) === true);
  }

  /** The list of the endpoint with these arguments. */
  listOf(engine: Engine, { args }: EndpointCall): List {
    let own: unknown;
    // A list that was never stored is not found, but the look-up depends on it.
    const found = this.list.query?.(args, { engine, args, depend: (node) => void (own = node) });
    return (found instanceof List ? found : own) as List; // cast: the kind of a Collection looks up nothing else
  }

  build(view: View, at: ReadContext): void {
    const kept = view.builtFrom as KeptItems | undefined; // cast: only this function sets it
    const { store } = at.engine;
    const wanted: Wanted = {
      list: view.subject as List, // cast: see `listOf`
      where: this.where,
      used: this.used,
      isField: (name) => this.isField(name),
    };
    // Also when another list covers the query: `Engine.viewOf` finds the view among the dependents of this list.
    at.depend(wanted.list);
    let slots: readonly Slot[] = [];
    const cover = candidatesOf(wanted).find((list) => {
      const isKnown = kept?.source === list && kept.segments === list.segments;
      slots = isKnown ? kept.slots : slotsOf(store, list);
      // A response that repeats the list notifies only its slot.
      for (const node of [list, ...slots]) if (node !== wanted.list) at.depend(node);
      return covers(store, list, wanted) && isConfirmed(list, slots);
    });
    const { node, filters, isCover }: ItemSource = cover
      ? { node: cover, filters: filtersBeyond(cover, wanted), isCover: true }
      : this.#provisionalSource(wanted);
    const [values, states, isLacking] = this.#read(node, at);
    if (at.isWaiting) return;
    const isSame = kept?.source === node && kept.isCover === isCover;
    const items = isSame
      ? kept.items
      : new LocalItems(judgeBy(filters, this.used, cover), this.arrangement, kept?.items ?? null);
    items.update(values, states);
    view.builtFrom = {
      source: node,
      isCover,
      items,
      segments: node instanceof List ? node.segments : undefined,
      slots: kept && hasSameItems(kept.slots, slots) ? kept.slots : slots,
    } satisfies KeptItems;
    const before = view.value as LocalFacts | undefined; // cast: only this function sets it
    const isWhole = isCover && !items.isUndecided && !isLacking;
    const facts: LocalFacts = {
      data: items.result,
      cover: isWhole && cover ? cover : null,
      isDecidable: !!cover && isDecidable({ ...wanted, list: cover }),
    };
    at.finishView(view, isShallowEqual(facts, before) ? before : facts);
  }

  /** What is there: the stored list itself; before its first response the rows of the table that fit, where their fields decide. */
  #provisionalSource(wanted: Wanted): ItemSource {
    const { list } = wanted;
    const isOfRows = !list.exists && isRowKind(this.item()) && isDecidable(wanted);
    if (!isOfRows) return { node: list, filters: this.where, isCover: false };
    return {
      node: list.table,
      filters: new Map([...(list.identity.key ?? []), ...this.where]),
      isCover: false,
    };
  }

  /** The items of the source in its order, the fields of their rows, and whether a member has no item although it is not deleted. */
  #read(
    node: List | Table,
    at: ReadContext,
  ): readonly [values: readonly unknown[], states: readonly RowState[], isLacking: boolean] {
    const item = this.item();
    const isList = node instanceof List;
    const reader = isList ? memberReader(item, arrayForm) : readerOfTable(this.list.owners!()[0]!); // a Collection has owners
    let values = (at.readNode(node, reader) ?? []) as readonly unknown[]; // cast: both readers make arrays
    let members = isList ? node.shown : (node.presentRows ?? []);
    let isLacking = false;
    if (members.length !== values.length)
      members = members.filter((member) => {
        const isShown = isThere(at.open(item, member));
        if (!isShown && rowOf(member)?.shown !== null) isLacking = true;
        return isShown;
      });
    let states = members.map((member) => rowOf(member)?.shown);
    // A declared order shows the same items in another order.
    const shown = isList && this.arrangement.orderBy === undefined ? at.open(this.list, node) : values;
    if (Array.isArray(shown) && shown !== values) {
      const byItem = new Map(values.map((value, index) => [value, states[index]]));
      values = shown;
      states = values.map((value) => byItem.get(value));
    }
    return [values, states, isLacking];
  }
}
