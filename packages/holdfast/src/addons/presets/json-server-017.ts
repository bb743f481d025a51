// The roles of the arguments of json-server 0.17.
import { byRole } from '../../schema/collection/argument-roles.ts';
import type { Preset } from './preset.ts';
import { testOf } from './test-of.ts';
import type { CompareTexts } from './test-of.ts';

const COMPARISONS: Readonly<Record<string, CompareTexts>> = {
  gte: (value, text) => value >= text,
  lte: (value, text) => value <= text,
  ne: (value, text) => String(value) !== text,
  like: (value, text) => new RegExp(text, 'i').test(value),
};

/**
 * Options of a resource on json-server 0.17: the roles of its arguments, operators such as `views_gte` included, and the
 * `paginationField`.
 *
 * @example
 * const PostResource = createResource({ ...jsonServer017, path: '/posts/:id', schema: Post });
 */
export const jsonServer017: Preset<'_page'> = {
  argumentRoles: byRole(
    {
      q: 'search',
      _sort: 'order',
      _order: 'order',
      _limit: 'limit',
      _page: 'page',
      _start: 'page',
      _end: 'page',
      _expand: 'shape',
      _embed: 'shape',
    },
    (name) => {
      const [, field = '', operator = ''] = /^(.+)_(gte|lte|ne|like)$/.exec(name) ?? [];
      return COMPARISONS[operator] && testOf(field, COMPARISONS[operator]);
    },
  ),
  paginationField: '_page',
};
