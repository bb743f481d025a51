// Lists with an order: a declared order places rows without a request; an order that only the server knows makes the list stale.
import { Controller, createResource, Entity, orderBy, RestEndpoint, schema } from 'holdfast';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Card extends Entity {
  static override key = 'Card';
  id = '';
  title = '';
  rank = 0;
  lane = 'a';
}

type Args = Record<string, string | number>;
type Fields = Record<string, unknown>;

/** A server with these cards, and one list of them that is loaded. */
async function start(cards: readonly Fields[], args: Args, order?: orderBy.Order<Card>) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const stored = new Map(cards.map((card) => [String(card['id']), card]));
  const {
    getList,
    partialUpdate,
    delete: remove,
  } = createResource({
    urlPrefix: server.url,
    path: '/cards/:id',
    schema: Card,
    searchParams: {} as Args,
    body: {} as Fields,
    optimistic: true,
  }).extend({ getList: { schema: new schema.Collection([Card], order ? { order } : {}) } });
  server.on('GET', '/cards', () => ({ body: [...stored.values()] }));
  server.on('POST', '/cards', ({ body }) => ({ body: { rank: 0, lane: 'a', ...(body as Fields) } }));
  server.on('PATCH', '/cards/:id', ({ params, body }) => ({
    body: { ...stored.get(String(params['id'])), ...(body as Fields) },
  }));
  server.on('DELETE', '/cards/:id', {});
  await controller.fetch(getList, args);
  const shown = () =>
    (controller.getResponse(getList, args).data ?? []).map(({ id, rank }) => `${id}${rank}`).join(' ');
  const isFresh = () => controller.getResponse(getList, args).expiresAt > world.time.clock.now();
  return { server, controller, getList, partialUpdate, remove, shown, isFresh };
}

const abcd = [
  { id: 'a', rank: 1, title: 'm', lane: 'a' },
  { id: 'b', rank: 2, title: 'l', lane: 'a' },
  { id: 'c', rank: 2, title: 'k', lane: 'a' },
  { id: 'd', rank: 4, title: 'j', lane: 'a' },
];
const byRank = orderBy<Card>((left, right) => left.rank - right.rank);

test.each(['push', 'unshift'] as const)(
  '%s puts a row into its place in the order, behind its equals',
  async (way) => {
    const { controller, getList, shown, isFresh, server } = await start(abcd, {}, byRank);
    const call = controller.fetch(getList[way], { id: 'x', rank: 2 });
    expect(shown()).toBe('a1 b2 c2 x2 d4');
    await call;
    await controller.fetch(getList[way], { id: 'y', rank: 2 });

    expect([shown(), isFresh()]).toEqual(['a1 b2 c2 x2 y2 d4', true]);
    expect(server.seen('GET', '/cards')).toHaveLength(1);
  },
);

test('a changed field moves its row with the optimistic update, and back where the call fails', async () => {
  const { controller, partialUpdate, shown, isFresh, server } = await start(abcd, {}, byRank);
  await controller.fetch(partialUpdate, { id: 'a' }, { rank: 3 });
  expect(shown()).toBe('b2 c2 a3 d4');

  server.on('PATCH', '/cards/:id', { status: 400 });
  const refused = controller.fetch(partialUpdate, { id: 'b' }, { rank: 9 });
  expect(shown()).toBe('c2 a3 d4 b9');
  await expect(refused).rejects.toThrow();

  // among its equals it is where the server had it
  expect([shown(), isFresh()]).toEqual(['b2 c2 a3 d4', true]);
  expect(server.seen('GET', '/cards')).toHaveLength(1);
});

test('a change of another field leaves the order of equal rows', async () => {
  const { controller, getList, partialUpdate, shown } = await start(abcd, {}, byRank);
  await controller.fetch(getList.push, { id: 'x', rank: 2 });
  await controller.fetch(getList.push, { id: 'y', rank: 2 });

  await controller.fetch(partialUpdate, { id: 'b' }, { title: 'new' });
  await controller.fetch(partialUpdate, { id: 'x' }, { title: 'new', rank: 2 });

  expect(shown()).toBe('a1 b2 c2 x2 y2 d4');
});

test('a row that leaves or is deleted does not move the others', async () => {
  const { controller, getList, partialUpdate, remove, shown, isFresh } = await start(
    abcd,
    { lane: 'a' },
    byRank,
  );
  await controller.fetch(partialUpdate, { id: 'b' }, { lane: 'b' });
  await controller.fetch(remove, { id: 'd' });
  expect(shown()).toBe('a1 c2');

  await controller.fetch(getList.push, { id: 'x', rank: 0, lane: 'a' });

  expect([shown(), isFresh()]).toEqual(['x0 a1 c2', true]);
});

