// Section M: the request of each member, and the effect of its response, against a real server.
import { Collection, createResource, Entity, Invalidate } from 'holdfast';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

let server: TestServer;
let TodoResource: ReturnType<typeof createTodos>;
const createTodos = (urlPrefix: string) => createResource({ urlPrefix, path: '/todos/:id', schema: Todo });

beforeAll(async () => {
  server = await startServer();
  TodoResource = createTodos(server.url);
});
beforeEach(() => {
  server.forget();
  server.on('GET', '/todos', { body: [{ id: 1, title: 'a' }] });
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title: 'a' } }));
  server.on('*', '/todos/:id', ({ params, body }) => ({
    body: { id: Number(params['id']), ...(body as object) },
  }));
  server.on('POST', '/todos', ({ body }) => ({ status: 201, body: { id: 9, ...(body as object) } }));
});
afterAll(() => server.close());

const last = () => server.requests.at(-1);

test('M-1 get sends GET to the path, without a body', async () => {
  expect(await TodoResource.get({ id: 5 })).toEqual({ id: 5 });

  expect(last()).toMatchObject({ method: 'GET', url: '/todos/5', body: undefined });
  expect(TodoResource.get.schema).toBe(Todo);
  expect(TodoResource.get.sideEffect).toBeUndefined();
});

test('M-2 getList sends GET to the path without its last parameter, the other parameters as query', async () => {
  expect(await TodoResource.getList({ userId: 3, done: false })).toEqual([{ id: 1, title: 'a' }]);

  expect(last()).toMatchObject({ method: 'GET', url: '/todos?done=false&userId=3', body: undefined });
  expect(TodoResource.getList.schema).toBeInstanceOf(Collection);
  expect(TodoResource.getList.schema.schema).toEqual([Todo]);
});

test.each([
  ['/:id', '/'],
  ['/users/:id', '/users'],
  ['/a/:b?', '/a'],
  ['/a/:b/c/:d', '/a/:b/c'],
  ['/a{/:b}', '/a'],
  ['/x\\:y/:id', '/x\\:y'],
  ['/f/*path', '/f'],
])('M-2 the list path of %s is %s', (path, list) => {
  expect(createResource({ path, schema: Todo }).getList.path).toBe(list);
});

test('M-3 getList.push sends POST with a JSON object to the list', async () => {
  expect(await TodoResource.getList.push({ title: 'milk' })).toEqual({ id: 9, title: 'milk' });

  expect(last()).toMatchObject({ method: 'POST', url: '/todos', body: { title: 'milk' } });
  expect(last()?.headers['content-type']).toBe('application/json');
  expect(TodoResource.getList.push.schema).toBe(TodoResource.getList.schema.push);
});

test('M-4 update sends PUT with a JSON object to the path', async () => {
  expect(await TodoResource.update({ id: 5 }, { title: 'tea' })).toEqual({ id: 5, title: 'tea' });

  expect(last()).toMatchObject({ method: 'PUT', url: '/todos/5', body: { title: 'tea' } });
  expect(TodoResource.update.schema).toBe(Todo);
});

test('M-5 partialUpdate sends PATCH with the fields to change', async () => {
  expect(await TodoResource.partialUpdate({ id: 5 }, { title: 'tea' })).toEqual({ id: 5, title: 'tea' });

  expect(last()).toMatchObject({ method: 'PATCH', url: '/todos/5', body: { title: 'tea' } });
  expect(TodoResource.partialUpdate.schema).toBe(Todo);
});

test('M-6 delete sends DELETE to the path, without a body, and invalidates', async () => {
  await TodoResource.delete({ id: 5 });

  expect(last()).toMatchObject({ method: 'DELETE', url: '/todos/5', body: undefined });
  expect(TodoResource.delete.schema).toBeInstanceOf(Invalidate);
  expect(TodoResource.delete.schema.schema).toBe(Todo);
  expect(TodoResource.delete.sideEffect).toBe(true);
});

describe('M-7 the result of delete is the response when it is a non-empty object, else the URL parameters', () => {
  test.each<[string, unknown, unknown]>([
    ['a non-empty object', { id: 5, title: 'gone' }, { id: 5, title: 'gone' }],
    ['an array with items', [{ id: 5 }, { id: 6 }], [{ id: 5 }, { id: 6 }]],
    ['an empty object', {}, { id: 5 }],
    ['an empty array', [], { id: 5 }],
    ['no body', undefined, { id: 5 }],
    ['text', 'deleted', { id: 5 }],
    ['true', true, { id: 5 }],
    ['null', null, { id: 5 }],
    ['a number', 5, { id: 5 }],
  ])('a delete with the response %s has that result', async (_, body, result) => {
    const text = typeof body === 'string' ? { headers: { 'content-type': 'text/plain' } } : {};
    server.on('DELETE', '/todos/:id', { body, ...text });

    expect(await TodoResource.delete({ id: 5 })).toEqual(result);
  });
});

test('M-7 an empty response to a delete is not processed: the URL parameters are the result', async () => {
  const seen: unknown[] = [];
  const Processed = createResource({
    urlPrefix: server.url,
    path: '/groups/:group/todos/:id',
    schema: Todo,
    process(value: object, { group }: { readonly group?: unknown }) {
      seen.push(value);
      return { ...value, group: String(group).toUpperCase() };
    },
  });
  const params = { group: 'a', id: '1' };

  for (const reply of [{ status: 204 }, { body: {} }, { status: 200, body: '' }]) {
    server.on('DELETE', '/groups/:group/todos/:id', reply);
    expect(await Processed.delete(params)).toEqual(params);
  }
  expect(seen).toEqual([]);

  server.on('DELETE', '/groups/:group/todos/:id', { body: { id: '1' } });
  expect(await Processed.delete(params)).toEqual({ id: '1', group: 'A' });
});

test('M-8 members are called with URL parameters and a body', async () => {
  await TodoResource.getList.push({ list: 'work' }, { title: 'milk' });
  expect(last()).toMatchObject({ url: '/todos?list=work', body: { title: 'milk' } });

  await TodoResource.getList.push({ title: 'tea' });
  expect(last()).toMatchObject({ url: '/todos', body: { title: 'tea' } });

  await TodoResource.update({ id: 5 }, { title: 'tea' });
  expect(last()).toMatchObject({ url: '/todos/5', body: { title: 'tea' } });
});
