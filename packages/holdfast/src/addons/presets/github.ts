// The roles of the arguments of APIs like GitHub’s.
import { byRole } from '../../schema/collection/argument-roles.ts';
import type { Preset } from './preset.ts';

/**
 * Options of a resource on an API like GitHub's. A response has 30 rows by default and 100 at most; the argument `state=all` does
 * not filter.
 *
 * @example
 * const PostResource = createResource({ ...github, path: '/posts/:id', schema: Post });
 */
export const github: Preset<'page'> = {
  argumentRoles: byRole({
    q: 'search',
    labels: 'search',
    assignee: 'search',
    creator: 'search',
    mentioned: 'search',
    milestone: 'search',
    since: 'search',
    state: { field: 'state', test: (value: unknown, state) => state === 'all' || value === state },
    sort: { order: { created: 'created_at', updated: 'updated_at', pushed: 'pushed_at' } },
    direction: 'order',
    order: 'order',
    per_page: { limit: 30, most: 100 },
    page: 'page',
    before: 'page',
    after: 'page',
  }),
  paginationField: 'page',
};
