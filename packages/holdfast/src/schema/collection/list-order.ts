// `orderBy`: the declared order of a Collection. Members stay stored in the server's order; this file sorts the values that readers
// get. So rows move with their fields and with optimistic updates, without a new request. This file is shipped only to applications
// that import `orderBy`.
//
//   response      [a:1  b:2  c:2  d:4]       anchors: equal items keep the server's order
//   now           [a:3  b:2  c:2  d:4  e:2]  a has moved, e is new
//   shown         [b:2  c:2  e:2  a:3  d:4]  moved and new items follow their equals, in the order of these changes
import type { AfterWrite } from '../../store/effects.ts';
import type { List } from '../../store/nodes.ts';
import { hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { beginList, endList } from '../kinds/list-read.ts';
import { compareValues } from '../kinds/sorted-items.ts';
import { isThere } from '../protocol/protocol.ts';
import type { Kind, ListForm, ReadContext } from '../protocol/protocol.ts';
import { ArrangedList } from './arranged.ts';
import { arrayForm, memberReader } from './collection-kind.ts';
import type { Comparison } from './recorded-responses.ts';
import type { CollectionKey } from './placement-kind.ts';

/**
 * Compares two items of a list; the third argument is the list's key.
 *
 * @example
 * const byTitle: orderBy.Compare<Todo> = (left, right) => left.title.localeCompare(right.title);
 * const list = new schema.Collection([Todo], { order: orderBy(byTitle) });
 */
export type CompareItems<T> = (left: T, right: T, key: CollectionKey) => number;

/**
 * For each name in the argument, a function that returns the value to compare. A name without a function is the name of a field.
 *
 * @example
 * const values: orderBy.Values<Todo> = { title: (todo) => todo.title.toLowerCase() };
 * const list = new schema.Collection([Todo], { order: orderBy('sort', values) });
 */
export type OrderValues<T> = Readonly<Record<string, (item: T) => unknown>>;

declare const ITEM: unique symbol;

/**
 * A declared order of items, made by {@link orderBy}.
 *
 * @example
 * const bySort: orderBy.Order<Todo> = orderBy('sort');
 * const list = new schema.Collection([Todo], { order: bySort });
 */
export interface ListOrder<in T = never> {
  readonly [ITEM]: (item: T) => void;
}

/** The object that {@link orderBy} returns. */
export class DeclaredOrder implements ListOrder<unknown> {
  declare readonly [ITEM]: (item: unknown) => void;
  /** The name of the argument that contains the order; undefined when a comparator orders all lists. */
  readonly argument: string | undefined;
  readonly form: ListForm;

  constructor(argument: string | undefined, comparisonOf: (key: CollectionKey) => Comparison) {
    this.argument = argument;
    const arrangedLists = new WeakMap<List, Map<Kind, ArrangedList>>();
    const arrangedOf = (list: List, item: Kind): ArrangedList | undefined => {
      const { key } = list.identity;
      if (argument !== undefined && !key?.has(argument)) return undefined;
      const byKind = ensure(arrangedLists, list, () => new Map<Kind, ArrangedList>());
      return ensure(byKind, item, () => new ArrangedList(list, comparisonOf(Object.fromEntries(key ?? []))));
    };
    this.form = {
      ...arrayForm,
      readers: new WeakMap(),
      write(item, value, at) {
        const members = arrayForm.write(item, value, at);
        const recordResponse: AfterWrite = (effects, { origin }) => {
          const list = effects.lists.find((write) => write.members === members)?.list;
          if (list) arrangedOf(list, item)?.recorded.recordResponse(list, members, effects, origin);
        };
        recordResponse.isRepeatable = true;
        at.effects.afterWrites.push(recordResponse);
        return members;
      },
      read(view, item, members, at) {
        const arranged = arrangedOf(view.subject as List, item); // cast: this form reads lists only
        if (arranged) readArranged(view, item, members, at, arranged);
        else arrayForm.read(view, item, members, at);
      },
    };
  }
}

/**
 * Declares the order of a Collection: by the field names in an argument of the request, or by a comparator.
 *
 * @example
 * // ?sort=-id, ?sort=done,title: fields by name, a minus in front for descending
 * new schema.Collection([Todo], { order: orderBy('sort') });
 * new schema.Collection([Todo], { order: orderBy('sort', { title: (todo) => todo.title.toLowerCase() }) });
 * new schema.Collection([Todo], { order: orderBy((left, right) => left.title.localeCompare(right.title)) });
 */
export function orderBy<T>(compare: CompareItems<T>): ListOrder<T>;
export function orderBy<T>(argument: string, values?: OrderValues<T>): ListOrder<T>;
export function orderBy(
  given: string | CompareItems<unknown>,
  values: OrderValues<unknown> = {},
): ListOrder<unknown> {
  return typeof given === 'function'
    ? new DeclaredOrder(undefined, (key) => ({
        names: [],
        fields: ' ',
        compare: (left, right) => given(left, right, key),
      }))
    : new DeclaredOrder(given, (key) => comparisonByNames(key[given] ?? '', values));
}

/** Returns the comparison for the names in an argument, such as `-updatedAt,title`. */
function comparisonByNames(text: string, values: OrderValues<unknown>): Comparison {
  const parts = text.split(',').map((part) => {
    const name = part.replace(/^[-+]/, '');
    const own = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = own ?? ((item: unknown) => itemField(item, name));
    return { name, own, value, direction: part.startsWith('-') ? -1 : 1 };
  });
  const names = parts.flatMap(({ name, own }) => (own ? [] : name));
  return {
    names,
    fields: names.length < parts.length ? ' ' : names.join(),
    compare(left, right) {
      for (const { name, value, direction } of parts) {
        const [leftValue, rightValue] = [value(left), value(right)].map((found) => toComparable(found, name));
        const order = direction * compareValues(leftValue, rightValue);
        if (order !== 0) return order;
      }
      return 0;
    },
  };
}

function itemField(item: unknown, name: string): unknown {
  if (isObject(item) && name in item) return (item as Readonly<Record<string, unknown>>)[name]; // cast: it has the field
  throw new HoldfastError('ORDER_UNKNOWN', { name });
}

/**
 * The value in a form that can be compared, such as a number for a Date. Throws for NaN, and for an object that has no such form.
 */
function toComparable(value: unknown, name: string): unknown {
  const plain: unknown = isObject(value) ? value.valueOf() : value;
  if (isObject(plain) || Number.isNaN(plain))
    throw new TypeError(`${name} is ${String(plain)}, which has no place in an order`);
  return plain;
}

/** Builds the list's view from the stored members, as `arranged` orders them. */
function readArranged(
  view: View,
  item: Kind,
  members: readonly unknown[],
  at: ReadContext,
  arranged: ArrangedList,
): void {
  const { engine } = at;
  const { subject, reader, value: previous } = view;
  const values = beginList(view, (at.unfinishedOf(view) ?? []) as unknown[]); // cast: from an earlier build of this view
  values.length = 0;
  const source = at.readNode(arranged.list, memberReader(item, arrayForm)) as readonly unknown[]; // cast: arrayForm makes arrays
  // A member that is deleted or not stored has no item.
  const isWhole = source.length === members.length;
  const shown = isWhole ? members : members.filter((member) => isThere(at.open(item, member)));
  if (at.isWaiting) return;
  // A read without memo uses a copy, so that it does not change the order's state.
  const isKept = engine.viewOf(subject!, reader!) === view; // a list's view has both
  const items = (isKept ? arranged : arranged.copy()).arrange(source, shown, engine);
  const isShared = at.isInCycle(view);
  if (isShared) for (const shownItem of items) values.push(shownItem);
  const isSame = Array.isArray(previous) && hasSameItems(previous, items);
  const value = isShared ? values : isSame ? previous : items;
  endList(value as object); // cast: an array
  at.finishView(view, value);
}

export declare namespace orderBy {
  export type { CompareItems as Compare, ListOrder as Order, OrderValues as Values };
}
