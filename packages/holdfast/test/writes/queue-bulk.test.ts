// Queues of calls that name many rows: a bulk call has one for each row in its body.
import { RestEndpoint } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';

async function startBulk() {
  const started = await start();
  const bulk = new RestEndpoint({
    urlPrefix: started.server.url,
    path: '/todos',
    method: 'PATCH',
    body: [] as Partial<Todo>[],
    schema: [Todo],
    optimistic: true,
  });
  const resource = started.todos();
  await started.controller.fetch(resource.getList, {});
  const change = (id: number, title: string) => started.send(resource.partialUpdate, { id }, { title });
  const changeAll = (title: string, ...ids: number[]) =>
    started.send(
      bulk,
      ids.map((id) => ({ id, title })),
    );
  const addresses = () => started.writes().map((line) => line.split(' ', 2).join(' '));
  return { ...started, change, changeAll, addresses };
}

test('a change of a row waits for a bulk call with the row in its body; changes of other rows do not', async () => {
  const { server, controller, change, changeAll, addresses } = await startBulk();
  const held = server.hold('PATCH', '/todos');

  void changeAll('all', 1, 2);
  const second = change(2, 'b');
  void change(3, 'c');
  await breathe();
  expect(addresses()).toEqual(['PATCH /todos', 'PATCH /todos/3']);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('all');
  expect(controller.get(Todo, { id: 2 })?.title).toBe('b');

  held.releaseAll();
  expect((await second).title).toBe('b');
  expect(addresses()).toEqual(['PATCH /todos', 'PATCH /todos/3', 'PATCH /todos/2']);
});

test('a bulk call waits for all of its rows, and later calls of these rows wait for it', async () => {
  const { server, rows, change, changeAll, addresses } = await startBulk();
  const held = server.hold('PATCH', '/todos/1');

  void change(1, 'a');
  const all = changeAll('all', 1, 2);
  const last = change(2, 'last');
  await breathe();
  expect(addresses()).toEqual(['PATCH /todos/1']);

  held.releaseAll();
  await Promise.all([all, last]);
  expect(addresses()).toEqual(['PATCH /todos/1', 'PATCH /todos', 'PATCH /todos/2']);
  expect([rows.get('1')?.['title'], rows.get('2')?.['title']]).toEqual(['all', 'last']);
});

test('bulk calls of the same rows in other orders do not wait for each other in a circle', async () => {
  const { server, rows, changeAll, addresses } = await startBulk();
  const held = server.hold('PATCH', '/todos');

  const calls = [changeAll('x', 1, 2), changeAll('y', 2, 3), changeAll('z', 3, 1)];
  await held.next();
  await breathe();
  expect(addresses()).toHaveLength(1);
  held.releaseAll();
  await until(() => addresses().length === 3);
  await Promise.all(calls);

  expect(['1', '2', '3'].map((id) => rows.get(id)?.['title'])).toEqual(['z', 'y', 'z']);
});

test('a bulk body in an envelope waits in the queues of its rows', async () => {
  const { server, send, change, addresses } = await startBulk();
  const bulk = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos',
    method: 'PATCH',
    body: {} as { data: { todos: Partial<Todo>[] } },
    schema: { data: { todos: [Todo] } },
  });
  server.on('PATCH', '/todos', ({ body }) => ({ body }));
  const held = server.hold('PATCH', '/todos');

  void send(bulk, { data: { todos: [1, 2].map((id) => ({ id, title: 'all' })) } });
  const second = change(2, 'b');
  void change(3, 'c');
  await breathe();
  expect(addresses()).toEqual(['PATCH /todos', 'PATCH /todos/3']);

  held.releaseAll();
  await second;
  expect(addresses()).toEqual(['PATCH /todos', 'PATCH /todos/3', 'PATCH /todos/2']);
});
