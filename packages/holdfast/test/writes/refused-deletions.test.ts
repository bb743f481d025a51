// Deletions with an unexpected end: the row was deleted already, or the response contains another row.
import { expect, test } from 'vitest';
import { breathe, failureOf } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';

test.each([
  [404, true],
  [404, false],
  [410, true],
  [410, false],
])(
  'a DELETE with response %i rejects, the row is removed and its lists are stale; optimistic: %s',
  async (status, optimistic) => {
    const { server, controller, todos, isFresh } = await start();
    const { getList, delete: remove } = todos({ optimistic });
    await controller.fetch(getList, {});
    server.on('DELETE', '/todos/1', { status });

    expect(await failureOf(controller.fetch(remove, { id: 1 }))).toMatchObject({
      code: 'HTTP_ERROR',
      status,
    });

    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    expect(controller.getResponse(getList, {}).data?.map(({ id }) => id)).toEqual([2, 3]);
    expect(isFresh(getList, {})).toBe(false);
  },
);

test('a row whose deletion gets 404 does not come back on screen, and the list is read again', async () => {
  const { server, rows, controller, reads, todos, show } = await start();
  const { getList, delete: remove } = todos();
  await controller.fetch(getList, {});
  const shown = show((all) => all.map(({ title }) => title).join(' '), getList, {});
  rows.delete('1');
  server.on('DELETE', '/todos/1', { status: 404 });

  await failureOf(controller.fetch(remove, { id: 1 }));
  await breathe();

  expect(shown).toEqual(['t1 t2 t3', 't2 t3']);
  expect(reads()).toHaveLength(2);
});

test.each([true, false])(
  'a DELETE whose response has the key of another row removes that row and makes the requested row stale; optimistic: %s',
  async (optimistic) => {
    const { server, controller, todos, isFresh } = await start();
    const { get, getList, delete: remove } = todos({ optimistic });
    await controller.fetch(getList, {});
    await controller.fetch(get, { id: 1 });
    server.on('DELETE', '/todos/1', { body: { id: 2 } });

    await controller.fetch(remove, { id: 1 });

    expect(controller.getResponse(getList, {}).data?.map(({ id }) => id)).toEqual([1, 3]);
    expect(isFresh(get, { id: 1 })).toBe(false);
  },
);
