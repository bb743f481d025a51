// The types of schemas. Each schema class declares its result types in phantom properties, so that inference is a look-up
// instead of a recursion. Entity classes, literals, functions and the shorthands [S] and {k: S} are analysed here.

/**
 * Phantom properties. `OUT` has the type of the value; `OUT_MAYBE` the type of the value when parts of it may be missing; `STORED`
 * the type of the value with ids in place of entities; `ARGS` the type of the arguments.
 */
export declare const OUT: unique symbol;
export declare const OUT_MAYBE: unique symbol;
export declare const STORED: unique symbol;
export declare const ARGS: unique symbol;
/** On the schema of a creation: the type of the value when several items are created at once. */
export declare const MANY: unique symbol;
/** Marks schemas over which a Collection can be made, besides the shorthand `[S]`. */
export declare const LISTED: unique symbol;

/**
 * The type of a payload or an argument that is passed to a user's callback. `any` lets the callback read properties, or annotate
 * the parameter; with `unknown` the callback could do neither, and with `never` it would have to annotate the parameter.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Given = any;

/**
 * An entity class, such as `class User extends Entity`, or one made by EntityMixin or EntityOf.
 *
 * @example
 * const find = (type: Entity.Class, id: string) => new Controller().get(type, { id });
 * find(Todo, '5');
 */
export interface EntityClass<T = unknown> {
  readonly key: string;
  readonly schema: Record<string, unknown>;
  readonly prototype: T;
  pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): string | number | undefined;
}

/** An instance of a schema class, such as Array, Union or Collection. */
export interface SchemaObject<
  Out = unknown,
  Nullable = unknown,
  Stored = unknown,
  Args extends readonly unknown[] = never,
> {
  readonly [OUT]: Out;
  readonly [OUT_MAYBE]: Nullable;
  readonly [STORED]: Stored;
  readonly [ARGS]: Args;
}

/**
 * A schema for a whole response. A function parses the response.
 *
 * @example
 * const dashboard: RestEndpoint.Schema = { user: User, todos: [Todo] };
 * const getDashboard = new RestEndpoint({ path: '/dashboard', schema: dashboard });
 */
export type AnswerSchema =
  | SchemaObject<unknown, unknown, unknown, readonly unknown[]>
  | EntityClass
  | ((value: never) => unknown)
  | (abstract new (value: never) => unknown)
  | readonly Schema[]
  | { readonly [name: string]: Schema };

/**
 * A schema for a payload or for one property of it. A literal is the schema of a property without nested data; a literal other than
 * null is the default of that property.
 *
 * @example const page: Schema = { results: new schema.Collection([Todo]), total: 0 };
 */
export type Schema = AnswerSchema | string | number | boolean | null | undefined;

/**
 * A schema whose value can be read from the cache by arguments alone: `controller.get(User, { id })`, `useQuery(sorted)`.
 *
 * @example
 * function useCount<S extends Queryable>(queryable: S, ...args: SchemaArgs<S>) {
 *   const found: unknown = useQuery(queryable, ...args);
 *   return Array.isArray(found) ? found.length : 0;
 * }
 */
export type Queryable =
  | EntityClass
  | SchemaObject<unknown, unknown, unknown, readonly unknown[]>
  | QueryableMembers;
/** The type is an alias, so that errors of the compiler print its name. */
type QueryableMembers = {
  readonly [name: string]:
    | EntityClass
    | SchemaObject<unknown, unknown, unknown, readonly unknown[]>
    | JsonPrimitive;
};

/** `S` itself if it is Queryable; else a string type with a message that editors show. */
export type Askable<S> = S extends Queryable
  ? S
  : S extends (...args: never) => Promise<unknown>
    ? 'This is an endpoint. Read it with useSuspense(), useDLE() or useCache().'
    : 'This schema cannot be asked for by arguments. Put it into a Collection, an All or a Query.';

