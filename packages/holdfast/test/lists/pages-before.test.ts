// Pages in front of the first one: a list that opens in its middle or at its end grows at both ends and stays one list. A real
// server pages its rows by cursors; the token of the page before has a separate parameter, or that of the next page.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  inPages,
  loadMore,
  loadPrevious,
  orderBy,
  schema,
} from 'holdfast';
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
  'one parameter': { next: 'meta.next', previous: 'meta.previous' },
  'two parameters': { next: 'meta.nextId', previous: 'meta.previousId', previousField: 'before' },
  headers: {
    next: (_answer, response) => response?.headers.get('x-next'),
    previous: (_answer, response) => response?.headers.get('x-previous'),
  },
};

interface Start {
  readonly way?: keyof typeof ways;
  readonly options?: inPages.Options;
  readonly ids?: string;
  /** The list opens at the first row from here on; without one at its end. */
  readonly opensAt?: string | null;
  readonly isOrdered?: boolean;
}

/** A server with posts in pages of two, and the list of them. */
async function start({
  way = 'one parameter',
  options = {},
  ids = 'abcdefgh',
  opensAt = 'd',
  isOrdered,
}: Start = {}) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  let posts = [...ids];
  server.on('GET', '/posts', ({ query }): Reply => {
    const [, side, of] = /^(before|after):(.*)$/.exec(query.get('page') ?? '') ?? [];
    const before = query.get('before') ?? (side === 'before' ? of : undefined);
    const after = side === 'before' ? undefined : (of ?? query.get('page') ?? undefined);
    const end = posts.filter((id) => before !== undefined && id < before).length;
    const at =
      after === undefined ? (opensAt ?? posts.at(-SIZE) ?? '') : String.fromCharCode(after.charCodeAt(0) + 1);
    const from = before === undefined ? posts.filter((id) => id < at).length : Math.max(0, end - SIZE);
    const page = posts.slice(from, before === undefined ? from + SIZE : end);
    const nextId = page.length > 0 && from + page.length < posts.length ? page.at(-1)! : '';
    const previousId = from > 0 ? (page[0] ?? at) : '';
    const next = nextId && `after:${nextId}`;
    const previous = previousId && `before:${previousId}`;
    return {
      headers: { 'x-next': next, 'x-previous': previous },
      body: {
        posts: page.map((id) => ({ id, text: '' })),
        meta: { next, nextId, previous, previousId },
      },
    };
  });
  server.on('POST', '/posts', ({ body }) => {
    const post = body as { id: string };
    posts = [...posts, post.id].sort();
    return { status: 201, body: { text: '', ...post } };
  });
  server.on('DELETE', '/posts/:id', ({ params }) => {
    posts = posts.filter((id) => id !== params['id']);
    return {};
  });
  const order = orderBy((left: Post, right: Post) => (left.id < right.id ? -1 : Number(left.id > right.id)));
  const { getList } = createResource({
    urlPrefix: server.url,
    path: '/posts/:id',
    schema: Post,
    body: {} as { id: string },
    paginationField: 'page',
  }).extend({
    getList: {
      schema: {
        posts: new schema.Collection([Post], isOrdered ? { order } : {}),
        meta: { next: '', nextId: '', previous: '', previousId: '' },
      },
      pages: inPages({ ...ways[way], ...options }),
    },
  });
  const idsIn = (given: Controller) =>
    given
      .getResponse(getList, {})
      .data?.posts?.map(({ id }) => id)
      .join('');
  const seen = () => controller.getResponse(getList, {});
  return {
    server,
    world,
    controller,
    getList,
    read: () => controller.fetch(getList, {}),
    more: () => loadMore(controller, getList, {}),
    previous: () => loadPrevious(controller, getList, {}),
    seen,
    ids: () => idsIn(controller),
    idsIn,
    isFresh: () => seen().expiresAt > world.time.clock.now(),
    asked: () =>
      server.seen('GET', '/posts').map(({ query }) => query.get('page') ?? query.get('before') ?? '-'),
    change: (make: (now: readonly string[]) => readonly string[]) => (posts = [...make(posts)]),
  };
}

const everyWay = Object.keys(ways);

test.each(everyWay)(
  '%s: pages are added in front and behind, and are read again as one list',
  async (way) => {
    const list = await start({ way });
    await list.read();
    expect(list.ids()).toBe('de');
    await list.previous();
    expect(list.ids()).toBe('bcde');
    await list.more();
    expect(list.ids()).toBe('bcdefg');
    await list.previous();
    await list.more();
    await list.previous();
    await list.more();
    expect([list.ids(), list.asked().length]).toEqual(['abcdefgh', 5]);
    const before = list.seen().data;
    await list.read();

    expect([list.ids(), list.isFresh(), list.asked().length]).toEqual(['abcdefgh', true, 10]);
    // nothing has changed: every reference is kept
    expect(list.seen().data).toBe(before);
  },
);

