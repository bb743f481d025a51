// `linked`: relations and totals of headers as arguments of the next call.
import { Controller, RestEndpoint, schema } from 'holdfast';
import { HttpSemantics, linked } from 'holdfast/http';
import { expect, test } from 'vitest';
import { Post, start } from './app.ts';

const none = { next: null, previous: null, first: null, last: null };

/** A server whose list has the header `Link`, and others. */
async function withLinks(link: string | undefined, more: Record<string, string> = {}) {
  const app = await start({ validators: 'unread' });
  const { server } = app;
  server.on('GET', '/users/:user/posts', ({ query }) => ({
    headers: { etag: '"1"', ...(link !== undefined && { link }), ...more },
    body: [{ id: query.get('page') ?? '1', title: 't', topic: 'a' }],
  }));
  const getList = new RestEndpoint({
    urlPrefix: server.url,
    path: '/users/:user/posts',
    searchParams: {} as { page?: number | string; tag?: string | readonly string[] },
    schema: new schema.Collection([Post]),
  });
  return { ...app, getList };
}

test('relations become the arguments of the same endpoint, and the header the total', async () => {
  const { controller, getList } = await withLinks(
    '<https://api.example.com/x?page=3&tag=a&tag=b>; rel="next", </y?page=1>; rel="prev first", <?page=9>; rel=last',
    { 'x-total-count': '88' },
  );
  const getPages = linked(getList);

  const page = await controller.fetch(getPages, { user: '5', page: 2 });

  expect(page).toEqual({
    results: [expect.objectContaining({ id: '2' })],
    next: { user: '5', page: 3, tag: ['a', 'b'] },
    previous: { user: '5', page: 1 },
    first: { user: '5', page: 1 },
    last: { user: '5', page: 9 },
    total: 88,
  });
  expect(await controller.fetch(getPages, page.next!)).toMatchObject({ results: [{ id: '3' }] });
});

test('a value is a string, unless the call had a number or `numbers` lists it', async () => {
  const { controller, getList } = await withLinks('<?page=3&tag=7>; rel=next');

  expect(await controller.fetch(linked(getList), { user: 5 })).toMatchObject({
    next: { user: 5, page: '3', tag: '7' },
  });
  expect(await controller.fetch(linked(getList, { numbers: ['page'] }), { user: 6 })).toMatchObject({
    next: { user: 6, page: 3, tag: '7' },
  });
});

test.each([
  ['x-total-count', '88', 88],
  ['x-total', '7', 7],
  ['content-range', 'items 0-9/120', 120],
  ['content-range', 'items 0-9/*', null],
  ['x-total-count', 'many', null],
  ['x-total-count', '-3', null],
])('the header %s with %s gives the total %s', async (name, text, total) => {
  const { controller, getList } = await withLinks(undefined, { [name]: text });

  expect(await controller.fetch(linked(getList), { user: '5' })).toMatchObject({ ...none, total });
});

test('another header can be declared for the total', async () => {
  const { controller, getList } = await withLinks(undefined, { 'x-total-count': '1', 'x-count': '2' });

  expect(await controller.fetch(linked(getList, { total: 'X-Count' }), { user: '5' })).toMatchObject({
    total: 2,
  });
});

test('a page joins its list through `getPage`', async () => {
  const { controller, getList } = await withLinks('<?page=2>; rel=next');
  const getPages = linked(getList.extend({ paginationField: 'page' }));
  const { next } = await controller.fetch(getPages, { user: '5' });

  await controller.fetch(getPages.getPage, { user: '5', page: next?.page ?? '' });

  const { data } = controller.getResponse(getPages, { user: '5' });
  expect(data?.results?.map(({ id }) => id)).toEqual(['1', '2']);
});

test('the rows are those of the list, whose slot is separate from its pages', async () => {
  const { controller, getList } = await withLinks(undefined);
  const plain = await controller.fetch(getList, { user: '5' });

  const { results } = await controller.fetch(linked(getList), { user: '5' });

  expect(results).toBe(plain);
  expect(linked(getList).key({ user: '5' })).not.toBe(getList.key({ user: '5' }));
});

test('a body with a known tag is read where its headers have changed', async () => {
  const { controller, getList, server, read } = await withLinks(undefined, { 'x-total-count': '1' });
  const getPages = linked(getList);
  await controller.fetch(getPages, { user: '5' });
  await controller.fetch(getPages, { user: '5' });
  expect(read).toHaveLength(1);
  server.on('GET', '/users/:user/posts', {
    headers: { etag: '"1"', 'x-total-count': '2' },
    body: [{ id: '1', title: 't', topic: 'a' }],
  });

  expect(await controller.fetch(getPages, { user: '5' })).toMatchObject({ total: 2 });
  expect(read).toHaveLength(2);
});

test('an endpoint with links does not send tags: "not modified" would not contain its headers', async () => {
  const { getList, server } = await withLinks(undefined, { 'x-total-count': '1' });
  const controller = new Controller({ managers: [new HttpSemantics({ validators: 'send' })] });
  const getPages = linked(getList);

  await controller.fetch(getPages, { user: '5' });
  await controller.fetch(getPages.extend({ timeoutMs: 5_000 }), { user: '5' });

  expect(server.requests.some(({ headers }) => 'if-none-match' in headers)).toBe(false);
});

test('a custom `process` gets the raw body', async () => {
  const { controller, getList } = await withLinks('<?page=2>; rel=next');
  const shouting = getList.extend({
    process: (rows: { id: string; title: string }[]) =>
      rows.map((row) => ({ ...row, title: row.title.toUpperCase() })),
  });

  expect(await controller.fetch(linked(shouting), { user: '5' })).toMatchObject({
    results: [{ title: 'T' }],
    next: { page: '2' },
  });
});

test('links work without the manager, and in a direct call', async () => {
  const { getList } = await withLinks('<?page=2>; rel=next');

  expect(await new Controller().fetch(linked(getList), { user: '5' })).toMatchObject({ next: { page: '2' } });
  expect(await linked(getList)({ user: '5' })).toMatchObject({ next: { page: '2' }, total: null });
});