test.each([
  ['rank', 'a1 x2 y3'],
  ['-rank', 'y3 x2 a1'],
  ['+rank', 'a1 x2 y3'],
])('an argument contains the field and the direction: %s', async (sort, expected) => {
  const { controller, getList, shown, isFresh, server } = await start([abcd[0]!], { sort }, orderBy('sort'));
  await controller.fetch(getList.push, { id: 'y', rank: 3 });
  await controller.fetch(getList.push, { id: 'x', rank: 2 });

  expect([shown(), isFresh()]).toEqual([expected, true]);
  expect(server.seen('GET', '/cards')).toHaveLength(1);
});

test('several names order one after the other', async () => {
  const { controller, getList, shown } = await start([], { sort: '-rank,title' }, orderBy('sort'));
  for (const [id, rank, title] of [
    ['a', 1, 'm'],
    ['b', 2, 'z'],
    ['c', 2, 'k'],
  ])
    await controller.fetch(getList.push, { id, rank, title });

  expect(shown()).toBe('c2 b2 a1');
});

test('a function gives the value for a name', async () => {
  const order = orderBy<Card>('sort', { lane: ({ lane }) => ['todo', 'doing', 'done'].indexOf(lane) });
  const { controller, getList, shown } = await start([], { sort: 'lane' }, order);
  for (const [id, lane] of Object.entries({ a: 'done', b: 'todo', c: 'doing' }))
    await controller.fetch(getList.push, { id, lane });

  expect(shown()).toBe('b0 c0 a0');
});

test('a comparator gets the key of the list', async () => {
  const order = orderBy<Card>((left, right, { way }) => (left.rank - right.rank) * (way === 'down' ? -1 : 1));
  const { controller, getList, shown } = await start(
    [],
    { orderDirection: 1, orderWay: 'x', way: 'down' },
    order,
  );
  await controller.fetch(getList.push, { id: 'a', rank: 1, orderDirection: 1, way: 'down' });
  await controller.fetch(getList.push, { id: 'b', rank: 2, orderDirection: 1, way: 'down' });

  expect(shown()).toBe('b2 a1');
});

test('a response that contradicts the order keeps its own order, and changes make the list stale', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const cards = [
    { id: 'a', rank: 5, title: '', lane: 'a' },
    { id: 'b', rank: 1, title: '', lane: 'a' },
    { id: 'c', rank: 3, title: '', lane: 'a' },
  ];
  const { controller, partialUpdate, shown, isFresh } = await start(cards, {}, byRank);
  expect([shown(), isFresh()]).toEqual(['a5 b1 c3', true]);
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
    expect.stringMatching(/ORDER_CONTRADICTED.*\ba\b.*\bb\b/),
  ]);

  await controller.fetch(partialUpdate, { id: 'c' }, { title: 'other' });
  expect([shown(), isFresh()]).toEqual(['a5 b1 c3', false]);
  warn.mockRestore();
});

test('a response in order that arrives after a contradiction is ordered again', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { controller, getList, partialUpdate, shown, isFresh, server } = await start(
    [abcd[3]!, abcd[0]!],
    {},
    byRank,
  );
  server.on('GET', '/cards', { body: abcd });
  await controller.fetch(getList, {});
  await controller.fetch(partialUpdate, { id: 'a' }, { rank: 3 });

  expect([shown(), isFresh()]).toEqual(['b2 c2 a3 d4', true]);
  warn.mockRestore();
});

test('the order of a response is checked without optimistic updates', async () => {
  const { controller, getList, partialUpdate, shown, isFresh, server } = await start(abcd, {}, byRank);
  const held = server.hold('PATCH', '/cards/:id');
  const call = controller.fetch(partialUpdate, { id: 'a' }, { rank: 3 });
  const patch = await held.next();
  await controller.fetch(getList, {});
  expect([shown(), isFresh()]).toEqual(['b2 c2 a3 d4', true]);
  patch.release({ status: 400 });
  await expect(call).rejects.toThrow();

  expect([shown(), isFresh()]).toEqual(['a1 b2 c2 d4', true]);
});

test.each([
  [
    'a comparator that throws',
    {},
    'ORDER_THREW',
    orderBy<Card>((left) => left.rank - JSON.parse(left.title)),
  ],
  ['a name that no field has', { sort: 'newest' }, 'ORDER_UNKNOWN', orderBy<Card>('sort')],
] as const)('%s leaves the order to the server', async (_name, args, code, order) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { controller, partialUpdate, shown, isFresh } = await start(abcd, args, order);
  expect([shown(), isFresh()]).toEqual(['a1 b2 c2 d4', true]);
  await controller.fetch(partialUpdate, { id: 'a' }, { rank: 3 });

  expect([shown(), isFresh()]).toEqual(['a3 b2 c2 d4', false]);
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining(code)]);
  warn.mockRestore();
});

