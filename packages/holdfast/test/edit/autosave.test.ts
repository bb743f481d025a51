// Edits that save themselves: what is typed is shown at once and saved by few requests, and nothing typed is lost.
import { createResource, Entity, FailedManager, getDefaultManagers } from 'holdfast';
import { edit } from 'holdfast/edit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import type { Reply } from '../support/server.ts';
import { endOf, start, Todo } from '../writes/harness.ts';

class Issue extends Entity {
  static override key = 'Issue';
  id = 0;
  number = 0;
  title = '';
}

/** An edit of todo 1, which a list shows. */
async function open(options: Parameters<typeof start>[0] = {}, more: object = {}) {
  const all = await start(options);
  const { controller, todos, show } = all;
  const { get, getList, partialUpdate, delete: remove } = todos(more);
  await controller.fetch(getList, {});
  const shown = show((rows) => rows.map(({ title }) => title).join(' '), getList, {});
  const todo = edit(controller, partialUpdate, { id: 1 });
  /** The server refuses the next PATCH, and changes nothing. */
  const refuseNext = (reply: Reply): void => {
    let refusal: Reply | undefined = reply;
    all.server.on('PATCH', '/todos/1', ({ body }) => {
      const refused = refusal;
      refusal = undefined;
      if (refused) return refused;
      all.rows.set('1', { ...all.rows.get('1'), ...(body as object) }); // cast: what edits send
      return { body: all.rows.get('1') };
    });
  };
  return { ...all, refuseNext, get, getList, partialUpdate, remove, shown, todo };
}

const type = (todo: { set: (fields: { title: string }) => void }, text: string): void => {
  for (let end = 1; end <= text.length; end += 1) todo.set({ title: text.slice(0, end) });
};

test('letters are shown at once and saved by one request after a pause', async () => {
  const { todo, shown, writes, world, rows } = await open();

  type(todo, 'tea');

  expect(shown.at(-1)).toBe('tea t2 t3');
  expect(todo.read()).toMatchObject({ values: { title: 'tea' }, state: 'dirty', changed: [] });
  await world.pass(799);
  expect(writes()).toEqual([]);
  await world.pass(1);
  await until(() => todo.read().state === 'clean');
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"tea"}']);
  expect(rows.get('1')).toMatchObject({ title: 'tea' });
});

test('the pause begins anew with each letter, but the first letter waits at most five seconds', async () => {
  const { todo, writes, world } = await open();

  for (let letter = 1; letter <= 12; letter += 1) {
    todo.set({ title: 'a'.repeat(letter) });
    await world.pass(500);
  }

  expect(writes()).toEqual([`PATCH /todos/1 {"title":"${'a'.repeat(10)}"}`]);
});

test('an endpoint that is not optimistic is shown at once too', async () => {
  const { todo, shown } = await open({}, { optimistic: false });

  todo.set({ title: 'tea' });

  expect(shown.at(-1)).toBe('tea t2 t3');
});

test('what is typed while a save is in flight is saved by one further request', async () => {
  const { server, todo, shown, writes, world, rows } = await open();
  const held = server.hold('PATCH', '/todos/1');
  type(todo, 'te');
  await world.pass(800);
  const first = await held.next();

  type(todo, 'teas');
  await world.pass(4_000);
  expect(todo.read().state).toBe('saving');
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"te"}']);
  first.release();
  await until(() => writes().length === 2);
  held.releaseAll();
  await until(() => todo.read().state === 'clean');

  expect(writes().at(-1)).toBe('PATCH /todos/1 {"title":"teas"}');
  expect(rows.get('1')).toMatchObject({ title: 'teas' });
  expect(shown).not.toContain('te t2 t3 ');
  expect(shown.slice(shown.indexOf('teas t2 t3'))).toEqual(['teas t2 t3']);
});

