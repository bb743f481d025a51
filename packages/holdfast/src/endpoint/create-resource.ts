// createResource: makes the endpoints of one path and one schema, and `extend`, which returns a resource with changed or added
// endpoints. The endpoints share their data through the schema.
import { checkResource, inDevelopment } from '#env';
import { Collection } from '../schema/collection/collection.ts';
import { KIND } from '../schema/protocol/protocol.ts';
import { Removal } from '../schema/kinds/removal.ts';
import { HoldfastError } from '../support/errors.ts';
import { finishEndpoint } from './endpoint-base.ts';
import { parsePath } from './path-template.ts';
import type { KnownOptions, ListSearch, OwnOf, Resource, ResourceOptions } from './resource.types.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import type { GivenBody, GivenField, RestExtension, RestMembers } from './rest.types.ts';

type MemberTable = Readonly<Record<string, unknown>>;
type BuildMembers = (base: unknown) => MemberTable;
type AnyEndpointClass = new (options: object) => RestEndpoint;

/**
 * Creates `get`, `getList` (with `push` and other changes), `update`, `partialUpdate` and `delete` for one path and schema.
 *
 * @example
 * const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
 * const todos = await controller.fetch(TodoResource.getList);
 * await controller.fetch(TodoResource.partialUpdate, { id: '5' }, { done: true });
 */
export function createResource<const O extends ResourceOptions>(
  options: KnownOptions<O> & ThisType<RestMembers>,
): Resource<O['path'], O['schema'], ListSearch<O>, GivenBody<O>, GivenField<O>, OwnOf<O>> {
  // These three options and the two classes are used below; all other options are passed to every endpoint.
  const { body, searchParams, paginationField, ...rest }: ResourceOptions = options;
  const { Collection: List = Collection, Endpoint: Class = RestEndpoint, ...shared } = rest;
  const { path, schema } = shared;
  const { listPath, names } = parsePath(path);
  const name = schemaName(schema);
  // cast: ResourceOptions hides the parameters of the constructor
  const make = (member: string, own: object): RestEndpoint =>
    finishEndpoint(
      new (Class as AnyEndpointClass)({
        ...shared,
        name: `${name}.${member}`,
        idParam: names.at(-1),
        ...own,
      }),
    );
  const bodyOption = 'body' in options && { body }; // without the option, the method decides whether there is a body
  inDevelopment(() => checkResource(options, names, Class as AnyEndpointClass, HoldfastError));
  return createExtendable(name, {
    get: make('get', { method: 'GET' }),
    getList: make('getList', {
      bodyOption,
      searchParams,
      paginationField,
      method: 'GET',
      path: listPath,
      movePath: path,
      schema: new (List as typeof Collection)([schema]), // cast: a subclass of Collection with the same constructor
    }),
    update: make('update', { ...bodyOption, method: 'PUT' }),
    partialUpdate: make('partialUpdate', { ...bodyOption, method: 'PATCH' }),
    delete: make('delete', {
      method: 'DELETE',
      isRemoval: true,
      schema: KIND in Object(schema) ? new Removal(schema) : undefined, // a shorthand such as `{ todo: Todo }` identifies no row
    }),
  }) as never; // cast: the return type declares each endpoint
}

function createExtendable(name: string, members: MemberTable): MemberTable {
  const extendMember = (member: string, options: RestExtension): unknown => {
    const known = members[member];
    if (known instanceof RestEndpoint) return known.extend(options);
    return (members['get'] as RestEndpoint).extend({ name: `${name}.${member}`, ...options }); // cast: every resource has `get`
  };
  const extendKnown = ([member, options]: [string, RestExtension]): [string, unknown] => {
    inDevelopment(() => {
      if (Object.hasOwn(members, member)) return;
      throw new HoldfastError('RESOURCE_MEMBER_UNKNOWN', { member, known: Object.keys(members).join(', ') });
    });
    return [member, extendMember(member, options)];
  };
  const resource: MemberTable = {
    ...members,
    extend(
      given: string | BuildMembers | Readonly<Record<string, RestExtension>>,
      options: RestExtension = {},
    ): MemberTable {
      const changed =
        typeof given === 'function'
          ? given(resource)
          : typeof given === 'string'
            ? { [given]: extendMember(given, options) }
            : Object.fromEntries(Object.entries(given).map(extendKnown));
      return createExtendable(name, { ...members, ...changed });
    },
  };
  return resource;
}

function schemaName(schema: unknown): string {
  const { key, name } = Object(schema) as { key?: unknown; name?: unknown }; // cast: the types are tested below
  return [key, name].find((text) => typeof text === 'string') ?? 'resource';
}
