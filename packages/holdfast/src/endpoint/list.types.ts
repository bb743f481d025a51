// The types of what follows from a list: creations, changes and further pages. Interfaces rather than mapped types, so
// that an editor shows their names. An option that is not given is `never`, see Given.
import type { Denormalize, OUT, SchemaObject } from '../schema/schema.types.ts';
import type { GivenBody, GivenSearch, GivenSideEffect, IsNone, MethodOf, RestOptions } from './rest.types.ts';

/** CollectionIn<{ results: Collection<[typeof Todo]>; total: 0 }>  →  Collection<[typeof Todo]> */
export type CollectionIn<S, Depth extends readonly unknown[] = []> = Depth['length'] extends 6
  ? never
  : S extends { readonly addWith: unknown }
    ? S
    : S extends { readonly [OUT]: unknown; readonly schema: infer Inner }
      ? CollectionIn<Inner, [...Depth, 0]>
      : S extends { readonly [OUT]: unknown } | Primitive | Callable
        ? never
        : S extends readonly (infer Item)[]
          ? CollectionIn<Item, [...Depth, 0]>
          : CollectionIn<S[keyof S], [...Depth, 0]>;

type Primitive = string | number | boolean | null | undefined;
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

/** What a creation takes: the `body` option, else any of the item's fields. */
type CreationBody<B, Item> = [B] extends [never]
  ? Creation<Partial<Item>>
  : IsNone<B> extends true
    ? undefined
    : Creation<B>;
type Creation<B> = FormData | readonly B[] | B;

/** Options of `list.push` and `list.unshift`. */
export interface PushOptions<O extends RestOptions, Change extends string = 'push'> {
  readonly path: O['path'];
  readonly searchParams: GivenSearch<O>;
  readonly method: 'POST';
  readonly schema: ChangeOf<O['schema'], Change>;
  readonly body: CreationBody<GivenBody<O>, Denormalize<ChangeOf<O['schema'], Change>>>;
}

/** Options of `list.assign`. */
export interface AssignOptions<O extends RestOptions> {
  readonly path: O['path'];
  readonly searchParams: GivenSearch<O>;
  readonly method: 'POST';
  readonly schema: ChangeOf<O['schema'], 'assign'>;
  readonly body: [GivenBody<O>] extends [never]
    ? Denormalize<ChangeOf<O['schema'], 'assign'>>
    : Readonly<Record<string, GivenBody<O>>>;
}

/** Options of `list.remove`. */
export interface RemoveOptions<O extends RestOptions> {
  readonly path: O['path'];
  readonly searchParams: GivenSearch<O>;
  readonly method: 'PATCH';
  readonly schema: ChangeOf<O['schema'], 'remove'>;
  readonly body: ChangeBody<GivenBody<O>, Denormalize<ChangeOf<O['schema'], 'push'>>>;
}

/** Options of `list.move`. */
export interface MoveOptions<O extends RestOptions> {
  readonly path: O extends { readonly movePath: infer Path extends string } ? Path : O['path'];
  readonly method: 'PATCH';
  readonly schema: ChangeOf<O['schema'], 'move'>;
  readonly body: ChangeBody<GivenBody<O>, Denormalize<ChangeOf<O['schema'], 'push'>>>;
}

type ChangeBody<B, Item> = Partial<[B] extends [never] ? Item : B> | FormData;

/** Options of a next-page endpoint: the list's, and the parameter that names the page. */
export interface PageOptions<O extends RestOptions, Search> {
  readonly path: O['path'];
  readonly method: MethodOf<O>;
  readonly sideEffect: GivenSideEffect<O>;
  readonly schema: O['schema'];
  readonly body: GivenBody<O>;
  readonly searchParams: Search;
}

/** The list's search parameters with the page's. */
export type PageSearch<O extends RestOptions, Field extends string> =
  IsNone<GivenSearch<O>> extends true ? PageField<Field> : Omit<GivenSearch<O>, Field> & PageField<Field>;

type PageField<Field extends string> = { readonly [Name in Field]: string | number | boolean };