test('in a refetch the pages follow each other from the first one in both directions', async () => {
  const list = await start();
  await list.read();
  await list.previous();
  await list.more();
  list.server.forget();
  list.change((posts) => posts.filter((id) => id !== 'c'));
  await list.read();

  expect([list.ids(), list.asked()]).toEqual(['abdefg', ['-', 'after:e', 'before:d']]);
});

test('a list that opens at its end grows in front, and shows rows that are added behind', async () => {
  const list = await start({ opensAt: null, options: { next: undefined as never } });
  await list.read();
  await list.previous();
  expect([list.ids(), list.seen().data?.meta?.previous]).toEqual(['efgh', 'before:e']);
  await list.more();
  expect(list.asked()).toEqual(['-', 'before:g']);
  list.change((posts) => [...posts, 'i']);
  await list.read();
  expect([list.ids(), list.isFresh()]).toEqual(['fghi', true]);
  for (let times = 0; times < 4; times += 1) await list.previous();

  expect([list.ids(), list.asked().length]).toEqual(['abcdefghi', 4 + 3]);
});

test('the shown tokens are those of both ends', async () => {
  const list = await start();
  const tokens = () => [list.seen().data?.meta?.previous, list.seen().data?.meta?.next];
  await list.read();
  await list.previous();
  expect(tokens()).toEqual(['before:b', 'after:e']);
  await list.more();
  expect(tokens()).toEqual(['before:b', 'after:g']);
  await list.read();
  expect(tokens()).toEqual(['before:b', 'after:g']);
  await list.previous();

  expect(tokens()).toEqual(['', 'after:g']);
});

test('both ends can be loaded at once, in any order of the responses', async () => {
  const list = await start();
  await list.read();
  const held = list.server.hold('GET', '/posts');
  const loading = [list.more(), list.previous(), list.previous()];
  const [more, previous] = [await held.next(), await held.next()];
  held.stop();
  previous.release();
  await loading[1];
  more.release();
  await Promise.all(loading);

  expect([list.ids(), list.isFresh(), list.asked().length]).toEqual(['bcdefg', true, 3]);
  expect(list.seen().data?.meta).toMatchObject({ previous: 'before:b', next: 'after:g' });
});

test('both directions may have the same token, where each has its own parameter', async () => {
  const list = await start({ way: 'two parameters', ids: 'abcdxz', opensAt: 'm' });
  list.change(() => ['a', 'b', 'm', 'x', 'z']);
  list.server.on('GET', '/posts', ({ query }) => {
    const ids = query.has('before') ? ['a', 'b'] : query.has('page') ? ['x', 'z'] : ['m'];
    const isFirst = ids[0] === 'm';
    return {
      body: {
        posts: ids.map((id) => ({ id, text: '' })),
        meta: { next: '', previous: '', nextId: isFirst ? 'm' : '', previousId: isFirst ? 'm' : '' },
      },
    };
  });
  await list.read();
  await list.more();
  await list.previous();
  expect(list.ids()).toBe('abmxz');
  await list.read();

  expect([list.ids(), list.asked()]).toEqual(['abmxz', ['-', 'm', 'm', '-', 'm', 'm']]);
});

test('the old list stays whole, stale and with the error, where a page in front fails', async () => {
  const list = await start();
  await list.read();
  await list.previous();
  await list.more();
  list.change((posts) => posts.filter((id) => id !== 'e'));
  list.controller.expireAll(list.getList);
  const held = list.server.hold('GET', '/posts');
  const reading = list.read();
  (await held.next()).release();
  (await held.next()).release();
  const last = await held.next();
  expect(list.ids()).toBe('bcdefg');
  last.release({ status: 400 });
  await expect(reading).rejects.toThrow('400');
  held.stop();
  expect([list.ids(), list.isFresh()]).toEqual(['bcdefg', false]);
  expect(list.controller.getError(list.getList, {})).toMatchObject({ status: 400 });
  await list.read();

  expect([list.ids(), list.isFresh()]).toEqual(['bcdfgh', true]);
});

test('a page in front that fails to load leaves the list as it is, and is tried again', async () => {
  const list = await start();
  await list.read();
  const held = list.server.hold('GET', '/posts');
  const loading = list.previous();
  (await held.next()).release({ status: 400 });
  await expect(loading).rejects.toThrow('400');
  held.stop();
  expect([list.ids(), list.isFresh(), list.controller.getError(list.getList, {})]).toEqual([
    'de',
    true,
    undefined,
  ]);
  await list.previous();

  expect(list.ids()).toBe('bcde');
});