test('a change at which a comparator throws makes the list stale', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const order = orderBy<Card>(
    (left, right) => left.rank - right.rank || left.title.length - right.title.length,
  );
  const { controller, partialUpdate, isFresh } = await start(abcd.slice(0, 2), {}, order);
  await controller.fetch(partialUpdate, { id: 'a' }, { rank: 2, title: null });

  expect(isFresh()).toBe(false);
  warn.mockRestore();
});

test('the argument of an order does not filter', async () => {
  const { controller, getList, shown, isFresh } = await start(
    abcd,
    { sort: 'rank', lane: 'a' },
    orderBy('sort'),
  );
  await controller.fetch(getList.push, { id: 'x', lane: 'a', rank: 3 });

  expect([shown(), isFresh()]).toEqual(['a1 b2 c2 x3 d4', true]);
});

test('without a declared order, push decides the place, and the list is stale where its key has an order', async () => {
  const { controller, getList, shown, isFresh } = await start(abcd, { orderBy: 'rank' });
  await controller.fetch(getList.push, { id: 'x', rank: 3 });

  expect([shown(), isFresh()]).toEqual(['a1 b2 c2 d4 x3', false]);
});

test.each([
  ['rank', { title: 'new' }, true],
  ['-rank', { rank: 9 }, false],
  ['newest', { title: 'new' }, false],
])(
  'without a declared order, with orderBy=%s and a change of %o: fresh is %s',
  async (by, change, expected) => {
    const { controller, partialUpdate, isFresh } = await start(abcd, { orderBy: by });
    await controller.fetch(partialUpdate, { id: 'a' }, change);

    expect(isFresh()).toBe(expected);
  },
);

test('without a declared order, a known row that enters by a custom filter makes an ordered list stale', async () => {
  const controller = new Controller(new FakeWorld().options);
  const list = new schema.Collection([Card], { createCollectionFilter: () => () => true });
  const shared = {
    urlPrefix: 'http://model.test',
    path: '/cards',
    searchParams: {} as Args,
    body: {} as Fields,
  };
  const getList = new RestEndpoint({ ...shared, method: 'GET', schema: list });
  await controller.set(Card, { id: 'x' }, { id: 'x', rank: 3 });
  await controller.setResponse(getList, { orderBy: 'rank' }, abcd);
  await controller.setResponse(getList.push, { orderBy: 'rank' }, { id: 'x' }, { id: 'x', rank: 3 });

  const { data, expiresAt } = controller.getResponse(getList, { orderBy: 'rank' });
  expect([data?.length, expiresAt]).toEqual([5, 0]);
});

test.each([
  ['by the default of its class', undefined, 'c b a local', 'd c b a'],
  ['by the value that the optimistic update gives it', '2026-05', 'local c b a', 'd c b a'],
])(
  'a created row whose request lacks the field of the order is sorted %s',
  async (_, createdAt, draft, end) => {
    class Note extends Entity {
      static override key = 'OrderNote';
      id = '';
      title = '';
      createdAt = '';
    }
    const server = await startServer();
    onTestFinished(() => server.close());
    const world = new FakeWorld();
    const controller = new Controller(world.options);
    const { getList } = createResource({
      urlPrefix: server.url,
      path: '/notes/:id',
      schema: Note,
      searchParams: {} as { sort: string },
      optimistic: true,
    }).extend({ getList: { schema: new schema.Collection([Note], { order: orderBy('sort') }) } });
    const push = getList.push.extend(
      createdAt
        ? { getOptimisticResponse: (_snapshot, _args, body) => ({ ...(body as Fields), createdAt }) }
        : {},
    );
    server.on('GET', '/notes', () => ({
      body: ['c', 'b', 'a'].map((id, at) => ({ id, title: id, createdAt: `2026-0${3 - at}` })),
    }));
    server.on('POST', '/notes', ({ body }) => ({
      body: { ...(body as Fields), id: 'd', createdAt: '2026-04' },
    }));
    const args = { sort: '-createdAt' };
    await controller.fetch(getList, args);
    const shown = () =>
      controller
        .getResponse(getList, args)
        .data?.map(({ id }) => id.split(':')[0])
        .join(' ');

    const call = controller.fetch(push, args, { title: 'new' });
    expect(shown()).toBe(draft);
    await call;
    expect(shown()).toBe(end);
    expect(controller.getResponse(getList, args).expiresAt).toBeGreaterThan(world.time.clock.now());
  },
);
