// The endpoints that follow from a list: creation (push, unshift, assign), change (remove, move) and further pages.
// Each is the list endpoint, extended; RestEndpoint's getters keep them, so a list has one `push`.
import { findCollection, paginateSchema } from '../schema/collection/collections-in.ts';
import { HoldfastError } from '../support/errors.ts';

/** What lists can do to themselves. */
export type ListChange = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

type Args = readonly unknown[];

interface ListEndpoint {
  readonly name: string;
  readonly path: string;
  readonly movePath?: string;
  readonly schema?: unknown;
  key(...args: Args): string;
  keyPattern(): string;
  extend(options: object): object;
}

/** The endpoint that makes one kind of change to the list. */
export function createListChange(list: ListEndpoint, change: ListChange): object {
  const collection = findCollection(list.schema) as Readonly<Record<string, unknown>> | undefined; // cast: read by name
  const schema = collection?.[change];
  if (schema === undefined)
    throw new HoldfastError('COLLECTION_MISSING', { endpoint: list.name, member: change });
  return list.extend({
    method: change === 'remove' || change === 'move' ? 'PATCH' : 'POST',
    name: `${list.name}.${change}`,
    schema,
    ...(change === 'move' && { path: list.movePath ?? list.path, searchParams: undefined }),
  });
}

/** The endpoint of further pages: each has a request of its own, and all extend the list without the cursor. */
export function createPages(list: ListEndpoint, cursor: string | ((...args: Args) => Args)): object {
  const withoutCursor = (args: Args): Args =>
    typeof cursor === 'function' ? cursor(...args) : withoutField(args, cursor);
  return list.extend({
    name: `${list.name}.getPage`,
    schema: paginateSchema(list.schema, withoutCursor),
    listKey: (...args: Args) => list.key(...withoutCursor(args)),
    keyPattern: () => list.keyPattern(),
  });
}

/** The arguments of the list's first page: the first argument that has the field, without it. */
function withoutField(args: Args, field: string): Args {
  const fieldsOf = (argument: unknown): Record<string, unknown> => ({ ...Object(argument) }); // its own members only
  const at = args.findIndex((argument) => fieldsOf(argument)[field] !== undefined);
  return args.map((argument, index) => {
    if (index !== at) return argument;
    const { [field]: _cursor, ...rest } = fieldsOf(argument);
    return rest;
  });
}
