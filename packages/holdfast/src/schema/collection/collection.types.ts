// What a Collection takes and what its creation schemas read as.
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
  OUT_NULLABLE,
  SchemaObject,
  STORED,
} from '../protocol/schema.types.ts';
import type { Values } from '../kinds/values.ts';

/**
 * How a Collection is told apart from others and which of them a creation goes into.
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
  /** The object that identifies the list, from the endpoint's arguments. */
  readonly argsKey?: (...args: ArgsGiven<Args>) => object;
  /** The object that identifies the list, from the entity it is nested in. */
  readonly nestKey?: (parent: ParentGiven<Parent>, key: string) => object;
  /** The filter of push, unshift, assign and addWith. Default: every entry of the key equals a parameter or body member. */
  readonly createCollectionFilter?: CreateCollectionFilter;
  /** Names in the key that do not filter. Default: those that start with `order`. */
  readonly nonFilterArgumentKeys?: NonFilterKeys;
  /** `'server'` leaves membership to the server: rows do not move when their fields change. */
  readonly membership?: 'fields' | 'server';
  /** The order of the items: {@link orderBy}. Members that are found by their names (`schema.Values`) have none. */
  readonly order?: ListOrder<Item>;
}

// what a callback says in its annotations, else anything
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

/**
 * What a Collection is made of: an array, `schema.Array` or `schema.Values`.
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
 * What an extender gives: a schema that reads as the item created.
 *
 * @example
 * const list = new schema.Collection([Todo]);
 * const first: Collection.CreationSchema<[typeof Todo]> = list.unshift;
 */
export interface CreationSchema<S> {
  readonly [OUT]: Denormalize<CollectionItem<S>>;
  readonly [OUT_NULLABLE]: Denormalize<CollectionItem<S>> | undefined;
  readonly [STORED]: Normalize<CollectionItem<S>>;
  readonly [ARGS]: never;
  readonly [MANY]: Denormalize<CollectionItem<S>>[];
}

/** A creation's schema where an array is sent: ManyOf<list.push, NewTodo[]>  →  SchemaObject<Todo[], …>; `any` is no array. */
export type ManyOf<S, Body> = unknown extends Body
  ? S
  : S extends { readonly [MANY]: infer T }
    ? SchemaObject<T, T | undefined>
    : S;

/** `assign` is there for a list of named members. By inference: TypeScript before 6 takes no Values for a `Values<unknown>`. */
export type AssignOf<S> = S extends Values<infer _Member> ? AssignSchema<S> : undefined;

/**
 * What `assign` gives: a schema that reads as the members by their names.
 *
 * @example
 * const byName = new schema.Collection(new schema.Values(Todo));
 * const add = new RestEndpoint({ path: '/todos', method: 'POST', schema: byName.assign });
 */
export interface AssignSchema<S> {
  readonly [OUT]: Record<string, Denormalize<CollectionItem<S>>>;
  readonly [OUT_NULLABLE]: Record<string, Denormalize<CollectionItem<S>>> | undefined;
  readonly [STORED]: Record<string, Normalize<CollectionItem<S>>>;
  readonly [ARGS]: never;
}

/**
 * The arguments that find a list: an endpoint's parameters, and its body.
 *
 * @example const args: Collection.Args = [{ userId: '1' }, { title: 'milk' }];
 */
export type CollectionArgs = readonly [params?: object, body?: unknown];
