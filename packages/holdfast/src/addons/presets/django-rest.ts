// The roles of the arguments of Django REST framework.
import { byRole } from '../../schema/collection/argument-roles.ts';
import type { Preset } from './preset.ts';

/**
 * Options of a resource on Django REST framework, with its filters for search and ordering. Lookups such as `price__gte` count as
 * searches. If the views limit their pages, declare the limit: `argumentRoles: byRole({ page_size: { limit: 20 } },
 * djangoRest.argumentRoles)`.
 *
 * @example
 * const TodoResource = createResource({ ...djangoRest, path: '/todos/:id/', schema: Todo });
 */
export const djangoRest: Preset<'page'> = {
  argumentRoles: byRole(
    {
      search: 'search',
      ordering: 'order',
      page_size: 'limit',
      limit: 'limit',
      page: 'page',
      offset: 'page',
      cursor: 'page',
      format: 'shape',
    },
    (name) => (name.includes('__') ? 'search' : undefined),
  ),
  paginationField: 'page',
};
