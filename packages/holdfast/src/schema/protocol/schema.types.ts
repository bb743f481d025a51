// What schemas mean to the type checker. Each schema carries its answers in phantom slots, so that inference is a
// look-up and not a recursion; only the shorthands [S], {k: S} and functions are taken apart here.

/** Phantom slots: what a schema reads as, what it reads as when parts may be missing, what is stored, what asks for it. */
export declare const OUT: unique symbol;
export declare const OUT_NULLABLE: unique symbol;
export declare const STORED: unique symbol;
export declare const ARGS: unique symbol;
/** On a creation's schema: what it reads as when several were sent at once. */
export declare const MANY: unique symbol;
/** Marks what a Collection can be made of, beside arrays. */
export declare const LISTED: unique symbol;

/**
 * What a server sent or a call was given, as a callback gets it: it may name members of it, or say in an annotation what
 * it is. With `unknown` no callback could, with `never` only an annotated one.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Given = any;

/**
 * An entity class: `class User extends Entity`, or one made by EntityMixin.
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

/** A schema object: Array, Object, Values, Union, All, Collection, Query, Lazy, Invalidate. */
export interface SchemaObject<
  Out = unknown,
  Nullable = unknown,
  Stored = unknown,
  Args extends readonly unknown[] = never,
> {
  readonly [OUT]: Out;
  readonly [OUT_NULLABLE]: Nullable;
  readonly [STORED]: Stored;
  readonly [ARGS]: Args;
}

/**
 * What can describe a whole answer; a function parses it.
 *
 * @example
 * const answer: RestEndpoint.Schema = { user: User, todos: [Todo] };
 * const getDashboard = new RestEndpoint({ path: '/dashboard', schema: answer });
 */
export type AnswerSchema =
  | SchemaObject<unknown, unknown, unknown, readonly unknown[]>
  | EntityClass
  | ((value: never) => unknown)
  | (abstract new (value: never) => unknown)
  | readonly Schema[]
  | { readonly [name: string]: Schema };

/**
 * Anything that can describe a payload or a member of one. A literal is the default of a plain member.
 *
 * @example const page: Schema = { results: new schema.Collection([Todo]), total: 0 };
 */
export type Schema = AnswerSchema | string | number | boolean | null | undefined;

/**
 * A schema that arguments alone can answer from the cache: `controller.get(User, { id })`, `useQuery(sorted)`.
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
  | {
      readonly [name: string]:
        | EntityClass
        | SchemaObject<unknown, unknown, unknown, readonly unknown[]>
        | Plain;
    };

/** What can be asked for by arguments, or the sentence that an editor shows in its place. */
export type Askable<S> = S extends Queryable
  ? S
  : S extends (...args: never) => Promise<unknown>
    ? 'This is an endpoint. Read it with useSuspense(), useDLE() or useCache().'
    : 'This schema cannot be asked for by arguments. Put it into a Collection, an All or a Query.';

/**
 * What a schema reads as: `Denormalize<typeof User>` is `User`, `Denormalize<[typeof User]>` is `User[]`.
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
 * What a schema reads as where the cache may not hold it: entities and lists may be undefined.
 *
 * @example type Found = DenormalizeNullable<typeof Todo>; // Todo | undefined
 */
export type DenormalizeNullable<S> = S extends { readonly [OUT_NULLABLE]: infer T }
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
 * What is stored in place of a value: `Normalize<[typeof User]>` is `string[]`.
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
 * The arguments that ask for a schema: `SchemaArgs<typeof User>` is `[EntityFields<User> | string | number]`.
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
 * The fields of an entity as a look-up gives them: all optional, numbers and strings stand for each other.
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

/** Enough to tell an entity class from every other schema; comparing all of EntityClass would cost the compiler more. */
interface EntityLike<T> {
  readonly key: string;
  readonly prototype: T;
}

type Plain = string | number | boolean | null;
type Primitive = string | number | boolean | null | undefined;
type Widen<S> = S extends string ? string : S extends number ? number : S extends boolean ? boolean : S;

type Converter = ((value: never) => unknown) | (abstract new (value: never) => unknown);
/** Number and its like are called, classes constructed, other functions called. */
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
