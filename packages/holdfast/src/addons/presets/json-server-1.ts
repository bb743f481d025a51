// The roles of the arguments of json-server 1.
import { tryRun } from '../../support/call-safely.ts';
import { byRole } from '../../schema/collection/argument-roles.ts';
import type { Preset } from './preset.ts';
import { testOf } from './test-of.ts';
import type { CompareTexts } from './test-of.ts';

/**
 * A string in the form in which the server reads it: parsed, if it is JSON other than `null`, such as a number. To the compiler the
 * result is a string, so that `<` may compare the values.
 */
const wireValue = (text: string): string => tryRun<string>(() => JSON.parse(text)) ?? text;

const lower = (value: unknown): string => String(value).toLowerCase();

const COMPARISONS: Readonly<Record<string, CompareTexts>> = {
  lt: (value, text) => value < wireValue(text),
  lte: (value, text) => value <= wireValue(text),
  gt: (value, text) => value > wireValue(text),
  gte: (value, text) => value >= wireValue(text),
  ne: (value, text) => value !== wireValue(text),
  contains: (value, text) => lower(value).includes(lower(text)),
};

/**
 * Options of a resource on json-server 1: the roles of its arguments, operators such as `views:gte` included, and the
 * `paginationField`. The server sends an envelope only if a page is requested: `pages: inPages({ next: 'next', sendFirst: true })`.
 *
 * @example
 * const PostResource = createResource({ ...jsonServer1, path: '/posts/:id', schema: Post });
 */
export const jsonServer1: Preset<'_page'> = {
  argumentRoles: byRole(
    { _where: 'search', _sort: 'order', _page: 'page', _per_page: 'shape', _embed: 'shape' },
    (name) => {
      // `views_gte`, as in 0.17, is an operator too; `title_startsWith`, with a capital letter, is not an operator.
      const [, field = '', operator = ''] =
        /^(.+)(?::|_(?=[a-z]+$))(lte?|gte?|ne|contains|in|\w+With)$/.exec(name) ?? [];
      return COMPARISONS[operator] ? testOf(field, COMPARISONS[operator]) : operator ? 'search' : undefined;
    },
  ),
  paginationField: '_page',
};
