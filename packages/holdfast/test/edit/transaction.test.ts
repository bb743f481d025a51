// Transactions: several mutations that are shown together, and undone together when one of them fails.
import { FailedManager, getDefaultManagers, HttpError } from 'holdfast';
import { history, transaction, TransactionError } from 'holdfast/edit';
import { expect, test } from 'vitest';
import { CORE } from '../../src/controller/state/core.ts';
import { breathe, until } from '../support/fake-world.ts';
import { start, Todo } from '../writes/harness.ts';

/** A list of three todos on screen. */
async function open(options: Parameters<typeof start>[0] = {}, more: object = {}) {
  const all = await start(options);
  const TodoResource = all.todos(more);
  await all.controller.fetch(TodoResource.getList, {});
  const shown = all.show((rows) => rows.map(({ title }) => title).join(' '), TodoResource.getList, {});
  return { ...all, ...TodoResource, shown };
}

test('all calls are shown in one notification, and sent when the function has returned', async () => {
  const { controller, partialUpdate, getList, shown, writes, rows } = await open();

  const { done } = transaction(controller, (tx) => {
    tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
    tx.create(getList.push, { title: 'new' });
    expect(writes()).toEqual([]);
  });

  expect(shown).toEqual(['t1 t2 t3', 'a b t3 new']);
  await done;
  expect(writes()).toHaveLength(3);
  expect(rows.get('1')).toMatchObject({ title: 'a' });
  expect(shown).toEqual(['t1 t2 t3', 'a b t3 new']);
});

test('a call that names a created row is sent with the id of the server', async () => {
  const { controller, partialUpdate, getList, writes, shown } = await open({}, { optimistic: undefined });

  const { done } = transaction(controller, (tx) => {
    const todo = tx.create(getList.push, { title: 'new' });
    expect(todo).toBeInstanceOf(Todo);
    expect(String(todo.id)).toMatch(/^local:/);
    tx.fetch(partialUpdate, { id: todo.id }, { status: 'done' });
  });
  await done;

  expect(writes()).toEqual(['POST /todos {"title":"new"}', 'PATCH /todos/4 {"status":"done"}']);
  expect(shown.at(-1)).toBe('t1 t2 t3 new');
});

test('when a call is refused, those that are not sent are discarded and the others are undone, in one notification', async () => {
  const { controller, partialUpdate, getList, delete: remove, server, shown, rows, writes } = await open();
  server.on('PATCH', '/todos/2', { status: 422 });
  const held = server.hold('PATCH', '/todos/2');
  const { done } = transaction(
    controller,
    (tx) => {
      tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
      tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
      tx.fetch(partialUpdate, { id: 2 }, { title: 'c' });
      tx.create(getList.push, { title: 'new' });
    },
    { resources: [{ get: getList, partialUpdate, delete: remove }] },
  );
  const failure = done.catch((error: unknown) => error);
  const first = await held.next();
  await until(() => rows.get('4') !== undefined && rows.get('1')?.['title'] === 'a');
  await breathe();

  first.release();
  const error = await failure;

  expect(error).toBeInstanceOf(TransactionError);
  expect(error).toMatchObject({
    code: 'TRANSACTION_FAILED',
    done: 0,
    undone: 2,
    left: [],
    failed: [{ endpoint: 'Todo.partialUpdate', args: [{ id: 2 }, { title: 'b' }] }],
  });
  expect((error as TransactionError).cause).toBeInstanceOf(HttpError); // cast: checked above
  expect(shown).toEqual(['t1 t2 t3', 'a c t3 new', 't1 t2 t3']);
  expect([...rows.values()].map(({ title }) => title)).toEqual(['t1', 't2', 't3']);
  expect(writes()).not.toContain('PATCH /todos/2 {"title":"c"}');
});

