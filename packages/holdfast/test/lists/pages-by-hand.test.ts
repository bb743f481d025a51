// A further page that is read again by hand, without a page rule, while writes of this client are in flight: a row that the new
// response lacks stays, or the list is stale.
import { Controller, createResource, dehydrate, Entity, hydrate, orderBy, schema } from 'holdfast';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Post extends Entity {
  static override key = 'Post';
  id = '';
  rank = 0;
}

const posts = (ranks: Readonly<Record<string, number>>) => ({
  body: { posts: Object.entries(ranks).map(([id, rank]) => ({ id, rank })), next: '' },
});

/** A list of two pages that are both loaded, with the second one requested once more. */
async function start() {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  server.on('GET', '/posts', ({ query }) =>
    query.has('page') ? posts({ c: 3, d: 4 }) : posts({ a: 1, b: 2 }),
  );
  server.on('PATCH', '/posts/:id', ({ params, body }) => ({ body: { ...params, ...(body as object) } }));
  server.on('POST', '/posts', ({ body }) => ({ status: 201, body: { id: 'new', ...(body as object) } }));
  server.on('DELETE', '/posts/:id', () => ({}));
  const resource = createResource({
    urlPrefix: server.url,
    path: '/posts/:id',
    schema: Post,
    body: {} as { rank: number },
    paginationField: 'page',
  }).extend({
    getList: {
      schema: {
        posts: new schema.Collection([Post], { order: orderBy((left, right) => left.rank - right.rank) }),
        next: '',
      },
    },
  });
  const { getList } = resource;
  await controller.fetch(getList, {});
  const readPage = () => controller.fetch(getList.getPage, { page: '2' } as never); // cast: the token's name is an option
  await readPage();
  const held = server.hold('GET', '/posts');
  const reading = readPage();
  const page = await held.next();
  held.stop();
  const seen = () => controller.getResponse(getList, {});
  return {
    server,
    world,
    controller,
    resource,
    answer: async (ranks: Readonly<Record<string, number>>) => {
      page.release(posts(ranks));
      await reading;
    },
    ids: () =>
      seen()
        .data?.posts?.map(({ id }) => id)
        .join(' '),
    isFresh: () => seen().expiresAt > world.time.clock.now(),
  };
}

test('a page that lacks a row which an acknowledged write has moved meanwhile makes the list stale', async () => {
  const list = await start();
  await list.controller.fetch(list.resource.partialUpdate, { id: 'c' }, { rank: 0 });
  expect(list.ids()).toBe('c a b d');
  await list.answer({ d: 4, e: 5 });

  expect([list.ids(), list.isFresh()]).toEqual(['a b d e', false]);
});

test('a page that lacks a row without an acknowledged write makes the list stale: the row may be on another page', async () => {
  const list = await start();
  await list.answer({ d: 4, e: 5 });

  expect([list.ids(), list.isFresh()]).toEqual(['a b d e', false]);
});

test('a row that is created while the last page is read again makes the list stale', async () => {
  const list = await start();
  await list.controller.fetch(list.resource.getList.push, { rank: 9 });
  await list.answer({ c: 3, d: 4 });

  expect(list.isFresh()).toBe(false);
});

test('a row on a later page does not contradict the order of an earlier page', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const list = await start();
  await list.answer({ c: 3, d: 4 });
  await list.controller.fetch(list.resource.partialUpdate, { id: 'a' }, { rank: 3.5 });
  const restored = new Controller(list.world.options);
  hydrate(restored, dehydrate(list.controller));
  list.server.on('GET', '/posts', posts({ c: 3, a: 3.5, d: 4 }));
  await restored.fetch(list.resource.getList.getPage, { page: '2' } as never); // cast: the token's name is an option
  const { data, expiresAt } = restored.getResponse(list.resource.getList, {});

  expect(data?.posts?.map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd']);
  expect([expiresAt > list.world.time.clock.now(), warn.mock.calls]).toEqual([true, []]);
  warn.mockRestore();
});

test('a page with the same rows, or without one that is deleted, leaves the list fresh', async () => {
  const list = await start();
  await list.controller.fetch(list.resource.delete, { id: 'c' });
  await list.answer({ c: 3, d: 4 });

  expect([list.ids(), list.isFresh()]).toEqual(['a b d', true]);
});

test.each([false, true])(
  'a page of a list whose first page has changed leaves the list when a further page is read; restored before: %s',
  async (isRestored) => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const pages: Record<string, object[]> = { '': [{ id: 'a' }], 'x': [{ id: 'b' }], 'y': [{ id: 'c' }] };
    server.on('GET', '/posts', ({ query }) => ({ body: pages[query.get('page') ?? ''] }));
    const { getList } = createResource({
      urlPrefix: server.url,
      path: '/posts/:id',
      schema: Post,
      paginationField: 'page',
    });
    const readPage = (controller: Controller, page: string) =>
      controller.fetch(getList.getPage, { page } as never); // cast: the token's name is an option
    let controller = new Controller();
    await controller.fetch(getList);
    await readPage(controller, 'x');
    if (isRestored) {
      const saved = JSON.stringify(dehydrate(controller));
      controller = new Controller();
      hydrate(controller, saved);
    }

    pages[''] = [{ id: 'z' }];
    await controller.fetch(getList);
    await readPage(controller, 'y');

    const { data } = controller.getResponse(getList);
    expect(data?.map(({ id }) => id)).toEqual(['z', 'c']);
  },
);
