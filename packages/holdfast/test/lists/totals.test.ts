// Totals: the count of a list changes with every decision about its rows, also about rows on pages that are not loaded, and is
// restored when an optimistic update is rolled back. A real server counts.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  inPages,
  loadMore,
  schema,
  totalOf,
} from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { breathe, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Task extends Entity {
  static override key = 'Task';
  id = '';
  lane = '';
}

const SIZE = 2;

interface Start {
  readonly isOptimistic?: boolean;
  readonly isPaged?: boolean;
}

/** A server with tasks in two lanes, given as `abcd xy`, and the list of the first. */
async function start(given: string, { isOptimistic = false, isPaged = true }: Start = {}) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const [todo = '', done = ''] = given.split(' ');
  const lanes = new Map<string, string>([
    ...[...todo].map((id) => [id, 'todo'] as const),
    ...[...done].map((id) => [id, 'done'] as const),
  ]);
  const one = (id: string) => ({ id, lane: lanes.get(id) });
  server.on('GET', '/tasks', ({ query }) => {
    const all = [...lanes.keys()].filter((id) => lanes.get(id) === query.get('lane')).toSorted();
    const from = Number(query.get('page') ?? 1) * SIZE - SIZE;
    const page = isPaged ? all.slice(from, from + SIZE) : all;
    return { body: { meta: { total: all.length }, tasks: page.map(one) } };
  });
  server.on('GET', '/tasks/:id', ({ params }) => ({ body: one(params['id'] ?? '') }));
  server.on('POST', '/tasks', ({ body }) => {
    const { lane, id = 'n' } = body as { lane: string; id?: string };
    lanes.set(id, lane);
    return { status: 201, body: one(id) };
  });
  server.on('PATCH', '/tasks/:id', ({ params: { id = '' }, body }) => {
    lanes.set(id, (body as { lane: string }).lane);
    return { body: one(id) };
  });
  server.on('DELETE', '/tasks/:id', ({ params: { id = '' } }) => {
    lanes.delete(id);
    return { status: 204 };
  });
  const tasks = new schema.Collection([Task]);
  const resource = createResource({
    urlPrefix: server.url,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { lane: string },
    body: {} as { lane: string; id?: string },
    paginationField: 'page',
    optimistic: isOptimistic,
  }).extend({
    getList: {
      schema: { tasks, meta: { total: totalOf(tasks) } },
      pages: inPages({ by: 'number' }),
    },
  });
  const { getList } = resource;
  const seen = (from = controller) => from.getResponse(getList, { lane: 'todo' });
  return {
    server,
    world,
    controller,
    resource,
    lanes,
    seen,
    read: (lane = 'todo') => controller.fetch(getList, { lane }),
    more: () => loadMore(controller, getList, { lane: 'todo' }),
    get: (id: string) => controller.fetch(resource.get, { id }),
    create: (lane: string) => controller.fetch(getList.push, { lane }, { lane }),
    move: (id: string, lane: string) => controller.fetch(resource.partialUpdate, { id }, { lane }),
    remove: (id: string) => controller.fetch(resource.delete, { id }),
    total: (from = controller) => seen(from).data?.meta?.total,
    isFresh: () => seen().expiresAt > world.time.clock.now(),
    count: (lane: string) => [...lanes.values()].filter((one) => one === lane).length,
  };
}

test('a total counts a creation and a deletion', async () => {
  const list = await start('abcde');
  await list.read();
  expect(list.total()).toBe(5);
  await list.create('todo');
  expect([list.total(), list.isFresh()]).toEqual([6, true]);
  await list.remove('a');
  expect(list.total()).toBe(5);
});

test('a creation in a list without filters is counted, without a request', async () => {
  const list = await start('abcde');
  const { getList } = list.resource;
  const all = new schema.Collection([Task]);
  const getAll = getList.extend({
    path: '/all',
    searchParams: undefined,
    schema: { tasks: all, meta: { total: totalOf(all) } },
  });
  list.server.on('GET', '/all', ({ query }) => {
    const from = Number(query.get('page') ?? 1) * SIZE - SIZE;
    const ids = [...list.lanes.keys()];
    const tasks = ids.slice(from, from + SIZE).map((id) => ({ id, lane: list.lanes.get(id) }));
    return { body: { meta: { total: ids.length }, tasks } };
  });
  list.server.on('POST', '/all', ({ body }) => {
    const { lane } = body as { lane: string };
    list.lanes.set('n', lane);
    return { status: 201, body: { id: 'n', lane } };
  });
  const seen = () => list.controller.getResponse(getAll);
  await list.controller.fetch(getAll);

  await list.controller.fetch(getAll.push, { lane: 'todo' });

  expect(seen().data?.meta?.total).toBe(6);
  expect(seen().expiresAt).toBeGreaterThan(list.world.time.clock.now());
});

test('a row that moves to another list is counted there', async () => {
  const list = await start('abcde xyz');
  await list.read('done');
  await list.read();
  await list.move('x', 'todo');
  expect([list.total(), list.isFresh()]).toEqual([6, true]);
  await list.move('a', 'done');
  expect([list.total(), list.isFresh()]).toEqual([5, true]);
  expect(list.controller.getResponse(list.resource.getList, { lane: 'done' }).data?.meta?.total).toBe(3);
});

