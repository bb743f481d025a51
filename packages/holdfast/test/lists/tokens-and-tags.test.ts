// Further pages that are requested by hand: their order by their tokens, and the effect of "not modified" on them.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Post extends Entity {
  static override key = 'Post';
  id = '';
  title = '';
}

function start(net: Moments, isTagged = false) {
  const controller = new Controller({ fetch: net.fetch });
  net.isQuick = true;
  const { getList } = createResource({
    urlPrefix: 'http://by.hand',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { at?: number | string },
    paginationField: 'at',
  }).extend({
    getList: {
      getHeaders: (headers: Record<string, string>) =>
        isTagged ? { ...headers, 'if-none-match': '"1"' } : headers,
    },
  });
  const page = (at: number | string) => controller.fetch(getList.getPage, { at } as never); // cast: the token's name is an option
  const titles = () => controller.getResponse(getList).data?.map(({ id, title }) => `${id} ${title}`);
  return { controller, getList, page, titles };
}

test.each([
  [[0, 5], 'first 0 5'],
  [[5, 0, -3], 'first -3 0 5'],
  [[7, 'b', 0], 'first 0 7 b'],
])('pages with the numbers %j are stored behind the first one, in their order', async (tokens, expected) => {
  const net = new Moments(({ query }) => ({ body: [{ id: query['at'] ?? 'first', title: '' }] }));
  const { controller, getList, page, titles } = start(net);
  await controller.fetch(getList);
  for (const at of tokens) await page(at);
  expect(
    titles()
      ?.map((text) => text.trim())
      .join(' '),
  ).toBe(expected);
});

test('"not modified" for a list whose further pages came later applies to the first page alone', async () => {
  const seen = new Set<string>();
  const net = new Moments(({ line, query }) => {
    if (seen.has(line)) return new Response(null, { status: 304, headers: { etag: '"1"' } });
    seen.add(line);
    const id = query['at'] ?? 'first';
    return Response.json([{ id, title: 'said' }], { headers: { etag: '"1"' } });
  });
  const { controller, getList, page, titles } = start(net, true);
  await controller.fetch(getList);
  await page(5);
  await controller.set(Post, { id: 'first' }, { id: 'first', title: 'here' });
  await controller.set(Post, { id: '5' }, { id: '5', title: 'here' });
  await controller.fetch(getList);
  expect(titles()).toEqual(['first said', '5 here']);
  await page(5);
  expect(titles()).toEqual(['first said', '5 here']);
});

// Another client inserts a row into the first page, which so pushes its last row to the second one.
test.each(['before', 'after'])(
  'a page that was requested before the first page lost a row, and arrives %s it, leaves the list stale',
  async (when) => {
    let rows = ['a', 'b', 'c', 'd'];
    const net = new Moments(({ query }) => {
      const from = Number(query['at'] ?? 0);
      return { body: rows.slice(from, from + 2).map((id) => ({ id, title: '' })) };
    });
    const { controller, getList, page } = start(net);
    await controller.fetch(getList);
    net.isQuick = false;
    const again = controller.fetch(getList);
    const further = page(2);
    await calm();
    net.next('GET /posts?at=2').handle();
    rows = ['a', 'x', 'b', 'c', 'd'];
    const [first, second] = [net.inFlight[0], net.next('GET /posts?at=2')];
    for (const request of when === 'before' ? [second, first] : [first, second]) await request?.deliver();
    await Promise.all([again, further]);
    await controller.set(Post, { id: 'a' }, { id: 'a', title: 'changed' });

    const { data, expiresAt } = controller.getResponse(getList);

    expect(data?.map(({ id }) => id)).not.toContain('b');
    expect(expiresAt).toBe(0);
  },
);

test('a page with a number stays in the list when the first page has changed and a page with a higher number is loaded', async () => {
  let rows = ['a', 'b', 'c', 'd', 'e', 'f'];
  const net = new Moments(({ query }) => {
    const from = Number(query['at'] ?? 0);
    return { body: rows.slice(from, from + 2).map((id) => ({ id, title: '' })) };
  });
  const { controller, getList, page } = start(net);
  const shown = () => {
    const { data, expiresAt } = controller.getResponse(getList);
    return [data?.map(({ id }) => id).join(' '), expiresAt > 0];
  };
  await controller.fetch(getList);
  await page(2);
  rows = ['a', 'c', 'd', 'e', 'f'];
  await controller.fetch(getList);
  await page(4);
  expect(shown()).toEqual(['a c d f', false]);

  await controller.fetch(getList);
  expect(shown()).toEqual(['a c d f', false]);
  await page(2);
  expect(shown()).toEqual(['a c d e f', true]);
});
