// A resource: the endpoints of one path and one schema, and how to change and add to them. All members are made by one
// class and share their data through the schema.
import { Collection } from '../schema/collection/collection.ts';
import { KIND } from '../schema/protocol/protocol.ts';
import { Removal } from '../schema/kinds/removal.ts';
import { HoldfastError } from '../support/errors.ts';
import { parsePath } from './path-template.ts';
import type { Extras, ListSearch, Resource, ResourceOptions } from './resource.types.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import { TAKES_DATA } from './rest-pipeline.ts';
import type { GivenBody, GivenField, RestExtension, RestMembers } from './rest.types.ts';
import { settle } from './settle.ts';

type Members = Readonly<Record<string, unknown>>;
type Build = (base: unknown) => Members;
type EndpointClass = new (options: object) => RestEndpoint;
type Process = (this: unknown, value: unknown, params: object, body: unknown) => unknown;

/** Options of the resource itself; every other one goes to the members. */
const OWN = [
  'body',
  'searchParams',
  'paginationField',
  'Endpoint',
  'Collection',
  'nonFilterArgumentKeys',
] as const;

/**
 * Declares `get`, `getList` (with `push` and the like), `update`, `partialUpdate` and `delete` for one path and schema.
 *
 * @example
 * const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
 * const todos = useSuspense(TodoResource.getList);
 * await controller.fetch(TodoResource.partialUpdate, { id }, { completed: true });
 */
export function createResource<const O extends ResourceOptions>(
  options: O & ThisType<RestMembers>,
): Resource<O['path'], O['schema'], ListSearch<O>, GivenBody<O>, GivenField<O>, Extras<O>> {
  // cast: read by name; the result's types say what the members are
  return build(options) as never;
}

function build(options: ResourceOptions): Members {
  const { path, schema } = options;
  const List = (options.Collection ?? Collection) as typeof Collection; // cast: a class that takes the same
  const Endpoint = (options.Endpoint ?? RestEndpoint) as EndpointClass; // cast: a class that takes endpoint options
  const { listPath, lastName } = parsePath(path);
  const shared = without(options, OWN);
  const body = pick(options, ['body']);
  const name = nameOf(schema);
  const make = (member: string, own: object): RestEndpoint =>
    settle(new Endpoint({ ...shared, name: `${name}.${member}`, idParam: lastName, ...own }));
  const filter = pick(options, ['nonFilterArgumentKeys']);
  return createExtendable(name, {
    get: make('get', { method: 'GET' }),
    getList: make('getList', {
      ...body,
      ...pick(options, ['searchParams', 'paginationField']),
      method: 'GET',
      path: listPath,
      movePath: path,
      schema: new List([schema], filter),
    }),
    update: make('update', { ...body, method: 'PUT' }),
    partialUpdate: make('partialUpdate', { ...body, method: 'PATCH' }),
    delete: make('delete', {
      method: 'DELETE',
      schema: KIND in Object(schema) ? new Removal(schema) : undefined, // a plain shape has no row to remove
      process: processDelete((options.process ?? Endpoint.prototype.process) as Process), // cast: called with what fetch gives
    }),
  });
}

/** What the server says it deleted; when it says nothing, what it was asked to delete. */
function processDelete(process: Process): Process {
  const own: Process = function (value, params, body) {
    const processed = process.call(this, value, params, body);
    const isAnswer = typeof processed === 'object' && processed !== null && Object.keys(processed).length > 0;
    return isAnswer ? processed : { ...params };
  };
  const isDefault = process === RestEndpoint.prototype.process;
  return isDefault ? Object.assign(own, { [TAKES_DATA]: true }) : own;
}

function createExtendable(name: string, members: Members): Members {
  const extendMember = (member: string, options: RestExtension): unknown => {
    const known = Object.hasOwn(members, member) ? members[member] : undefined;
    if (known instanceof RestEndpoint) return known.extend(options);
    return (members['get'] as RestEndpoint).extend({ name: `${name}.${member}`, ...options }); // cast: every resource has it
  };
  const resource: Members = {
    ...members,
    extend(
      given: string | Build | Readonly<Record<string, RestExtension>>,
      options: RestExtension = {},
    ): Members {
      const changed =
        typeof given === 'function'
          ? given(resource)
          : typeof given === 'string'
            ? { [given]: extendMember(given, options) }
            : Object.fromEntries(
                Object.entries(given).map(([member, each]) => [
                  ensureMember(members, member),
                  extendMember(member, each),
                ]),
              );
      return createExtendable(name, { ...members, ...changed });
    },
  };
  return resource;
}

function ensureMember(members: Members, member: string): string {
  if (Object.hasOwn(members, member)) return member;
  throw new HoldfastError('RESOURCE_MEMBER_UNKNOWN', { member, known: Object.keys(members).join(', ') });
}

function nameOf(schema: unknown): string {
  const { key, name } = Object(schema) as { key?: unknown; name?: unknown }; // cast: asking is the check
  return typeof key === 'string' ? key : typeof name === 'string' ? name : 'resource';
}

function pick(options: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

function without(options: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}
