import { Controller, createResource, Entity } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
}

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller();
});
afterEach(() => server.close());

function createTodos(optimistic = false) {
  return createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic });
}

test('fetch resolves with the stored entity, and a second read is the same reference', async () => {
  const TodoResource = createTodos();
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title: 'milk' } }));

  const todo = await controller.fetch(TodoResource.get, { id: 5 });

  expect(todo).toBeInstanceOf(Todo);
  expect(todo.title).toBe('milk');
  expect(controller.get(Todo, { id: 5 })).toBe(todo);
  expect(controller.getResponse(TodoResource.get, { id: 5 }).data).toBe(todo);
});

test('a list, a creation, a change and a deletion leave every list right', async () => {
  const TodoResource = createTodos();
  server.on('GET', '/todos', ({ query }) => ({
    body: query.get('status') === 'done' ? [] : [{ id: 1, title: 'a', status: 'open' }],
  }));
  server.on('POST', '/todos', ({ body }) => ({ status: 201, body: { ...(body as object), id: 2 } }));
  server.on('PATCH', '/todos/:id', ({ params, body }) => ({
    body: { id: Number(params['id']), ...(body as object) },
  }));
  server.on('DELETE', '/todos/:id', () => ({ status: 204 }));
  await controller.fetch(TodoResource.getList, { status: 'open' });
  await controller.fetch(TodoResource.getList, { status: 'done' });
  const ids = (status: string) =>
    controller.getResponse(TodoResource.getList, { status }).data?.map((todo) => todo.id);

  const created = await controller.fetch(TodoResource.getList.push, { status: 'open', title: 'b' });
  expect(created).toBeInstanceOf(Todo);
  expect(ids('open')).toEqual([1, 2]);

  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { status: 'done' });
  expect(ids('open')).toEqual([2]);
  expect(ids('done')).toEqual([1]);

  const gone = await controller.fetch(TodoResource.delete, { id: 2 });
  expect(gone).toBeInstanceOf(Todo);
  expect(ids('open')).toEqual([]);
});

test('an optimistic creation is shown at once and keeps its place when the server gives its id', async () => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos', { body: [] });
  server.on('POST', '/todos', ({ body }) => ({ body: { ...(body as object), id: 7 } }));
  await controller.fetch(TodoResource.getList, {});
  const titles = () => controller.getResponse(TodoResource.getList, {}).data?.map((todo) => todo.title);

  const creating = controller.fetch(TodoResource.getList.push, { title: 'milk' });
  expect(titles()).toEqual(['milk']);
  const draft = controller.getResponse(TodoResource.getList, {}).data?.[0];
  expect(String(draft?.id)).toMatch(/^local:/);

  const created = await creating;
  expect(created.id).toBe(7);
  expect(titles()).toEqual(['milk']);
  expect(controller.getResponse(TodoResource.getList, {}).data?.[0]).toBe(created);
});

test('a failed creation removes its optimistic row', async () => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos', { body: [] });
  server.on('POST', '/todos', { status: 500 });
  await controller.fetch(TodoResource.getList, {});

  const creating = controller.fetch(TodoResource.getList.push, { title: 'milk' });
  expect(controller.getResponse(TodoResource.getList, {}).data).toHaveLength(1);

  await expect(creating).rejects.toMatchObject({ code: 'HTTP_ERROR' });
  expect(controller.getResponse(TodoResource.getList, {}).data).toEqual([]);
});

test('a change of a row that has no server id waits for the id', async () => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos', { body: [] });
  server.on('POST', '/todos', ({ body }) => ({ body: { ...(body as object), id: 7 } }));
  server.on('PATCH', '/todos/:id', ({ params, body }) => ({
    body: { id: Number(params['id']), ...(body as object) },
  }));
  await controller.fetch(TodoResource.getList, {});

  const creating = controller.fetch(TodoResource.getList.push, { title: 'milk' });
  const draft = controller.getResponse(TodoResource.getList, {}).data?.[0];
  const changing = controller.fetch(
    TodoResource.partialUpdate,
    { id: draft?.id ?? 0 },
    { title: 'oat milk' },
  );
  expect(controller.getResponse(TodoResource.getList, {}).data?.[0]?.title).toBe('oat milk');
  await creating;
  const changed = await changing;

  expect(changed.id).toBe(7);
  expect(changed.title).toBe('oat milk');
  expect(server.seen('PATCH', '/todos/*').map((seen) => seen.path)).toEqual(['/todos/7']);
});

test('a read of a row that has no server id waits for the id', async () => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos', { body: [] });
  server.on('POST', '/todos', ({ body }) => ({ body: { ...(body as object), id: 7 } }));
  server.on('GET', '/todos/:id', ({ params }) => ({
    body: { id: Number(params['id']), title: 'milk', status: 'new' },
  }));
  await controller.fetch(TodoResource.getList, {});

  const creating = controller.fetch(TodoResource.getList.push, { title: 'milk' });
  const draft = controller.getResponse(TodoResource.getList, {}).data?.[0];
  const reading = controller.fetch(TodoResource.get, { id: draft?.id ?? 0 });
  await creating;

  expect((await reading).status).toBe('new');
  expect(server.seen('GET', '/todos/*').map((seen) => seen.path)).toEqual(['/todos/7']);
});

test('a read of a row whose creation fails is an error, and nothing is sent', async () => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos', { body: [] });
  server.on('POST', '/todos', { status: 422 });
  await controller.fetch(TodoResource.getList, {});

  const creating = controller.fetch(TodoResource.getList.push, { title: 'milk' });
  const draft = controller.getResponse(TodoResource.getList, {}).data?.[0];
  const reading = controller.fetch(TodoResource.get, { id: draft?.id ?? 0 });

  await expect(creating).rejects.toMatchObject({ code: 'HTTP_ERROR' });
  await expect(reading).rejects.toThrow('DRAFT_NOT_CREATED');
  expect(server.seen('GET', '/todos/*')).toEqual([]);
});

test.each([500, 503])('a deletion with response %d makes the row and its lists stale', async (status) => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos', { body: [{ id: 1, title: 'a', status: 'open' }] });
  server.on('DELETE', '/todos/:id', { status });
  await controller.fetch(TodoResource.getList, {});

  await expect(controller.fetch(TodoResource.delete, { id: 1 })).rejects.toMatchObject({
    code: 'HTTP_ERROR',
  });

  expect(controller.getResponse(TodoResource.getList, {}).data).toHaveLength(1);
  expect(controller.getResponse(TodoResource.getList, {}).expiresAt).toBe(0);
});

test('a mounted reader of a row that is being deleted fetches it again only when the deletion has ended', async () => {
  const TodoResource = createTodos(true);
  server.on('GET', '/todos/:id', { body: { id: 1, title: 'a', status: 'open' } });
  server.on('DELETE', '/todos/:id', { status: 409 });
  const held = server.hold('DELETE', '/todos/:id');
  await controller.fetch(TodoResource.get, { id: 1 });
  const observer = controller.watch(TodoResource.get, { id: 1 });
  const stop = observer.subscribe(() => undefined);

  const deleting = controller.fetch(TodoResource.delete, { id: 1 });
  const deletion = await held.next();
  expect(observer.read().isBlocked).toBe(true);
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(server.seen('GET', '/todos/*')).toHaveLength(1);

  deletion.release();
  await expect(deleting).rejects.toMatchObject({ code: 'HTTP_ERROR' });
  expect(observer.read().data?.title).toBe('a');
  expect(server.seen('GET', '/todos/*')).toHaveLength(1);
  stop();
});
