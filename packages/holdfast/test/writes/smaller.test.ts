// Smaller rules of optimistic updates: they end with what the server did, and show no data that was not sent.
import { expect, test } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import { start, Todo, withQueue } from './harness.ts';

test.each(['move', 'partialUpdate'] as const)(
  'a row whose deletion was acknowledged is removed, although %s of the row is still pending',
  async (name) => {
    const { server, controller, send, todos } = await start();
    const resource = todos({ searchParams: {} as { status?: string } });
    const { getList, delete: remove } = resource;
    const [open, done] = [{ status: 'open' } as never, { status: 'done' } as never]; // cast: the resource's options are loose here
    server.on('GET', '/todos', ({ query }) => ({
      body: query.get('status') === 'done' ? [] : [{ id: 1, title: 't1', status: 'open', votes: 0 }],
    }));
    await controller.fetch(getList, open);
    await controller.fetch(getList, done);
    const ids = () =>
      [open, done].map((args) => controller.getResponse(getList, args).data?.map(({ id }) => id));
    const held = server.hold('PATCH', '/todos/1');
    // in no queue: else the deletion would wait for it. cast: both take the same
    const change =
      name === 'move' ? (getList.move as never as typeof resource.partialUpdate) : resource.partialUpdate;
    const free = withQueue(change, null);
    const moving = send(free, { id: 1 }, { status: 'done' });
    const patch = await held.next();
    expect(ids()).toEqual([[], [1]]);

    await controller.fetch(withQueue(remove, null), { id: 1 });
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    expect(ids()).toEqual([[], []]);

    patch.release({ body: { id: 1, title: 't1', status: 'done', votes: 0 } });
    await moving;
    await breathe();
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    expect(ids()).toEqual([[], []]);
  },
);

test('an optimistic update of a row that was never loaded shows no row, and readers wait for the server', async () => {
  const { server, controller, send, todos, show } = await start();
  const { get, partialUpdate } = todos();
  const patching = server.hold('PATCH', '/todos/1');
  const getting = server.hold('GET', '/todos/1');
  const changing = send(partialUpdate, { id: 1 }, { title: 'x' });
  const patch = await patching.next();

  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
  expect(controller.watch(get, { id: 1 }).read().isBlocked).toBe(true);
  const shown = show(({ title, status }) => `${title} ${status}`, get, { id: 1 });
  await getting.next();
  getting.releaseAll();
  patch.release();
  await changing;
  await breathe();

  expect(shown).toEqual(['', 'x open']);
});

test('a pending change is applied over a row that arrives meanwhile', async () => {
  const { server, controller, send, todos } = await start();
  const { getList, partialUpdate } = todos();
  server.hold('PATCH', '/todos/1');
  void send(partialUpdate, { id: 1 }, { title: 'x' });

  server.on('GET', '/todos', { body: [{ id: 1, title: 't1', status: 'open', votes: 3 }] });
  await controller.fetch(getList, {});

  expect(controller.getResponse(getList, {}).data).toMatchObject([
    { id: 1, title: 'x', status: 'open', votes: 3 },
  ]);
});

test.each([204, 409])(
  'a change of a row that was never loaded, with response %i, makes readers fetch the row',
  async (status) => {
    const { server, rows, controller, send, todos, show } = await start();
    const { get, partialUpdate } = todos();
    server.on('PATCH', '/todos/1', ({ body }) => {
      if (status === 204) rows.set('1', { ...rows.get('1'), ...(body as object) });
      return { status };
    });
    await send(partialUpdate, { id: 1 }, { title: 'x' }).catch(() => undefined);

    const shown = show(({ title, status: state }) => `${title} ${state}`, get, { id: 1 });
    await until(() => shown.length > 1);

    expect(shown).toEqual(['', status === 204 ? 'x open' : 't1 open']);
    expect(controller.get(Todo, { id: 1 })?.votes).toBe(0);
  },
);
