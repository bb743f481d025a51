// Responses with fewer fields than were sent: the sent and accepted values are kept where the response omits them, and the row is
// read again. A response without a key is about the row that the parameters identify.
import { createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';

/** The list and its first row have been read; the test chooses the response to changes of that row. */
async function startRead(optimistic: boolean, method = 'PATCH') {
  const started = await start();
  const { server, rows, controller } = started;
  const resource = started.todos({ optimistic });
  await controller.fetch(resource.getList, {});
  await controller.fetch(resource.get, { id: 1 });
  started.left.length = 0;
  /** The server does the change and responds with this. */
  const answer = (body: unknown): void =>
    server.on(method, '/todos/:id', (request) => {
      rows.set('1', { ...rows.get('1'), ...(request.body as object), votes: 7 });
      return { status: 200, body };
    });
  const isFresh = () => [started.isFresh(resource.get, { id: 1 }), started.isFresh(resource.getList, {})];
  return { ...started, ...resource, answer, isFresh };
}

const FRESH = [true, true];
const STALE = [false, false];

test.each([
  ['PATCH', true],
  ['PATCH', false],
  ['PUT', true],
  ['PUT', false],
] as const)(
  'a field that a %s sent and its response omits keeps the sent value, and the row is stale; optimistic: %s',
  async (method, optimistic) => {
    const { controller, partialUpdate, update, answer, isFresh } = await startRead(optimistic, method);
    answer({ id: 1, votes: 7 });

    const saved = await controller.fetch(
      method === 'PUT' ? update : partialUpdate,
      { id: 1 },
      { title: 'new' },
    );

    expect(saved).toMatchObject({ id: 1, title: 'new', votes: 7 });
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'new', status: 'open', votes: 7 });
    expect(isFresh()).toEqual(STALE);
  },
);

test('readers of a row read it again when a response omitted sent fields, and so do readers of lists', async () => {
  const { left, controller, get, getList, partialUpdate, answer, show } = await startRead(true);
  answer({ id: 1, votes: 7 });
  const one = show(({ title, votes }) => `${title} ${votes}`, get, { id: 1 });
  const all = show((todos) => todos.map(({ title }) => title).join(' '), getList, {});

  await controller.fetch(partialUpdate, { id: 1 }, { title: 'new' });
  await breathe();

  expect(left.slice(1).toSorted()).toEqual(['GET /todos', 'GET /todos/1']);
  expect(one).toEqual(['t1 0', 'new 0', 'new 7']);
  expect(all).toEqual(['t1 t2 t3', 'new t2 t3']);
});

test('a value that the server converted is stored as the server sent it, and nothing is stale', async () => {
  const { controller, partialUpdate, answer, isFresh } = await startRead(true);
  answer({ id: 1, title: 'NEW' });

  await controller.fetch(partialUpdate, { id: 1 }, { title: 'new' });

  expect(controller.get(Todo, { id: 1 })?.title).toBe('NEW');
  expect(isFresh()).toEqual(FRESH);
});

test('a sent value that is kept has the type that the class gives the field', async () => {
  class Task extends Entity {
    static override key = 'Task';
    id = 0;
    dueAt: Date | undefined = undefined;
    static override schema = { dueAt: Date };
  }
  const { server, controller } = await start();
  const { get, partialUpdate } = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task });
  server.on('GET', '/tasks/1', { body: { id: 1, dueAt: '2024-01-01T00:00:00.000Z' } });
  server.on('PATCH', '/tasks/1', { body: { id: 1 } });
  await controller.fetch(get, { id: 1 });

  await controller.fetch(partialUpdate, { id: 1 }, { dueAt: new Date('2025-02-03T00:00:00.000Z') });

  expect(controller.get(Task, { id: 1 })?.dueAt).toEqual(new Date('2025-02-03T00:00:00.000Z'));
});

test.each([true, false])(
  'a creation whose response is its key alone shows the sent values, and is read again; optimistic: %s',
  async (optimistic) => {
    const { server, controller, getList, isFresh } = await startRead(optimistic);
    server.on('POST', '/todos', { status: 201, body: { id: 9 } });

    const created = await controller.fetch(getList.push, { title: 'milk', status: 'open' });

    expect(created).toMatchObject({ id: 9, title: 'milk', status: 'open' });
    expect(controller.getResponse(getList, {}).data?.[3]).toBe(controller.get(Todo, { id: 9 }));
    expect(isFresh()).toEqual([true, false]);
  },
);

test.each([
  ['PATCH', true],
  ['PATCH', false],
  ['PUT', true],
  ['PUT', false],
] as const)(
  'a %s without a key in its response is about the requested row, and resolves with the response; optimistic: %s',
  async (method, optimistic) => {
    const { controller, partialUpdate, update, answer, isFresh } = await startRead(optimistic, method);
    answer({ success: true, votes: 7 });

    const said = await controller.fetch(
      method === 'PUT' ? update : partialUpdate,
      { id: 1 },
      { title: 'new' },
    );

    expect(said).toEqual({ success: true, votes: 7 });
    const shown = controller.get(Todo, { id: 1 });
    expect(shown).toMatchObject({ id: 1, title: 'new', votes: 7 });
    expect(shown).not.toHaveProperty('success');
    expect(isFresh()).toEqual(STALE);
  },
);

test.each([
  ['{"success":true}', true],
  ['{"success":true}', false],
  ['{}', true],
  ['[]', true],
  ['true', true],
  ['"ok"', true],
  ['null', false],
])('a DELETE with the response %s removes the requested row; optimistic: %s', async (text, optimistic) => {
  const { server, controller, getList, delete: remove } = await startRead(optimistic);
  server.on('DELETE', '/todos/1', { headers: { 'content-type': 'application/json' }, body: text });

  const said = await controller.fetch(remove, { id: 1 });

  expect(said).toMatchObject(text.includes('success') ? { success: true } : { id: 1 });
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(controller.getResponse(getList, {}).data?.map(({ id }) => id)).toEqual([2, 3]);
});

test.each([true, false])(
  'where the key is not `id`, a response with another `id` is about the requested row; optimistic: %s',
  async (optimistic) => {
    class Doc extends Entity {
      static override key = 'Doc';
      _id = '';
      rev = '';
      text = '';
      override pk(): string {
        return this._id;
      }
    }
    const { server, controller } = await start();
    const {
      getList,
      update,
      delete: remove,
    } = createResource({
      urlPrefix: server.url,
      path: '/docs/:_id',
      schema: Doc,
      optimistic,
    });
    server.on('GET', '/docs', { body: [{ _id: 'a', rev: '1-x', text: 'old' }] });
    server.on('*', '/docs/a', { body: { ok: true, id: 'a', rev: '2-y' } });
    await controller.fetch(getList);

    const said = await controller.fetch(update, { _id: 'a' }, { text: 'new' });

    expect(said).toEqual({ ok: true, id: 'a', rev: '2-y' });
    expect({ ...controller.get(Doc, { _id: 'a' }) }).toEqual({ _id: 'a', rev: '2-y', text: 'new' });

    await controller.fetch(remove, { _id: 'a' });
    expect(controller.getResponse(getList).data).toEqual([]);
  },
);
