// The types of local queries and of their results.
import type { ResponseData } from '../../controller/controller.types.ts';
import type { AnyReadEndpoint, EndpointArgs } from '../../endpoint/endpoint-interface.ts';

/** ItemOfResponse<Todo[]>  →  Todo; ItemOfResponse<{ results: Todo[]; next: string }>  →  Todo */
type ItemOfResponse<T> = T extends readonly (infer Item)[]
  ? Item
  : T extends object
    ? Extract<T[keyof T], readonly unknown[]>[number]
    : never;

/**
 * One item of the endpoint's list.
 *
 * @example type Item = local.Item<typeof TodoResource.getList>; // Todo
 */
export type LocalItem<E extends AnyReadEndpoint> = ItemOfResponse<NonNullable<ResponseData<E>>>;

/** Any endpoint with a list; else a message that the editor shows. */
export type WithList<E extends AnyReadEndpoint> = [LocalItem<E>] extends [never]
  ? 'This endpoint has no list. Pass one that has, such as TodoResource.getList.'
  : unknown;

type FieldPrimitive = string | number | bigint | boolean | null | undefined;
type ComparableValue = string | number | bigint | Date | null | undefined;

/** The names of the fields whose values have a type: FieldOfType<Todo, number>  →  'votes' */
type FieldOfType<T, Value> = { [K in keyof T]-?: T[K] extends Value ? K : never }[keyof T] & string;
/** The names of a row's fields: FieldNameOf<Todo>  →  'id' | 'title' */
export type FieldNameOf<T> = {
  [K in keyof T]-?: T[K] extends (...args: never) => unknown ? never : K;
}[keyof T] &
  string;

/** A nested row is written as its primary key. Numbers may be given as strings, as in the arguments of an endpoint. */
type WhereValue<T> = T extends string | number
  ? string | number
  : T extends FieldPrimitive | Date
    ? T
    : string | number;

/**
 * The fields that an item must have. They are compared like the arguments of a list; a nested row is compared by its primary key.
 *
 * @example const open: local.Where<typeof TodoResource.getList> = { done: false };
 */
export type LocalWhere<E extends AnyReadEndpoint> = {
  readonly [K in FieldNameOf<LocalItem<E>>]?: WhereValue<LocalItem<E>[K]> | undefined;
};

/**
 * The options of {@link local}, which are applied in this order: which items, in which order, and how many of them.
 *
 * @example
 * const query: local.Query<typeof TodoResource.getList> = { where: { done: false }, orderBy: 'title', limit: 20 };
 */
export interface LocalQuery<E extends AnyReadEndpoint> {
  readonly where?: LocalWhere<E>;
  /** The name of a field, or a function that compares two items. Default: the order of the list. */
  readonly orderBy?: FieldNameOf<LocalItem<E>> | ((left: LocalItem<E>, right: LocalItem<E>) => number);
  readonly descending?: boolean;
  /** The greatest number of items to show: a positive integer. */
  readonly limit?: number;
}

declare const RESULT: unique symbol;

/**
 * A local query with a result of any type: {@link watchLocal} and `useLocal` read it.
 *
 * @example const count: local.Value<typeof TodoResource.getList, number> = local(TodoResource.getList).count();
 */
export interface LocalValue<E extends AnyReadEndpoint = AnyReadEndpoint, T = unknown> {
  readonly [RESULT]: readonly [endpoint: E, data: T];
}

/**
 * A local query whose result is a list.
 *
 * @example const open: local.List<typeof TodoResource.getList> = local(TodoResource.getList, { where: { done: false } });
 */
export interface LocalList<E extends AnyReadEndpoint> extends LocalValue<E, readonly LocalItem<E>[]> {
  /** The number of items; with `where`, the number of the items that also have these values. */
  count(where?: LocalWhere<E>): LocalValue<E, number>;
  /** The sum of a field. Items without a value are left out. */
  sum(field: FieldOfType<LocalItem<E>, number | null | undefined>): LocalValue<E, number>;
  /** The least value of a field; undefined when no item has a value. */
  min<K extends FieldOfType<LocalItem<E>, ComparableValue>>(
    field: K,
  ): LocalValue<E, LocalItem<E>[K] | undefined>;
  /** The greatest value of a field; undefined when no item has a value. */
  max<K extends FieldOfType<LocalItem<E>, ComparableValue>>(
    field: K,
  ): LocalValue<E, LocalItem<E>[K] | undefined>;
  /** The items by the values of a field, in the order in which the values first occur. */
  groupBy<K extends FieldOfType<LocalItem<E>, FieldPrimitive>>(field: K): LocalGroups<E, K>;
}

/**
 * A local query whose result is a map of groups. Each further function is applied to every group.
 *
 * @example
 * const byUser: local.Groups<typeof TodoResource.getList, 'userId'> = local(TodoResource.getList).groupBy('userId');
 * const counts = byUser.count(); // a Map of numbers
 */
export interface LocalGroups<E extends AnyReadEndpoint, G extends keyof LocalItem<E>> extends LocalValue<
  E,
  ReadonlyMap<LocalItem<E>[G], readonly LocalItem<E>[]>
> {
  count(): LocalValue<E, ReadonlyMap<LocalItem<E>[G], number>>;
  sum(
    field: FieldOfType<LocalItem<E>, number | null | undefined>,
  ): LocalValue<E, ReadonlyMap<LocalItem<E>[G], number>>;
  min<K extends FieldOfType<LocalItem<E>, ComparableValue>>(
    field: K,
  ): LocalValue<E, ReadonlyMap<LocalItem<E>[G], LocalItem<E>[K] | undefined>>;
  max<K extends FieldOfType<LocalItem<E>, ComparableValue>>(
    field: K,
  ): LocalValue<E, ReadonlyMap<LocalItem<E>[G], LocalItem<E>[K] | undefined>>;
}

/**
 * The arguments of a local query, which are the arguments of its endpoint.
 *
 * @example
 * const openTodos = local(TodoResource.getList, { where: { done: false } });
 * const args: watchLocal.Args<typeof openTodos> = [{ userId: '1' }];
 */
export type LocalArgs<L extends LocalValue> = L extends LocalValue<infer E> ? EndpointArgs<E> : never;

/**
 * The type of a local query's result.
 *
 * @example
 * const openTodos = local(TodoResource.getList, { where: { done: false } });
 * type Todos = watchLocal.Data<typeof openTodos>; // readonly Todo[]
 */
export type LocalData<L extends LocalValue> = L extends LocalValue<AnyReadEndpoint, infer T> ? T : never;
