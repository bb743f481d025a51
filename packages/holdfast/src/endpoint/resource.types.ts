// The types of a resource: options of each member, looked up in the resource's own, and what extend() makes of them.
// Interfaces rather than mapped types, so that an editor shows their names.
import type { Collection } from '../schema/collection.ts';
import type { Invalidate } from '../schema/invalidate.ts';
import type { Denormalize, Schema } from '../schema/schema.types.ts';
import type { ShortenPath } from './path.types.ts';
import type { RestEndpoint } from './rest-endpoint.ts';
import type { RestPipeline } from './rest-pipeline.ts';
import type {
  ContentRule,
  ExtendOptions,
  GivenBody,
  GivenField,
  GivenSearch,
  IsNone,
  Json,
  OPTION_TYPES,
  RestExtension,
  RestOptions,
} from './rest.types.ts';

/** A value that the default `searchToString` can write. */
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

/** The query parameters of a list whose resource names none. */
export interface AnySearch {
  readonly [name: string]: SearchValue;
}

type MemberOptions = Omit<
  RestExtension,
  'method' | 'sideEffect' | 'content' | 'name' | 'movePath' | 'fetch' | 'idParam'
>;

/** Options of {@link createResource}; what is not listed here goes to every member. */
export interface ResourceOptions extends MemberOptions {
  /** Template with `:name` parameters. Its last parameter names the row. */
  readonly path: string;
  readonly schema: Schema;
  /** Makes every mutation show its expected result at once. */
  readonly optimistic?: boolean;
  /** A class extending RestEndpoint: every member is made by it. */
  readonly Endpoint?: EndpointClass;
  /** A class extending Collection, for the list. */
  readonly Collection?: new (definition: never, options?: never) => { readonly push: unknown };
  /** Parameters that do not decide which rows are in a list. Default: names that start with `order`. */
  readonly nonFilterArgumentKeys?: readonly string[] | RegExp | ((name: string) => boolean);
}

type EndpointClass = abstract new (options: never) => { extend(options: never): unknown };

/** Members of a class given as `Endpoint` that RestEndpoint does not have. */
type Extras<O> = O extends { readonly Endpoint: abstract new (options: never) => infer E }
  ? Omit<E, keyof RestEndpoint>
  : unknown;

type Member<O, Options extends RestOptions> =
  unknown extends Extras<O> ? RestEndpoint<Options> : RestEndpoint<Options> & Extras<O>;

type BodyOf<O extends ResourceOptions> = [GivenBody<O>] extends [never]
  ? Partial<Denormalize<O['schema']>> | FormData
  : GivenBody<O>;

/** Options of `get`. */
export interface GetOptions<O extends ResourceOptions> {
  readonly path: O['path'];
  readonly method: 'GET';
  readonly schema: O['schema'];
}

/** Options of `getList`. */
export interface GetListOptions<O extends ResourceOptions> {
  readonly path: ShortenPath<O['path']>;
  readonly movePath: O['path'];
  readonly method: 'GET';
  readonly schema: Collection<readonly [O['schema']]>;
  readonly searchParams: [GivenSearch<O>] extends [never] ? AnySearch : GivenSearch<O>;
  readonly body: GivenBody<O>;
  readonly paginationField: GivenField<O>;
}

/** Options of `update`. */
export interface UpdateOptions<O extends ResourceOptions> {
  readonly path: O['path'];
  readonly method: 'PUT';
  readonly schema: O['schema'];
  readonly body: BodyOf<O>;
}

/** Options of `partialUpdate`. */
export interface PartialUpdateOptions<O extends ResourceOptions> {
  readonly path: O['path'];
  readonly method: 'PATCH';
  readonly schema: O['schema'];
  readonly body: IsNone<GivenBody<O>> extends true ? BodyOf<O> : Partial<BodyOf<O>>;
}

/** Options of `delete`. */
export interface DeleteOptions<O extends ResourceOptions> {
  readonly path: O['path'];
  readonly method: 'DELETE';
  readonly schema: Invalidate<O['schema']>;
  process(value: unknown): Partial<Json<Denormalize<O['schema']>>>;
}

/** The standard members. */
export interface ResourceMembers<O extends ResourceOptions> {
  /** GET one. */
  readonly get: Member<O, GetOptions<O>>;
  /** GET many; the path without its last parameter. */
  readonly getList: Member<O, GetListOptions<O>>;
  /** PUT one. */
  readonly update: Member<O, UpdateOptions<O>>;
  /** PATCH one: only the fields to change. */
  readonly partialUpdate: Member<O, PartialUpdateOptions<O>>;
  /** DELETE one. */
  readonly delete: Member<O, DeleteOptions<O>>;
}

/** What {@link createResource} gives. */
export interface Resource<O extends ResourceOptions> extends ResourceMembers<O> {
  /** Changes members, or adds some; gives a new resource. */
  readonly extend: ResourceExtend<ResourceMembers<O>>;
}

/** A resource after extend(): members replaced or added. */
export type ExtendedResource<Members, Changed> = Extendable<Omit<Members, keyof Changed> & Changed>;

type Extendable<Members> = Members & { readonly extend: ResourceExtend<Members> };

/** The three forms of `resource.extend`. */
export interface ResourceExtend<Members> {
  /** Adds a member made from `get`, or changes one. */
  <const Name extends string, const E extends RestExtension>(
    name: Name,
    options: E & ThisType<RestPipeline> & ContentRule<E>,
  ): ExtendedResource<Members, { readonly [N in Name]: ExtendedMember<Members, N, E> }>;
  /** Adds or replaces members with what the function makes from the present ones. */
  <Changed extends object>(
    build: (Base: NoInfer<Extendable<Members>>) => Changed,
  ): ExtendedResource<Members, Changed>;
  /** Changes options of several members. */
  <const Batch extends { readonly [Name in keyof Members]?: RestExtension }>(
    members: Batch & OnlyMembers<Members, Batch>,
  ): ExtendedResource<
    Members,
    { readonly [Name in keyof Batch & string]: ExtendedMember<Members, Name, Batch[Name]> }
  >;
}

/** Points at a name that is no member. */
type OnlyMembers<Members, Batch> = { readonly [Name in Exclude<keyof Batch, keyof Members>]: never };

type ExtendedMember<Members, Name, E> = Name extends keyof Members
  ? ExtendedEndpoint<Members[Name], E>
  : Members extends { readonly get: infer Base }
    ? ExtendedEndpoint<Base, E>
    : never;

type ExtendedEndpoint<Base, E> = Base extends { readonly [OPTION_TYPES]?: infer O }
  ? RestEndpoint<ExtendOptions<O, E>>
  : never;
