// Readers of rows that are not there: deleted, "not found", or a part of something that is.
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  getDefaultManagers,
  HttpError,
  RestEndpoint,
} from 'holdfast';
import type { Manager } from 'holdfast';
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

test('a reader that fetches again after "not found" waits for the response', async () => {
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

test('the first reader of a deleted row fetches it, and so does another endpoint for the row', async () => {
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

test('fetchIfStale fetches a row that was stored and is "not found" now, and rejects while it is missing', async () => {
  server.on('GET', '/users/:id', { body: ada });
  const { get } = createUsers();
  await controller.fetch(get, { id: '1' });
  server.on('GET', '/users/:id', { status: 404 });
  await failureOf(controller.fetch(get, { id: '1' }));
  expect(controller.get(User, { id: '1' })).toBeUndefined();

  expect(await failureOf(Promise.resolve(controller.fetchIfStale(get, { id: '1' })))).toMatchObject({
    status: 404,
  });
  server.on('GET', '/users/:id', { body: ada });
  expect(await controller.fetchIfStale(get, { id: '1' })).toMatchObject(ada);
  expect(controller.fetchIfStale(get, { id: '1' })).toMatchObject(ada);
});

test('an optional nested row that was deleted reads as the default of its field', async () => {
  const todo = { id: '7', title: 't', author: ada, reviewer: { id: '2', name: 'Bo' } };
  server.on('GET', '/todos/:id', { body: todo });
  server.on('DELETE', '/users/:id', { status: 204 });
  const TodoResource = create();
  await controller.fetch(TodoResource.get, { id: '7' });
  expect(controller.get(Todo, { id: '7' })?.reviewer?.name).toBe('Bo');

  await controller.fetch(createUsers().delete, { id: '2' });

  expect(controller.get(Todo, { id: '7' })?.reviewer).toBeNull();
});

test('the error about a response without a required part contains the part and its row', async () => {
  server.on('GET', '/todos/:id', { body: { id: '7', title: 't', author: '404', reviewer: null } });

  const error = await failureOf(controller.fetch(create().get, { id: '7' }));

  expect(error).toMatchObject({
    code: 'INCOMPLETE_ENTITY',
    params: { entity: 'Todo', pk: '7', field: 'author' },
  });
});

test('a string in place of an entity is refused as such', async () => {
  const readTodo = new Endpoint(async () => 'hello', { name: 'readTodo', schema: Todo });

  expect(await failureOf(controller.fetch(readTodo))).toMatchObject({ code: 'WRONG_SHAPE' });
});

test.each([false, true])(
  'the failure of a read whose stored row cannot be shown is returned, and readers are notified (soft: %s)',
  async (isSoft) => {
    class Task extends Entity {
      static override key = 'Task';
      id = '';
      due = '';
      static override fromJS<T extends typeof Entity>(this: T, props?: object): InstanceType<T> {
        if (props && 'due' in props && props.due === 'bad') throw new Error('own code');
        return super.fromJS(props) as InstanceType<T>; // cast: of this very class
      }
    }
    const getTask = new RestEndpoint({ path: '/tasks/:id', schema: Task, pollFrequency: 1_000 });
    const failing = new FakeWorld();
    let requests = 0;
    const failures: unknown[] = [];
    const listener: Manager = { event: (event) => event.type === 'failure' && failures.push(event.error) };
    const tasks = new Controller({
      ...failing.options,
      managers: [listener, ...getDefaultManagers()],
      fetch: () => {
        requests += 1;
        return Promise.resolve(new Response(null, { status: isSoft ? 500 : 404 }));
      },
    });
    await tasks.set(Task, { id: '1' }, { id: '1', due: 'bad' });
    tasks.start();
    if (isSoft) {
      tasks.subscribe(getTask, { id: '1' });
      await failing.pass(1_000);
    } else {
      await expect(tasks.fetch(getTask, { id: '1' })).rejects.toMatchObject({ code: 'HTTP_ERROR' });
    }
    const before = requests;

    await expect(tasks.fetch(getTask, { id: '1' })).rejects.toMatchObject({ code: 'HTTP_ERROR' });

    expect(requests).toBe(before + 1);
    expect(failures).toHaveLength(requests);
    expect(failures.every((error) => error instanceof HttpError)).toBe(true);
    tasks.stop();
  },
);
