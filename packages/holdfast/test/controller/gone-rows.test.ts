// Readers of rows that are not there: deleted, "not found", or a part of something that is.
import { Controller, createResource, Endpoint, Entity } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  author = User.fromJS();
  reviewer: User | null = null;
  static override schema = { author: User, reviewer: User };
}

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller(new FakeWorld().options);
});
afterEach(() => server.close());
const create = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const createUsers = () => createResource({ urlPrefix: server.url, path: '/users/:id', schema: User });
const ada = { id: '1', name: 'Ada' };

test('a reader that tries again after "not found" waits for the answer', async () => {
  server.on('GET', '/users/:id', { status: 404 });
  const UserResource = createUsers();
  const observer = controller.watch(UserResource.get, { id: '1' });
  await observer.ensure()?.catch(() => undefined);
  expect(observer.readShown().error).toMatchObject({ status: 404 });

  server.on('GET', '/users/:id', { body: ada });
  observer.retry();
  expect(observer.readShown()).toMatchObject({ isBlocked: true, data: undefined });

  await observer.ensurePromise();
  expect(observer.readShown().data).toMatchObject(ada);
});

test('the first reader of a deleted row asks the server, and so does another endpoint for it', async () => {
  server.on('GET', '/users', { body: [ada] });
  server.on('DELETE', '/users/:id', { status: 204 });
  server.on('GET', '/users/:id', { status: 404 });
  server.on('GET', '/archive/:id', { body: ada });
  const UserResource = createUsers();
  await controller.fetch(UserResource.getList);
  await controller.fetch(UserResource.delete, { id: '1' });

  const observer = controller.watch(UserResource.get, { id: '1' });
  expect(observer.readShown().isBlocked).toBe(true);
  expect(await failureOf(observer.ensurePromise())).toMatchObject({ status: 404 });

  const archived = UserResource.get.extend({ path: '/archive/:id' });
  expect(await controller.fetchIfStale(archived, { id: '1' })).toMatchObject(ada);
});

test('an optional part that was deleted reads as the default of its field', async () => {
  const todo = { id: '7', title: 't', author: ada, reviewer: { id: '2', name: 'Bo' } };
  server.on('GET', '/todos/:id', { body: todo });
  server.on('DELETE', '/users/:id', { status: 204 });
  const TodoResource = create();
  await controller.fetch(TodoResource.get, { id: '7' });
  expect(controller.get(Todo, { id: '7' })?.reviewer?.name).toBe('Bo');

  await controller.fetch(createUsers().delete, { id: '2' });

  expect(controller.get(Todo, { id: '7' })?.reviewer).toBeNull();
});

test('an answer that lacks a required part says which, and of what', async () => {
  server.on('GET', '/todos/:id', { body: { id: '7', title: 't', author: '404', reviewer: null } });

  const error = await failureOf(controller.fetch(create().get, { id: '7' }));

  expect(error).toMatchObject({
    code: 'INCOMPLETE_ENTITY',
    params: { entity: 'Todo', pk: '7', field: 'author' },
  });
});

test('a text where an entity belongs is refused as such', async () => {
  const readTodo = new Endpoint(async () => 'hello', { name: 'readTodo', schema: Todo });

  expect(await failureOf(controller.fetch(readTodo))).toMatchObject({ code: 'WRONG_SHAPE' });
});
