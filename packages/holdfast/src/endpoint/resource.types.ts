// The types of a resource: the call of each endpoint, computed from the options of `createResource`, and the result of `extend`.
// They are interfaces and not mapped types, so that an editor shows their names.
import type { Collection } from '../schema/collection/collection.ts';
import type { NonFilterKeys } from '../schema/collection/collection.types.ts';
import type { Invalidate } from '../schema/kinds/invalidate.ts';
import type { AnswerSchema, Denormalize } from '../schema/protocol/schema.types.ts';
import type { ListParams, PathParams, ShortenPath } from './path.types.ts';
import type { CALL } from './endpoint-interface.ts';
import type { RestEndpoint } from './rest-endpoint.ts';
import type { Json } from './response.types.ts';
import type {
  CallTypes,
  ContentRule,
  ExtendedCall,
  GivenSearch,
  IsNone,
  NoFurtherOptions,
  RestExtension,
  RestMembers,
} from './rest.types.ts';

/**
 * A value that the default `searchToString` can write.
 *
 * @example const values: Resource.SearchValue[] = ['text', 5, true, new Date(), ['a', 'b'], { age: { gt: 3 } }];
 */
export type SearchValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly SearchValue[]
  | SearchObject;
interface SearchObject {
  readonly [name: string]: SearchValue;
}

/**
 * The query parameters of a list when the resource has no `searchParams` option.
 *
 * @example
 * const search: AnySearch = { page: 2, tags: ['a', 'b'] };
 * await new Controller().fetch(TodoResource.getList, search);
 */
export interface AnySearch {
  readonly [name: string]: SearchValue;
}

type MemberOptions = Omit<
  RestExtension,
  'method' | 'sideEffect' | 'content' | 'name' | 'movePath' | 'idParam'
>;

/**
 * Options of {@link createResource}. Options of endpoints are passed to every endpoint of the resource, but `searchParams` and
 * `paginationField` only to the list, and `body` only to the endpoints that send a body.
 *
 * @example
 * function createApiResource<const O extends ResourceOptions>(options: O) {
 *   return createResource({ ...options, urlPrefix: 'https://api.example.com' });
 * }
 */
export interface ResourceOptions extends MemberOptions {
  /** Template with `:name` parameters. Its last parameter identifies the row. */
  readonly path: string;
  readonly schema: AnswerSchema;
  /** True to show every mutation at once, before the server responds. */
  readonly optimistic?: boolean;
  /** A class that extends RestEndpoint; every endpoint of the resource is an instance of it. */
  readonly Endpoint?: EndpointClass;
  /** A class that extends Collection, for the list. */
  readonly Collection?: new (definition: never, options?: never) => { readonly push: unknown };
  /** Parameters that do not decide which rows are in a list. Default: names that start with `order`. */
  readonly nonFilterArgumentKeys?: NonFilterKeys;
}

/** Without `prototype`, the compiler would infer the types of the other options before it has read a generic class. */
interface EndpointClass {
  new (options: never): { extend(options: never): unknown };
  readonly prototype: object;
}

/** `O` when all its options are known; else ResourceOptions, so that the compiler reports the unknown option. */
export type KnownOptions<O> = keyof O extends keyof ResourceOptions ? O : KnownWithClassOptions<O>;
/** Does the same as KnownOptions, but also knows the members of the class that is given as `Endpoint`. */
type KnownWithClassOptions<O> =
  Exclude<keyof O, keyof ResourceOptions | keyof ClassMembers<O>> extends never ? O : ResourceOptions;

/** The members of the class given as `Endpoint` that RestEndpoint does not have. */
export type ClassMembers<O> = O extends { readonly Endpoint: { readonly prototype: infer E } }
  ? Omit<E, keyof RestEndpoint>
  : unknown;

/** Options of a resource whose types the calls of its endpoints keep: see Call in rest.types.ts. */
type KeptOption = 'errors' | 'pages';

/**
 * The members that a resource's endpoints have besides the members of RestEndpoint: the members of the `Endpoint` class, and the
 * types of `errors` and `pages`.
 */
export type OwnOf<O> = [keyof O & KeptOption] extends [never]
  ? ClassMembers<O>
  : ClassMembers<O> & Pick<O, keyof O & KeptOption>;

type Member<T extends CallTypes, Own> = unknown extends Own
  ? RestEndpoint<T>
  : ([keyof Own & KeptOption] extends [never]
      ? RestEndpoint<T>
      : RestEndpoint<KeepingCall<T, Pick<Own, keyof Own & KeptOption>>>) &
      Own;

/** The call of an endpoint of a resource with the option `errors` or `pages`: it keeps the types of these options. */
export interface KeepingCall<T extends CallTypes, Kept> {
  readonly path: T['path'];
  readonly params: T['params'];
  readonly schema: T['schema'];
  readonly method: T['method'];
  readonly body: T['body'];
  readonly search: T['search'];
  readonly more: T['more'] & Kept;
}

/** The body of an update: the type of the `body` option, else any fields of the row, or a form. */
type UpdateBody<S, Body> = [Body] extends [never] ? Partial<Denormalize<S>> | FormData : Body;

export interface GetCall<Path extends string, S> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: S;
  readonly method: 'GET';
  readonly body: never;
  readonly search: never;
  readonly more: NoFurtherOptions;
}

interface ListMore<Path extends string, Field> {
  readonly movePath: Path;
  readonly paginationField: Field;
}

