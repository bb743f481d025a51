// The type of a preset: options of a resource, which an application spreads into its own options.
import type { ArgumentRoles } from '../../schema/collection/argument-roles.ts';

/**
 * Options of `createResource` for one kind of server.
 *
 * @example
 * const preset: Preset<'_page'> = jsonServer1;
 * const PostResource = createResource({ ...preset, path: '/posts/:id', schema: Post });
 */
export interface Preset<Field extends string> {
  /** The roles of the arguments of the server's lists. */
  readonly argumentRoles: ArgumentRoles;
  /** The parameter that selects a page. */
  readonly paginationField: Field;
}
