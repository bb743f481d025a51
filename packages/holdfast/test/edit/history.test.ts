// Undo and redo of the mutations of a resource.
import { RestEndpoint, schema } from 'holdfast';
import { edit, history, transaction } from 'holdfast/edit';
import { expect, test } from 'vitest';
import { CORE } from '../../src/controller/state/core.ts';
import { breathe, until } from '../support/fake-world.ts';
import type { Reply } from '../support/server.ts';
import { endOf, start, Todo } from '../writes/harness.ts';

/** A list of three todos on screen, and a history of them. The server can restore todos that were deleted. */
async function open(
  options: Partial<history.Options> = {},
  { canRestore = true, isLoaded = true, more = {} as object } = {},
) {
  const all = await start();
  const { controller, rows, server, show } = all;
  const deleted = new Map<string, Record<string, unknown>>();
  server.on('DELETE', '/todos/:id', ({ params: { id = '' } }) => {
    deleted.set(id, rows.get(id)!);
    return rows.delete(id) ? { status: 204 } : { status: 404 };
  });
  server.on('POST', '/todos/:id/restore', ({ params: { id = '' } }): Reply => {
    rows.set(id, deleted.get(id)!);
    return { body: rows.get(id) };
  });
  const TodoResource = all.todos(more);
  const Restorable = TodoResource.extend('restore', {
    path: '/todos/:id/restore',
    method: 'POST',
    body: undefined,
  });
  if (isLoaded) await controller.fetch(TodoResource.getList, {});
  const shown = isLoaded
    ? show((todos) => todos.map(({ title }) => title).join(' '), TodoResource.getList, {})
    : [];
  const past = history(controller, { resources: [canRestore ? Restorable : TodoResource], ...options });
  const { getList, partialUpdate, delete: remove, get } = TodoResource;
  const rename = (id: number, title: string) => all.send(partialUpdate, { id }, { title });
  const titles = () => [...rows.values()].map(({ title }) => title).join(' ');
  return { ...all, getList, get, partialUpdate, remove, shown, past, rename, titles };
}

test('undo restores what was shown before, and redo what was undone', async () => {
  const { past, rename, titles, shown, writes } = await open();
  await rename(1, 'a');
  await rename(1, 'b');
  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('a t2 t3');
  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate', redo: 'Todo.partialUpdate' });
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
  expect(await past.undo()).toEqual({ undone: 0, left: [] });
  await past.redo();
  await past.redo();

  expect(titles()).toBe('b t2 t3');
  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });
  expect(shown).toEqual(['t1 t2 t3', 'a t2 t3', 'b t2 t3', 'a t2 t3', 't1 t2 t3', 'a t2 t3', 'b t2 t3']);
  expect(writes().at(-1)).toBe('PATCH /todos/1 {"title":"b"}');
});

test('undo is shown at once, also twice in a row, and is sent in order', async () => {
  const { past, rename, shown, titles, writes } = await open();
  await rename(1, 'a');
  await rename(1, 'b');

  const first = past.undo();
  expect(shown.at(-1)).toBe('a t2 t3');
  const second = past.undo();
  expect(shown.at(-1)).toBe('t1 t2 t3');
  const redone = past.redo();

  expect(await Promise.all([first, second, redone])).toEqual([
    { undone: 1, left: [] },
    { undone: 1, left: [] },
    { undone: 1, left: [] },
  ]);
  expect(titles()).toBe('a t2 t3');
  expect(writes().slice(2)).toEqual([
    'PATCH /todos/1 {"title":"a"}',
    'PATCH /todos/1 {"title":"t1"}',
    'PATCH /todos/1 {"title":"a"}',
  ]);
});

