// A change is in flight, and another read contains it before its response arrives. A list with a limit, requested later and
// handled by the server earlier, does not contain it: after the response that list is read again. Without such a read it is not.
import { Controller, createResource, Entity, versionBy } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
}
class Versioned extends Todo {
  static override key = 'Versioned';
  static override version = versionBy('v');
  v = 0;
}

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller(new FakeWorld().options);
});
afterEach(() => server.close());

const open = { id: 1, title: 'a', status: 'open' };
const done = { id: 1, title: 'a', status: 'done' };

function createTodos(schema: typeof Todo = Todo) {
  const searchParams = {} as { status?: string; limit?: number; orderBy?: string; search?: string };
  return createResource({ urlPrefix: server.url, path: '/todos/:id', schema, searchParams });
}
const LIMITED = { status: 'done', limit: 5 };

interface Story {
  schema?: typeof Todo;
  before?: object;
  told?: object;
  answer?: object;
  /** A second change of the row, in another queue, whose response arrives first. */
  hasSecond?: boolean;
  /** A message about the change of somebody else, before the server handled the change of this client. */
  message?: typeof open;
}

/** The list with a limit after the response, for a reader that mounts then. */
async function tell({
  schema,
  before = open,
  told = done,
  answer = told,
  ...rest
}: Story): Promise<number[]> {
  const { get, getList, partialUpdate } = createTodos(schema);
  const change = rest.hasSecond ? partialUpdate.extend({ queue: () => null }) : partialUpdate;
  server.on('GET', '/todos/:id', { body: before });
  await controller.fetch(get, { id: 1 });
  const heldChange = server.hold('PATCH', '/todos/:id');
  const changing = controller.fetch(change, { id: 1 }, { status: 'done' });
  const request = await heldChange.next();
  if (rest.hasSecond) {
    const second = controller.fetch(change, { id: 1 }, { title: 'b' });
    (await heldChange.next()).release({ body: { id: 1, title: 'b' } });
    await second;
  }
  if (rest.message) await controller.setResponse(get, { id: 1 }, rest.message);
  const heldRow = server.hold('GET', '/todos/:id');
  const heldList = server.hold('GET', '/todos');
  const reading = controller.fetch(get, { id: 1 });
  const row = await heldRow.next();
  const listing = controller.fetch(getList, LIMITED);
  const list = await heldList.next();
  row.release({ body: told });
  await reading;
  list.release({ body: [] });
  await listing;
  heldList.stop();
  request.release({ body: answer });
  await changing;

  server.on('GET', '/todos', { body: [told] });
  return (await controller.fetchIfStale(getList, LIMITED)).map(({ id }) => id);
}

const renamed = { ...open, title: 'theirs' };
const versions = (v: number, fields: object): object => ({ ...fields, v });

test.each<[string, Story]>([
  ['a read contained the change', {}],
  [
    'a read contained it after a message of another change',
    { message: renamed, told: { ...renamed, status: 'done' } },
  ],
  [
    'a read contained it after a second change',
    { hasSecond: true, told: { ...done, title: 'b' }, answer: { id: 1, status: 'done' } },
  ],
  [
    'a read contained it with its version',
    { schema: Versioned, before: versions(1, open), told: versions(2, done) },
  ],
  [
    'a read contained it with a higher version',
    { schema: Versioned, before: versions(1, open), told: versions(3, done), answer: versions(2, done) },
  ],
])('a list with a limit from before a change is read again: %s', async (_, story) => {
  expect(await tell(story)).toEqual([1]);
});

test('a list with a limit from before a change is read again where a late read contained the changed field', async () => {
  const { get, getList, partialUpdate } = createTodos();
  const getShort = get.extend({ path: '/short/:id' });
  server.on('GET', '/todos/:id', { body: open });
  server.on('GET', '/short/:id', { body: { id: 1, title: 'a' } });
  await controller.fetch(get, { id: 1 });
  const heldRow = server.hold('GET', '/todos/:id');
  const heldList = server.hold('GET', '/todos');
  const heldChange = server.hold('PATCH', '/todos/:id');
  const reading = controller.fetch(get, { id: 1 });
  const row = await heldRow.next();
  await controller.fetch(getShort, { id: 1 });
  const changing = controller.fetch(partialUpdate, { id: 1 }, { status: 'done' });
  const request = await heldChange.next();
  const listing = controller.fetch(getList, LIMITED);
  const list = await heldList.next();
  row.release({ body: done });
  await reading;
  list.release({ body: [] });
  await listing;
  heldList.stop();
  request.release({ body: done });
  await changing;

  server.on('GET', '/todos', { body: [done] });
  expect(await controller.fetchIfStale(getList, LIMITED)).toHaveLength(1);
});

test('a read that contains nothing new causes no request for a list in server order', async () => {
  const { get, getList, partialUpdate } = createTodos();
  const args = { orderBy: 'id' };
  server.on('GET', '/todos/:id', { body: open });
  server.on('GET', '/todos', { body: [open, { ...open, id: 2 }] });
  await controller.fetch(getList, args);
  const held = server.hold('PATCH', '/todos/:id');
  const changing = controller.fetch(partialUpdate, { id: 1 }, { title: 'b' });
  const request = await held.next();
  await controller.fetch(get, { id: 1 });
  request.release({ body: { ...open, title: 'b' } });
  await changing;

  await controller.fetchIfStale(getList, args);

  expect(server.seen('GET', '/todos')).toHaveLength(1);
});

test('a row that occurs twice in its response and has not changed causes no request for a search list', async () => {
  class User extends Entity {
    static override key = 'User';
    id = 0;
  }
  class Task extends Entity {
    static override key = 'Task';
    id = 0;
    title = '';
    user: User | undefined = undefined;
    static override schema = { user: User };
  }
  Object.assign(User, { schema: { last: Task } });
  const searchParams = {} as { search: string };
  const tasks = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task, searchParams });
  const task = { id: 1, title: 'a' };
  const body = { ...task, user: { id: 9, last: task } };
  server.on('GET', '/tasks', { body: [body] });
  server.on('PATCH', '/tasks/:id', { body });
  await controller.fetch(tasks.getList, { search: 'x' });

  await controller.fetch(tasks.partialUpdate, { id: 1 }, { title: 'a' });
  await controller.fetchIfStale(tasks.getList, { search: 'x' });

  expect(server.seen('GET', '/tasks')).toHaveLength(1);
});