test('what is typed while a save is in flight is unsaved after its acknowledgement, and is saved with a field that is set later', async () => {
  const { server, todo, writes, world, rows } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'te' });
  await world.pass(800);
  const first = await held.next();
  todo.set({ title: 'teas' });
  held.stop();
  first.release();
  await until(() => todo.read().state !== 'saving');

  expect(todo.read()).toMatchObject({ state: 'dirty', values: { title: 'teas' } });
  todo.set({ status: 'done' });
  await world.pass(800);
  await until(() => todo.read().state === 'clean');
  expect(writes().at(-1)).toBe('PATCH /todos/1 {"title":"teas","status":"done"}');
  expect(rows.get('1')).toMatchObject({ title: 'teas', status: 'done' });
});

test('an endpoint without queues has at most one save in flight too', async () => {
  const { server, todo, writes, world } = await open({}, { queue: null });
  const held = server.hold('PATCH', '/todos/1');
  type(todo, 'te');
  await world.pass(800);
  const first = await held.next();

  for (const text of ['tea', 'teas']) {
    type(todo, text);
    await world.pass(6_000);
  }
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"te"}']);
  first.release();
  await until(() => writes().length === 2);
  held.releaseAll();
  await until(() => todo.read().state === 'clean');

  expect(writes().at(-1)).toBe('PATCH /todos/1 {"title":"teas"}');
});

test('text of a save that fails is kept, also when an earlier save of the field was acknowledged while that save waited', async () => {
  const { server, controller, todo, partialUpdate, world, refuseNext } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'one' });
  await world.pass(800);
  const first = await held.next();
  todo.set({ title: 'two' });
  todo.flush().catch(() => undefined); // waits for the first save alone
  const call = controller.fetch(partialUpdate, { id: 1 }, { status: 'called' });
  todo.set({ title: 'three' });
  first.release();
  const second = await held.next();
  second.release();
  (await held.next()).release();
  await call;
  refuseNext({ status: 422, body: {} });
  (await held.next()).release();
  await until(() => todo.read().state === 'failed');

  expect(todo.read().values).toMatchObject({ title: 'three' });
});

test('a save that fails while a later save of its fields waits leaves no failure behind when the later one is acknowledged', async () => {
  const { server, controller, todo, partialUpdate, world, rows, refuseNext } = await open();
  refuseNext({ status: 422, body: {} });
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'one' });
  await world.pass(800);
  const first = await held.next();
  todo.set({ title: 'two' });
  // Another mutation of the row sends what was typed before it.
  const call = controller.fetch(partialUpdate, { id: 1 }, { status: 'called' });
  first.release();
  (await held.next()).release();
  (await held.next()).release();
  await call;
  await breathe();

  expect(rows.get('1')).toMatchObject({ title: 'two', status: 'called' });
  expect(todo.read()).toMatchObject({ state: 'clean', error: undefined });
});

test('a save that fails keeps the text on screen, and flush saves it again', async () => {
  const { refuseNext, todo, shown, world, rows } = await open();
  refuseNext({ status: 422, body: { errors: { title: ['is taken', 'is short'] } } });

  type(todo, 'tea');
  await world.pass(800);
  await until(() => todo.read().state === 'failed');

  expect(todo.read()).toMatchObject({
    values: { title: 'tea' },
    error: { status: 422 },
    fieldErrors: { title: 'is taken is short' },
  });
  expect(shown.filter((text) => text.startsWith('t1'))).toEqual(['t1 t2 t3']);
  expect(shown.at(-1)).toBe('tea t2 t3');
  await todo.flush();
  expect(todo.read()).toMatchObject({ state: 'clean', error: undefined });
  expect(rows.get('1')).toMatchObject({ title: 'tea' });
});

test('the text of a field error goes when the field is saved', async () => {
  const { refuseNext, todo } = await open();
  refuseNext({ status: 422, body: { errors: { title: 'is taken' } } });
  todo.set({ title: 'tea' });
  await expect(todo.flush()).rejects.toMatchObject({ status: 422 });
  expect(todo.read().fieldErrors).toEqual({ title: 'is taken' });

  await todo.flush();

  expect(todo.read()).toMatchObject({ state: 'clean', fieldErrors: {} });
});

