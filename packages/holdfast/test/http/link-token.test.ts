// Pages whose tokens are in the header `Link`, and first pages that are requested with a token.
import { Controller, createResource, Entity, inPages, loadMore, schema, totalOf } from 'holdfast';
import { linkToken } from 'holdfast/http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Issue extends Entity {
  static override key = 'LinkIssue';
  id = 0;
}

let server: TestServer;
let controller: Controller;
const rows = Array.from({ length: 7 }, (_, at) => ({ id: at + 1 }));

beforeEach(async () => {
  server = await startServer();
  controller = new Controller();
});

afterEach(() => server.close());

function createIssues() {
  return createResource({
    urlPrefix: server.url,
    path: '/issues/:id',
    schema: Issue,
    searchParams: {} as { per_page?: number; page?: number | string },
    paginationField: 'page',
  });
}

const idsOf = (issues: readonly Issue[] | undefined) => issues?.map(({ id }) => id).join('');

test.each([
  ['page', undefined],
  ['after', 'after'],
] as const)(
  'the next page of a header `Link` is loaded by its parameter `%s`, to the end',
  async (field, given) => {
    server.on('GET', '/issues', ({ query }) => {
      const at = Number(query.get(field) ?? 1);
      const next = `<${server.url}/issues?per_page=3&${field}=${at + 1}>; rel="next", <${server.url}/issues?${field}=1>; rel="first"`;
      return { body: rows.slice((at - 1) * 3, at * 3), headers: at < 3 ? { Link: next } : {} };
    });
    const getList = createIssues().getList.extend({
      paginationField: field,
      pages: inPages({ next: linkToken('next', given) }),
    });

    await controller.fetch(getList, { per_page: 3 });
    for (let count = 0; count < 4; count += 1) await loadMore(controller, getList, { per_page: 3 });

    expect(idsOf(controller.getResponse(getList, { per_page: 3 }).data)).toBe('1234567');
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/issues?per_page=3',
      `/issues?${field}=2&per_page=3`,
      `/issues?${field}=3&per_page=3`,
    ]);
  },
);

test.each([
  ['true', { by: 'number', sendFirst: true } as const, ['1', '2', '3']],
  ['true and `from`', { by: 'number', from: 0, sendFirst: true } as const, ['0', '1', '2']],
  ['true and offsets', { by: 'offset', sendFirst: true } as const, ['0', '3', '6']],
  ['a string', { next: 'next', sendFirst: 'start' } as const, ['start', '2', '3']],
])(
  'with sendFirst: %s, the first page has its token, and the list keeps its key',
  async (_, options, expected) => {
    // the server sends an envelope only if a page is requested, as json-server 1 does
    server.on('GET', '/issues', ({ query }) => {
      const page = query.get('page');
      const nth = expected.indexOf(page ?? '');
      const data = rows.slice(nth * 3, (nth + 1) * 3);
      return {
        body: page === null ? rows : { data, total: rows.length, next: nth < 2 ? String(nth + 2) : null },
      };
    });
    const list = new schema.Collection([Issue]);
    const getList = createIssues().getList.extend({
      schema: { data: list, total: totalOf(list), next: '' },
      pages: inPages({ ...options, ...('by' in options && { total: 'total' }) } as inPages.Options),
    });

    await controller.fetch(getList, {});
    for (let count = 0; count < 3; count += 1) await loadMore(controller, getList, {});
    expect(idsOf(controller.getResponse(getList, {}).data?.data)).toBe('1234567');
    expect(server.requests.map(({ query }) => query.get('page'))).toEqual(expected);

    server.forget();
    await controller.fetch(getList, {});

    expect(idsOf(controller.getResponse(getList, {}).data?.data)).toBe('1234567');
    expect(server.requests.map(({ query }) => query.get('page'))).toEqual(expected);
  },
);