test('a group is one step with a name, and so is a transaction', async () => {
  const { past, rename, controller, partialUpdate, titles } = await open();

  const renamed = past.group('Rename all', () => Promise.all([rename(1, 'a'), rename(2, 'b')]));
  await renamed;
  const { done } = transaction(
    controller,
    (tx) => {
      tx.fetch(partialUpdate, { id: 1 }, { title: 'c' });
      tx.fetch(partialUpdate, { id: 3 }, { title: 'd' });
    },
    { label: 'Import' },
  );
  await done;

  expect(past.read()).toEqual({ undo: 'Import' });
  expect(await past.undo()).toEqual({ undone: 2, left: [] });
  expect(past.read()).toEqual({ undo: 'Rename all', redo: 'Import' });
  expect(titles()).toBe('a b t3');
  await past.undo();
  expect(titles()).toBe('t1 t2 t3');
});

test('a mutation in flight is waited for, and undone when it has succeeded', async () => {
  const { past, rename, server, shown, titles, writes } = await open();
  const held = server.hold('PATCH', '/todos/1');
  const sent = rename(1, 'a');
  const request = await held.next();

  const undone = past.undo();
  expect(shown.at(-1)).toBe('t1 t2 t3');
  expect(await endOf(undone)).toBe('pending');
  expect(writes()).toHaveLength(1);
  held.stop();
  request.release();

  await sent;
  expect(await undone).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
  expect(shown).toEqual(['t1 t2 t3', 'a t2 t3', 't1 t2 t3']);
});

test('a mutation in flight that is refused, or whose end is unknown, is not undone', async () => {
  const { past, rename, server, writes } = await open();
  for (const status of [422, 503]) {
    server.on('PATCH', '/todos/1', { status });
    const held = server.hold('PATCH', '/todos/1');
    void rename(1, 'a');
    const request = await held.next();
    held.stop();
    const undone = past.undo();
    request.release();

    expect(await undone).toEqual({ undone: 0, left: [] });
    expect(past.read()).toEqual({});
  }
  expect(writes()).toHaveLength(2);
});

test('a mutation that waits is discarded and never sent; redo sends it', async () => {
  const { past, rename, server, titles, writes, shown } = await open();
  const held = server.hold('PATCH', '/todos/1');
  const first = rename(1, 'a');
  const second = rename(1, 'b');
  const request = await held.next();

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(shown.at(-1)).toBe('a t2 t3');
  expect(await endOf(second)).toBe('REQUEST_ABORTED');
  held.stop();
  request.release();
  await first;
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}']);

  expect(await past.redo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('b t2 t3');
});

test('the text that an edit holds is discarded', async () => {
  const { past, controller, partialUpdate, world, shown, writes } = await open();
  const todo = edit(controller, partialUpdate, { id: 1 });
  todo.set({ title: 'tea' });
  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });

  await past.undo();

  expect(todo.read()).toMatchObject({ state: 'clean', values: { title: 't1' } });
  await world.pass(10_000);
  expect(writes()).toEqual([]);
  todo.set({ title: 'cup' });
  await todo.flush();
  expect(shown.at(-1)).toBe('cup t2 t3');
  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });
});

test('a field that somebody else has changed is left, the others are restored', async () => {
  const { past, send, partialUpdate, get, controller, rows } = await open();
  await send(partialUpdate, { id: 1 }, { title: 'a', status: 'done' });
  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(get, { id: 1 });

  expect(await past.undo()).toEqual({
    undone: 1,
    left: [{ entity: 'Todo', pk: '1', field: 'title', why: 'changed' }],
  });
  expect(rows.get('1')).toMatchObject({ title: 'theirs', status: 'open' });
});

test('a stale row is read before it is undone', async () => {
  const { past, rename, controller, rows, server, writes } = await open();
  await rename(1, 'a');
  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  const list = server.hold('GET', '/todos'); // the list on screen is not read again in time
  // this message is not stored, because it may be older than my write; but now the row is stale
  void controller.set(Todo, { id: 1 }, { id: 1, title: 'theirs' });

  expect(await past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '1', field: 'title', why: 'changed' }],
  });
  expect(rows.get('1')).toMatchObject({ title: 'theirs' });
  expect(writes()).toHaveLength(1);
  list.releaseAll();
});