test('the text of a field error goes when the field is set again', async () => {
  const { refuseNext, todo } = await open();
  refuseNext({ status: 422, body: { errors: { title: 'is taken' } } });
  todo.set({ title: 'tea', status: 'done' });
  await expect(todo.flush()).rejects.toMatchObject({ status: 422 });
  expect(todo.read().fieldErrors).toEqual({ title: 'is taken' });

  todo.set({ status: 'open' });
  expect(todo.read().fieldErrors).toEqual({ title: 'is taken' });
  todo.set({ title: 'cup' });
  expect(todo.read().fieldErrors).toEqual({});
});

test('a refusal says nothing of a field that was set again while the save was in flight', async () => {
  const { todo, server, refuseNext } = await open();
  refuseNext({ status: 422, body: { errors: { title: 'is taken', status: 'is closed' } } });
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'taken', status: 'closed' });
  const saved = todo.flush();
  const request = await held.next();

  todo.set({ title: 'free' });
  request.release();

  await expect(saved).rejects.toMatchObject({ status: 422 });
  expect(todo.read()).toMatchObject({ state: 'failed', values: { title: 'free' } });
  expect(todo.read().fieldErrors).toEqual({ status: 'is closed' });
});

test('fields of a save that fails are saved again together with newer ones', async () => {
  const { server, todo, writes, world, shown } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'tea', status: 'hot' });
  await world.pass(800);
  const first = await held.next();
  todo.set({ title: 'teas' });

  first.release({ status: 503 });
  await until(() => todo.read().state === 'failed');
  held.releaseAll();
  expect(shown.at(-1)).toBe('teas t2 t3');
  await world.pass(800);
  await until(() => todo.read().state === 'clean');

  expect(writes().at(-1)).toBe('PATCH /todos/1 {"title":"teas","status":"hot"}');
});

test('an edit finds its row by a field that is not the primary key, also when the row comes later', async () => {
  const { controller, server, world } = await start();
  const row = { id: 1058, number: 58, title: 'Bug' };
  server.on('GET', '/issues/:number', () => ({ body: row }));
  server.on('PATCH', '/issues/:number', ({ body }) => ({ body: Object.assign(row, body) }));
  const resource = createResource({ urlPrefix: server.url, path: '/issues/:number', schema: Issue });
  const issue = edit(controller, resource.partialUpdate, { number: 58 });
  const seen: unknown[] = [];
  issue.listen(() => seen.push(issue.read().values.title));
  expect(issue.read().values).toEqual({});
  await controller.fetch(resource.get, { number: 58 });

  expect([issue.read().values, seen.at(-1)]).toEqual([{ id: 1058, number: 58, title: 'Bug' }, 'Bug']);
  issue.set({ title: 'typed' });
  expect(issue.read()).toMatchObject({ values: { title: 'typed' }, state: 'dirty', changed: [] });
  expect(controller.get(Issue, { id: 1058 })?.title).toBe('typed');
  await world.pass(800);
  await until(() => issue.read().state === 'clean');

  expect([issue.read().values, row.title]).toEqual([row, 'typed']);
  Object.assign(row, { number: 59, title: 'renumbered' });
  await controller.fetch(resource.get, { number: 59 });
  expect([issue.read().values.title, seen.at(-1)]).toEqual(['renumbered', 'renumbered']);
});

test('another mutation of the row is sent after what was typed before it, and wins', async () => {
  const { controller, todo, partialUpdate, writes, shown, world } = await open();
  type(todo, 'tea');

  await controller.fetch(partialUpdate, { id: 1 }, { title: 'cup' });

  expect(writes()).toEqual(['PATCH /todos/1 {"title":"tea"}', 'PATCH /todos/1 {"title":"cup"}']);
  expect(shown.at(-1)).toBe('cup t2 t3');
  expect(todo.read()).toMatchObject({ values: { title: 'cup' }, state: 'clean' });
  await world.pass(10_000);
  expect(writes()).toHaveLength(2);
});