test('a repeated token ends the list in front, with a code', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const list = await start({ options: { previous: () => 'before:d' } });
  await list.read();
  await list.previous();
  await list.previous();
  await list.read();
  await list.previous();

  expect([list.ids(), list.asked()]).toEqual(['bcde', ['-', 'before:d', '-', 'before:d']]);
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('PAGE_REPEATED')]);
  warn.mockRestore();
});

test('a page that is no longer before the list is requested again with the fresh token', async () => {
  const list = await start({ opensAt: null });
  await list.read();
  const held = list.server.hold('GET', '/posts');
  const loading = list.previous();
  const page = await held.next();
  held.stop();
  list.change((posts) => [...posts, 'i']);
  await list.read();
  page.release();
  await loading;

  expect([list.ids(), list.isFresh(), list.asked()]).toEqual([
    'fghi',
    true,
    ['-', 'before:g', '-', 'before:h'],
  ]);
});

test('an empty first page may have a page before it', async () => {
  const list = await start({ opensAt: 'x' });
  await list.read();
  expect(list.ids()).toBe('');
  await list.previous();

  expect([list.ids(), list.isFresh()]).toEqual(['gh', true]);
});

test('with `most`, the first page and those behind it are read again before those in front', async () => {
  const list = await start({ options: { most: 3 } });
  await list.read();
  await list.previous();
  await list.previous();
  await list.more();
  await list.read();
  expect([list.ids(), list.asked().slice(4)]).toEqual(['bcdefg', ['-', 'after:e', 'before:d']]);
  await list.previous();

  expect(list.ids()).toBe('abcdefg');
});

test.each([false, true])(
  'a restored list keeps its order and can load pages in front (read again: %s)',
  async (isReadAgain) => {
    const list = await start({ ids: 'ABCabcdefgh' });
    await list.read();
    await list.previous();
    await list.more();
    if (isReadAgain) await list.read();
    const restored = new Controller(list.world.options);
    hydrate(restored, JSON.parse(JSON.stringify(dehydrate(list.controller))));
    expect(list.idsIn(restored)).toBe('bcdefg');
    list.server.forget();
    await loadPrevious(restored, list.getList, {});

    // the rows before the tokens of its pages may have changed since
    expect([list.idsIn(restored), list.asked()]).toEqual([
      'Cabcdefg',
      ['-', 'after:e', 'before:d', 'before:b'],
    ]);
  },
);

test('a row that is created behind the last loaded row of a restored list belongs to a page that is not loaded', async () => {
  const list = await start({ isOrdered: true, opensAt: 'c' });
  await list.read();
  const restored = new Controller(list.world.options);
  hydrate(restored, JSON.parse(JSON.stringify(dehydrate(list.controller))));
  for (const id of ['z', 'C']) await restored.fetch(list.getList.push, { id });

  expect(list.idsIn(restored)).toBe('cd');
});

test('a restored list that opens at its end is read again from there', async () => {
  const list = await start({ opensAt: null, options: { next: undefined as never } });
  await list.read();
  await list.previous();
  const restored = new Controller(list.world.options);
  hydrate(restored, dehydrate(list.controller));
  list.change((posts) => [...posts, 'i', 'j']);
  await restored.fetch(list.getList, {});

  expect(list.idsIn(restored)).toBe('ghij');
});

test('in a declared order, a row before the first loaded one is left out while there is a page before', async () => {
  const list = await start({ isOrdered: true, ids: 'acdefgh' });
  await list.read();
  await list.controller.fetch(list.getList.push, { id: 'b' });
  expect([list.ids(), list.isFresh()]).toEqual(['de', true]);
  await list.previous();
  expect(list.ids()).toBe('bcde');
  await list.previous();
  await list.controller.fetch(list.getList.push, { id: 'Z' });

  expect([list.ids(), list.isFresh()]).toEqual(['Zabcde', true]);
});

test('a created row is added at the end of all pages, and by unshift at their start', async () => {
  const list = await start();
  await list.read();
  await list.previous();
  await list.controller.fetch(list.getList.push, { id: 'y' });
  await list.controller.fetch(list.getList.unshift, { id: 'z' });

  expect(list.ids()).toBe('zbcdey');
});

test('expireAll reaches the pages in front', async () => {
  const list = await start();
  const stop = list.controller.watch(list.getList, {}).subscribe(() => {});
  await list.read();
  await list.previous();
  list.change((posts) => posts.filter((id) => id !== 'c'));
  list.controller.expireAll(list.getList);
  await breathe();
  stop();

  expect([list.ids(), list.isFresh()]).toEqual(['abde', true]);
});

test.each([
  { previous: 'p', by: 'number' },
  { previous: 'p', most: 0 },
])('inPages(%o) is refused', (options) => {
  expect(() => inPages(options as inPages.Options)).toThrow('PAGES_INVALID');
});
