// A read that only adds fields to a row shows no change of the row: it makes no list stale, whatever the list's arguments mean.
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Post extends Entity {
  static override key = 'AddedFieldsPost';
  id = 0;
  title = '';
  body = '';
}

let server: TestServer;
let controller: Controller;
const rows = new Map<number, { id: number; title: string; body: string }>();
const listed = () => [...rows.values()].map(({ id, title }) => ({ id, title }));

beforeEach(async () => {
  for (let id = 1; id <= 12; id += 1) rows.set(id, { id, title: `t${id}`, body: 'b' });
  server = await startServer();
  server.on('GET', '/posts', ({ query }) => ({
    body: listed().slice(0, Number(query.get('per_page') ?? 30)),
  }));
  server.on('GET', '/posts/:id', ({ params }) => ({ body: rows.get(Number(params['id'])) }));
  server.on('GET', '/search', ({ query }) => ({
    body: listed().filter(({ title }) => title.includes(query.get('q') ?? '')),
  }));
  controller = new Controller();
  controller.start();
});

afterEach(async () => {
  controller.stop();
  await server.close();
});

async function mountList(args: Record<string, string | number>) {
  const urlPrefix = server.url;
  const posts = createResource({ urlPrefix, path: '/posts/:id', schema: Post });
  const search = new RestEndpoint({
    urlPrefix,
    path: '/search',
    searchParams: {} as { q: string },
    schema: [Post],
  });
  controller.watch(posts.getList, args).subscribe(() => {});
  await expect.poll(() => controller.getResponse(posts.getList, args).data?.length).toBeGreaterThan(0);
  const reads = () => server.seen('GET', '/posts').length;
  const isFresh = () => controller.getResponse(posts.getList, args).expiresAt > Date.now();
  return { posts, search, reads, isFresh };
}

test.each([[{ per_page: 10 }], [{ q: 't' }], [{ orderBy: 'body' }]])(
  'the list of %j is not read again after reads of its rows and of others',
  async (args) => {
    const { posts, search, reads, isFresh } = await mountList(args);

    await controller.fetch(posts.get, { id: 3 });
    await controller.fetch(search, { q: 't2' });
    await controller.fetch(posts.get, { id: 12 });

    expect(isFresh()).toBe(true);
    expect(reads()).toBe(1);
  },
);

test('a read that shows another title still makes a list with a search stale', async () => {
  const { posts, reads } = await mountList({ q: 't' });
  rows.set(3, { id: 3, title: 'other', body: 'b' });

  await controller.fetch(posts.get, { id: 3 });

  await expect.poll(reads).toBe(2);
});

test('an older response that arrives after a read that only added fields is fresh', async () => {
  const { posts, isFresh } = await mountList({ per_page: 10 });
  const held = server.hold('GET', '/posts');
  const again = controller.fetch(posts.getList, { per_page: 10 });
  const request = await held.next();
  await controller.fetch(posts.get, { id: 3 });

  request.release();
  await again;

  expect(isFresh()).toBe(true);
});
