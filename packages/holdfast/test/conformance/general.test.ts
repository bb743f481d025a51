// Section G: the general behaviour of the library, through endpoints and a controller. G-5 is tested with the controller and the
// hooks.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET', '/todos', { body: [{ id: 1, title: 'milk' }] });
  server.on('GET', '/todos/:id', { body: { id: 1, title: 'milk' } });
  server.on('PATCH', '/todos/:id', ({ body }) => ({ body: { id: 1, ...(body as object) } }));
});
afterEach(() => server.close());

const create = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

test('G-1 the members of a resource work on the same data', async () => {
  const TodoResource = create();
  const controller = new Controller();

  const [listed] = await controller.fetch(TodoResource.getList);
  const single = await controller.fetch(TodoResource.get, { id: 1 });

  expect(single).toBe(listed);
  expect(controller.get(Todo, { id: 1 })).toBe(single);
});

test('G-2 the response to a mutation updates the cache and every view of the entity', async () => {
  const TodoResource = create();
  const controller = new Controller();
  await controller.fetch(TodoResource.getList);
  await controller.fetch(TodoResource.get, { id: 1 });

  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'oat milk' });

  expect(controller.get(Todo, { id: 1 })?.title).toBe('oat milk');
  expect(controller.getResponse(TodoResource.get, { id: 1 }).data?.title).toBe('oat milk');
  expect(controller.getResponse(TodoResource.getList).data?.[0]?.title).toBe('oat milk');
  expect(server.requests).toHaveLength(3);
});

test('G-3 createResource gives the standard members, all of them RestEndpoint instances', () => {
  class MyEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {}
  const TodoResource = create();
  const Custom = createResource({ path: '/todos/:id', schema: Todo, Endpoint: MyEndpoint });

  for (const { get, getList, update, partialUpdate, delete: remove } of [TodoResource, Custom]) {
    for (const member of [get, getList, getList.push, update, partialUpdate, remove]) {
      expect(member).toBeInstanceOf(RestEndpoint);
      expect(typeof member).toBe('function');
    }
  }
  for (const member of [
    Custom.get,
    Custom.getList,
    Custom.getList.push,
    Custom.update,
    Custom.partialUpdate,
    Custom.delete,
  ]) {
    expect(member).toBeInstanceOf(MyEndpoint);
  }
});

test('G-4 members are customized with extend, requests and responses by subclassing', async () => {
  class StampedEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override process(value: unknown, params: Readonly<Record<string, unknown>>): unknown {
      return { ...(super.process(value, params) as object), title: 'stamped' };
    }
  }
  const Extended = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    Endpoint: StampedEndpoint,
  }).extend({ get: { dataExpiryLength: 7 } });

  expect(await Extended.get({ id: 1 })).toEqual({ id: 1, title: 'stamped' });
  expect(Extended.get.dataExpiryLength).toBe(7);
  expect(Extended.get).toBeInstanceOf(StampedEndpoint);
});

test('G-6 every request passes through fetch, which may transform data both ways', async () => {
  class CentsEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override async fetch(...args: readonly unknown[]): Promise<unknown> {
      const [params, body] = args as [object, { title?: string } | undefined];
      const sent = body ? [params, { ...body, title: body.title?.toUpperCase() }] : args;
      const value = (await super.fetch(...sent)) as { title: string };
      return Array.isArray(value) ? value : { ...value, title: `${value.title}!` };
    }
  }
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    Endpoint: CentsEndpoint,
  });
  const controller = new Controller();

  const todo = await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'tea' });

  expect(server.requests[0]?.body).toEqual({ title: 'TEA' });
  expect(todo.title).toBe('TEA!');
  expect((await controller.fetch(TodoResource.get, { id: 1 })).title).toBe('milk!');
  expect(await TodoResource.partialUpdate({ id: 1 }, { title: 'tea' })).toEqual({ id: 1, title: 'TEA!' });
});
