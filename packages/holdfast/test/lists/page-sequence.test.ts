// The loaded pages of a list are one list: read again in order, each with the token of the new response before it, and replaced
// at once. A real server pages its rows by cursor, number or offset.
import { Controller, createResource, dehydrate, Entity, hydrate, inPages, loadMore, schema } from 'holdfast';
import { expect, onTestFinished, test, vi } from 'vitest';
import { breathe, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { Reply } from '../support/server.ts';

class Post extends Entity {
  static override key = 'Post';
  id = '';
  text = '';
}

const SIZE = 2;

const ways: Record<string, inPages.Options> = {
  cursor: { next: 'meta.next' },
  number: { by: 'number' },
  offset: { by: 'offset' },
  header: { next: (_answer, response) => response?.headers.get('x-next') },
  // the tokens of these two are page numbers and offsets
  page: { next: 'meta.page' },
  skip: { next: 'meta.skip' },
};

/** The ways in which a page is requested by its position. */
const positions = ['number', 'offset', 'page', 'skip'] as const;

/** A server with posts in pages of two, and the list of them. */
async function start(way: keyof typeof ways, options: inPages.Options = {}, ids = 'abcdefgh') {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  let posts = [...ids];
  /** The change on the server right after the response to the page with this token. */
  let behind: ((token: string) => void) | undefined;
  server.on('GET', '/posts', ({ query }): Reply => {
    const token = query.get('page') ?? '';
    const from =
      way === 'number' || way === 'page'
        ? (Number(token || 1) - 1) * SIZE
        : way === 'offset' || way === 'skip'
          ? Number(token || 0)
          : token === ''
            ? 0
            : posts.findIndex((id) => id > token);
    const page = from < 0 ? [] : posts.slice(from, from + SIZE);
    const next = posts.some((id) => id > (page.at(-1) ?? '~')) ? (page.at(-1) ?? '') : '';
    const total = posts.length;
    behind?.(token);
    return {
      headers: { 'x-next': next, 'x-total-count': String(total) },
      body: {
        posts: page.map((id) => ({ id, text: '' })),
        meta: {
          next,
          total,
          page: next && String((from + SIZE) / SIZE + 1),
          skip: next && from + SIZE,
        },
      },
    };
  });
  server.on('DELETE', '/posts/:id', ({ params }) => {
    posts = posts.filter((id) => id !== params['id']);
    return {};
  });
  const resource = createResource({
    urlPrefix: server.url,
    path: '/posts/:id',
    schema: Post,
    paginationField: 'page',
  }).extend({
    getList: {
      schema: { posts: new schema.Collection([Post]), meta: { next: '', total: 0 } },
      pages: inPages({ ...ways[way], ...options }),
    },
  });
  const { getList } = resource;
  const seen = () => controller.getResponse(getList, {});
  return {
    server,
    world,
    controller,
    resource,
    getList,
    read: () => controller.fetch(getList, {}),
    more: () => loadMore(controller, getList, {}),
    seen,
    ids: () =>
      seen()
        .data?.posts?.map(({ id }) => id)
        .join(''),
    isFresh: () => seen().expiresAt > world.time.clock.now(),
    asked: () => server.seen('GET', '/posts').map(({ query }) => query.get('page') ?? '-'),
    change: (make: (now: readonly string[]) => readonly string[]) => (posts = [...make(posts)]),
    setBehind: (run: typeof behind) => (behind = run),
  };
}

const everyWay = Object.keys(ways) as (keyof typeof ways)[];

test.each(everyWay)('%s: pages are loaded one behind the other, and read again as one list', async (way) => {
  const list = await start(way);
  await list.read();
  await list.more();
  await list.more();
  expect(list.ids()).toBe('abcdef');
  const before = list.seen().data;
  const asked = list.asked();
  await list.read();

  expect([list.ids(), list.isFresh()]).toEqual(['abcdef', true]);
  expect(list.asked().slice(3)).toEqual(asked.slice(0, 3));
  // nothing has changed: every reference is kept
  expect(list.seen().data).toBe(before);
});

test.each(everyWay)(
  '%s: a row that another client inserts causes no lost and no repeated row',
  async (way) => {
    const list = await start(way);
    await list.read();
    await list.more();
    list.change((posts) => ['Z', ...posts]);
    await list.read();
    expect([list.ids(), list.isFresh()]).toEqual(['Zabc', true]);
    await list.more();

    expect([list.ids(), list.isFresh()]).toEqual(['Zabcde', true]);
  },
);

test('the shown tokens are those of the last page, and the list ends with it', async () => {
  const list = await start('cursor', {}, 'abcd');
  await list.read();
  expect(list.seen().data?.meta).toMatchObject({ next: 'b', total: 4 });
  await list.more();
  expect(list.seen().data?.meta).toMatchObject({ next: '', total: 4 });
  await list.read();
  expect(list.seen().data?.meta).toMatchObject({ next: '', total: 4 });
  await list.more();

  expect(list.asked()).toEqual(['-', 'b', '-', 'b']);
});

test('the old list is shown whole until the last page has arrived, and its readers are notified once', async () => {
  const list = await start('cursor');
  await list.read();
  await list.more();
  const heard: string[] = [];
  const observer = list.controller.watch(list.getList, {});
  const stop = observer.subscribe(() => heard.push(list.ids() ?? ''));
  list.change((posts) => ['Z', ...posts]);
  const held = list.server.hold('GET', '/posts');
  const reading = list.read();
  (await held.next()).release();
  const second = await held.next();
  expect(list.ids()).toBe('abcd');
  second.release();
  await reading;
  stop();

  expect([list.ids(), heard.filter((ids) => ids !== 'abcd')]).toEqual(['Zabc', ['Zabc']]);
});

test('the old list stays, stale and with the error, where a page fails', async () => {
  const list = await start('cursor');
  await list.read();
  await list.more();
  list.change((posts) => ['Z', ...posts]);
  list.controller.expireAll(list.getList);
  const held = list.server.hold('GET', '/posts');
  const reading = list.read();
  (await held.next()).release();
  (await held.next()).release({ status: 400 });
  await expect(reading).rejects.toThrow('400');
  held.stop();

  expect([list.ids(), list.isFresh()]).toEqual(['abcd', false]);
  expect(list.controller.getError(list.getList, {})).toMatchObject({ status: 400 });
});

test('a page that fails to load leaves the list as it is, and is tried again', async () => {
  const list = await start('cursor');
  await list.read();
  const held = list.server.hold('GET', '/posts');
  const loading = list.more();
  (await held.next()).release({ status: 400 });
  await expect(loading).rejects.toThrow('400');
  held.stop();
  expect([list.ids(), list.isFresh(), list.controller.getError(list.getList, {})]).toEqual([
    'ab',
    true,
    undefined,
  ]);
  await list.more();

  expect(list.ids()).toBe('abcd');
});

test('pages with cursors that are falling numbers are stored in the order in which they were loaded', async () => {
  const list = await start('cursor', { next: 'meta.next' }, '');
  list.server.on('GET', '/posts', ({ query }) => {
    const from = Number(query.get('page') ?? 100);
    const next = from > 20 ? from - 40 : '';
    return {
      body: { posts: [from, from - 1].map((id) => ({ id: ` ${id}`, text: '' })), meta: { next, total: 0 } },
    };
  });
  await list.read();
  await list.more();
  await list.more();

  expect(list.ids()).toBe(' 100 99 60 59 20 19');
});

test('a repeated token ends the list, with a code', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const list = await start('cursor', { next: () => 'b' });
  await list.read();
  await list.more();
  await list.more();
  expect(list.ids()).toBe('abcd');
  await list.read();
  await list.more();

  expect([list.ids(), list.asked()]).toEqual(['abcd', ['-', 'b', '-', 'b']]);
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('PAGE_REPEATED')]);
  warn.mockRestore();
});

