import {
  Collection,
  Controller,
  createResource,
  Entity,
  hookifyResource,
  RestEndpoint,
  schema,
} from 'holdfast';
import type { Snapshot } from 'holdfast';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  done = false;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => server.forget());
afterAll(() => server.close());

const snapshot = { get: () => undefined } as unknown as Snapshot;

describe('names and ids', () => {
  const TodoResource = createResource({ path: '/users/:userId/todos/:todoId', schema: Todo });

  test('members are named after the entity', () => {
    const { get, getList, delete: remove } = TodoResource;
    expect([get.name, getList.name, getList.push.name, remove.name]).toEqual([
      'Todo.get',
      'Todo.getList',
      'Todo.getList.push',
      'Todo.delete',
    ]);
  });

  test('every member has the parameter that identifies the row', () => {
    const { get, getList, update } = TodoResource;
    expect([get, getList, getList.push, update].map(({ idParam }) => idParam)).toEqual(
      Array(4).fill('todoId'),
    );
    expect(getList.extend({ path: '/teams/:team/todos' }).idParam).toBe('todoId');
    expect(new RestEndpoint({ path: '/a/:x/b/:y' }).idParam).toBe('y');
    expect(new RestEndpoint({ path: '/a' }).idParam).toBeUndefined();
  });
});

describe('optimistic: true', () => {
  const {
    get,
    getList,
    update,
    partialUpdate,
    delete: remove,
  } = createResource({
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
  });
  const guess = (endpoint: object, ...args: unknown[]): unknown =>
    (
      endpoint as { getOptimisticResponse?(given: Snapshot, ...args: unknown[]): unknown }
    ).getOptimisticResponse?.(snapshot, ...args);

  test('gives every mutation an optimistic update, and no read', () => {
    expect(guess(getList.push, { title: 'x' })).toEqual({ title: 'x' });
    expect(guess(getList.push, { group: 'a' }, { title: 'x' })).toEqual({ group: 'a', title: 'x' });
    expect(guess(getList.push, [{ title: 'x' }, { title: 'y' }])).toEqual([{ title: 'x' }, { title: 'y' }]);
    expect(guess(update, { id: 1 }, { title: 'x' })).toEqual({ id: 1, title: 'x' });
    expect(guess(partialUpdate, { id: 1 }, { done: true })).toMatchObject({ id: 1, done: true });
    expect(guess(remove, { id: 1 })).toEqual({ id: 1 });
    expect(get.getOptimisticResponse).toBeUndefined();
    expect(getList.getOptimisticResponse).toBeUndefined();
  });

  test('accepts the fields of a form', () => {
    const form = new FormData();
    form.append('title', 'x');
    form.append('tag', 'a');
    form.append('tag', 'b');
    form.append('file', new Blob(['x']));
    expect(guess(update, { id: 1 }, form)).toEqual({ id: 1, title: 'x', tag: ['a', 'b'] });
  });

  test('is overridden by a custom getOptimisticResponse', () => {
    const own = update.extend({ getOptimisticResponse: () => ({ id: 1, title: 'mine' }) });
    expect(guess(own, { id: 1 }, { title: 'x' })).toEqual({ id: 1, title: 'mine' });
    expect(guess(update.extend({ optimistic: false }), { id: 1 }, {})).toBeUndefined();
  });
});

describe('lists', () => {
  test('an extended path gives a separate list', async () => {
    server.on('GET', '/todos', { body: [{ id: 1, title: 'a' }] });
    server.on('GET', '/archive', { body: [{ id: 2, title: 'b' }] });
    const { getList } = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
    const getArchive = getList.extend({ path: '/archive' });
    const controller = new Controller();

    await controller.fetch(getList);
    await controller.fetch(getArchive);

    expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual([1]);
    expect(controller.getResponse(getArchive).data?.map(({ id }) => id)).toEqual([2]);
  });

  test.each<[string, () => object, (rows: object[]) => unknown]>([
    [
      'in an object',
      () => ({ results: new Collection([Todo]), next: '' }),
      (rows) => ({ results: rows, next: '' }),
    ],
    ['two levels down', () => ({ page: { rows: new Collection([Todo]) } }), (rows) => ({ page: { rows } })],
    ['behind a query', () => new schema.Query(new Collection([Todo]), (todos) => todos), (rows) => rows],
    [
      'of several kinds',
      () => new Collection([new schema.Union({ todo: Todo }, () => 'todo')]),
      (rows) => rows,
    ],
  ])('pages are found %s', async (_, createSchema, wrap) => {
    server.on('GET', '/todos', ({ query }) => ({
      body: wrap(query.get('page') === '2' ? [{ id: 2, title: 'b' }] : [{ id: 1, title: 'a' }]),
    }));
    const list = new RestEndpoint({
      urlPrefix: server.url,
      path: '/todos',
      schema: createSchema() as [typeof Todo],
    });
    const controller = new Controller();

    await controller.fetch(list);
    await controller.fetch(list.paginated('page'), { page: 2 });

    const shown = JSON.stringify(controller.getResponse(list).data);
    expect([...shown.matchAll(/"title":"(\w)"/g)].map(([, title]) => title)).toEqual(['a', 'b']);
  });
});

describe('hookifyResource', () => {
  test('returns a hook per member, whose endpoint stays the same while the init does', async () => {
    server.on('GET', '/todos/:id', { body: { id: 1, title: 'a' } });
    const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
    let token = 'one';
    const hooks = hookifyResource(TodoResource, () => ({ headers: { token } }));

    expect(Object.keys(hooks)).toEqual([
      'useGet',
      'useGetList',
      'useUpdate',
      'usePartialUpdate',
      'useDelete',
    ]);
    const first = hooks.useGet();
    expect(hooks.useGet()).toBe(first);
    token = 'two';
    const second = hooks.useGet();
    expect(second).not.toBe(first);
    await second({ id: 1 });
    expect(server.requests[0]?.headers['token']).toBe('two');
    expect(hooks.useGetList().push).toBe(hooks.useGetList().push);
  });

  test('keeps the endpoints of fifty inits, and no more', () => {
    let token = 0;
    const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
    const { useGet } = hookifyResource(TodoResource, () => ({ headers: { token: String(token) } }));
    const first = useGet();
    for (token = 1; token < 50; token += 1) useGet();

    token = 0;
    expect(useGet()).toBe(first);
    token = 50;
    useGet();
    token = 0;
    expect(useGet()).not.toBe(first);
  });
});

test('the schema of delete is an Invalidate, and no instance of a subclass of Invalidate', () => {
  class Archive<S> extends schema.Invalidate<S> {}
  const { delete: remove } = createResource({ path: '/todos/:id', schema: Todo });
  const archive = new Archive(Todo);

  expect(remove.schema instanceof schema.Invalidate).toBe(true);
  expect(remove.schema instanceof Archive).toBe(false);
  expect(archive instanceof schema.Invalidate && archive instanceof Archive).toBe(true);
  expect({} instanceof schema.Invalidate).toBe(false);
});
