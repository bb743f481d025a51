// Queues: writes that name one row leave in the order of calls, one at a time; other rows, and reads, do not wait.
import { RestEndpoint, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';

test('two changes of one row are sent one after the other, and the newest is on screen all the time', async () => {
  const { server, controller, writes, send, todos, show } = await start();
  const { get, partialUpdate } = todos();
  await controller.fetch(get, { id: 1 });
  const shown = show(({ title }) => title, get, { id: 1 });
  const held = server.hold('PATCH', '/todos/1');

  const first = send(partialUpdate, { id: 1 }, { title: 'a' });
  const second = send(partialUpdate, { id: 1 }, { title: 'b' });
  const patch = await held.next();
  await breathe();
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}']);

  patch.release();
  await first;
  await until(() => writes().length === 2);
  held.releaseAll();
  await second;
  expect(shown).toEqual(['t1', 'a', 'b']);
  expect(server.seen('PATCH', '/todos/1').map(({ body }) => body)).toEqual([{ title: 'a' }, { title: 'b' }]);
});

test('over a network that reorders requests the server ends with the last call', async () => {
  let delayMs = 40;
  const { rows, controller, send, todos } = await start({
    fetch: async (input, init) => {
      if (init?.method === 'PATCH') await new Promise((resolve) => setTimeout(resolve, (delayMs -= 20)));
      return fetch(input, init);
    },
  });
  const { get, partialUpdate } = todos();
  await controller.fetch(get, { id: 1 });

  await Promise.all(['a', 'b', 'c'].map((status) => send(partialUpdate, { id: 1 }, { status })));

  expect(rows.get('1')).toMatchObject({ status: 'c' });
  expect(controller.get(Todo, { id: 1 })?.status).toBe('c');
});

test('changes, a replacement, a vote and a deletion of one row are sent in order, none merged or left out', async () => {
  const { server, controller, writes, send, todos } = await start();
  const { getList, partialUpdate, update, delete: remove } = todos();
  const vote = partialUpdate.extend({ path: '/todos/:id/vote', method: 'POST', body: undefined });
  await controller.fetch(getList, {});
  const held = server.hold('*', '/todos*');

  void send(partialUpdate, { id: 1 }, { title: 'a' });
  void send(partialUpdate, { id: 1 }, { title: 'a' });
  void send(update, { id: 1 }, { title: 'b' });
  void send(vote, { id: 1 });
  const removing = send(remove, { id: 1 });
  for (let turn = 1; turn <= 5; turn += 1) {
    const request = await held.next();
    await breathe();
    expect(writes()).toHaveLength(turn);
    request.release();
  }
  await removing;

  expect(writes().map((line) => line.split(' ', 2).join(' '))).toEqual([
    'PATCH /todos/1',
    'PATCH /todos/1',
    'PUT /todos/1',
    'POST /todos/1/vote',
    'DELETE /todos/1',
  ]);
});

test('a row has one queue, for a number or a string as its key and for each of its addresses', async () => {
  const { server, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  const archive = partialUpdate.extend({ path: '/archive/:id' });
  server.hold('PATCH', '/todos/1');

  void send(partialUpdate, { id: 1 }, { title: 'a' });
  void send(partialUpdate, { id: '1' }, { title: 'b' });
  void send(archive, { id: 1 }, { status: 'old' });
  await breathe();

  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}']);
});

test('a draft has one queue, for its local id and for the id that the server gave it', async () => {
  const { server, controller, writes, send, todos } = await start();
  const { getList, partialUpdate } = todos();
  await controller.fetch(getList, {});
  const posting = server.hold('POST', '/todos');
  const patching = server.hold('PATCH', '/todos/4');
  const creating = send(getList.push, { title: 'new' });
  const id = controller.getResponse(getList, {}).data?.[3]?.id ?? '';
  void send(partialUpdate, { id }, { title: 'a' });
  void send(partialUpdate, { id }, { title: 'b' });

  (await posting.next()).release();
  await creating;
  const first = await patching.next();
  const last = send(partialUpdate, { id: 4 }, { title: 'c' });
  await breathe();
  expect(writes().slice(1)).toEqual(['PATCH /todos/4 {"title":"a"}']);
  expect(controller.get(Todo, { id: 4 })?.title).toBe('c');

  first.release();
  patching.releaseAll();
  await last;
  expect(writes().slice(2)).toEqual(['PATCH /todos/4 {"title":"b"}', 'PATCH /todos/4 {"title":"c"}']);
});

