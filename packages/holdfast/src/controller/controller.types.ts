// Types in the controller's signatures, derived from endpoints and schemas: the result of a fetch, the data of a read, the
// arguments of a call.
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
 * The value that a fetch of an endpoint resolves with: `ResolveType<typeof UserResource.get>` is `User`.
 *
 * @example type Todos = ResolveType<typeof TodoResource.getList>; // Todo[]
 */
export type ResolveType<E extends AnyEndpoint> =
  IsSchema<E['schema']> extends true ? Denormalize<E['schema']> : ReturnedValue<E>;

/**
 * The stored data of an endpoint, undefined when no data is stored: `User | undefined`.
 *
 * @example type Found = ResponseData<typeof TodoResource.get>; // Todo | undefined
 */
export type ResponseData<E extends AnyEndpoint> =
  IsSchema<E['schema']> extends true
    ? DenormalizeNullable<E['schema']> | undefined
    : ReturnedValue<E> | undefined;

// The schema of an untyped endpoint is `unknown`, which counts as no schema.
type IsSchema<S> = unknown extends S ? false : [S] extends [undefined | null] ? false : true;
type ReturnedValue<E> = E extends (...args: never) => infer T ? Awaited<T> : unknown;

/**
 * An endpoint's arguments, or `null` instead of them. With `null`, nothing is read or fetched.
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
// Distributes over the union `Rest`: the result is a union with one tuple for each member.
type Prepend<First, Rest> = Rest extends readonly unknown[] ? readonly [First, ...Rest] : never;

/**
 * SetArgs<typeof Todo> → [params, value]. For a Collection, whose arguments may include a body, there is no body here either,
 * because `set` sends no request. So the result is never a union of tuples, for which the compiler would not report which argument
 * is wrong.
 */
export type SetArgs<S extends Queryable> = ArgsThen<
  CollectionArgs extends SchemaArgs<S> ? readonly [params: object | undefined] : SchemaArgs<S>,
  SetValue<S> | ((present: Denormalize<S>) => unknown)
>;

/** SetValue<typeof Todo>  →  FieldsToSet<Todo>. A list may be set without params, also by a function of its present value. */
export type SetValue<S> = S extends { readonly key: string; readonly prototype: infer T }
  ? FieldsToSet<T>
  : object | ((present: Denormalize<S>) => unknown);
/**
 * An object with fields of a row. Values have any type, as in a response. The type is an alias, so that the compiler prints its
 * name.
 */
type FieldsToSet<T> = { readonly [Name in keyof T]?: unknown };

/**
 * The stored data of an endpoint and its arguments, with its expiry.
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