test('two edits of one row are saved in the order of typing', async () => {
  const { controller, todo, partialUpdate, world, rows, shown } = await open();
  const other = edit(controller, partialUpdate, { id: 1 });

  todo.set({ title: 'a' });
  other.set({ title: 'b' });
  todo.set({ title: 'c', status: 'done' });
  other.set({ votes: 7 });

  expect(shown.at(-1)).toBe('c t2 t3');
  await world.pass(5_000);
  await until(() => todo.read().state === 'clean' && other.read().state === 'clean');
  expect(rows.get('1')).toMatchObject({ title: 'c', status: 'done', votes: 7 });
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'c', status: 'done', votes: 7 });
});

test('discard takes back what was typed, and a later set starts anew', async () => {
  const { todo, shown, writes, world } = await open();
  type(todo, 'tea');

  todo.discard();

  expect(shown.at(-1)).toBe('t1 t2 t3');
  expect(todo.read()).toMatchObject({ values: { title: 't1' }, state: 'clean' });
  await world.pass(10_000);
  expect(writes()).toEqual([]);
  todo.set({ title: 'cup' });
  await world.pass(800);
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"cup"}']);
});

test('an edit whose row is gone has failed, and keeps the text', async () => {
  const { todo, rows, world } = await open();
  rows.delete('1');

  type(todo, 'tea');
  await world.pass(800);
  await until(() => todo.read().state === 'failed');

  expect(todo.read()).toMatchObject({ values: { title: 'tea' }, error: { status: 404 } });
});

test('a reset forgets what was typed and leaves no mutation behind', async () => {
  const { controller, todo, writes, world } = await open();
  const mounted = todo.listen(() => undefined);
  type(todo, 'tea');

  controller.resetEntireStore();

  expect(todo.read()).toMatchObject({ values: {}, state: 'clean' });
  await world.pass(10_000);
  expect(writes()).toEqual([]);
  mounted();
  todo.set({ title: 'cup' });
  await world.pass(800);
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"cup"}']);
});

test('a reset during a save ends the edit, and the promise of flush rejects', async () => {
  const { server, controller, todo } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'tea' });
  const flushed = todo.flush();
  await held.next();

  controller.resetEntireStore();
  held.releaseAll();

  expect(await endOf(flushed)).toBe('STORE_RESET');
  expect(todo.read()).toMatchObject({ values: {}, state: 'clean', error: undefined });
});

test('a form shows nothing elsewhere until flush, and lists the typed fields that others have changed', async () => {
  const { controller, partialUpdate, rows, shown, writes, world, getList } = await open();
  const form = edit(controller, partialUpdate, { id: 1 }, { save: 'submit' });
  form.set({ title: 'tea' });
  await world.pass(10_000);
  expect(shown).toEqual(['t1 t2 t3']);
  expect(writes()).toEqual([]);

  rows.set('1', { ...rows.get('1'), title: 'theirs', status: 'theirs' });
  await controller.fetch(getList, {});
  expect(form.read()).toMatchObject({ values: { title: 'tea', status: 'theirs' }, changed: ['title'] });

  await form.flush();
  expect(rows.get('1')).toMatchObject({ title: 'tea', status: 'theirs' });
  expect(form.read()).toMatchObject({ state: 'clean', changed: [] });
});

test('the promise of a flush that waits for a save rejects with a reset', async () => {
  const { server, controller, todo, world } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'tea' });
  await world.pass(800);
  await held.next();
  todo.set({ title: 'teas' });

  const saved = todo.flush();
  controller.resetEntireStore();
  held.releaseAll();

  expect(await endOf(saved)).toBe('STORE_RESET');
});

test('nobody has changed a field that was set before the row was loaded, until somebody does', async () => {
  const { controller, todos, rows } = await start();
  const { get, partialUpdate } = todos();
  const todo = edit(controller, partialUpdate, { id: 1 }, { save: 'submit' });

  todo.set({ title: 'tea' });
  await controller.fetch(get, { id: 1 });
  expect(todo.read()).toMatchObject({ values: { title: 'tea', status: 'open' }, changed: [] });

  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(get, { id: 1 });
  expect(todo.read().changed).toEqual(['title']);
});

