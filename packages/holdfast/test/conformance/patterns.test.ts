// Section P: the patterns of the documentation, each run unchanged, against a real server.
import { Controller, RestEndpoint } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageResource, readAll } from '../../../../docs/patterns/cursor-pagination.ts';
import { createPersonResource } from '../../../../docs/patterns/key-case.ts';
import { Account, buy, Trade } from '../../../../docs/patterns/nested-mutation.ts';
import { createProductResource, Product } from '../../../../docs/patterns/resource-wrapper.ts';
import { createApi } from '../../../../docs/patterns/shared-endpoint.ts';
import { createPostResource, readTwoPages as readPosts } from '../../../../docs/patterns/tokens-in-body.ts';
import { readTwoPages as readIssues } from '../../../../docs/patterns/tokens-in-headers.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller();
});
afterEach(() => server.close());

test('P-1 a mutation writes every entity of its response, and the list shows the new entity', async () => {
  server.on('GET', '/trades', { body: [{ id: '1', accountId: 'a', amount: 10 }] });
  server.on('POST', '/trades', ({ body }) => ({
    body: { trade: { id: '2', ...(body as object) }, account: { id: 'a', balance: 70 } },
  }));

  const { trades, account } = await buy(controller, server.url);

  expect(trades?.map(({ id, amount }) => [id, amount])).toEqual([
    ['1', 10],
    ['2', 30],
  ]);
  expect(trades?.[1]).toBeInstanceOf(Trade);
  expect(account).toBeInstanceOf(Account);
  expect(account?.balance).toBe(70);
});

test('P-2 page tokens can come in the body', async () => {
  server.on('GET', '/posts', ({ query }) => ({
    body:
      query.get('page') === 'p2'
        ? { results: [{ id: '2', title: 'b' }], prevPage: 'p1' }
        : { results: [{ id: '1', title: 'a' }], nextPage: 'p2' },
  }));

  const posts = await readPosts(controller, server.url);

  expect(posts?.results?.map(({ id }) => id)).toEqual(['1', '2']);
  expect(server.requests.map(({ url }) => url)).toEqual(['/posts', '/posts?page=p2']);
  const { getList } = createPostResource(server.url);
  expect((await controller.fetch(getList)).prevPage).toBe('');
});

test('P-3 page tokens can come in headers', async () => {
  server.on('GET', '/issues', ({ query }) =>
    query.get('page') === '2'
      ? { body: [{ id: '2', title: 'b' }] }
      : { body: [{ id: '1', title: 'a' }], headers: { link: '</issues?page=2>; rel="next"' } },
  );

  const issues = await readIssues(controller, server.url);

  expect(issues?.results?.map(({ id }) => id)).toEqual(['1', '2']);
  expect(server.requests.map(({ url }) => url)).toEqual(['/issues', '/issues?page=2']);
});

test('P-4 a list can be paginated with a cursor', async () => {
  const pages: Record<string, object> = {
    first: { results: [{ id: '1', room: 'r', text: 'a' }], cursor: 'c1' },
    c1: { results: [{ id: '2', room: 'r', text: 'b' }], cursor: 'c2' },
    c2: { results: [{ id: '3', room: 'r', text: 'c' }], cursor: '' },
  };
  server.on('GET', '/messages', ({ query }) => ({ body: pages[query.get('cursor') ?? 'first'] }));

  const messages = await readAll(controller, server.url, 'r');

  expect(messages?.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/messages?room=r',
    '/messages?cursor=c1&room=r',
    '/messages?cursor=c2&room=r',
  ]);
  expect(createMessageResource('').getList.getPage).toBeInstanceOf(RestEndpoint);
});

test('P-5 resources can share one endpoint class', async () => {
  server.on('*', '/*', { body: { id: '1', name: 'x' } });
  let token = 'one';
  const { ApiEndpoint, UserResource, TeamResource } = createApi(server.url, () => token);

  await controller.fetch(UserResource.get, { id: 1 });
  token = 'two';
  await controller.fetch(TeamResource.update, { id: 1 }, { name: 'y' });

  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
  expect(server.requests[1]).toMatchObject({ method: 'PUT', body: { name: 'y' } });
  expect(UserResource.getList.push).toBeInstanceOf(ApiEndpoint);
});

test('P-6 a wrapper function around createResource gives resources', async () => {
  server.on('GET', '/products', {
    body: { results: [{ id: 1, title: 'tea' }], total: 12, limit: 1, skip: 0 },
  });
  server.on('POST', '/products', ({ body }) => ({ body: { id: 2, ...(body as object) } }));
  const ProductResource = createProductResource(server.url);

  const page = await controller.fetch(ProductResource.getList, { limit: 1 });
  await controller.fetch(ProductResource.getList.push, { limit: 1 }, { title: 'milk' });

  expect([page.total, page.limit, page.skip]).toEqual([12, 1, 0]);
  expect(page.results[0]).toBeInstanceOf(Product);
  const after = controller.getResponse(ProductResource.getList, { limit: 1 }).data;
  expect(after?.results?.map(({ title }) => title)).toEqual(['tea', 'milk']);
});

test('P-7 key case is converted in both directions, at any depth', async () => {
  server.on('PUT', '/people/:id', ({ body }) => ({ body: { id: 1, ...(body as object) } }));
  const PersonResource = createPersonResource(server.url);

  const person = await controller.fetch(
    PersonResource.update,
    { id: 1 },
    { firstName: 'Ada', homeAddress: { streetName: 'Main', zipCode: null }, nickNames: [{ givenBy: 'Bob' }] },
  );

  expect(server.requests[0]?.body).toEqual({
    first_name: 'Ada',
    home_address: { street_name: 'Main', zip_code: null },
    nick_names: [{ given_by: 'Bob' }],
  });
  expect(person.firstName).toBe('Ada');
  expect(person.homeAddress).toEqual({ streetName: 'Main', zipCode: null });
  expect(person.nickNames).toEqual([{ givenBy: 'Bob' }]);
});

test('P-7 the names of query parameters are converted too', async () => {
  server.on('GET', '/people', { body: [] });

  await controller.fetch(createPersonResource(server.url).getList, {
    firstName: 'Ada',
    homeAddress: { zipCode: 1 },
  });

  expect(server.requests[0]?.url).toBe('/people?first_name=Ada&home_address[zip_code]=1');
});
