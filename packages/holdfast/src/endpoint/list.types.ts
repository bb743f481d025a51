// The types of what follows from a list: creations, changes and further pages. Interfaces rather than mapped types, so
// that an editor shows their names. An option that is not given is `never`, see Call.
import type { Denormalize, OUT, SchemaObject } from '../schema/protocol/schema.types.ts';
import type { CALL_ARGS } from './endpoint-interface.ts';
import type { PathParams } from './path.types.ts';
import type { CallTypes, IsNone, Nothing } from './rest.types.ts';

/** CollectionIn<{ results: Collection<[typeof Todo]>; total: 0 }>  →  Collection<[typeof Todo]> */
export type CollectionIn<S, Depth extends readonly unknown[] = []> = Depth['length'] extends 6
  ? never
  : S extends { readonly addWith: unknown }
    ? S
    : S extends { readonly [OUT]: unknown; readonly schema: infer Inner }
      ? CollectionIn<Inner, [...Depth, 0]>
      : S extends { readonly [OUT]: unknown } | PrimitiveValue | Callable
        ? never
        : S extends readonly (infer Item)[]
          ? CollectionIn<Item, [...Depth, 0]>
          : CollectionIn<S[keyof S], [...Depth, 0]>;

type PrimitiveValue = string | number | boolean | null | undefined;
type Callable = ((...args: never) => unknown) | (abstract new (...args: never) => unknown);

/** One of a collection's creation schemas; never when the endpoint has no collection. */
export type ChangeOf<S, Change extends string> = PickChange<CollectionIn<S>, Change>;
// distributive: no collection gives never
type PickChange<C, Change extends string> = C extends {
  readonly [Name in Change]: infer T extends AnySchemaObject;
}
  ? T
  : never;
type AnySchemaObject = SchemaObject<unknown, unknown, unknown, readonly unknown[]>;

/** Stands for a change that the list's schema does not offer: to call it is an error that says why. */
export interface NeedsCollection<Change extends string> {
  (needed: MissingText<Change>): never;
  readonly [CALL_ARGS]: readonly [needed: MissingText<Change>];
}
type MissingText<Change extends string> = Change extends 'assign'
  ? 'assign needs a Collection of named members in the schema: new schema.Collection(new schema.Values(…))'
  : `${Change} needs a Collection in the schema: new schema.Collection([…])`;

/** What a creation takes: the `body` option, else any of the item's fields. */
type CreationBody<B, Item> = [B] extends [never]
  ? FormData | Partial<Item>
  : IsNone<B> extends true
    ? undefined
    : FormData | B;

/** Of the rarer options, what creations and changes share with their list. */
type SharedMore<More> = 'errors' extends keyof More
  ? { readonly errors: More['errors' & keyof More] }
  : Nothing;

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

/** The call of `list.assign`. */
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

/** The call of `list.remove`. */
export interface RemoveCall<T extends CallTypes> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: ChangeOf<T['schema'], 'remove'>;
  readonly method: 'PATCH';
  readonly body: ChangeBody<T['body'], Denormalize<ChangeOf<T['schema'], 'push'>>>;
  readonly search: T['search'];
  readonly more: SharedMore<T['more']>;
}

/** The call of `list.move`. */
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

/** The call of a next-page endpoint: the list's, and the parameter that names the page. */
export interface PageCall<T extends CallTypes, Search> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: T['schema'];
  readonly method: T['method'];
  readonly body: T['body'];
  readonly search: Search;
  readonly more: T['more'];
}

/** The list's search parameters with the page's. */
export type PageSearch<T extends CallTypes, Field extends string> =
  IsNone<T['search']> extends true
    ? PageField<Field>
    : Omit<NonNullable<T['search']>, Field> & PageField<Field>;

type PageField<Field extends string> = { readonly [Name in Field]: string | number | boolean };