test.each([undefined, null, '', Number.NaN, {}])('%s is no token: the list ends', async (token) => {
  const list = await start('cursor', { next: () => token as string });
  await list.read();
  await list.more();

  expect(list.asked()).toEqual(['-']);
});

test('an empty page ends the list', async () => {
  const list = await start('number', {}, 'abcd');
  await list.read();
  for (let times = 0; times < 4; times += 1) await list.more();

  expect([list.ids(), list.asked()]).toEqual(['abcd', ['-', '2', '3']]);
});

test('a total ends the list without an empty page', async () => {
  const list = await start('number', { total: 'meta.total' }, 'abcd');
  await list.read();
  for (let times = 0; times < 4; times += 1) await list.more();

  expect([list.ids(), list.asked()]).toEqual(['abcd', ['-', '2']]);
});

test.each(positions)('%s: pages whose rows shift while they are read are read again', async (way) => {
  const list = await start(way);
  await list.read();
  await list.more();
  let isOnce = true;
  list.setBehind((token) => {
    if (token === '' && isOnce) list.change((posts) => ['Z', ...posts]);
    isOnce = false;
  });
  await list.read();

  expect([list.ids(), list.isFresh()]).toEqual(['Zabc', true]);
  expect(list.asked()).toHaveLength(2 + 4);
});

