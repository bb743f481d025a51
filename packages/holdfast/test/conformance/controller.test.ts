import { Controller, createResource, Entity } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id: number | string = 0;
  title = '';
}

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller();
  server.on('GET', '/todos', { body: [{ id: 1, title: 'milk' }] });
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title: 'milk' } }));
  server.on('POST', '/todos', ({ body }) => ({ status: 201, body: { ...(body as object), id: 2 } }));
  server.on('PUT', '/todos/:id', ({ params, body }) => ({
    body: { ...(body as object), id: Number(params['id']) },
  }));
  server.on('PATCH', '/todos/:id', ({ params, body }) => ({
    body: { ...(body as object), id: Number(params['id']) },
  }));
  server.on('DELETE', '/todos/:id', { status: 204 });
});
afterEach(() => server.close());

const create = (optimistic: boolean) =>
  createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    body: {} as { title: string },
    optimistic,
  });

test('G-5 controller.fetch(endpoint, urlParams, body) runs an endpoint', async () => {
  const TodoResource = create(false);

  const todo = await controller.fetch(TodoResource.partialUpdate, { id: 5 }, { title: 'bread' });

  expect(todo).toBeInstanceOf(Todo);
  expect(todo.title).toBe('bread');
  expect(server.requests).toMatchObject([{ method: 'PATCH', url: '/todos/5', body: { title: 'bread' } }]);
});

test('G-5 methods of the controller and of its subclasses need no `this`', async () => {
  class Counting extends Controller {
    resets = 0;
    override resetEntireStore(): void {
      this.resets += 1;
      super.resetEntireStore();
    }
  }
  const counting = new Counting();
  const { fetch, get, getResponse, set, invalidate, resetEntireStore, start, stop } = counting;
  const TodoResource = create(false);

  start();
  expect((await fetch(TodoResource.get, { id: 1 })).title).toBe('milk');
  await set(Todo, { id: 1 }, { title: 'bread' });
  expect(get(Todo, { id: 1 })?.title).toBe('bread');
  expect(getResponse(TodoResource.get, { id: 1 }).data?.title).toBe('bread');
  invalidate(TodoResource.get, { id: 1 });
  resetEntireStore();
  expect(get(Todo, { id: 1 })).toBeUndefined();
  expect(counting.resets).toBe(1);
  stop();
});

test('G-5 controller.invalidate(get | getList, params) makes readers wait and fetch again', async () => {
  const TodoResource = create(false);
  const one = controller.watch(TodoResource.get, { id: 1 });
  const list = controller.watch(TodoResource.getList, {});
  const stops = [one, list].map((observer) => observer.subscribe(() => undefined));
  await until(() => one.read().data !== undefined && list.read().data !== undefined);
  server.on('GET', '/todos/:id', { body: { id: 1, title: 'new' } });
  server.on('GET', '/todos', { body: [] });
  server.forget();

  controller.invalidate(TodoResource.get, { id: 1 });
  expect(one.read()).toMatchObject({ isBlocked: true, data: undefined });
  controller.invalidate(TodoResource.getList, {});
  expect(list.read()).toMatchObject({ isBlocked: true, data: undefined });
  await until(() => one.read().data !== undefined && list.read().data !== undefined);

  expect(one.read().data?.title).toBe('new');
  expect(list.read().data).toEqual([]);
  expect(server.requests.map(({ url }) => url).sort()).toEqual(['/todos', '/todos/1']);
  for (const stop of stops) stop();
});

test('G-5 invalidating other parameters leaves a reader alone', async () => {
  const TodoResource = create(false);
  await controller.fetch(TodoResource.get, { id: 1 });

  controller.invalidate(TodoResource.get, { id: 2 });

  expect(controller.getResponse(TodoResource.get, { id: 1 }).expiryStatus).toBe(3);
});

test('R-7 optimistic: true makes getList.push, update, partialUpdate and delete show at once', async () => {
  const TodoResource = create(true);
  await controller.fetch(TodoResource.getList, {});
  const titles = () => controller.getResponse(TodoResource.getList, {}).data?.map((todo) => todo.title);

  const pushing = controller.fetch(TodoResource.getList.push, { title: 'bread' });
  expect(titles()).toEqual(['milk', 'bread']);
  await pushing;
  expect(titles()).toEqual(['milk', 'bread']);

  const updating = controller.fetch(TodoResource.update, { id: 1 }, { title: 'oat milk' });
  expect(titles()).toEqual(['oat milk', 'bread']);
  await updating;

  const changing = controller.fetch(TodoResource.partialUpdate, { id: 2 }, { title: 'rye bread' });
  expect(titles()).toEqual(['oat milk', 'rye bread']);
  await changing;

  const removing = controller.fetch(TodoResource.delete, { id: 1 });
  expect(titles()).toEqual(['rye bread']);
  await removing;
  expect(titles()).toEqual(['rye bread']);
});

test('R-7 without optimistic nothing is shown before the response', async () => {
  const TodoResource = create(false);
  await controller.fetch(TodoResource.getList, {});
  const titles = () => controller.getResponse(TodoResource.getList, {}).data?.map((todo) => todo.title);

  const calls = [
    controller.fetch(TodoResource.getList.push, { title: 'bread' }),
    controller.fetch(TodoResource.update, { id: 1 }, { title: 'x' }),
  ];
  expect(titles()).toEqual(['milk']);
  await Promise.all(calls);
  expect(titles()).toEqual(['x', 'bread']);
});

test('R-7 a failure rolls the optimistic update back', async () => {
  const TodoResource = create(true);
  await controller.fetch(TodoResource.getList, {});
  for (const method of ['PUT', 'PATCH', 'DELETE']) server.on(method, '/todos/:id', { status: 500 });
  const failing = [
    controller.fetch(TodoResource.update, { id: 1 }, { title: 'x' }),
    controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'y' }),
    controller.fetch(TodoResource.delete, { id: 1 }),
  ];

  const results = await Promise.allSettled(failing);

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(controller.getResponse(TodoResource.getList, {}).data).toMatchObject([{ id: 1, title: 'milk' }]);
});