test('a message that a known row has moved between two other lists leaves the list fresh', async () => {
  const list = await start('abcde xy');
  await list.read();
  await list.read('done');
  await list.controller.setResponse(
    list.resource.getList.push,
    { lane: 'late' },
    { lane: 'late' },
    { id: 'x', lane: 'late' },
  );
  expect([list.total(), list.isFresh()]).toEqual([5, true]);
});

test('a known row on a page that is not loaded is subtracted when it is deleted or moves away', async () => {
  const list = await start('abcde');
  await list.read();
  await list.get('d');
  await list.get('e');
  await list.remove('e');
  expect([list.total(), list.isFresh()]).toEqual([4, true]);
  await list.move('d', 'done');
  expect([list.total(), list.isFresh()]).toEqual([3, true]);
});

test('a known row on a page that is not loaded is not counted twice when its response shows it in the list', async () => {
  const list = await start('abcde');
  await list.read();
  await list.get('e');
  await list.move('e', 'todo');
  expect(list.total()).toBe(5);
});

test('after the deletion of an unknown row the total is uncertain: the list is stale', async () => {
  const list = await start('abcde');
  await list.read();
  await list.remove('e');
  expect(list.isFresh()).toBe(false);
  await list.read();
  expect([list.total(), list.isFresh()]).toEqual([4, true]);
});

test('where all rows are loaded no total is stale', async () => {
  const list = await start('abcde x', { isPaged: false });
  await list.read();
  await list.remove('x');
  expect([list.total(), list.isFresh()]).toEqual([5, true]);
  await list.move('e', 'done');
  expect([list.total(), list.isFresh()]).toEqual([4, true]);
});

test('an optimistic creation is counted, and not any more when it is rolled back', async () => {
  const list = await start('abcde xy', { isOptimistic: true });
  await list.read('done');
  await list.read();
  await list.get('e');
  const seen: unknown[] = [];
  list.server.on('DELETE', '/tasks/:id', () => ({ status: 409 }));
  list.server.on('POST', '/tasks', () => ({ status: 409 }));
  list.server.on('PATCH', '/tasks/:id', () => ({ status: 409 }));
  const calls = [() => list.create('todo'), () => list.remove('a'), () => list.remove('e')];
  calls.push(
    () => list.move('x', 'todo'),
    () => list.move('e', 'done'),
  );
  for (const call of calls) {
    const ended = call().catch(() => undefined);
    seen.push(list.total());
    await ended;
    seen.push(list.total());
  }
  expect(seen).toEqual([6, 5, 4, 5, 4, 5, 6, 5, 4, 5]);
});

test('readers of the total are notified of an optimistic update of a row on a page that is not loaded', async () => {
  const list = await start('abcde', { isOptimistic: true });
  await list.read();
  await list.get('e');
  const observer = list.controller.watch(list.resource.getList, { lane: 'todo' });
  const told: unknown[] = [];
  const stop = observer.subscribePassively(() => told.push(observer.read().data?.meta.total));
  const ended = list.remove('e');
  expect(told).toEqual([4]);
  await ended;
  expect([list.total(), told.at(-1)]).toEqual([4, 4]);
  stop();
});

test('a created row is added to the response of a list that was requested before the creation', async () => {
  const list = await start('abcde');
  await list.read();
  const held = list.server.hold('GET', '/tasks');
  const reading = list.read();
  const first = await held.next();
  held.stop();
  await list.create('todo');
  first.release();
  await reading;
  // the server may have counted it or not: the shown total is approximate, and is read again
  expect(list.isFresh()).toBe(false);
  await list.read();
  expect([list.total(), list.isFresh()]).toEqual([6, true]);
});

test('further pages keep the total, and the page that was requested last decides it', async () => {
  const list = await start('abcde');
  await list.read();
  await list.more();
  expect(list.total()).toBe(5);
  list.lanes.set('f', 'todo');
  await list.more();
  expect(list.total()).toBe(6);
  await list.read();
  await breathe();
  expect([list.total(), list.seen().data?.tasks?.length, list.isFresh()]).toEqual([6, 6, true]);
});

test('a saved state contains the shown total', async () => {
  const list = await start('abcde');
  await list.read();
  await list.create('todo');
  const other = new Controller(new FakeWorld().options);
  hydrate(other, JSON.parse(JSON.stringify(dehydrate(list.controller))));
  expect(list.total(other)).toBe(6);
  await other.fetch(list.resource.delete, { id: 'a' });
  expect(list.total(other)).toBe(5);
});

test('a total that is no number is kept unchanged', async () => {
  const list = await start('abcde');
  list.server.on('GET', '/tasks', () => ({
    body: { meta: { total: 'many' }, tasks: [{ id: 'a', lane: 'todo' }] },
  }));
  await list.read();
  await list.create('todo');
  expect(list.total()).toBe('many');
});