test('with onFailure keep, the calls that have succeeded stay', async () => {
  const { controller, partialUpdate, server, rows, shown } = await open();
  server.on('PATCH', '/todos/2', { status: 422 });

  const { done } = transaction(
    controller,
    (tx) => {
      tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
      tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
    },
    { onFailure: 'keep' },
  );

  await expect(done).rejects.toMatchObject({ done: 1, undone: 0, left: [] });
  expect(rows.get('1')).toMatchObject({ title: 'a' });
  expect(shown.at(-1)).toBe('a t2 t3');
});

test('a call in flight that succeeds after another one was refused is undone then', async () => {
  const { controller, partialUpdate, server, rows, shown } = await open();
  const held = server.hold('PATCH', '/todos/1');
  server.on('PATCH', '/todos/2', { status: 422 });
  const { done } = transaction(controller, (tx) => {
    tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
  });
  done.catch(() => undefined);
  const first = await held.next();
  await until(() => shown.at(-1) === 't1 t2 t3');

  first.release();
  held.releaseAll();

  await expect(done).rejects.toMatchObject({ undone: 1, done: 0 });
  expect(rows.get('1')).toMatchObject({ title: 't1' });
  expect(shown).toEqual(['t1 t2 t3', 'a b t3', 't1 t2 t3']);
});