test('a field whose typed value is on the server is not changed by others: the save that failed may have reached the server', async () => {
  const { server, todo, get, controller } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'tea' });
  const saved = todo.flush();
  (await held.next()).release({ status: 503 }); // after the server has changed the row
  await expect(saved).rejects.toMatchObject({ status: 503 });
  await controller.fetch(get, { id: 1 });

  expect(todo.read()).toMatchObject({ state: 'failed', values: { title: 'tea' }, changed: [] });
});

test('a form names no field that only other mutations of this client have changed, single or in bulk', async () => {
  const { controller, partialUpdate, server, getList, rows } = await open();
  const form = edit(controller, partialUpdate, { id: 1 }, { save: 'submit' });
  form.set({ title: 'tea', status: 'typed' });
  server.on('PATCH', '/todos/1', ({ body }) => {
    rows.set('1', { ...rows.get('1'), ...(body as object), status: 'theirs' }); // cast: what the test sends
    return { body: rows.get('1') };
  });

  await controller.fetch(partialUpdate, { id: 1 }, { title: 'own' });
  expect(form.read()).toMatchObject({ values: { title: 'tea' }, changed: ['status'] });
  const updateAll = partialUpdate.extend({ path: '/todos', schema: [Todo], body: [] as Partial<Todo>[] });
  await controller.fetch(updateAll, [{ id: 1, title: 'bulk', status: 'bulk' }, { id: 2 }]);
  expect(form.read()).toMatchObject({ values: { title: 'tea' }, changed: [] });

  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(getList, {});
  expect(form.read().changed).toEqual(['title']);
  form.discard();
});

test('listeners of an edit are called when others change a field that the edit hides, and only then', async () => {
  const { controller, todo, getList, rows } = await open();
  todo.set({ title: 'tea' });
  const seen: unknown[] = [];
  let last = todo.read();
  const stop = todo.listen(() => {
    expect(todo.read()).not.toBe(last);
    last = todo.read();
    seen.push(last.changed);
  });

  await controller.fetch(getList, {});
  expect(seen).toEqual([]);
  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(getList, {});
  await breathe();
  expect(seen).toEqual([['title']]);
  stop();
  todo.discard();
});

test('a form that the server refuses keeps its values and shows nothing elsewhere', async () => {
  const { controller, refuseNext, partialUpdate, shown } = await open();
  const form = edit(
    controller,
    partialUpdate,
    { id: 1 },
    { save: 'submit', fieldErrors: () => ({ title: 'no' }) },
  );
  refuseNext({ status: 409 });
  form.set({ title: 'tea' });

  await expect(form.flush()).rejects.toMatchObject({ status: 409 });

  expect(form.read()).toMatchObject({
    values: { title: 'tea' },
    state: 'failed',
    fieldErrors: { title: 'no' },
  });
  await until(() => shown.at(-1) === 't1 t2 t3');
  await form.flush();
  expect(shown.at(-1)).toBe('tea t2 t3');
});

test('between pause and resume no time saves', async () => {
  const { todo, writes, world } = await open();
  todo.pause();
  type(todo, 'にほ');
  await world.pass(10_000);
  expect(writes()).toEqual([]);

  todo.resume();
  await breathe();

  expect(writes()).toEqual(['PATCH /todos/1 {"title":"にほ"}']);
});

test('flush saves also between pause and resume, and the pause goes on', async () => {
  const { todo, writes, world } = await open();
  todo.pause();
  todo.set({ title: 'tea' });
  await todo.flush();
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"tea"}']);

  todo.set({ title: 'にほ' });
  await world.pass(10_000);
  expect(writes()).toHaveLength(1);
});

test('a server that takes only whole rows gets them', async () => {
  const { controller, todos, writes } = await open();
  const whole = edit(
    controller,
    todos().update,
    { id: 1 },
    {
      body: (fields, row) => ({ ...(row as Todo), ...fields }),
    },
  );

  whole.set({ title: 'tea' });
  await whole.flush();

  expect(writes()).toEqual(['PUT /todos/1 {"id":1,"title":"tea","status":"open","votes":0}']);
});