/** The call of `getList`; `Path` is the path of one row. */
export interface GetListCall<Path extends string, S, Search, Body, Field> {
  readonly path: ShortenPath<Path>;
  readonly params: ListParams<Path>;
  readonly schema: Collection<readonly [S]>;
  readonly method: 'GET';
  readonly body: Body;
  readonly search: Search;
  readonly more: ListMore<Path, Field>;
}

export interface UpdateCall<Path extends string, S, Body> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: S;
  readonly method: 'PUT';
  readonly body: Body;
  readonly search: never;
  readonly more: NoFurtherOptions;
}

export interface PartialUpdateCall<Path extends string, S, Body> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: S;
  readonly method: 'PATCH';
  readonly body: IsNone<Body> extends true ? Body : Partial<Body>;
  readonly search: never;
  readonly more: NoFurtherOptions;
}

export interface DeleteCall<Path extends string, S> {
  readonly path: Path;
  readonly params: PathParams<Path>;
  readonly schema: Invalidate<S>;
  readonly method: 'DELETE';
  readonly body: never;
  readonly search: never;
  readonly more: { process(value: unknown): Partial<Json<Denormalize<S>>> };
}

/**
 * The standard endpoints of a resource. `Field` is the `paginationField`; `Own` has the members that each of these endpoints has
 * besides the members of RestEndpoint.
 *
 * @example
 * type Names = keyof typeof TodoResource; // 'get' | 'getList' | 'update' | 'partialUpdate' | 'delete' | 'extend'
 */
export interface ResourceMembers<Path extends string, S, Search, Body, Field, Own> {
  /** Reads one row: GET. */
  readonly get: Member<GetCall<Path, S>, Own>;
  /** Reads the list: GET, at the path without its last parameter. */
  readonly getList: Member<GetListCall<Path, S, Search, Body, Field>, Own>;
  /** Replaces one row: PUT. */
  readonly update: Member<UpdateCall<Path, S, UpdateBody<S, Body>>, Own>;
  /** Changes some fields of one row: PATCH. */
  readonly partialUpdate: Member<PartialUpdateCall<Path, S, UpdateBody<S, Body>>, Own>;
  /** Deletes one row: DELETE. */
  readonly delete: Member<DeleteCall<Path, S>, Own>;
}

/**
 * The type that {@link createResource} returns.
 *
 * @example
 * const Todos: Resource<'/todos/:id', typeof Todo, unknown, unknown, undefined, unknown>['get'] = TodoResource.get;
 */
export interface Resource<Path extends string, S, Search, Body, Field, Own> extends ResourceMembers<
  Path,
  S,
  Search,
  Body,
  Field,
  Own
> {
  /** Returns a new resource with changed or added endpoints. */
  readonly extend: ResourceExtend<ResourceMembers<Path, S, Search, Body, Field, Own>>;
}

/** The search parameters of the list: the type of the `searchParams` option, else any. */
export type ListSearch<O> = [GivenSearch<O>] extends [never] ? AnySearch : GivenSearch<O>;

/**
 * The type of a resource after `extend`, with endpoints replaced or added.
 *
 * @example
 * const Todos = TodoResource.extend('archive', { path: '/todos/:id/archive', method: 'POST', body: undefined });
 * await new Controller().fetch(Todos.archive, { id: '5' });
 */
export type ExtendedResource<Members, Changed> = Extendable<
  [keyof Changed & keyof Members] extends [never] ? Members & Changed : Omit<Members, keyof Changed> & Changed
>;

type Extendable<Members> = Members & { readonly extend: ResourceExtend<Members> };

/**
 * The three forms of `resource.extend`. The third form writes its types out: if it used an alias or `keyof Members`, the compiler
 * would print all of `Members` wherever it shows the type. In the third form, the options of a name that the resource does not have
 * must be `never`, so the compiler refuses them.
 */
export interface ResourceExtend<Members> {
  /** Changes options of one endpoint. A new name adds an endpoint, made from `get`. */
  <const Name extends string, const E extends RestExtension>(
    name: Name,
    options: E & ThisType<RestMembers> & ContentRule<E, undefined>,
  ): ExtendedResource<Members, { readonly [N in Name]: ExtendedMember<Members, N, E> }>;
  /** Adds or replaces the endpoints that the function returns. The function receives the present resource. */
  <Changed extends object>(
    build: (Base: NoInfer<Extendable<Members>>) => Changed,
  ): ExtendedResource<Members, Changed>;
  /** Changes options of several endpoints. */
  <const Batch extends MemberExtensions<{ [Name in keyof Members]: Name }[keyof Members]>>(
    members: Batch & { readonly [Name in Exclude<keyof Batch, keyof Members>]: never },
  ): ExtendedResource<
    Members,
    { readonly [Name in keyof Batch & string]: ExtendedMember<Members, Name, Batch[Name]> }
  >;
}

/** MemberExtensions<'get' | 'vote'>  →  { get?: RestExtension; vote?: RestExtension } */
type MemberExtensions<Name extends PropertyKey> = { readonly [N in Name]?: RestExtension };
type ExtendedMember<Members, Name, E> = Name extends keyof Members
  ? ExtendedEndpoint<Members[Name], E>
  : Members extends { readonly get: infer Base }
    ? ExtendedEndpoint<Base, E>
    : never;

type ExtendedEndpoint<Base, E> = Base extends { readonly [CALL]: infer T extends CallTypes }
  ? RestEndpoint<ExtendedCall<T, E>>
  : never;

export declare namespace Resource {
  export type { SearchValue };
}
