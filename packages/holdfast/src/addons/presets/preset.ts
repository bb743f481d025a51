// The type of a preset: options of a resource, to be spread into its own.
import type { ArgumentRoles } from '../../schema/collection/argument-roles.ts';

/**
 * Options of `createResource` for one kind of server.
 *
 * @example
 * const preset: Preset<'_page'> = jsonServer1;
 * const PostResource = createResource({ ...preset, path: '/posts/:id', schema: Post });
 */
export interface Preset<Field extends string> {
  /** What the arguments of the server's lists mean. */
  readonly argumentRoles: ArgumentRoles;
  /** The parameter that selects a page. */
  readonly paginationField: Field;
}
