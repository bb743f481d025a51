// The roles of the arguments of a Feathers service.
import { byRole } from '../../schema/collection/argument-roles.ts';
import type { Preset } from './preset.ts';

/**
 * Options of a resource on a Feathers service. Operators such as `age: { $gt: 3 }` count as searches. If the service limits its
 * pages, declare the limit: `argumentRoles: byRole({ $limit: { limit: 10, most: 50 } }, feathers.argumentRoles)`.
 *
 * @example
 * const PostResource = createResource({ ...feathers, path: '/posts/:id', schema: Post });
 */
export const feathers: Preset<'$skip'> = {
  argumentRoles: byRole(
    { $sort: 'order', $limit: 'limit', $skip: 'page', $select: 'shape', $or: 'search', $and: 'search' },
    (_, text) => (/^[[{]/.test(text) ? 'search' : undefined),
  ),
  paginationField: '$skip',
};