test('what others have changed is not even shown as undone', async () => {
  const { past, rename, get, controller, rows, shown } = await open();
  await rename(1, 'a');
  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(get, { id: 1 });
  const count = shown.length;

  expect(await past.undo()).toMatchObject({ undone: 0 });
  expect(shown.slice(count)).not.toContain('t1 t2 t3');
});

test('a redo that waits for an undo ends with a reset', async () => {
  const { past, rename, server, controller, writes } = await open();
  const held = server.hold('PATCH', '/todos/1');
  void rename(1, 'a');
  void rename(1, 'b');
  await held.next();
  const first = past.undo(); // discards the second
  const second = past.undo(); // waits for the first mutation
  const redone = [past.redo(), past.redo()];

  controller.resetEntireStore();
  held.releaseAll();

  for (const each of [first, second, ...redone]) expect(await endOf(each)).not.toBe('pending');
  await breathe();
  expect(writes()).toHaveLength(1);
  expect(controller[CORE].flights.size, 'mutations that are open').toBe(0);
});

test('a creation is undone by a deletion, and brought back by restore', async () => {
  const { past, send, getList, rename, titles, shown, writes } = await open();
  await send(getList.push, { title: 'new' });
  await rename(4, 'newer');

  await past.undo();
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
  expect(shown.at(-1)).toBe('t1 t2 t3');
  expect(writes().at(-1)).toBe('DELETE /todos/4');

  expect(await past.redo()).toEqual({ undone: 1, left: [] });
  await past.redo();
  expect(titles()).toBe('t1 t2 t3 newer');
  expect(shown.at(-1)).toBe('t1 t2 t3 newer');
});

test('a change of a created row is undone although a read brought the row before its creation was acknowledged', async () => {
  const { past, send, controller, getList, partialUpdate, server, rows, titles, shown } = await open();
  const held = server.hold('POST', '/todos');
  const created = send(getList.push, { title: 'new' });
  const request = await held.next();
  const draft = controller.get(new schema.All(Todo))!.find(({ title }) => title === 'new')!;
  const renamed = send(partialUpdate, { id: draft.id }, { title: 'newer' });
  rows.set('4', { id: 4, title: 'new', status: 'open', votes: 0 });
  await controller.fetch(getList, {});
  request.release({ status: 201, body: rows.get('4') });
  await Promise.all([created, renamed]);

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3 new');
  expect(shown.at(-1)).toBe('t1 t2 t3 new');
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
});

test('the undo of an update never deletes: a row that was never loaded is left', async () => {
  const { past, rename, rows, writes } = await open({}, { isLoaded: false });
  await rename(1, 'a');

  expect(await past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '1', field: '', why: 'no-inverse' }],
  });
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}']);
  expect([...rows.keys()]).toEqual(['1', '2', '3']);
});

test('the deletion of a row that was never loaded is undone by restore', async () => {
  const { past, send, remove, writes } = await open({}, { isLoaded: false });
  await send(remove, { id: 2 });

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(writes()).toEqual(['DELETE /todos/2', 'POST /todos/2/restore']);
});

test('an action whose changes nobody knows is left', async () => {
  const { past, send, server, writes } = await open();
  const vote = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos/:id/vote',
    method: 'POST',
    body: undefined,
    schema: Todo,
  });
  await send(vote, { id: 1 });

  expect(await past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '1', field: '', why: 'no-inverse' }],
  });
  expect(writes()).toEqual(['POST /todos/1/vote']);
});

test('a creation in flight that is not optimistic is undone when it has succeeded', async () => {
  const { past, send, getList, server, titles } = await open({}, { more: { optimistic: false } });
  const held = server.hold('POST', '/todos');
  const sent = send(getList.push, { title: 'new' });
  const request = await held.next();

  const undone = past.undo();
  request.release();

  await sent;
  expect(await undone).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
});