test('after rows have shifted too often the read is given up, and the old list stays', async () => {
  const list = await start('number');
  await list.read();
  await list.more();
  let added = 0;
  list.setBehind((token) => {
    if (token === '') list.change((posts) => [`Z${(added += 1)}`, ...posts]);
  });
  list.controller.expireAll(list.getList);
  await expect(list.read()).rejects.toThrow('PAGES_SHIFTED');

  expect([list.ids(), list.isFresh()]).toEqual(['abcd', false]);
  expect(list.asked()).toHaveLength(2 + 6);
});

test('a total in a header ends the list without an empty page, and a missing header does not end it', async () => {
  const totalIn = (name: string): inPages.Finder<number> => {
    return (_answer, response) => Number(response?.headers.get(name) ?? Number.NaN);
  };
  const list = await start('number', { total: totalIn('X-Total-Count') }, 'abcd');
  const other = await start('number', { total: totalIn('X-Missing') }, 'abcd');
  for (const { read, more } of [list, other]) {
    await read();
    for (let times = 0; times < 4; times += 1) await more();
  }

  expect([list.ids(), list.asked()]).toEqual(['abcd', ['-', '2']]);
  expect([other.ids(), other.asked()]).toEqual(['abcd', ['-', '2', '3']]);
});

test('another total in the middle of the pages means that rows have shifted', async () => {
  const list = await start('number', { total: 'meta.total' });
  await list.read();
  await list.more();
  let isOnce = true;
  list.setBehind((token) => {
    if (token === '' && isOnce) list.change((posts) => posts.filter((id) => id !== 'a'));
    isOnce = false;
  });
  await list.read();

  expect([list.ids(), list.isFresh()]).toEqual(['bcde', true]);
});

test.each(positions)('%s: deleting a row of a loaded page loses no other row', async (way) => {
  const list = await start(way);
  await list.read();
  await list.more();
  await list.controller.fetch(list.resource.delete, { id: 'b' });
  await list.more();

  expect(list.ids()).toMatch(/^acdef/);
});

test.each(positions)('%s: a row that occurs twice causes the pages to be read again', async (way) => {
  const list = await start(way);
  const observer = list.controller.watch(list.getList, {});
  const stop = observer.subscribe(() => {});
  await list.read();
  list.change((posts) => ['Z', ...posts]);
  await list.more();
  await breathe();
  stop();

  expect([list.ids(), list.isFresh()]).toEqual(['Zabc', true]);
});

test('whole numbers that are cursors cost no second read, where the rule says so', async () => {
  const list = await start('cursor', { by: 'cursor', next: 'meta.next' }, '2468');
  await list.read();
  await list.controller.fetch(list.resource.delete, { id: '2' });
  await list.more();

  expect([list.ids(), list.asked()]).toEqual(['468', ['-', '4']]);
});

test('tokens that are numbers give a stale list, and no error, where each page repeats the last row', async () => {
  const list = await start('page', {}, '');
  list.server.on('GET', '/posts', ({ query }) => {
    const at = Number(query.get('page') ?? 1);
    const posts = ['abcdefgh'[at - 1], 'abcdefgh'[at]].map((id) => ({ id, text: '' }));
    return { body: { posts, meta: { next: '', total: 8, page: at + 1 } } };
  });
  await list.read();
  await list.more();
  await list.read();

  expect([list.ids(), list.isFresh()]).toEqual(['abc', false]);
});

test('calls while a page is loaded join it, and a read in flight finishes first', async () => {
  const list = await start('cursor');
  await list.read();
  const reading = list.read();
  await Promise.all([list.more(), list.more(), reading, list.more()]);

  expect([list.ids(), list.asked()]).toEqual(['abcd', ['-', '-', 'b']]);
});

