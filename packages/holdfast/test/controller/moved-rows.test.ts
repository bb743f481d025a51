// Rows that a mutation moves between lists: which lists are right afterwards, and which have to be asked for again.
import { Controller, createResource, Entity } from 'holdfast';
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

test('a row that its creation put into a sorted list, and a later answer moves there, leaves the list stale', async () => {
  const { getList, partialUpdate } = create(false);
  const sorted = { status: 'open', orderBy: 'title' };
  await controller.fetch(getList, sorted);
  const isStale = (): boolean => controller.getResponse(getList, sorted).expiresAt === 0;
  // the parameters put it there, whatever its own status is
  await controller.fetch(getList.push, { status: 'open' }, { title: 'a', status: 'done' });
  expect(ids(controller.get(getList.schema, sorted))).toEqual([1, 2, 3, 4]);
  expect(isStale()).toBe(false);

  await controller.fetch(partialUpdate, { id: 4 }, { status: 'open' });

  expect(isStale()).toBe(true);
});