test('a change in flight that is not optimistic is undone when it has succeeded, before a later change', async () => {
  const { past, rename, server, titles, writes, shown } = await open({}, { more: { optimistic: false } });
  const held = server.hold('PATCH', '/todos/1');
  void rename(1, 'a');
  const request = await held.next();
  held.stop();

  const undone = past.undo();
  const later = rename(1, 'later');
  request.release();

  expect(await undone).toEqual({ undone: 1, left: [] });
  await later;
  expect(shown).toEqual(['t1 t2 t3', 'later t2 t3']);
  expect(writes()).toEqual(
    ['a', 't1', 'later'].map((title) => `PATCH /todos/1 ${JSON.stringify({ title })}`),
  );
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
});

test.each(['one step', 'two steps'])(
  'a row whose deletion is in flight and not optimistic is restored, and then its earlier change is undone: %s',
  async (steps) => {
    const { past, remove, rename, server, controller, rows, writes } = await open();
    const held = server.hold('DELETE', '/todos/1');
    const removeUnshown = remove.extend({ optimistic: false });
    const both = async () => {
      const renamed = rename(1, 'a');
      void controller.fetch(removeUnshown, { id: 1 });
      await renamed;
    };
    await (steps === 'one step' ? past.group('both', both) : both());
    await held.next();

    const undone = steps === 'one step' ? [past.undo()] : [past.undo(), past.undo()];
    held.releaseAll();

    const results = await Promise.all(undone);
    expect(results.flatMap(({ left }) => left)).toEqual([]);
    expect(rows.get('1')).toMatchObject({ title: 't1' });
    expect(writes().slice(2)).toEqual(['POST /todos/1/restore', 'PATCH /todos/1 {"title":"t1"}']);
  },
);

test('a change that is called while a redo waits is undone after that redo', async () => {
  const { past, rename, server, titles } = await open();
  const held = server.hold('PATCH', '/todos/3');
  void rename(3, 'a');
  const request = await held.next();
  held.stop();
  past.group('Rename both', () => void [rename(3, 'b'), rename(1, 'b')]);
  const steps = [past.undo(), past.redo()];
  const last = rename(3, 'c');
  request.release();
  await Promise.all([...steps, last]);
  expect(titles()).toBe('b t2 b');

  expect(past.read().undo).toBe('Rename both');
  for (const left of ['t1 t2 c', 't1 t2 a', 't1 t2 t3']) {
    expect((await past.undo()).left).toEqual([]);
    expect(titles()).toBe(left);
  }
});

test('redone steps are sent in their order, also when an undo is in flight', async () => {
  const { past, send, getList, partialUpdate, controller, server, titles, writes } = await open();
  const held = server.hold('POST', '/todos');
  const sent = send(getList.push, { title: 'new' });
  const request = await held.next();
  const draft = controller.get(new schema.All(Todo), {})?.find(({ title }) => title === 'new');
  const renamed = send(partialUpdate, { id: draft!.id }, { title: 'newer' }); // the draft is on screen

  const steps = [past.undo(), past.undo(), past.redo(), past.redo()];
  request.release();
  held.stop();

  await sent;
  expect(await endOf(renamed)).toBe('REQUEST_ABORTED');
  expect(await Promise.all(steps)).toEqual(steps.map(() => ({ undone: 1, left: [] })));
  expect(titles()).toBe('t1 t2 t3 newer');
  expect(writes().slice(-2)).toEqual(['POST /todos/4/restore', 'PATCH /todos/4 {"title":"newer"}']);
});

