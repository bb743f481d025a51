// Rows that a mutation moves between lists: which lists are right afterwards, and which have to be read again.
import { Controller, createResource, Entity } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
}

let server: TestServer;
let controller: Controller;
let rows: Map<number, { id: number; title: string; status: string }>;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller(new FakeWorld().options);
  rows = new Map([1, 2, 3].map((id) => [id, { id, title: `t${id}`, status: 'open' }]));
  server.on('GET', '/todos', ({ query }) => ({
    body: [...rows.values()].filter((row) => !query.has('status') || row.status === query.get('status')),
  }));
  server.on('POST', '/todos', ({ body }) => {
    const row = { status: 'open', ...(body as { title: string }), id: rows.size + 1 };
    rows.set(row.id, row);
    return { status: 201, body: { ...row } };
  });
  server.on('PATCH', '/todos/:id', ({ params, body }) => {
    const row = { ...rows.get(Number(params['id']))!, ...(body as object) };
    rows.set(row.id, row);
    return { body: row };
  });
});
afterEach(() => server.close());

const create = (optimistic: boolean) =>
  createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { status?: string; orderBy?: string },
    body: {} as { title?: string; status?: string },
    optimistic,
  });
const ids = (list: readonly Todo[] | undefined) => list?.map((todo) => todo.id);

test('a sorted list is stale after a row that a creation put into it is moved by a later response', async () => {
  const { getList, partialUpdate } = create(false);
  const sorted = { status: 'open', orderBy: 'title' };
  await controller.fetch(getList, sorted);
  const isStale = (): boolean => controller.getResponse(getList, sorted).expiresAt === 0;
  // the parameters put it there, whatever its own status is: only the server can decide
  await controller.fetch(getList.push, { status: 'open' }, { title: 'a', status: 'done' });
  expect(ids(controller.get(getList.schema, sorted))).toEqual([1, 2, 3, 4]);
  expect(isStale()).toBe(true);

  await controller.fetch(partialUpdate, { id: 4 }, { status: 'open' });

  expect(isStale()).toBe(true);
});

test('an edit in no queue by the former local id of a row does not wait for a pending move', async () => {
  const { getList, partialUpdate } = create(true);
  const freeEdit = partialUpdate.extend({ queue: null });
  await controller.fetch(getList, {});
  const creation = controller.fetch(getList.push, { title: 'new' });
  const localId = controller.get(getList.schema, {})?.at(-1)?.id as unknown as string; // cast: a draft's id is a text
  await creation;
  const held = server.hold('PATCH', '/todos/4');
  const move = controller.fetch(getList.move, { id: localId } as never, { status: 'done' });
  const moving = await held.next();

  const edit = controller.fetch(freeEdit, { id: localId as never }, { title: 'edited' });
  const editing = await held.next();
  editing.release();
  await edit;
  moving.release({ status: 409 });
  await failureOf(move);

  expect(controller.get(Todo, { id: 4 })?.title).toBe('edited');
});

test('a refused edit in no queue leaves the row in the list into which an acknowledged move put it', async () => {
  const { getList, partialUpdate } = create(true);
  for (const status of ['open', 'done', 'archived']) await controller.fetch(getList, { status });
  const held = server.hold('PATCH', '/todos/1');
  const edit = controller.fetch(partialUpdate.extend({ queue: null }), { id: 1 }, { status: 'archived' });
  const editing = await held.next();
  const move = controller.fetch(getList.move, { id: 1 }, { status: 'done' });
  (await held.next()).release();
  await move;
  editing.release({ status: 409 });
  await failureOf(edit);

  const shown = ['open', 'done', 'archived'].map((status) => ids(controller.get(getList.schema, { status })));
  expect(shown).toEqual([[2, 3], [1], []]);
});

test('rows that are moved together each enter their own list', async () => {
  const { getList } = create(false);
  server.on('PATCH', '/todos', ({ body }) => ({ body: body as object[] }));
  for (const status of ['open', 'done', 'archived']) await controller.fetch(getList, { status });
  const moveAll = getList.move.extend({ path: '/todos', body: [] as object[] });

  await controller.fetch(moveAll, [
    { id: 1, status: 'done' },
    { id: 2, status: 'archived' },
  ]);

  const shown = ['open', 'done', 'archived'].map((status) => ids(controller.get(getList.schema, { status })));
  expect(shown).toEqual([[3], [1], [2]]);
});

test('a list read that lacks a moved row which the list had before the move is accepted', async () => {
  const { getList } = create(false);
  await controller.fetch(getList, {});
  const held = server.hold('GET', '/todos');
  const read = controller.fetch(getList, {});
  const reading = await held.next();
  await controller.fetch(getList.move, { id: 1 }, { status: 'done' });
  // somebody has deleted it since
  reading.release({ body: [rows.get(2), rows.get(3)] });
  await read;

  expect(ids(controller.get(getList.schema, {}))).toEqual([2, 3]);
});

test('a row that a response has put into a list with a search string stays there when a message changes another field', async () => {
  const { getList, get } = create(false);
  const found = { status: 'done', search: 'text' } as { status?: string };
  server.on('GET', '/todos/1', { body: rows.get(1)! });
  await controller.fetch(get, { id: 1 });
  // somebody else has closed the row since; the search does not contain the status
  server.on('GET', '/todos', { body: [{ id: 1, title: 't1' }] });
  await controller.fetch(getList, found);
  await controller.set(Todo, { id: 1 }, { title: 'new' });

  expect(ids(controller.get(getList.schema, found))).toEqual([1]);
  expect(controller.getResponse(getList, found).expiresAt).toBe(0);
});