/**
 * The type of a schema's value: `Denormalize<typeof User>` is `User`, `Denormalize<[typeof User]>` is `User[]`.
 *
 * @example
 * const list = new schema.Collection([Todo]);
 * type Todos = Denormalize<typeof list>; // Todo[]
 */
export type Denormalize<S> = S extends { readonly [OUT]: infer T }
  ? T
  : S extends EntityLike<infer T>
    ? T
    : S extends Primitive
      ? Widen<S>
      : S extends Converter
        ? Converted<S>
        : S extends readonly (infer I)[]
          ? Denormalize<I>[]
          : { [K in keyof S]: Denormalize<S[K]> };

/**
 * The type of a schema's value when it may not be in the cache: entities and lists may be undefined.
 *
 * @example type Found = DenormalizeNullable<typeof Todo>; // Todo | undefined
 */
export type DenormalizeNullable<S> = S extends { readonly [OUT_MAYBE]: infer T }
  ? T
  : S extends EntityLike<infer T>
    ? T | undefined
    : S extends Primitive
      ? Widen<S>
      : S extends Converter
        ? Converted<S> | undefined
        : S extends readonly (infer I)[]
          ? Denormalize<I>[] | undefined
          : { [K in keyof S]: DenormalizeNullable<S[K]> };

/**
 * The type of a schema's value with ids in place of entities: `Normalize<[typeof User]>` is `string[]`.
 *
 * @example type Stored = Normalize<[typeof Todo]>; // string[]
 */
export type Normalize<S> = S extends { readonly [STORED]: infer T }
  ? T
  : S extends EntityLike<unknown>
    ? string
    : S extends Primitive
      ? Widen<S>
      : S extends Converter
        ? unknown
        : S extends readonly (infer I)[]
          ? Normalize<I>[]
          : { [K in keyof S]: Normalize<S[K]> };

/**
 * The arguments by which a schema's value is read: `SchemaArgs<typeof User>` is `[EntityFields<User> | string | number]`.
 *
 * @example
 * const args: SchemaArgs<typeof Todo> = [{ id: '5' }];
 * new Controller().get(Todo, ...args);
 */
export type SchemaArgs<S> = S extends AsksBy
  ? ArgsOf<S>
  : S extends { readonly [name: string]: infer Member }
    ? ArgsOf<Extract<Member, AsksBy>>
    : never;

type AsksBy = EntityClass | { readonly [ARGS]: readonly unknown[] };
type ArgsOf<S> = S extends { readonly [ARGS]: infer A extends readonly unknown[] }
  ? A
  : S extends EntityLike<infer T>
    ? [key: EntityFields<T> | string | number]
    : never;

/**
 * The fields of an entity as arguments of a look-up: all are optional, and numbers may be given as strings and vice versa.
 *
 * @example const fields: EntityFields<Todo> = { userId: 1 }; // as { userId: '1' }
 */
export type EntityFields<T> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?: T[K] extends
    | string
    | number
    ? string | number
    : T[K];
};

/** The properties that distinguish an entity class from other schemas; the compiler checks them faster than EntityClass. */
interface EntityLike<T> {
  readonly key: string;
  readonly prototype: T;
}

type JsonPrimitive = string | number | boolean | null;
type Primitive = string | number | boolean | null | undefined;
type Widen<S> = S extends string ? string : S extends number ? number : S extends boolean ? boolean : S;

type Converter = ((value: never) => unknown) | (abstract new (value: never) => unknown);
/**
 * The result type of a converter. Number, String, Boolean and BigInt are called, classes are constructed, and functions are called.
 */
type Converted<S> = S extends NumberConstructor
  ? number
  : S extends StringConstructor
    ? string
    : S extends BooleanConstructor
      ? boolean
      : S extends BigIntConstructor
        ? bigint
        : S extends abstract new (...args: never) => infer T
          ? T
          : S extends (...args: never) => infer T
            ? T
            : never;