test('what is typed after an undo is newer than the undo, also when that leaves a field out', async () => {
  const { past, send, partialUpdate, controller, rows, get, server, world } = await open();
  await send(partialUpdate, { id: 1 }, { title: 'a', status: 'mine' });
  rows.set('1', { ...rows.get('1'), status: 'theirs' });
  const { store } = controller[CORE].engine;
  store.markStale(store.tables.get('Todo')!.rows.get('1')!, store.timeline.tick()); // the list was loaded
  server.on('PATCH', '/todos/1', ({ body }) => {
    const fields = body as { title: string }; // cast: what the client sends
    if (fields.title === 'typed') return { status: 422 };
    rows.set('1', { ...rows.get('1'), ...fields });
    return { body: rows.get('1') };
  });
  const held = server.hold('GET', '/todos/1');

  const undone = past.undo();
  const read = await held.next();
  const todo = edit(controller, partialUpdate, { id: 1 });
  todo.set({ title: 'typed' });
  read.release();
  held.stop();

  expect(await undone).toMatchObject({ undone: 1, left: [{ field: 'status', why: 'changed' }] });
  await world.pass(800);
  await until(() => todo.read().state === 'failed');
  expect(todo.read().values).toMatchObject({ title: 'typed', status: 'theirs' });
  expect(await endOf(controller.fetch(get, { id: 1 }))).toMatchObject({ title: 'typed' });
});

test('what the server makes of an undone value still counts as mine', async () => {
  const { past, rename, server, rows, titles } = await open();
  server.on('PATCH', '/todos/1', ({ body }) => {
    const { title } = body as { title: string }; // cast: what the client sends
    rows.set('1', { ...rows.get('1'), title: `${title}!` });
    return { body: rows.get('1') };
  });
  await rename(1, 'a');
  await rename(1, 'b');

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('a!! t2 t3');
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1! t2 t3');
});

test('a creation is undone although the server has counted my changes in a field of its own', async () => {
  const { past, send, getList, rename, server, rows, titles } = await open();
  server.on('PATCH', '/todos/4', ({ body }) => {
    const row = rows.get('4');
    rows.set('4', { ...row, ...(body as object), votes: Number(row?.['votes']) + 1 }); // cast: what the client sends
    return { body: rows.get('4') };
  });
  await send(getList.push, { title: 'new' });
  await rename(4, 'newer');

  await past.undo();
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
});

test('a created row that somebody else has changed is not deleted', async () => {
  const { past, send, getList, get, controller, rows, titles } = await open();
  await send(getList.push, { title: 'new' });
  rows.set('4', { ...rows.get('4'), votes: 7 });
  await controller.fetch(get, { id: 4 });

  expect(await past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '4', field: '', why: 'changed' }],
  });
  expect(titles()).toBe('t1 t2 t3 new');
});

test('a deletion is undone by restore, and is left without one', async () => {
  const { past, send, remove, titles, shown } = await open();
  await send(remove, { id: 2 });
  expect(shown.at(-1)).toBe('t1 t3');

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles().split(' ').toSorted()).toEqual(['t1', 't2', 't3']);
  await until(() => shown.at(-1)?.split(' ').toSorted().join() === 't1,t2,t3');

  const other = await open({}, { canRestore: false });
  await other.send(other.remove, { id: 2 });
  expect(await other.past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '2', field: '', why: 'no-inverse' }],
  });
});

test('a deleted row is shown again when the server has restored it, and never empty', async () => {
  const { past, send, remove, controller, server, shown, reads, todos } = await open();
  const { get, getList } = todos({ optimistic: false });
  // like a creation: the response puts the row into its lists
  const restore = getList.push.extend({ path: '/todos/:id/restore', body: undefined });
  past.close();
  const own = history(controller, { resources: [{ get, restore }] });
  await send(remove, { id: 2 });
  const { store } = controller[CORE].engine;
  store.markStale(store.tables.get('Todo')!.rows.get('2')!, store.timeline.tick()); // the list was loaded
  const held = server.hold('POST', '/todos/2/restore');

  const undone = own.undo();
  (await held.next()).release();

  expect(await undone).toEqual({ undone: 1, left: [] });
  expect(shown).toEqual(['t1 t2 t3', 't1 t3', 't1 t3 t2']);
  expect(reads(), 'no read of a row that is known to be deleted').not.toContain('GET /todos/2');
});

