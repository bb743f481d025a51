// Clauses E, A, L and C again through endpoints: a real server, a controller, and the data that it reads back.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer } from '../support/server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  status = '';
  at = new Date(0);
  author: User | undefined = undefined;
  static override schema = { at: Date, author: User };
}
class Cat extends Entity {
  static override key = 'Cat';
  id = '';
  type = 'cat';
}
class Dog extends Entity {
  static override key = 'Dog';
  id = '';
  type = 'dog';
}
const ids = (items: readonly { readonly id: string }[] | undefined): unknown => items?.map((item) => item.id);

test('E-4 E-6 the dates of a response are Date objects, and its nested entities are shared', async () => {
  const TodoResource = createResource({ urlPrefix: server.url, path: '/e/todos/:id', schema: Todo });
  server.on('GET', '/e/todos', () => ({
    body: [
      { id: '1', at: '2020-01-01T00:00:00Z', author: { id: 'u', name: 'Ada' } },
      { id: '2', author: 'u' },
    ],
  }));
  const controller = new Controller();

  const todos = await controller.fetch(TodoResource.getList);

  expect(todos[0]?.at).toEqual(new Date('2020-01-01T00:00:00Z'));
  expect(todos[0]?.author).toBe(todos[1]?.author);
  expect(controller.get(User, { id: 'u' })).toBe(todos[0]?.author);
});

test('A-1 A-5 an endpoint over All returns all rows of the type, and the objects that the mapping has no entry for', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const getPets = new RestEndpoint({
    urlPrefix: server.url,
    path: '/a/pets',
    schema: new schema.All({ dog: Dog, cat: Cat }, 'type'),
  });
  const bird = { id: '9', type: 'bird', wings: 2 };
  server.on('GET', '/a/pets', () => ({ body: [{ id: '1', type: 'dog' }, bird] }));
  const controller = new Controller();
  void controller.set(Cat, { id: '5' }, { id: '5', type: 'cat' });

  const pets: readonly unknown[] = await controller.fetch(getPets);

  expect(pets).toHaveLength(3);
  expect(pets.some((pet) => pet instanceof Dog)).toBe(true);
  expect(pets.some((pet) => pet instanceof Cat)).toBe(true);
  expect(pets).toContainEqual(bird);
  expect(controller.get(Dog, { id: '9' })).toBeUndefined();
  warned.mockRestore();
});

test('A-1 an endpoint over All with an empty response has a response', async () => {
  const getDogs = new RestEndpoint({ urlPrefix: server.url, path: '/a/dogs', schema: new schema.All(Dog) });
  server.on('GET', '/a/dogs', () => ({ body: [] }));
  const controller = new Controller();

  expect(await controller.fetch(getDogs)).toEqual([]);
  expect(controller.getResponse(getDogs).data).toEqual([]);
});

test('L-3 L-6 an endpoint accepts an object in place of an array, and a map', async () => {
  const getMap = new RestEndpoint({
    urlPrefix: server.url,
    path: '/l/map',
    schema: { list: [Todo], byName: new schema.Values(Todo) },
  });
  server.on('GET', '/l/map', () => ({
    body: { list: { a: { id: '1' }, b: { id: '2' } }, byName: { x: { id: '1' } } },
  }));
  const controller = new Controller();

  const { list, byName } = await controller.fetch(getMap);

  expect(ids(list)).toEqual(['1', '2']);
  expect(byName['x']).toBe(list[0]);
});

test('C-3 C-6 C-7 a creation enters the lists whose arguments match', async () => {
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/c/todos/:id',
    schema: Todo,
    searchParams: {} as { status?: string; orderBy?: string } | undefined,
  });
  server.on('GET', '/c/todos', ({ query }) => ({ body: query.get('status') === 'a' ? [{ id: '1' }] : [] }));
  server.on('POST', '/c/todos', ({ body }) => ({ status: 201, body: { ...(body as object), id: '9' } }));
  const controller = new Controller();
  await controller.fetch(TodoResource.getList, { status: 'a' });
  await controller.fetch(TodoResource.getList, { status: 'b' });
  await controller.fetch(TodoResource.getList, { status: 'a', orderBy: 'title' });
  await controller.fetch(TodoResource.getList);

  const created = await controller.fetch(
    TodoResource.getList.push,
    { status: 'a' },
    { title: 'new', status: 'a' },
  );

  expect(created.id).toBe('9');
  expect(ids(controller.get(TodoResource.getList.schema, { status: 'a' }))).toEqual(['1', '9']);
  expect(ids(controller.get(TodoResource.getList.schema, { status: 'a', orderBy: 'title' }))).toEqual([
    '1',
    '9',
  ]);
  expect(ids(controller.get(TodoResource.getList.schema, { status: 'b' }))).toEqual([]);
  expect(ids(controller.get(TodoResource.getList.schema, {}))).toEqual(['9']);
});

test('C-2 C-8 unshift and a custom merge work as endpoints', async () => {
  const list = new schema.Collection([Todo]);
  const getTodos = new RestEndpoint({ urlPrefix: server.url, path: '/c2/todos', schema: list });
  const addSorted = getTodos.extend({
    method: 'POST',
    schema: list.addWith((present: string[], created: string[]) => [...present, ...created].toSorted()),
    body: {} as { id: string },
  });
  server.on('GET', '/c2/todos', () => ({ body: [{ id: '2' }, { id: '5' }] }));
  server.on('POST', '/c2/todos', ({ body }) => ({ body }));
  const controller = new Controller();
  await controller.fetch(getTodos);

  await controller.fetch(getTodos.unshift, { id: '9' });
  expect(ids(controller.get(list, {}))).toEqual(['9', '2', '5']);
  await controller.fetch(addSorted, { id: '3' });
  expect(ids(controller.get(list, {}))).toEqual(['2', '3', '5', '9']);
});