test('a field that somebody else has changed is left, and named', async () => {
  const { controller, partialUpdate, get, server, rows } = await open();
  server.on('PATCH', '/todos/2', { status: 422 });
  const held = server.hold('PATCH', '/todos/2');
  const { done } = transaction(controller, (tx) => {
    tx.fetch(partialUpdate, { id: 1 }, { title: 'a', status: 'done' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
  });
  done.catch(() => undefined);
  const second = await held.next();
  await until(() => rows.get('1')?.['title'] === 'a');
  await breathe();
  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(get, { id: 1 });

  second.release();

  await expect(done).rejects.toMatchObject({
    undone: 1,
    left: [{ entity: 'Todo', pk: '1', field: 'title', why: 'changed' }],
  });
  expect(rows.get('1')).toMatchObject({ title: 'theirs', status: 'open' });
});

test('a field that a later mutation in flight writes is left, although that mutation is not optimistic', async () => {
  const { controller, send, partialUpdate, server, rows, shown, todos } = await open();
  const unshown = todos({ optimistic: false }).partialUpdate;
  server.on('PATCH', '/todos/2', { status: 422 });
  const second = server.hold('PATCH', '/todos/2');
  const { done } = transaction(controller, (tx) => {
    tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
  });
  const failure = done.catch((error: unknown) => error);
  const refused = await second.next();
  await until(() => rows.get('1')?.['title'] === 'a');
  await breathe();
  const first = server.hold('PATCH', '/todos/1');
  void send(unshown, { id: 1 }, { title: 'mine' });
  const mine = await first.next();

  refused.release();
  await until(() => shown.at(-1) === 't1 t2 t3');
  await breathe();
  mine.release();
  first.releaseAll();

  expect(await failure).toMatchObject({
    left: [{ entity: 'Todo', pk: '1', field: 'title', why: 'changed' }],
  });
  expect(rows.get('1')).toMatchObject({ title: 'mine' });
  expect(shown.at(-1)).toBe('mine t2 t3');
});

test('a function that throws leaves no trace, and transaction throws its error', async () => {
  const { controller, partialUpdate, getList, shown, writes } = await open();
  const size = controller.size;
  const before = controller.getResponse(getList, {}).data;

  expect(() =>
    transaction(controller, (tx) => {
      tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
      tx.create(getList.push, { title: 'new' });
      throw new Error('no');
    }),
  ).toThrow('no');
  await breathe();

  expect(shown).toEqual(['t1 t2 t3']);
  expect(controller.getResponse(getList, {}).data).toBe(before);
  expect(writes()).toEqual([]);
  expect(controller.size - size, 'the row of the draft, which the collector removes').toBeLessThanOrEqual(1);
});

test('an asynchronous function, a read and a late call are refused', async () => {
  const { controller, partialUpdate, getList, get, writes, shown } = await open();
  let late: (() => void) | undefined;

  expect(() =>
    // oxlint-disable-next-line typescript/no-misused-promises -- what a user may do
    transaction(controller, async (tx) => {
      tx.fetch(partialUpdate, { id: 1 }, { title: 'a' });
      late = () => tx.fetch(partialUpdate, { id: 1 }, { title: 'late' });
      throw new Error('is not reported');
    }),
  ).toThrow(expect.objectContaining({ code: 'TRANSACTION_ASYNC' }));
  expect(late).toThrow(expect.objectContaining({ code: 'TRANSACTION_OVER' }));
  expect(() => transaction(controller, (tx) => tx.fetch(get, { id: 1 }))).toThrow(
    expect.objectContaining({ code: 'TRANSACTION_READ' }),
  );
  const none = getList.push.extend({
    getOptimisticResponse: (snapshot) => {
      throw snapshot.abort;
    },
  });
  expect(() => transaction(controller, (tx) => void tx.create(none, { title: 'x' }))).toThrow(
    expect.objectContaining({ code: 'TRANSACTION_DRAFT_MISSING' }),
  );
  const resources = [{ get: get.extend({ schema: {} }) }];
  expect(() =>
    transaction(controller, (tx) => tx.fetch(partialUpdate, { id: 1 }, {}), { resources }),
  ).toThrow(expect.objectContaining({ code: 'HISTORY_OPTION_INVALID' }));
  await breathe();
  expect(writes()).toEqual([]);
  expect(shown).toEqual(['t1 t2 t3']);
});

test('when a call fails before anything is sent, nothing is sent', async () => {
  const { controller, partialUpdate, getList, writes, shown } = await open();
  const { done } = transaction(controller, (tx) => {
    tx.fetch(partialUpdate, { id: 'local:99-unknown' }, { title: 'a' });
    const todo = tx.create(getList.push, { title: 'new' });
    tx.fetch(partialUpdate, { id: todo.id }, { title: 'newer' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
  });

  await expect(done).rejects.toMatchObject({
    done: 0,
    undone: 0,
    failed: [{ error: { code: 'DRAFT_NOT_CREATED' } }],
  });
  expect(writes()).toEqual([]);
  expect(shown.at(-1)).toBe('t1 t2 t3');
  expect([controller[CORE].flights.size, controller[CORE].drafts.size]).toEqual([0, 0]);
});

test('a call in flight that names a created row is undone with the row, and leaves nothing', async () => {
  const { controller, partialUpdate, getList, server, rows } = await open();
  server.on('PATCH', '/todos/2', { status: 422 });
  const [second, fourth] = [server.hold('PATCH', '/todos/2'), server.hold('PATCH', '/todos/4')];
  const { done } = transaction(controller, (tx) => {
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
    const todo = tx.create(getList.push, { title: 'new' });
    tx.fetch(partialUpdate, { id: todo.id }, { title: 'new' });
  });
  const failure = done.catch((error: unknown) => error);
  const named = await fourth.next();
  (await second.next()).release();
  await breathe();

  named.release();

  expect(await failure).toMatchObject({ done: 0, undone: 2, left: [] });
  expect([...rows.keys()]).toEqual(['1', '2', '3']);
});

test('a creation in flight that is not optimistic is deleted when it has succeeded', async () => {
  const { controller, partialUpdate, getList, server, rows } = await open({}, { optimistic: false });
  server.on('PATCH', '/todos/2', { status: 422 });
  const held = server.hold('POST', '/todos');
  const { done } = transaction(controller, (tx) => {
    tx.fetch(getList.push, { title: 'new' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
  });
  const failure = done.catch((error: unknown) => error);
  const request = await held.next();
  await breathe();

  request.release();

  expect(await failure).toMatchObject({ done: 0, undone: 1, left: [] });
  expect([...rows.keys()]).toEqual(['1', '2', '3']);
});

test('a creation in flight is deleted when it has succeeded, although a read brought its row before', async () => {
  const { controller, partialUpdate, getList, server, rows, shown, writes } = await open();
  server.on('PATCH', '/todos/2', { status: 422 });
  const held = server.hold('POST', '/todos');
  const { done } = transaction(controller, (tx) => {
    tx.fetch(getList.push, { title: 'new' });
    tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
  });
  const failure = done.catch((error: unknown) => error);
  const request = await held.next();
  await until(() => shown.at(-1) === 't1 t2 t3');
  rows.set('4', { id: 4, title: 'new', status: 'open', votes: 0 });
  await controller.fetch(getList, {});
  // the client cannot know that this row is its own until the creation is acknowledged
  expect(shown.at(-1)).toBe('t1 t2 t3 new');

  request.release({ status: 201, body: rows.get('4') });

  expect(await failure).toMatchObject({ done: 0, undone: 1, left: [] });
  expect(writes().at(-1)).toBe('DELETE /todos/4');
  expect([...rows.keys()]).toEqual(['1', '2', '3']);
  expect(shown.slice(-2)).toEqual(['t1 t2 t3 new', 't1 t2 t3']);
});

test.each(['is undone', 'is refused'] as const)(
  'a created row whose deletion is pending is deleted with its transaction, also when that deletion %s',
  async (end) => {
    const {
      controller,
      send,
      partialUpdate,
      getList,
      delete: remove,
      get,
      server,
      rows,
      shown,
    } = await open();
    const past = history(controller, {
      resources: [{ get, partialUpdate, delete: remove }],
      ...(end === 'is undone' && { holdMs: 5_000 }),
    });
    server.on('PATCH', '/todos/2', { status: 422 });
    let refusals = end === 'is refused' ? 1 : 0;
    server.on('DELETE', '/todos/:id', ({ params: { id = '' } }) => {
      if ((refusals -= 1) >= 0) return { status: 422 };
      return { status: rows.delete(id) ? 204 : 404 };
    });
    const [held, deletion] = [server.hold('PATCH', '/todos/2'), server.hold('DELETE', '/todos/4')];
    const { done } = transaction(controller, (tx) => {
      tx.fetch(getList.push, { title: 'new' });
      tx.fetch(partialUpdate, { id: 2 }, { title: 'b' });
    });
    const failure = done.catch((error: unknown) => error);
    const refused = await held.next();
    await until(() => !!controller.get(Todo, { id: 4 }));
    void send(remove, { id: 4 });
    const sent = end === 'is refused' && (await deletion.next());
    refused.release();
    await until(() => shown.at(-1) === 't1 t2 t3');
    if (sent) sent.release();
    else void past.undo();
    deletion.releaseAll();

    expect(await failure).toMatchObject({ done: 0, undone: 1, left: [] });
    expect([...rows.keys()]).toEqual(['1', '2', '3']);
    expect(controller.get(Todo, { id: 4 })).toBeUndefined();
  },
);

test('a reset ends a transaction, and its drafts', async () => {
  const { controller, getList, partialUpdate, server, writes } = await open();
  const held = server.hold('POST', '/todos');
  const { done } = transaction(controller, (tx) => {
    const todo = tx.create(getList.push, { title: 'new' });
    tx.fetch(partialUpdate, { id: todo.id }, { title: 'newer' });
  });
  const failure = done.catch((error: unknown) => error);
  await held.next();

  controller.resetEntireStore();
  held.releaseAll();

  expect(await failure).toMatchObject({ code: 'STORE_RESET' });
  expect(writes()).toEqual(['POST /todos {"title":"new"}']);
});

test('a failed call belongs to the transaction: a FailedManager does not list it', async () => {
  const failed = new FailedManager();
  const { controller, partialUpdate, server } = await open({ managers: [...getDefaultManagers(), failed] });
  server.on('PATCH', '/todos/1', { status: 422 });

  const { done } = transaction(controller, (tx) => tx.fetch(partialUpdate, { id: 1 }, { title: 'a' }));

  await expect(done).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
  expect(failed.get()).toEqual([]);
});