test('a deletion of a row with a server id cancels no waiting edit', async () => {
  const { server, rows, send, todos } = await start();
  const { partialUpdate, delete: remove } = todos();
  const held = server.hold('PATCH', '/todos/1');
  void send(partialUpdate, { id: 1 }, { title: 'a' });
  const editing = send(partialUpdate, { id: 1 }, { title: 'b' });
  const removing = send(remove, { id: 1 });
  await breathe();
  expect(rows.has('1')).toBe(true);

  held.releaseAll();

  expect((await editing).title).toBe('b');
  await removing;
  expect(rows.has('1')).toBe(false);
});

test.each(['a union', 'an envelope'])('rows have queues below %s too', async (kind) => {
  class Note extends Todo {
    static override key = 'Note';
  }
  const { server, controller, writes, send } = await start();
  const union = new schema.Union({ open: Todo, note: Note }, 'status');
  const partialUpdate = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos/:id',
    method: 'PATCH',
    body: {} as object,
    schema: kind === 'a union' ? union : { data: Todo },
  });
  const full = { id: 1, title: 't1', status: 'open', votes: 0 };
  await controller.set(Todo, full);
  const held = server.hold('PATCH', '/todos/1');

  const first = send(partialUpdate, { id: 1 }, { title: 'a' });
  const second = send(partialUpdate, { id: 1 }, { title: 'b' });
  void send(partialUpdate, { id: 2 }, { title: 'other' });
  const patch = await held.next();
  await breathe();
  expect(writes()).toEqual(['PATCH /todos/1 {"title":"a"}', 'PATCH /todos/2 {"title":"other"}']);

  patch.release({ body: kind === 'a union' ? full : { data: full } });
  await first;
  (await held.next()).release({ body: kind === 'a union' ? full : { data: full } });
  await second;
});

test('the queue of a call without a row is its address without the query, whatever its method', async () => {
  const { server, writes, send } = await start();
  const me = new RestEndpoint({
    urlPrefix: server.url,
    path: '/me',
    method: 'PATCH',
    searchParams: {} as { notify?: string },
    body: {} as object,
  });
  const settings = me.extend({ path: '/settings' });
  server.on('*', '/*', { body: {} });
  const held = server.hold('*', '/*');

  const calls = [
    send(me, { notify: 'yes' }, { name: 'a' }),
    send(me, {}, { name: 'b' }),
    send(me.extend({ method: 'PUT' }), {}, { name: 'c' }),
    send(settings, {}, { theme: 'dark' }),
  ];
  await breathe();
  expect(writes()).toEqual(['PATCH /me?notify=yes {"name":"a"}', 'PATCH /settings {"theme":"dark"}']);

  held.releaseAll();
  await Promise.all(calls);
  expect(writes().slice(2)).toEqual(['PATCH /me {"name":"b"}', 'PUT /me {"name":"c"}']);
});

test('creations, calls of other rows and reads are sent at once', async () => {
  const { server, left, send, todos } = await start();
  const { get, getList, partialUpdate } = todos();
  server.hold('*', '/todos*');

  void send(getList.push, { title: 'a' });
  void send(getList.push, { title: 'b' });
  void send(partialUpdate, { id: 1 }, { title: 'a' });
  void send(partialUpdate, { id: 2 }, { title: 'b' });
  void send(get, { id: 1 });
  void send(getList, {});
  await breathe();

  expect(left.map((line) => line.split(' ', 2).join(' '))).toEqual([
    'POST /todos',
    'POST /todos',
    'PATCH /todos/1',
    'PATCH /todos/2',
    'GET /todos/1',
    'GET /todos',
  ]);
});

test('a creation without a body waits in the queue of the row that its path names: a row is restored after its deletion', async () => {
  const { server, controller, writes, send, todos } = await start();
  const { getList, delete: remove } = todos();
  const restore = getList.push.extend({ path: '/todos/:id/restore', body: undefined });
  server.on('POST', '/todos/:id/restore', ({ params }) => ({
    body: { id: Number(params['id']), title: 't1' },
  }));
  await controller.fetch(getList, {});
  const held = server.hold('DELETE', '/todos/1');

  const removing = send(remove, { id: 1 });
  const restoring = send(restore, { id: 1 });
  const request = await held.next();
  await breathe();
  expect(writes()).toEqual(['DELETE /todos/1']);
  request.release();
  await Promise.all([removing, restoring]);

  expect(writes()).toEqual(['DELETE /todos/1', 'POST /todos/1/restore']);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');
});
