// Failed mutations as state: a manager in the list keeps them, by row and all, to try again or to forget.
import { FailedManager, getDefaultManagers, RetryManager } from 'holdfast';
import type { Manager } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, failureOf, until } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';
import { unhandledIn } from './unhandled.ts';

/** A client that keeps failed mutations; the server refuses every change. */
async function startFailing(...others: Manager[]) {
  const failed = new FailedManager();
  const started = await start({
    managers: [failed, ...others, ...getDefaultManagers()],
    random: Math.random,
  });
  started.server.on('PATCH', '/todos/:id', { status: 409 });
  const resource = started.todos();
  return { ...started, ...resource, failed };
}

test('a failed mutation is kept with its endpoint, arguments, error and time, for its row and among all', async () => {
  const { world, failed, send, partialUpdate } = await startFailing();
  await world.pass(1_000);

  const error = await failureOf(send(partialUpdate, { id: 1 }, { title: 'x' }));

  expect(failed.get()).toMatchObject([
    { args: [{ id: 1 }, { title: 'x' }], error, at: world.time.clock.now() },
  ]);
  expect(failed.get()[0]?.endpoint.name).toBe('Todo.partialUpdate');
  expect(failed.get(Todo, { id: 1 })).toEqual(failed.get());
  expect(failed.get(Todo, { id: 2 })).toEqual([]);
});

test('the failures of a row are the same array until a failure of the row is added or removed', async () => {
  const { failed, send, partialUpdate } = await startFailing();
  const fail = (id: number): Promise<unknown> => failureOf(send(partialUpdate, { id }, { title: 'x' }));
  const none = failed.get(Todo, { id: 1 });
  await fail(2);
  expect(failed.get(Todo, { id: 1 })).toBe(none);
  await fail(1);
  const one = failed.get(Todo, { id: 1 });
  expect(one).toHaveLength(1);

  await fail(2);
  await fail(2);

  expect(failed.get(Todo, { id: 1 })).toBe(one);
  one[0]?.forget();
  expect(failed.get(Todo, { id: 1 })).toEqual([]);
});

test('with the manager in the list no failure is an unhandled rejection, and the caller still gets it', async () => {
  const { controller, failed, partialUpdate } = await startFailing();

  const found = await unhandledIn(() => void controller.fetch(partialUpdate, { id: 1 }, { title: 'x' }));

  expect(found).toEqual([]);
  expect(failed.get()).toHaveLength(1);
  expect(await failureOf(controller.fetch(partialUpdate, { id: 1 }, { title: 'y' }))).toMatchObject({
    status: 409,
  });
});

test.each([
  ['a refusal', { status: 422 }],
  ['a failure of the server', { status: 500 }],
  ['a lost connection', { drop: true }],
])('a mutation that ends with %s is kept as failed', async (_name, reply) => {
  const { server, failed, send, delete: remove } = await startFailing();
  server.on('DELETE', '/todos/:id', reply);

  await failureOf(send(remove, { id: 1 }));

  expect(failed.get(Todo, { id: 1 })).toHaveLength(1);
});

test('a deletion of a missing row, an abort, a reset and a read are not kept as failed', async () => {
  const { server, controller, failed, send, get, partialUpdate, delete: remove } = await startFailing();
  server.on('DELETE', '/todos/:id', { status: 404 });
  server.on('GET', '/todos/:id', { status: 500 });
  await failureOf(send(remove, { id: 1 }));
  await failureOf(send(get, { id: 2 }));
  const aborter = new AbortController();
  const held = server.hold('PATCH', '/todos/:id');
  const aborted = failureOf(
    send(partialUpdate.extend({ signal: aborter.signal }), { id: 2 }, { title: 'x' }),
  );
  await held.next();
  aborter.abort();
  await aborted;
  expect(failed.get()).toEqual([]);

  const reset = failureOf(send(partialUpdate, { id: 3 }, { title: 'x' }));
  await held.next();
  controller.resetEntireStore();
  await reset;
  await breathe();
  expect(failed.get()).toEqual([]);
});

test('retry is a new call at the end of its queue, and a call that succeeds is kept no longer', async () => {
  const { server, failed, writes, send, partialUpdate } = await startFailing();
  await failureOf(send(partialUpdate, { id: 1 }, { title: 'x' }));
  server.on('PATCH', '/todos/:id', ({ body }) => ({ body: { id: 1, ...(body as object) } }));
  const held = server.hold('PATCH', '/todos/:id');
  const other = send(partialUpdate, { id: 1 }, { status: 'done' });
  await held.next();

  const again = failed.get()[0]!.retry();
  await breathe();
  expect(writes()).toHaveLength(2);
  held.releaseAll();
  await other;

  expect(await again).toMatchObject({ id: 1, title: 'x' });
  expect(writes()).toEqual([
    'PATCH /todos/1 {"title":"x"}',
    'PATCH /todos/1 {"status":"done"}',
    'PATCH /todos/1 {"title":"x"}',
  ]);
  expect(failed.get()).toEqual([]);
});

test('retry shows its optimistic update from the call on, and a call that fails again is kept once', async () => {
  const { server, controller, failed, send, get, partialUpdate } = await startFailing();
  await controller.fetch(get, { id: 1 });
  await failureOf(send(partialUpdate, { id: 1 }, { title: 'x' }));
  expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');
  const held = server.hold('PATCH', '/todos/1');

  const again = failureOf(failed.get()[0]!.retry());
  expect(controller.get(Todo, { id: 1 })?.title).toBe('x');
  (await held.next()).release();

  expect(await again).toMatchObject({ status: 409 });
  expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');
  expect(failed.get()).toHaveLength(1);
});

test.each<[string, Manager[]]>([
  ['alone', []],
  ['before RetryManager', [new RetryManager()]],
])('retry sends the idempotency key that the failed call had, %s', async (_name, others) => {
  const { server, failed, send, partialUpdate } = await startFailing(...others);
  const sure = partialUpdate.extend({ idempotencyKey: true });
  await failureOf(send(sure, { id: 1 }, { title: 'x' }));
  await failureOf(failed.get()[0]!.retry());
  await failureOf(send(sure, { id: 1 }, { title: 'x' }));

  const keys = server.seen('PATCH', '/todos/1').map(({ headers }) => headers['idempotency-key']);

  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('forget removes one failed mutation from the list, and listeners are notified of every change', async () => {
  const { failed, send, partialUpdate } = await startFailing();
  let changes = 0;
  const stop = failed.listen(() => (changes += 1));
  for (const title of ['x', 'y']) await failureOf(send(partialUpdate, { id: 1 }, { title }));
  await until(() => changes === 2);

  failed.get()[0]!.forget();
  expect(failed.get().map(({ args }) => args[1])).toEqual([{ title: 'y' }]);
  expect(failed.get(Todo, { id: 1 })).toBe(failed.get(Todo, { id: 1 }));
  await until(() => changes === 3);
  stop();
});

test('the newest hundred are kept, oldest first, and a reset empties the list', async () => {
  const { controller, failed, send, partialUpdate } = await startFailing();
  for (let id = 0; id < 103; id += 1) await failureOf(send(partialUpdate, { id }, { title: 'x' }));

  const kept = failed.get().map(({ args }) => (args[0] as Todo).id); // cast: what is sent
  expect(kept).toEqual(Array.from({ length: 100 }, (_none, at) => at + 3));

  controller.resetEntireStore();
  expect(failed.get()).toEqual([]);
});
