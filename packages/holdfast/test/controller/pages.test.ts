// Pages of a list through the public entries: each response contains the token of the next page, which decides whether the pages
// behind the first are still valid.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Message extends Entity {
  static override key = 'Message';
  id = '';
  text = '';
}

let server: TestServer;
let controller: Controller;
let world: FakeWorld;
let pages: Record<string, { results: object[]; cursor: string }>;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  controller = new Controller(world.options);
  pages = {
    first: { results: [{ id: '1' }, { id: '2' }], cursor: 'c1' },
    c1: { results: [{ id: '3' }, { id: '4' }], cursor: 'c2' },
  };
  server.on('GET', '/messages', ({ query }) => ({ body: pages[query.get('cursor') ?? 'first'] ?? {} }));
});
afterEach(() => server.close());

function createList() {
  const { getList } = createResource({
    urlPrefix: server.url,
    path: '/messages/:id',
    schema: Message,
    paginationField: 'cursor',
  }).extend({ getList: { schema: { results: new schema.Collection([Message]), cursor: '' } } });
  const seen = () => controller.getResponse(getList, {});
  return {
    getPage: getList.getPage,
    read: () => controller.fetch(getList, {}),
    readPage: (cursor: string) => controller.fetch(getList.getPage, { cursor } as never), // cast: the token's name is an option
    ids: () => seen().data?.results?.map((message) => message.id),
    isStale: () => seen().expiresAt === 0,
  };
}

test('another next-page token makes a list with further pages stale, and the pages are shown until the next one arrives', async () => {
  const list = createList();
  await list.read();
  await list.readPage('c1');
  expect(list.isStale()).toBe(false);

  pages['first'] = { results: [{ id: '0' }, { id: '1' }], cursor: 'd1' };
  await list.read();
  expect(list.ids()).toEqual(['0', '1', '3', '4']);
  expect(list.isStale()).toBe(true);

  pages['d1'] = { results: [{ id: '2' }, { id: '3' }], cursor: '' };
  await list.readPage('d1');
  expect(list.ids()).toEqual(['0', '1', '2', '3']);
  await list.read();
  expect(list.ids()).toEqual(['0', '1', '2', '3']);
  expect(list.isStale()).toBe(false);
});

test('the same token leaves further pages fresh, and so does another token where there are no further pages', async () => {
  const list = createList();
  await list.read();
  await list.readPage('c1');
  await list.read();
  expect(list.ids()).toEqual(['1', '2', '3', '4']);
  expect(list.isStale()).toBe(false);

  controller.resetEntireStore();
  await list.read();
  pages['first'] = { results: [{ id: '0' }], cursor: 'd1' };
  await list.read();
  expect(list.ids()).toEqual(['0']);
  expect(list.isStale()).toBe(false);
});

test('a reader of a page whose list was never requested does not fetch endlessly', async () => {
  const list = createList();
  const stop = controller.watch(list.getPage, { cursor: 'c1' } as never).subscribe(() => undefined); // cast: as above
  await breathe();
  await breathe();
  stop();

  expect(server.requests.length).toBeLessThan(3);
});

test.each(['time', 'other tokens', 'a lost row', 'expireAll', 'invalidateAll'])(
  'a reader of a page alone fetches it once when its list has expired, by %s',
  async (cause) => {
    const list = createList();
    await list.read();
    await list.readPage('c1');
    const stop = controller.watch(list.getPage, { cursor: 'c1' } as never).subscribe(() => undefined); // cast: as above
    await breathe();
    const before = server.requests.length;
    if (cause === 'time') await world.pass(90_000);
    else if (cause === 'other tokens') {
      pages['first'] = { results: [{ id: '0' }, { id: '1' }], cursor: 'd1' };
      await list.read();
    } else if (cause === 'a lost row') {
      pages['c1'] = { results: [{ id: '4' }], cursor: 'c2' };
      await list.readPage('c1');
    } else controller[cause as 'expireAll'](list.getPage);
    await breathe();
    await breathe();
    stop();

    const byHand = ['other tokens', 'a lost row'].includes(cause) ? 1 : 0;
    expect(server.requests.length - before - byHand).toBe(cause === 'a lost row' ? 0 : 1);
  },
);

test('a further page does not make the stale pages before it fresh', async () => {
  const list = createList();
  await list.read();
  await list.readPage('c1');
  expect(list.isStale()).toBe(false);
  pages['first'] = { results: [{ id: '0' }, { id: '1' }], cursor: 'd1' };
  await list.read();
  expect(list.isStale()).toBe(true);
  pages['e1'] = { results: [{ id: '5' }], cursor: '' };
  await list.readPage('e1');

  expect(list.isStale()).toBe(true);
});
