// Answers to bulk calls: only rows that the answer names are accepted.
import { Invalidate, RestEndpoint } from 'holdfast';
import { expect, test } from 'vitest';
import { start, Todo } from './harness.ts';

async function startBulk(optimistic: boolean, body: unknown) {
  const started = await start();
  const { getList } = started.todos();
  const bulk = new RestEndpoint({
    urlPrefix: started.server.url,
    path: '/todos',
    method: 'PATCH',
    body: [] as Partial<Todo>[],
    schema: [Todo],
    optimistic,
  });
  await started.controller.fetch(getList, {});
  started.server.on('PATCH', '/todos', { body });
  const titles = () => started.controller.getResponse(getList, {}).data?.map(({ title }) => title);
  return { ...started, getList, bulk, titles };
}

const sent = [
  { id: 1, title: 'a' },
  { id: 2, title: 'b' },
];

test.each([true, false])(
  'rows that a bulk answer does not name lose their guess and are in doubt; optimistic: %s',
  async (optimistic) => {
    const { controller, getList, bulk, titles, isFresh } = await startBulk(optimistic, [
      { id: 1, title: 'a' },
    ]);

    const changing = controller.fetch(bulk, sent);
    expect(titles()).toEqual(optimistic ? ['a', 'b', 't3'] : ['t1', 't2', 't3']);
    await changing;

    expect(titles()).toEqual(['a', 't2', 't3']);
    expect(isFresh(getList, {})).toBe(false);
  },
);

test.each([true, false])(
  'a bulk change that is answered with nothing does not bring a deleted row back; optimistic: %s',
  async (optimistic) => {
    const started = await startBulk(optimistic, null);
    const { controller, bulk, titles, server } = started;
    server.on('PATCH', '/todos', { status: 204 });
    server.on('DELETE', '/todos/2', { status: 204 });

    await Promise.all([controller.fetch(started.todos().delete, { id: 2 }), controller.fetch(bulk, sent)]);

    expect(titles()).toEqual(['a', 't3']);
    expect(controller.get(Todo, { id: 2 })).toBeUndefined();
  },
);

test.each(['PATCH', 'DELETE'] as const)(
  'the answer to a bulk %s that names no row puts all of them in doubt',
  async (method) => {
    const { controller, getList, bulk, titles, isFresh, server } = await startBulk(true, []);
    server.on('DELETE', '/todos', { body: [] });
    const schema = method === 'DELETE' ? [new Invalidate(Todo)] : [Todo];

    await controller.fetch(bulk.extend({ method, schema }), sent);

    expect(titles()).toEqual(['t1', 't2', 't3']);
    expect(isFresh(getList, {})).toBe(false);
  },
);

test.each([true, false])(
  'a row that a bulk answer names by its key alone keeps what was sent, and is in doubt; optimistic: %s',
  async (optimistic) => {
    const { controller, getList, bulk, titles, isFresh } = await startBulk(optimistic, [
      { id: 1 },
      { id: 2 },
    ]);

    await controller.fetch(bulk, sent);

    expect(titles()).toEqual(['a', 'b', 't3']);
    expect(isFresh(getList, {})).toBe(false);
  },
);

test('a bulk answer that names every row with what was sent puts nothing in doubt', async () => {
  const { controller, getList, bulk, titles, isFresh } = await startBulk(true, sent);

  await controller.fetch(bulk, sent);

  expect(titles()).toEqual(['a', 'b', 't3']);
  expect(isFresh(getList, {})).toBe(true);
});