test('a FailedManager leaves the failures of an edit to the edit', async () => {
  const failed = new FailedManager();
  const { refuseNext, todo } = await open({ managers: [failed, ...getDefaultManagers()] });
  refuseNext({ status: 409 });
  todo.set({ title: 'tea' });

  await expect(todo.flush()).rejects.toMatchObject({ status: 409 });

  expect(failed.get()).toEqual([]);
});

test('read returns the same object until something has changed', async () => {
  const { todo } = await open();
  const before = todo.read();
  expect(todo.read()).toBe(before);

  todo.set({ title: 'tea' });
  const after = todo.read();

  expect(after).not.toBe(before);
  expect(todo.read()).toBe(after);
});

test('listeners are called for what is typed, for the save and for changes of others', async () => {
  const { controller, todo, getList, rows, partialUpdate } = await open();
  const states: string[] = [];
  const stop = todo.listen(() => states.push(`${todo.read().values.title} ${todo.read().state}`));
  todo.set({ title: 'tea' });
  await todo.flush();
  await breathe();
  rows.set('1', { ...rows.get('1'), title: 'theirs' });
  await controller.fetch(getList, {});
  expect([...new Set(states)]).toEqual(['tea dirty', 'tea saving', 'tea clean', 'theirs clean']);

  stop();
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'later' });
  expect(states.at(-1)).toBe('theirs clean');
});

test.for([
  ['a reading endpoint', 'EDIT_ENDPOINT_INVALID', { method: 'GET', body: undefined }, {}],
  ['a replacement without a body option', 'EDIT_ENDPOINT_INVALID', { method: 'PUT' }, {}],
  ['a negative pause', 'EDIT_TIME_INVALID', {}, { afterMs: -1 }],
  ['a limit of zero', 'EDIT_TIME_INVALID', {}, { atMostMs: 0 }],
  ['an endless pause', 'EDIT_TIME_INVALID', {}, { afterMs: Infinity }],
  ['a pause that is no number', 'EDIT_TIME_INVALID', {}, { afterMs: NaN }],
] as const)('%s is refused with %s', async ([, code, change, options]) => {
  const { controller, partialUpdate } = await open();
  const endpoint = partialUpdate.extend(change as object) as typeof partialUpdate; // cast: the options are wrong on purpose

  expect(() => edit(controller, endpoint, { id: 1 }, options)).toThrow(expect.objectContaining({ code }));
});

test('a page that is left sends nothing when another mutation has set what is in flight', async () => {
  const leave = new Set<() => void>();
  vi.stubGlobal('addEventListener', (_name: string, onLeave: () => void) => leave.add(onLeave));
  vi.stubGlobal('removeEventListener', (_name: string, onLeave: () => void) => leave.delete(onLeave));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { todo, server, send, partialUpdate, writes } = await open();
  const held = server.hold('PATCH', '/todos/1');
  todo.set({ title: 'tea' });
  const saved = todo.flush();
  const request = await held.next();
  const other = send(partialUpdate, { id: 1 }, { title: 'coffee' });

  expect(leave.size).toBe(1);
  for (const onLeave of leave) onLeave();
  request.release();
  held.stop();
  await Promise.all([saved, other]);

  expect(writes()).toEqual(['PATCH /todos/1 {"title":"tea"}', 'PATCH /todos/1 {"title":"coffee"}']);
});

test('a field that the class does not declare is refused with EDIT_FIELD_UNKNOWN, and nothing is set', async () => {
  const { todo, shown } = await open();

  expect(() => todo.set({ title: 'tea', titel: 'x' } as object)).toThrow(
    expect.objectContaining({ code: 'EDIT_FIELD_UNKNOWN' }),
  );

  expect(shown).toEqual(['t1 t2 t3']);
  expect(todo.read().state).toBe('clean');
});