test('a page that is requested while the list is read continues the new list', async () => {
  const list = await start('cursor');
  await list.read();
  list.change((posts) => ['Z', ...posts]);
  const held = list.server.hold('GET', '/posts');
  const reading = list.read();
  const loading = list.more();
  (await held.next()).release();
  held.releaseAll();
  await Promise.all([reading, loading]);

  expect([list.ids(), list.isFresh()]).toEqual(['Zabc', true]);
});

test('a page that no longer continues the list is requested again with the fresh token', async () => {
  const list = await start('cursor');
  await list.read();
  const held = list.server.hold('GET', '/posts');
  const loading = list.more();
  const page = await held.next();
  held.stop();
  list.change((posts) => ['Z', ...posts]);
  await list.read();
  page.release();
  await loading;

  expect([list.ids(), list.isFresh(), list.asked()]).toEqual(['Zabc', true, ['-', 'b', '-', 'a']]);
});

test('`most` limits how many pages are read again', async () => {
  const list = await start('cursor', { most: 2 });
  await list.read();
  await list.more();
  await list.more();
  await list.read();
  expect([list.ids(), list.asked().slice(3)]).toEqual(['abcd', ['-', 'b']]);
  await list.more();

  expect(list.ids()).toBe('abcdef');
});

test.each([
  { most: 0, next: 'n' },
  { most: -1, next: 'n' },
  { most: Number.NaN, next: 'n' },
  {},
  { next: 'n', by: 'number' },
  { by: 'cursor' },
])('inPages(%o) is refused', (options) => {
  expect(() => inPages(options as inPages.Options)).toThrow('PAGES_INVALID');
});

test.each(everyWay)('%s: a restored list is read again whole, and can load more', async (way) => {
  const list = await start(way);
  await list.read();
  await list.more();
  const restored = new Controller(list.world.options);
  hydrate(restored, dehydrate(list.controller));
  const ids = () =>
    restored
      .getResponse(list.getList, {})
      .data?.posts?.map(({ id }) => id)
      .join('');
  await loadMore(restored, list.getList, {});
  // the rows before the tokens of its pages may have changed since
  expect([ids(), list.asked().length]).toEqual(['abcdef', 2 + 3]);
  await restored.fetch(list.getList, {});

  expect(ids()).toBe('abcdef');
});

test('expireAll and invalidateAll reach every page', async () => {
  const list = await start('cursor');
  const stop = list.controller.watch(list.getList, {}).subscribe(() => {});
  await list.read();
  await list.more();
  list.change((posts) => posts.filter((id) => id !== 'c'));
  list.controller.expireAll(list.getList);
  await breathe();
  expect([list.ids(), list.isFresh()]).toEqual(['abde', true]);
  list.change((posts) => posts.filter((id) => id !== 'd'));
  list.controller.invalidateAll(list.getList);
  await breathe();
  stop();

  expect([list.ids(), list.isFresh()]).toEqual(['abef', true]);
});

test('a list that became shorter has fewer pages', async () => {
  const list = await start('cursor');
  await list.read();
  await list.more();
  await list.more();
  list.change(() => ['a', 'c', 'd']);
  await list.read();

  expect([list.ids(), list.isFresh(), list.asked().slice(3)]).toEqual(['acd', true, ['-', 'c']]);
});

test('a page that does not continue the list is refused', async () => {
  const list = await start('cursor');
  await list.read();
  const asking = list.controller.fetch(list.getList.getPage, { page: 'd' } as never); // cast: the token's name is an option
  await expect(asking).rejects.toThrow('PAGE_OUTDATED');

  expect(list.ids()).toBe('ab');
});

test('loadMore on an endpoint without paginationField, and on one without pages, fails with a message', async () => {
  const { controller, getList } = await start('cursor');
  const nameless = getList.extend({ paginationField: undefined as never });
  await controller.fetch(nameless, {});
  await expect(loadMore(controller, nameless, {})).rejects.toThrow('PAGES_WITHOUT_FIELD');
  await expect(loadMore(controller, getList.extend({ pages: undefined }), {})).rejects.toThrow(
    'PAGES_MISSING',
  );
});
