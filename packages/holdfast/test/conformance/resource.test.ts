// Section R: the options of createResource, and their effect on the members and on the requests to a real server.
import { Collection, createResource, Entity, RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.on('*', '/*', ({ method }) => ({ body: method === 'GET' ? [] : { id: '1', title: 'x' } }));
});
beforeEach(() => server.forget());
afterAll(() => server.close());

const urls = () => server.requests.map(({ method, url }) => `${method} ${url}`);
const members = ['get', 'getList', 'update', 'partialUpdate', 'delete'] as const;

test('R-1 every member gets the path, with its parameters', async () => {
  const resource = createResource({ urlPrefix: server.url, path: '/users/:user/todos/:id', schema: Todo });

  await resource.get({ user: 1, id: 2 });
  await resource.getList({ user: 1 });
  await resource.getList.push({ user: 1 }, { title: 'x' });
  await resource.update({ user: 1, id: 2 }, { title: 'x' });
  await resource.partialUpdate({ user: 1, id: 2 }, { title: 'x' });
  await resource.delete({ user: 1, id: 2 });

  expect(urls()).toEqual([
    'GET /users/1/todos/2',
    'GET /users/1/todos',
    'POST /users/1/todos',
    'PUT /users/1/todos/2',
    'PATCH /users/1/todos/2',
    'DELETE /users/1/todos/2',
  ]);
});

test('R-2 every member gets the schema', () => {
  const resource = createResource({ path: '/todos/:id', schema: Todo });

  expect([resource.get.schema, resource.update.schema, resource.partialUpdate.schema]).toEqual([
    Todo,
    Todo,
    Todo,
  ]);
  expect(resource.getList.schema.schema).toEqual([Todo]);
  expect(resource.delete.schema.schema).toBe(Todo);
});

test('R-3 every member gets the urlPrefix', () => {
  const resource = createResource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo });

  expect(members.map((member) => resource[member].urlPrefix)).toEqual(
    members.map(() => 'https://api.example.com'),
  );
  expect(resource.get.url({ id: 5 })).toBe('https://api.example.com/todos/5');
  expect(resource.getList.push.url()).toBe('https://api.example.com/todos');
});

test('R-4 push, update and partialUpdate get the body, and no other member sends it', async () => {
  const resource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    body: {} as { title: string },
  });

  await resource.getList.push({ title: 'a' });
  await resource.update({ id: 1 }, { title: 'b' });
  await resource.partialUpdate({ id: 1 }, { title: 'c' });
  await resource.get({ id: 1 });
  await resource.getList();
  await resource.delete({ id: 1 });

  const bodies = server.requests.map(({ body }) => body);
  expect(bodies).toEqual([{ title: 'a' }, { title: 'b' }, { title: 'c' }, undefined, undefined, undefined]);
  expect([resource.getList.push.body, resource.update.body, resource.partialUpdate.body]).toEqual([
    {},
    {},
    {},
  ]);
  expect([resource.get, resource.getList, resource.delete].map((member) => 'body' in member)).toEqual([
    false,
    false,
    false,
  ]);
  expect(resource.getList.extend({ body: { of: 'its own' } }).push.body).toEqual({ of: 'its own' });
  const bodiless = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    body: undefined,
  });
  await bodiless.update({ id: 1 });
  expect(server.requests.at(-1)).toMatchObject({ method: 'PUT', body: undefined });
});

test('R-5 getList and push get searchParams', async () => {
  const resource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { group: string },
  });

  await resource.getList({ group: 'a' });
  await resource.getList.push({ group: 'a' }, { title: 'x' });

  expect(urls()).toEqual(['GET /todos?group=a', 'POST /todos?group=a']);
  expect(resource.getList.searchParams).toEqual({});
  expect(resource.getList.push.searchParams).toEqual({});
  expect('searchParams' in resource.get).toBe(false);
});

test('R-6 paginationField gives the list a next-page endpoint, the same as paginated(field)', async () => {
  const resource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    paginationField: 'cursor',
  });

  await resource.getList.getPage({ cursor: 'c1', group: 'a' });

  expect(urls()).toEqual(['GET /todos?cursor=c1&group=a']);
  expect(resource.getList.getPage).toBe(resource.getList.paginated('cursor'));
  expect(createResource({ path: '/todos/:id', schema: Todo }).getList.getPage).toBeUndefined();
});

test('R-8 the Endpoint class makes every member', async () => {
  class AuthEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override urlPrefix = server.url;

    override getHeaders(headers: Record<string, string>): HeadersInit {
      return { ...headers, token: 'secret' };
    }
  }
  const resource = createResource({
    path: '/todos/:id',
    schema: Todo,
    Endpoint: AuthEndpoint,
    paginationField: 'page',
  });

  const all = [...members.map((member) => resource[member]), resource.getList.push, resource.getList.getPage];
  expect(all.every((member) => member instanceof AuthEndpoint)).toBe(true);
  await resource.getList.push({ title: 'x' });
  expect(server.requests[0]?.headers['token']).toBe('secret');
  expect(resource.extend('other', { path: '/other' }).other).toBeInstanceOf(AuthEndpoint);
});

test('R-9 any further endpoint option reaches the members', () => {
  const resource = createResource({
    path: '/todos/:id',
    schema: Todo,
    pollFrequency: 60_000,
    dataExpiryLength: 5,
    timeoutMs: 100,
    requestInit: { cache: 'no-store' },
  });

  for (const member of members) {
    expect(resource[member].pollFrequency).toBe(60_000);
    expect(resource[member].dataExpiryLength).toBe(5);
    expect(resource[member].timeoutMs).toBe(100);
    expect(resource[member].requestInit).toEqual({ cache: 'no-store' });
  }
  expect(resource.getList.push.pollFrequency).toBe(60_000);
});

test('R-9 the Collection class and the keys that do not filter reach the list', () => {
  class Sorted<S> extends Collection<S> {}
  const resource = createResource({
    path: '/todos/:id',
    schema: Todo,
    Collection: Sorted,
    nonFilterArgumentKeys: ['page'],
  });

  expect(resource.getList.schema).toBeInstanceOf(Sorted);
});