test('with holdMs a deletion waits, is shown at once, and can be undone without a request', async () => {
  const { past, send, remove, rename, shown, writes, world, rows } = await open(
    { holdMs: 5_000 },
    { canRestore: false },
  );
  const first = send(remove, { id: 2 });
  expect(shown.at(-1)).toBe('t1 t3');
  await world.pass(4_999);
  expect(writes()).toEqual([]);

  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(shown.at(-1)).toBe('t1 t2 t3');
  expect(await endOf(first)).toBe('REQUEST_ABORTED');
  await past.redo();
  expect(shown.at(-1)).toBe('t1 t3');
  expect(writes()).toEqual(['DELETE /todos/2']);

  const second = send(remove, { id: 3 });
  const later = rename(3, 'late');
  await world.pass(5_000);
  await second;
  expect(await endOf(later)).toBe('HTTP_ERROR');
  expect(rows.has('3')).toBe(false);
  expect(writes().slice(1)).toEqual(['DELETE /todos/3', 'PATCH /todos/3 {"title":"late"}']);
  expect(world.time.pendingTimers).toBeLessThanOrEqual(1);
});

test('a row that is gone is left', async () => {
  const { past, rename, rows, server, send, get } = await open();
  await rename(1, 'a');
  rows.delete('1');
  server.on('GET', '/todos/1', { status: 404 });
  await endOf(send(get, { id: 1 }));

  expect(await past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '1', field: '', why: 'gone' }],
  });
});

test('a row that turns out to be gone is left too', async () => {
  const { past, rename, rows } = await open();
  await rename(1, 'a');
  rows.delete('1');

  expect(await past.undo()).toEqual({
    undone: 0,
    left: [{ entity: 'Todo', pk: '1', field: '', why: 'gone' }],
  });
});

test('when the server cannot be reached, undo rejects and can be tried again', async () => {
  const { past, rename, server, rows, titles, shown } = await open();
  await rename(1, 'a');
  let isDown = true;
  server.on('PATCH', '/todos/1', ({ body }) => {
    if (isDown) return { drop: true };
    rows.set('1', { ...rows.get('1'), ...(body as object) }); // cast: what the client sends
    return { body: rows.get('1') };
  });

  await expect(past.undo()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });
  isDown = false;
  expect(await past.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
  expect(shown.at(-1)).toBe('t1 t2 t3');
});

test.each([400, 403, 422])(
  'an undo that the server refuses with %d is left, and the step before is next',
  async (status) => {
    const { past, rename, server, titles, shown } = await open();
    await rename(2, 'b');
    await rename(1, 'a');
    server.on('PATCH', '/todos/1', { status });

    expect(await past.undo()).toEqual({
      undone: 0,
      left: [{ entity: 'Todo', pk: '1', field: '', why: 'refused' }],
    });
    expect(shown.at(-1)).toBe('a b t3');
    expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });
    expect(await past.undo()).toEqual({ undone: 1, left: [] });
    expect(titles()).toBe('a t2 t3');
  },
);

test('the redo of a discarded mutation that the server refuses rejects, and is not offered again', async () => {
  const { past, rename, server, titles } = await open();
  const held = server.hold('PATCH', '/todos/1');
  const first = rename(1, 'a');
  void rename(1, 'b');
  const request = await held.next();
  held.stop();
  await past.undo(); // discards the second
  request.release();
  await first;
  server.on('PATCH', '/todos/1', () => ({ status: 422 }));

  await expect(past.redo()).rejects.toMatchObject({ status: 422 });

  expect(past.read()).toEqual({ undo: 'Todo.partialUpdate' });
  expect(titles()).toBe('a t2 t3');
});

test('what one history undoes is no step of another history any more', async () => {
  const { past, rename, titles, controller, todos } = await open();
  const other = history(controller, { resources: [todos()] });
  await rename(1, 'a');
  await rename(2, 'b');
  expect(other.read()).toEqual({ undo: 'Todo.partialUpdate' });

  await past.undo();
  expect(await other.undo()).toEqual({ undone: 1, left: [] });
  expect(titles()).toBe('t1 t2 t3');
  expect(await past.undo()).toEqual({ undone: 0, left: [] });
  await past.redo();
  expect(await other.undo()).toEqual({ undone: 0, left: [] });
  expect(titles()).toBe('t1 b t3');
});

