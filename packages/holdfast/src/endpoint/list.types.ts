// The types of the endpoints that a list endpoint has: creations, changes and further pages. They are interfaces, not mapped
// types, so that an editor shows their names. A body or search of `never` was not given: see Call in rest.types.ts.
import type { Denormalize, OUT, SchemaObject } from '../schema/protocol/schema.types.ts';
import type { CALL_ARGS } from './endpoint-interface.ts';
import type { PathParams } from './path.types.ts';
import type { CallTypes, IsNone, NoFurtherOptions } from './rest.types.ts';

/** CollectionIn<{ results: Collection<[typeof Todo]>; total: 0 }>  →  Collection<[typeof Todo]> */
export type CollectionIn<S, Depth extends readonly unknown[] = []> = Depth['length'] extends 6
  ? never
  : S extends { readonly addWith: unknown }
    ? S
    : S extends { readonly [OUT]: unknown; readonly schema: infer Inner }
      ? CollectionIn<Inner, [...Depth, 0]>
      : S extends { readonly [OUT]: unknown } | PrimitiveValue | CallableOrClass
        ? never
        : S extends readonly (infer Item)[]
          ? CollectionIn<Item, [...Depth, 0]>
          : CollectionIn<S[keyof S], [...Depth, 0]>;

type PrimitiveValue = string | number | boolean | null | undefined;
type CallableOrClass = ((...args: never) => unknown) | (abstract new (...args: never) => unknown);

/** The schema of one change, such as `push`, of the Collection in `S`; never when there is no Collection. */
export type ChangeOf<S, Change extends string> = PickChange<CollectionIn<S>, Change>;
// The type distributes over C, so that `never` (no Collection) gives `never`.
type PickChange<C, Change extends string> = C extends {
  readonly [Name in Change]: infer T extends AnySchemaObject;
}
  ? T
  : never;
type AnySchemaObject = SchemaObject<unknown, unknown, unknown, readonly unknown[]>;

/** The type of a change that the list's schema does not offer. A call is a compiler error, and its text gives the reason. */
export interface NeedsCollection<Change extends string> {
  (needed: NeedsCollectionMessage<Change>): never;
  readonly [CALL_ARGS]: readonly [needed: NeedsCollectionMessage<Change>];
}
type NeedsCollectionMessage<Change extends string> = Change extends 'assign'
  ? 'assign needs a Collection of named members in the schema: new schema.Collection(new schema.Values(…))'
  : `${Change} needs a Collection in the schema: new schema.Collection([…])`;

/**
 * The body of a creation: a form, or the type of the `body` option, by default any fields of the row. With `body: undefined`, a
 * creation has no body.
 */
type CreationBody<B, Item> = [B] extends [never]
  ? FormData | Partial<Item>
  : IsNone<B> extends true
    ? undefined
    : FormData | B;

/** The rarely given options (see Call) that creations and changes share with their list. */
type SharedMore<More> = 'errors' extends keyof More
  ? { readonly errors: More['errors' & keyof More] }
  : NoFurtherOptions;

/** The call of `list.push` and `list.unshift`. */
export interface PushCall<T extends CallTypes> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: ChangeOf<T['schema'], 'push'>;
  readonly method: 'POST';
  readonly body: CreationBody<T['body'], Denormalize<ChangeOf<T['schema'], 'push'>>>;
  readonly search: T['search'];
  readonly more: SharedMore<T['more']>;
}

export interface AssignCall<T extends CallTypes> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: ChangeOf<T['schema'], 'assign'>;
  readonly method: 'POST';
  readonly body: [T['body']] extends [never]
    ? Readonly<Record<string, Partial<Denormalize<ChangeOf<T['schema'], 'push'>>>>>
    : Readonly<Record<string, T['body']>>;
  readonly search: T['search'];
  readonly more: SharedMore<T['more']>;
}

export interface RemoveCall<T extends CallTypes> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: ChangeOf<T['schema'], 'remove'>;
  readonly method: 'PATCH';
  readonly body: ChangeBody<T['body'], Denormalize<ChangeOf<T['schema'], 'push'>>>;
  readonly search: T['search'];
  readonly more: SharedMore<T['more']>;
}

export interface MoveCall<T extends CallTypes> {
  readonly path: MovePath<T>;
  readonly params: PathParams<MovePath<T>>;
  readonly schema: ChangeOf<T['schema'], 'move'>;
  readonly method: 'PATCH';
  readonly body: ChangeBody<T['body'], Denormalize<ChangeOf<T['schema'], 'push'>>>;
  readonly search: never;
  readonly more: SharedMore<T['more']>;
}

type MovePath<T extends CallTypes> = T['more'] extends { readonly movePath: infer Path extends string }
  ? Path
  : T['path'];

type ChangeBody<B, Item> = Partial<[B] extends [never] ? Item : B> | FormData;

/** The call of an endpoint of further pages: the list's call, with the parameter that selects a page. */
export interface PageCall<T extends CallTypes, Search> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: T['schema'];
  readonly method: T['method'];
  readonly body: T['body'];
  readonly search: Search;
  readonly more: T['more'];
}

/** The list's search parameters, with the parameter that selects a page. */
export type PageSearch<T extends CallTypes, Field extends string> =
  IsNone<T['search']> extends true
    ? PageField<Field>
    : Omit<NonNullable<T['search']>, Field> & PageField<Field>;

type PageField<Field extends string> = { readonly [Name in Field]: string | number | boolean };
