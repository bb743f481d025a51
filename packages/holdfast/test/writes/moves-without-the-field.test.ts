// A change that the response does not repeat moves its row between lists, and is accepted only until the row is read: the list
// that the row left is stale too, not only the one that it entered.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Task extends Entity {
  static override key = 'UnsaidTask';
  id = '';
  status = '';
}

test.each([
  ['a change of one row', false],
  ['a change of many rows', true],
])('%s with an empty response makes the lists of the row stale', async (_name, isMany) => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const { getList, partialUpdate } = createResource({
    urlPrefix: server.url,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { status: string },
    body: {} as object,
    optimistic: true,
  });
  const patchMany = getList.extend({
    method: 'PATCH',
    schema: [Task],
    searchParams: undefined,
    body: [] as object[],
  });
  server.on('GET', '/tasks', ({ query }) => ({
    body: query.get('status') === 'done' ? [{ id: '1', status: 'done' }] : [],
  }));
  await controller.fetch(getList, { status: 'done' });
  await controller.fetch(getList, { status: 'open' });
  server.on('PATCH', '/tasks', { status: 204 });
  server.on('PATCH', '/tasks/:id', { status: 204 });

  const look = (status: string) => {
    const { data, expiresAt } = controller.getResponse(getList, { status });
    return [data?.map(({ id }) => id), expiresAt > world.time.clock.now()];
  };
  const call = isMany
    ? controller.fetch(patchMany, [{ id: '1', status: 'open' }])
    : controller.fetch(partialUpdate, { id: '1' }, { status: 'open' });
  expect(look('done')).toEqual([[], true]);
  await call;

  expect(look('open')).toEqual([['1'], false]);
  expect(look('done')).toEqual([[], false]);
});

test.each([
  ['optimistic', true],
  ['not optimistic', false],
])(
  'an action without a body and with an empty response makes every list of the table stale: %s',
  async (_name, isOptimistic) => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const world = new FakeWorld();
    const controller = new Controller(world.options);
    const { get, getList } = createResource({
      urlPrefix: server.url,
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { status: string },
      optimistic: isOptimistic,
    });
    const close = get.extend({ path: '/tasks/:id/close', method: 'POST', body: undefined });
    let status = 'open';
    server.on('GET', '/tasks', ({ query }) => ({
      body: query.get('status') === status ? [{ id: '1', status }] : [],
    }));
    server.on('POST', '/tasks/:id/close', () => {
      status = 'done';
      return { status: 204 };
    });
    await controller.fetch(getList, { status: 'done' });
    await controller.fetch(getList, { status: 'open' });

    const task = await controller.fetch(close, { id: '1' });

    expect(task).toMatchObject({ id: '1' });
    for (const filter of ['open', 'done'])
      expect(controller.getResponse(getList, { status: filter }).expiresAt, filter).toBe(0);
  },
);