test('the calls of others, messages and other resources are no steps', async () => {
  const { past, controller, todos, send } = await open();
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'theirs' });
  class Note extends Todo {
    static override key = 'Note';
  }
  await send(todos({ schema: Note }).partialUpdate, { id: 1 }, { title: 'x' });

  expect(past.read()).toEqual({});
});

test('a refused mutation is no step, and a new mutation empties the redo', async () => {
  const { past, rename, server } = await open();
  await rename(1, 'a');
  await past.undo();
  expect(past.read()).toEqual({ redo: 'Todo.partialUpdate' });
  server.on('PATCH', '/todos/2', { status: 422 });
  await endOf(rename(2, 'b'));

  expect(past.read()).toEqual({});
});

test('a reset empties the history, and nothing held is sent after it', async () => {
  const { past, send, remove, rename, controller, writes, world } = await open({ holdMs: 5_000 });
  await rename(1, 'a');
  const removed = send(remove, { id: 2 });

  controller.resetEntireStore();

  expect(past.read()).toEqual({});
  expect(await endOf(removed)).not.toBe('pending');
  expect(controller[CORE].flights.size, 'mutations that are open').toBe(0);
  await world.pass(10_000);
  expect(writes()).toHaveLength(1);
  expect(await past.undo()).toEqual({ undone: 0, left: [] });
});

test('a reset in the middle of an undo ends it, and nothing is left', async () => {
  const { past, rename, server, controller, writes } = await open();
  const held = server.hold('PATCH', '/todos/1');
  void rename(1, 'a');
  await held.next();
  const undone = past.undo();

  controller.resetEntireStore();
  held.releaseAll();
  await endOf(undone);

  expect(writes()).toHaveLength(1);
  expect(past.read()).toEqual({});
  expect(controller[CORE].flights.size, 'mutations that are open').toBe(0);
});

test('a reset while an undo waits for a mutation ends it at once, without a read of its row', async () => {
  const { past, rename, server, controller, reads } = await open();
  await rename(1, 'a');
  const held = server.hold('PATCH', '/todos/1');
  void rename(1, 'b');
  await held.next();
  const list = server.hold('GET', '/todos');
  const row = server.hold('GET', '/todos/1');
  void controller.set(Todo, { id: 1 }, { id: 1, title: 'theirs' }); // the row is stale now
  const undone = [past.undo(), past.undo()];

  controller.resetEntireStore();
  held.releaseAll();

  for (const each of undone) expect(await endOf(each)).not.toBe('pending');
  expect(controller[CORE].flights.size, 'mutations that are open').toBe(0);
  expect(reads()).not.toContain('GET /todos/1');
  list.releaseAll();
  row.releaseAll();
});

test('only the last steps are kept, listeners are called, and close ends the history', async () => {
  const { past, rename } = await open({ limit: 1 });
  let calls = 0;
  const stop = past.listen(() => (calls += 1));
  const state = past.read();
  await rename(1, 'a');
  await rename(2, 'b');
  expect(past.read()).not.toBe(state);
  expect(past.read()).toBe(past.read());
  expect(calls).toBe(1);

  await past.undo();
  expect(past.read()).toEqual({ redo: 'Todo.partialUpdate' });
  stop();
  past.close();
  await rename(1, 'c');
  expect(past.read()).toEqual({});
});

test('options that cannot be right are refused', async () => {
  const { controller, todos } = await open();
  const resources = [todos()];
  for (const wrong of [{ limit: 0 }, { limit: Number.NaN }, { holdMs: -1 }, { holdMs: Infinity }])
    expect(() => history(controller, { resources, ...wrong })).toThrow(
      expect.objectContaining({ code: 'HISTORY_OPTION_INVALID' }),
    );
  expect(() => history(controller, { resources: [{ get: todos({ schema: {} }).get }] })).toThrow(
    expect.objectContaining({ code: 'HISTORY_OPTION_INVALID' }),
  );
});
