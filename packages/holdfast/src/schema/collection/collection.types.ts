// The types of a Collection's options and of its creation schemas.
import type { ArgumentRoles } from './argument-roles.ts';
import type { ArraySchema } from '../kinds/array.ts';
import type { ListOrder } from './list-order.ts';
import type { CreateCollectionFilter } from './placement-kind.ts';
import type {
  ARGS,
  Denormalize,
  Given,
  LISTED,
  MANY,
  Normalize,
  OUT,
  OUT_MAYBE,
  SchemaObject,
  STORED,
} from '../protocol/schema.types.ts';
import type { Values } from '../kinds/values.ts';

/**
 * The options of a Collection. They decide, for example, which arguments identify a list, which rows belong to it, and in which
 * order.
 *
 * @example
 * const options = { membership: 'server', nonFilterArgumentKeys: ['sort'] } satisfies CollectionOptions;
 * const list = new schema.Collection([Todo], options);
 */
export interface CollectionOptions<
  Args extends readonly unknown[] = CollectionArgs,
  Parent = never,
  Item = never,
> {
  /** Returns the object that identifies the list, from the endpoint's arguments. */
  readonly argsKey?: (...args: ArgsGiven<Args>) => object;
  /** Returns the object that identifies the list, from the entity that contains the list. */
  readonly nestKey?: (parent: ParentGiven<Parent>, key: string) => object;
  /**
   * Returns the filter of `push`, `unshift`, `assign`, `remove`, `move`, `addWith` and `moveWith`, which decides which lists match.
   * By default, a list matches if each filter in its key agrees with a parameter or a property of the body.
   */
  readonly createCollectionFilter?: CreateCollectionFilter;
  /** Names in the key that do not filter. Default: names that start with `order`. The argument of `orderBy` does not filter either. */
  readonly nonFilterArgumentKeys?: NonFilterKeys;
  /**
   * The roles of the arguments, made by {@link byRole}. An argument without a role is a filter, unless `nonFilterArgumentKeys`
   * excludes it.
   */
  readonly argumentRoles?: ArgumentRoles;
  /** `'server'` leaves membership to the server: rows do not move when their fields change. */
  readonly membership?: 'fields' | 'server';
  /**
   * Whether a response has every row of its list: true when the server never leaves out rows, or a function of the response. By
   * default this is unknown, because a server may leave out rows without a sign. {@link local} reads complete lists.
   */
  readonly complete?: true | ((response: Given) => boolean);
  /** The order of the items: {@link orderBy}. A Collection of `schema.Values` has no order. */
  readonly order?: ListOrder<Item>;
}

// The types from the callback's annotations. Without annotations the type is `Given`, which accepts anything.
type ArgsGiven<Args extends readonly unknown[]> = CollectionArgs extends Args ? Given : Args;
type ParentGiven<Parent> = [Parent] extends [never] ? Given : Parent;

/**
 * The names in a list's key that do not filter.
 *
 * @example
 * const names: Collection.NonFilterKeys = /^(?:sort|limit)$/;
 * const Todos = createResource({ path: '/todos/:id', schema: Todo, nonFilterArgumentKeys: names });
 */
export type NonFilterKeys = readonly string[] | RegExp | ((name: string) => boolean);

/** The options of a Collection that give roles to arguments. An endpoint may have them instead of the Collection. */
export type ListArgumentOptions = Pick<CollectionOptions, 'argumentRoles' | 'nonFilterArgumentKeys'>;

/**
 * The schema of a Collection's lists: an array, `schema.Array` or `schema.Values`.
 *
 * @example
 * const definition: Collection.Definition = [Todo];
 * const list = new schema.Collection([Todo]);
 */
export type ListDefinition = readonly unknown[] | { readonly [LISTED]: true };

/**
 * The schema of one item.
 *
 * @example type Item = Collection.Item<[typeof Todo]>; // typeof Todo
 */
export type CollectionItem<S> = S extends readonly (infer I)[]
  ? I
  : S extends ArraySchema<infer I>
    ? I
    : S extends Values<infer I>
      ? I
      : never;

/**
 * The schema of a creation such as `push`: its value is the created item.
 *
 * @example
 * const list = new schema.Collection([Todo]);
 * const first: Collection.CreationSchema<[typeof Todo]> = list.unshift;
 */
export interface CreationSchema<S> {
  readonly [OUT]: Denormalize<CollectionItem<S>>;
  readonly [OUT_MAYBE]: Denormalize<CollectionItem<S>> | undefined;
  readonly [STORED]: Normalize<CollectionItem<S>>;
  readonly [ARGS]: never;
  readonly [MANY]: Denormalize<CollectionItem<S>>[];
}

/**
 * The schema of a creation that sends an array: ManyOf<list.push, NewTodo[]>  →  SchemaObject<Todo[], …>. A body of type `any`
 * counts as no array.
 */
export type ManyOf<S, Body> = unknown extends Body
  ? S
  : S extends { readonly [MANY]: infer T }
    ? SchemaObject<T, T | undefined>
    : S;

/**
 * The type of `assign`: undefined unless the members have names. It uses `infer`, because TypeScript before 6 does not accept every
 * Values as `Values<unknown>`.
 */
export type AssignOf<S> = S extends Values<infer _Member> ? AssignSchema<S> : undefined;

/**
 * The schema of `assign`: for a response with the members by name, its value is an object of the same form.
 *
 * @example
 * const byName = new schema.Collection(new schema.Values(Todo));
 * const add = new RestEndpoint({ path: '/todos', method: 'POST', schema: byName.assign });
 */
export interface AssignSchema<S> {
  readonly [OUT]: Record<string, Denormalize<CollectionItem<S>>>;
  readonly [OUT_MAYBE]: Record<string, Denormalize<CollectionItem<S>>> | undefined;
  readonly [STORED]: Record<string, Normalize<CollectionItem<S>>>;
  readonly [ARGS]: never;
}

/**
 * The arguments that identify a list: an endpoint's parameters, and its body.
 *
 * @example const args: Collection.Args = [{ userId: '1' }, { title: 'milk' }];
 */
export type CollectionArgs = readonly [params?: object, body?: unknown];
