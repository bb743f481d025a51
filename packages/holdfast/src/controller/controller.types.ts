// The controller's signatures, looked up in endpoints and schemas: what a fetch resolves with, what a read gives, what
// arguments a call takes.
import type { AnyEndpoint, EndpointArgs } from '../endpoint/endpoint-interface.ts';
import type { CollectionArgs } from '../schema/collection/collection.types.ts';
import type {
  Denormalize,
  DenormalizeNullable,
  Queryable,
  SchemaArgs,
} from '../schema/protocol/schema.types.ts';
import type { ExpiryStatus } from './slot/decide.ts';

/**
 * What a fetch of an endpoint resolves with: `ResolveType<typeof UserResource.get>` is `User`.
 *
 * @example type Todos = ResolveType<typeof TodoResource.getList>; // Todo[]
 */
export type ResolveType<E extends AnyEndpoint> =
  IsSchema<E['schema']> extends true ? Denormalize<E['schema']> : DirectResult<E>;

/**
 * The data of an endpoint where the cache may not hold it: `User | undefined`.
 *
 * @example type Found = ResponseData<typeof TodoResource.get>; // Todo | undefined
 */
export type ResponseData<E extends AnyEndpoint> =
  IsSchema<E['schema']> extends true
    ? DenormalizeNullable<E['schema']> | undefined
    : DirectResult<E> | undefined;

// an endpoint of which nothing is known has an unknown schema
type IsSchema<S> = unknown extends S ? false : [S] extends [undefined | null] ? false : true;
type DirectResult<E> = E extends (...args: never) => infer T ? Awaited<T> : unknown;

/**
 * An endpoint's arguments, or `null` for none: nothing is fetched.
 *
 * @example
 * const args: Controller.ArgsOrNull<typeof TodoResource.get> = [null];
 * new Controller().getResponse(TodoResource.get, ...args);
 */
export type ArgsOrNull<E extends AnyEndpoint> = EndpointArgs<E> | readonly [null];

/** ArgsThen<[params: P, body?: B], T>  →  [P, T] | [P, B | undefined, T] */
export type ArgsThen<A extends readonly unknown[], T> = number extends A['length']
  ? readonly [...A, T]
  : A extends readonly []
    ? readonly [T]
    : A extends readonly [infer First, ...infer Rest]
      ? Prepend<First, ArgsThen<Rest, T>>
      : A extends readonly [(infer First)?, ...infer Rest]
        ? readonly [T] | Prepend<First | undefined, ArgsThen<Rest, T>>
        : never;
// distributive: one tuple for each way to end
type Prepend<First, Rest> = Rest extends readonly unknown[] ? readonly [First, ...Rest] : never;

/** SetArgs<typeof Todo>  →  [value] | [params, value]: a value may name its row, and a body says nothing about lists. */
export type SetArgs<S extends Queryable> =
  | readonly [value: SetValue<S>]
  | ArgsThen<
      CollectionArgs extends SchemaArgs<S> ? readonly [params?: object] : SchemaArgs<S>,
      SetValue<S> | ((present: Denormalize<S>) => unknown)
    >;

/** SetValue<typeof Todo>  →  an object with members of a Todo's names: in the form that a server sends, so of any type. */
type SetValue<S> = S extends { readonly key: string; readonly prototype: infer T }
  ? { readonly [Name in keyof T]?: unknown }
  : object;

/**
 * What is stored for an endpoint and its arguments.
 *
 * @example
 * const isFresh = ({ expiresAt }: ResponseMeta<unknown>) => Date.now() < expiresAt;
 * isFresh(new Controller().getResponse(TodoResource.getList));
 */
export interface ResponseMeta<T> {
  readonly data: T;
  readonly expiryStatus: ExpiryStatus;
  readonly expiresAt: number;
}
