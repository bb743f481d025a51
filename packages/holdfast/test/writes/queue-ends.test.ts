// A queue is held until the call's promise settles: repetitions and their pauses included. Any end lets the next one go,
// and a call that is given up while it waits has never been.
import { RetryManager } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, failureOf, until } from '../support/fake-world.ts';
import type { HeldRequest } from '../support/server.ts';
import { endOf, start, Todo } from './harness.ts';

interface Ending {
  readonly held: HeldRequest;
  readonly aborter: AbortController;
  readonly pass: (ms: number) => Promise<void>;
}

test.each<[string, (end: Ending) => void | Promise<void>]>([
  ['a response', ({ held }) => held.release()],
  ['a refusal', ({ held }) => held.release({ status: 409 })],
  ['an unreadable response', ({ held }) => held.release({ body: '<html>' })],
  ['a failure of the server', ({ held }) => held.release({ status: 500 })],
  ['a lost connection', ({ held }) => held.drop()],
  ['the time limit', ({ pass }) => pass(30_000)],
  ['an abort', ({ aborter }) => aborter.abort()],
])('%s lets the next call of the row be sent, and the next call ends right', async (_name, end) => {
  const { server, rows, controller, world, writes, send, todos } = await start();
  const { get, partialUpdate } = todos();
  const aborter = new AbortController();
  await controller.fetch(get, { id: 1 });
  const hold = server.hold('PATCH', '/todos/1');
  void send(partialUpdate.extend({ signal: aborter.signal }), { id: 1 }, { title: 'a' });
  const held = await hold.next();
  hold.stop();
  const second = send(partialUpdate, { id: 1 }, { title: 'b' });
  await breathe();
  expect(writes()).toHaveLength(1);

  await end({ held, aborter, pass: (ms) => world.pass(ms) });

  expect((await second).title).toBe('b');
  expect(rows.get('1')).toMatchObject({ title: 'b' });
  expect(controller.get(Todo, { id: 1 })?.title).toBe('b');
});

test('a reset ends waiting calls, unsent, and frees the row for the new store', async () => {
  const { server, controller, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  const held = server.hold('PATCH', '/todos/1');
  const first = failureOf(send(partialUpdate, { id: 1 }, { title: 'a' }));
  const second = failureOf(send(partialUpdate, { id: 1 }, { title: 'b' }));
  await held.next();

  controller.resetEntireStore();
  const third = send(partialUpdate, { id: 1 }, { title: 'c' });
  held.releaseAll();

  expect(await first).toMatchObject({ code: 'STORE_RESET' });
  expect(await second).toMatchObject({ code: 'STORE_RESET' });
  expect((await third).title).toBe('c');
  await breathe();
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}', 'PATCH /todos/1 {"title":"c"}']);
});

test('the time limit of a call counts from its sending, not from the call', async () => {
  const { server, world, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  const held = server.hold('PATCH', '/todos/1');
  const first = send(partialUpdate, { id: 1 }, { title: 'a' });
  const second = send(partialUpdate, { id: 1 }, { title: 'b' });
  const patch = await held.next();

  await world.pass(20_000);
  patch.release();
  await first;
  await until(() => writes().length === 2);
  await world.pass(29_000);
  expect(await endOf(second)).toBe('pending');

  await world.pass(1_000);
  expect(await endOf(second)).toBe('REQUEST_TIMEOUT');
});

test('a call that is aborted while it waits is never sent, and its row is not stale', async () => {
  const { server, controller, writes, send, todos, isFresh } = await start();
  const { get, getList, partialUpdate } = todos();
  await controller.fetch(getList, {});
  await controller.fetch(get, { id: 1 });
  const held = server.hold('PATCH', '/todos/1');
  const first = send(partialUpdate, { id: 1 }, { title: 'a' });
  const patch = await held.next();
  const aborter = new AbortController();
  const second = failureOf(send(partialUpdate.extend({ signal: aborter.signal }), { id: 1 }, { title: 'b' }));
  const third = send(partialUpdate, { id: 1 }, { status: 'done' });
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'b', status: 'done' });

  aborter.abort();
  expect(await second).toMatchObject({ name: 'AbortError' });
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'a', status: 'done' });
  expect([isFresh(get, { id: 1 }), isFresh(getList, {})]).toEqual([true, true]);

  patch.release();
  await first;
  held.releaseAll();
  await third;
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}', 'PATCH /todos/1 {"status":"done"}']);
  expect([isFresh(get, { id: 1 }), isFresh(getList, {})]).toEqual([true, true]);
});

test('a queue is held through the tries and pauses of RetryManager, and no try is given up for a later call', async () => {
  const { server, rows, world, writes, send, todos } = await start({ managers: [new RetryManager()] });
  const { update } = todos();
  const replies = [503, 503];
  const held = server.hold('PUT', '/todos/1');
  const answer = async () => {
    const status = replies.shift();
    (await held.next()).release(...(status ? [{ status }] : []));
    await breathe();
  };
  const first = send(update, { id: 1 }, { title: 'a' });
  const second = send(update, { id: 1 }, { title: 'b' });

  await answer();
  await world.pass(1_000);
  await answer();
  await world.pass(10_000);
  expect(writes()).toEqual(['a', 'a', 'a'].map((title) => `PUT /todos/1 {"title":"${title}"}`));
  await answer();
  await first;
  await answer();
  expect((await second).title).toBe('b');

  expect(writes()).toHaveLength(4);
  expect(rows.get('1')).toMatchObject({ title: 'b' });
});

test('a call that waited for a row which an earlier call deleted is sent nevertheless', async () => {
  const { server, writes, send, todos } = await start();
  const { partialUpdate, delete: remove } = todos();
  const held = server.hold('DELETE', '/todos/1');
  const removing = send(remove, { id: 1 });
  const editing = failureOf(send(partialUpdate, { id: 1 }, { title: 'late' }));
  await held.next();
  await breathe();
  expect(writes()).toEqual(['DELETE /todos/1']);

  held.releaseAll();
  await removing;

  expect(await editing).toMatchObject({ status: 404 });
  expect(writes()).toEqual(['DELETE /todos/1', 'PATCH /todos/1 {"title":"late"}']);
});
