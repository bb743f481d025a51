// Section X: extend() in its three forms, the extenders of an endpoint, and optional parameters.
import { Collection, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Account extends Entity {
  static override key = 'Account';
  id = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.on('*', '/*', ({ method, url, body }) => ({ body: { method, url, body: body ?? null } }));
});
beforeEach(() => server.forget());
afterAll(() => server.close());

const create = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const sent = () => server.requests.map(({ method, url }) => `${method} ${url}`);

test('X-1 a batch overrides the options of the listed members and leaves the others', async () => {
  const Base = create();
  const Extended = Base.extend({
    getList: { path: '/lists/:list/todos' },
    update: { method: 'POST', path: '/todos/:id/replace', body: {} as { title: string } },
    get: { schema: { todo: Todo } },
  });

  await Extended.getList({ list: 1 });
  await Extended.getList.push({ list: 1 }, { title: 'x' });
  await Extended.update({ id: 5 }, { title: 'x' });

  expect(sent()).toEqual(['GET /lists/1/todos', 'POST /lists/1/todos', 'POST /todos/5/replace']);
  expect(Extended.get.schema).toEqual({ todo: Todo });
  expect(Extended.delete).toBe(Base.delete);
  expect(Base.getList.path).toBe('/todos');
  expect(Extended.getList.schema).not.toBe(Base.getList.schema);
});

test('X-1 a name that is no member is refused with a list of the members', () => {
  const extend = create().extend as (batch: object) => unknown;

  expect(() => extend({ getLists: {} })).toThrow(
    /RESOURCE_MEMBER_UNKNOWN.*getLists.*get, getList, update, partialUpdate, delete/,
  );
  expect(() => extend({ extend: {} })).toThrow('RESOURCE_MEMBER_UNKNOWN');
  expect(() => extend({ constructor: {} })).toThrow('RESOURCE_MEMBER_UNKNOWN');
});

test('X-2 a name with options adds a member, or overrides one', async () => {
  const Base = create();
  const Extended = Base.extend('vote', { path: '/todos/:id/vote', method: 'POST', body: undefined }).extend(
    'get',
    {
      path: '/todos/by-slug/:slug',
    },
  );

  await Extended.vote({ id: 5 });
  await Extended.get({ slug: 'milk' });

  expect(sent()).toEqual(['POST /todos/5/vote', 'GET /todos/by-slug/milk']);
  expect(Extended.vote.schema).toBe(Todo);
  expect(Extended.vote).toBeInstanceOf(RestEndpoint);
  expect(Extended.vote.name).toBe('Todo.vote');
  expect('vote' in Base).toBe(false);
});

test('X-3 a function builds members from those of the base', async () => {
  const Extended = create().extend((Base) => ({
    search: Base.getList.extend({ path: '/todos/search', searchParams: {} as { q: string } }),
    trade: Base.getList.push.extend({ schema: { trade: Base.getList.push.schema, account: Account } }),
    again: Base.extend,
  }));

  await Extended.search({ q: 'milk' });
  await Extended.trade({ title: 'x' });

  expect(sent()).toEqual(['GET /todos/search?q=milk', 'POST /todos']);
  expect(Extended.trade.schema.account).toBe(Account);
  expect(Extended.extend((Base) => ({ twice: Base.search })).twice).toBe(Extended.search);
});

test('X-4 an endpoint has an extend method', async () => {
  const getTodo = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    dataExpiryLength: 5,
  });
  const other = getTodo.extend({ path: '/others/:id', method: 'PUT', body: {} as { title: string } });

  await other({ id: 1 }, { title: 'x' });

  expect(server.requests[0]).toMatchObject({ method: 'PUT', url: '/others/1', body: { title: 'x' } });
  expect(other.schema).toBe(Todo);
  expect(other.dataExpiryLength).toBe(5);
  expect(getTodo.path).toBe('/todos/:id');
});

test('X-4 push, unshift and assign are stable endpoints, paginate is paginated', async () => {
  const list = new RestEndpoint({ urlPrefix: server.url, path: '/todos', schema: new Collection([Todo]) });
  const rates = new RestEndpoint({
    urlPrefix: server.url,
    path: '/rates',
    schema: new Collection(new schema.Values(Todo)),
  });

  await list.push({ title: 'a' });
  await list.unshift({ title: 'b' });
  await rates.assign({ eur: Todo.fromJS({ id: 'eur' }) });
  await list.remove({ id: '1' });
  await list.paginate('page')({ page: 2 });

  expect(sent()).toEqual(['POST /todos', 'POST /todos', 'POST /rates', 'PATCH /todos', 'GET /todos?page=2']);
  expect(list.push).toBe(list.push);
  expect(list.unshift).toBe(list.unshift);
  expect(rates.assign).toBe(rates.assign);
  expect(list.push.schema).toBe(list.schema.push);
  expect(list.unshift.schema).toBe(list.schema.unshift);
  expect(rates.assign.schema).toBe(rates.schema.assign);
  expect(list.paginate('page')).toBe(list.paginated('page'));
});

test('X-4 move requests the path of the row', async () => {
  await create().getList.move({ id: 5 }, { title: 'x' });
  expect(sent()).toEqual(['PATCH /todos/5']);
});

test('X-4 an extender without a Collection fails with a message', () => {
  const plain = new RestEndpoint({ path: '/todos', schema: [Todo] });
  expect(() => plain.push).toThrow('COLLECTION_MISSING');
  expect(() => plain.paginated('page')).toThrow('COLLECTION_MISSING');
});

test('X-5 a next-page endpoint has one request per page and belongs to its list', async () => {
  const { getList } = create();
  const getPage = getList.paginated('cursor');

  await getPage({ cursor: 'c1', group: 'a' });

  expect(sent()).toEqual(['GET /todos?cursor=c1&group=a']);
  expect(getPage.key({ cursor: 'c1' })).not.toBe(getPage.key({ cursor: 'c2' }));
  const { listKey } = getPage as unknown as { listKey(...args: unknown[]): string };
  expect(listKey({ cursor: 'c1', group: 'a' })).toBe(getList.key({ group: 'a' }));
  const byFunction = getList.paginated(({ page: _page, ...rest }: { page: number; group?: string }) => [
    rest,
  ]);
  expect((byFunction as unknown as { listKey(...args: unknown[]): string }).listKey({ page: 2 })).toBe(
    getList.key(),
  );
});

test('X-6 a parameter with a trailing ? may be left out', async () => {
  const endpoint = new RestEndpoint({ urlPrefix: server.url, path: '/todos/:id?/tags/:tag?' });

  await endpoint({ id: 1, tag: 'x' });
  await endpoint({ id: 1 });
  await endpoint({ tag: 'x' });
  await endpoint();

  expect(sent()).toEqual([
    'GET /todos/1/tags/x',
    'GET /todos/1/tags',
    'GET /todos/tags/x',
    'GET /todos/tags',
  ]);
});
