// Responses to bulk calls: only rows in the response are accepted.
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
  'rows that a bulk response omits lose their optimistic update and are stale; optimistic: %s',
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
  'a bulk change with an empty response does not bring a deleted row back; optimistic: %s',
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
  'the response to a bulk %s without any row makes all of its rows stale',
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
  'a row of which a bulk response contains only the key keeps the sent values, and is stale; optimistic: %s',
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

test('a bulk response with every row and the sent values makes nothing stale', async () => {
  const { controller, getList, bulk, titles, isFresh } = await startBulk(true, sent);

  await controller.fetch(bulk, sent);

  expect(titles()).toEqual(['a', 'b', 't3']);
  expect(isFresh(getList, {})).toBe(true);
});
