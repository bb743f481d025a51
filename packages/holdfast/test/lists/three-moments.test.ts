// Lists in pages, their orders and their totals, where a request is sent, handled and delivered at three separate moments:
// another response contains a row first, responses cross, a row is deleted before the response to its creation arrives.
import { Controller, createResource, Entity, inPages, loadMore, orderBy, schema, totalOf } from 'holdfast';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Item extends Entity {
  static override key = 'Item';
  id = '';
  rank = 0;
  state = '';
  title = '';
}

interface Stored {
  readonly id: string;
  readonly rank: number;
  readonly state: string;
  readonly title: string;
}

type Params = Readonly<Record<string, string>>;

interface Start {
  /** `a1 b2 c3*`: ids with their ranks; a star means the state done. */
  readonly given: string;
  readonly size?: number;
  readonly order?: 'by rank' | 'by sort' | undefined;
  readonly isOptimistic?: boolean;
  /** The response to an update: the whole row, or the sent fields. */
  readonly isPartial?: boolean;
}

const item = (text: string): Stored => {
  const [, id = '', rank, star] = /^(\D+)(\d+)(\*?)$/.exec(text) ?? [];
  return { id, rank: Number(rank), state: star ? 'done' : 'open', title: 'old' };
};

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

/** A server with these items, in pages by their rank, and a client. */
/** A call that is still in flight when its test ends is given up later: its failure is ignored. */
function quiet<T>(call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  return call;
}

function start({ given, size = 2, order, isOptimistic = false, isPartial = false }: Start) {
  const items = new Map(given.split(' ').map((text) => [item(text).id, item(text)]));
  const listed = (params: Params) => {
    const isIn = ({ state }: Stored) => [undefined, 'all', state].includes(params['state']);
    return [...items.values()].filter(isIn).toSorted((left, right) => left.rank - right.rank);
  };
  const net = new Moments(({ method, path, query, body }) => {
    const id = path.split('/')[2] ?? '';
    if (method === 'DELETE') items.delete(id);
    if (method === 'DELETE') return { status: 204 };
    if (method === 'POST') {
      const { as = id, ...fields } = body as Stored & { readonly as?: string };
      const made = { ...fields, id: as };
      items.set(as, made);
      return { body: made };
    }
    if (method === 'PATCH') items.set(id, { ...items.get(id)!, ...(body as Stored) }); // it is there
    if (method === 'PATCH' && isPartial) return { body: { id, ...(body as Partial<Stored>) } };
    if (id) return { body: items.get(id) };
    const all = listed(query);
    const from = (Number(query['page'] ?? 1) - 1) * size;
    return { body: { items: all.slice(from, from + size), total: all.length } };
  });
  net.isQuick = true;
  const byRank = orderBy<Item>((left, right) => left.rank - right.rank);
  const list = new schema.Collection(
    [Item],
    order && { order: order === 'by rank' ? byRank : orderBy('sort') },
  );
  const resource = createResource({
    urlPrefix: 'http://by.hand',
    path: '/items/:id',
    schema: Item,
    searchParams: {} as Params,
    body: {} as Partial<Stored>,
    paginationField: 'page',
    optimistic: isOptimistic,
  }).extend({
    getList: {
      schema: { items: list, total: totalOf(list) },
      pages: inPages({ by: 'number', total: 'total' }),
    },
  });
  const { getList } = resource;
  const restore = getList.push.extend({ path: '/items/:id/restore', body: {} as Partial<Stored> });
  const controller = new Controller({ fetch: net.fetch });
  onTestFinished(() => controller.stop());
  controller.start();
  const seen = (params: Params = {}) => controller.getResponse(getList, params);
  return {
    items,
    net,
    controller,
    resource,
    seen,
    read: (params: Params = {}) => quiet(controller.fetch(getList, params)),
    more: (params: Params = {}) => loadMore(controller, getList, params),
    get: (id: string) => quiet(controller.fetch(resource.get, { id })),
    create: (made: string) => {
      const { id: as, ...body } = item(made);
      return quiet(controller.fetch(getList.push, { ...body, as } as Partial<Stored>)); // cast: the server's own wish
    },
    restore: (id: string) =>
      quiet(controller.fetch(restore, { id }, { rank: 2, state: 'open', title: 'again' })),
    change: (id: string, fields: Partial<Stored>) =>
      quiet(controller.fetch(resource.partialUpdate, { id }, fields)),
    remove: (id: string) => quiet(controller.fetch(resource.delete, { id })),
    ids: (params: Params = {}) => (seen(params).data?.items ?? []).map(({ id }) => id).join(' '),
    total: (params: Params = {}) => seen(params).data?.total,
    served: (params: Params = {}) => listed(params).map(({ id }) => id),
    isFresh: (params: Params = {}) => seen(params).expiresAt > Date.now() && seen(params).data !== undefined,
  };
}

/** Shows the list until the test has ended. */
function show({ controller, resource }: ReturnType<typeof start>, params: Params = {}) {
  const watch = controller.watch(resource.getList, params);
  onTestFinished(watch.subscribe(() => {}));
  return watch;
}

describe('a known row of a page that is not loaded', () => {
  const GIVEN = 'a10 b20 c30 d40 e50';

  test.each([
    ['a comparator', 'by rank', {}],
    ['an argument', 'by sort', { sort: 'rank' }],
    ['an order of the server', undefined, { order: 'rank' }],
  ] as const)('that moves up makes a list without a filter stale: %s', async (_order, order, params) => {
    const list = start({ given: GIVEN, order });
    await list.read(params);
    await list.get('e');
    await list.change('e', { rank: 1 });
    expect(list.isFresh(params)).toBe(false);
    await list.read(params);
    expect([list.ids(params), list.isFresh(params)]).toEqual(['e a', true]);
  });

  test('that moves up by another read makes a list without a filter stale', async () => {
    const list = start({ given: GIVEN, order: 'by rank' });
    await list.read();
    await list.get('e');
    list.items.set('e', item('e1'));
    await list.get('e');
    expect(list.isFresh()).toBe(false);
  });

  test('that changes in no field of the order leaves the list alone', async () => {
    const list = start({ given: GIVEN, order: 'by sort' });
    await list.read({ sort: 'rank' });
    await list.get('e');
    await list.change('e', { title: 'new' });
    expect([list.ids({ sort: 'rank' }), list.isFresh({ sort: 'rank' })]).toEqual(['a b', true]);
  });

  test.each([true, false])(
    'that moves up enters a list whose filter it fits; optimistic: %s',
    async (isOptimistic) => {
      const params = { state: 'open', sort: 'rank' };
      const list = start({ given: GIVEN, order: 'by sort', isPartial: true, isOptimistic });
      await list.read(params);
      await list.get('e');
      list.net.isQuick = false;
      const change = list.change('e', { rank: 1 });
      await calm();
      expect(list.ids(params)).toBe(isOptimistic ? 'e a b' : 'a b');
      await list.net.next('PATCH').deliver();
      await change;
      expect([list.ids(params), list.total(params), list.isFresh(params)]).toEqual(['e a b', 5, true]);
    },
  );
});

describe('a list that the server fills by another rule', () => {
  test('is stale when a row is created that its key does not equal', async () => {
    const list = start({ given: 'a1 b2*', size: 9 });
    await list.read({ state: 'all' });
    await list.read({ state: 'open' });
    await list.read({ state: 'done' });
    await list.create('c3');
    expect(['all', 'open', 'done'].map((state) => list.isFresh({ state }))).toEqual([false, true, true]);
    await list.read({ state: 'all' });
    expect([list.ids({ state: 'all' }), list.isFresh({ state: 'all' })]).toEqual(['a b c', true]);
  });

  test('is stale when a row that it does not hold changes in a field of its key', async () => {
    const list = start({ given: 'a1 b2* c3', size: 2 });
    await list.read({ state: 'all' });
    await list.get('c');
    await list.change('c', { state: 'done' });
    expect(list.isFresh({ state: 'all' })).toBe(false);
  });
});

describe('a total', () => {
  test.each([true, false])(
    'does not count a created row that was deleted before its response arrived; optimistic: %s',
    async (isOptimistic) => {
      const list = start({ given: 'a1', size: 9, isOptimistic });
      list.net.isQuick = false;
      const made = list.create('b2');
      await calm();
      list.net.next('POST').handle();
      const post = list.net.inFlight.shift()!; // it waits
      list.net.isQuick = true;
      await list.read();
      await list.remove('b');
      await list.read();
      await post.deliver();
      await made;
      expect([list.ids(), list.total(), list.isFresh()]).toEqual(['a', 1, true]);
    },
  );

  test('is right after a deletion and a creation of the same key, with pages that are not loaded', async () => {
    const list = start({ given: 'a1 b2 c3 d4 e5' });
    await list.read({ state: 'open' });
    for (let turn = 0; turn < 3; turn += 1) {
      await list.remove('b');
      expect([list.total({ state: 'open' }), list.isFresh({ state: 'open' })]).toEqual([4, true]);
      await list.restore('b');
      expect([list.total({ state: 'open' }), list.isFresh({ state: 'open' })]).toEqual([5, true]);
    }
  });

  test.each([true, false])(
    'of a list that a row leaves is stale where another list contained the row first; optimistic: %s',
    async (isOptimistic) => {
      const list = start({ given: 'a1 b2 c3 d4', isOptimistic });
      await list.read({ state: 'open' });
      list.net.isQuick = false;
      const change = list.change('d', { state: 'done' });
      await calm();
      list.net.next('PATCH').handle();
      const read = list.read({ state: 'done' });
      await calm();
      await list.net.next('GET').deliver();
      await read;
      await list.net.next('PATCH').deliver();
      await change;
      expect(list.isFresh({ state: 'open' })).toBe(false);
    },
  );

  test.each([
    ['d4*', 'd4', 4, true],
    ['d4*', 'd4', 4, false],
    ['d4', 'd4*', 3, true],
    ['d4', 'd4*', 3, false],
  ])(
    'is read again when a response to an earlier request turns %s into %s, for a total of %i; shown before: %s',
    async (before, after, total, isShown) => {
      const open = { state: 'open' };
      const list = start({ given: `a1 b2 c3 ${before}` });
      await list.get('d');
      list.net.isQuick = false;
      const detail = list.get('d');
      await calm();
      const read = list.read(open);
      await calm();
      await list.net.next('GET /items?state=open').deliver();
      await read;
      list.items.set('d', item(after));
      list.net.isQuick = true;
      if (isShown) show(list, open);
      await list.net.next('GET /items/d').deliver();
      await detail;
      show(list, open);
      await calm();
      expect([list.ids(open), list.total(open), list.isFresh(open)]).toEqual(['a b', total, true]);
    },
  );

  const FIRST: [string, (list: ReturnType<typeof start>) => Promise<unknown>][] = [
    ['its detail', (list) => list.get('d')],
    ['another list', (list) => list.read({ state: 'done' })],
    ['an edit', (list) => list.change('d', { title: 'new' })],
  ];

  describe.each(FIRST)('of a row that was created and seen first in %s', (_where, see) => {
    test.each([
      ['before', {}, true],
      ['before', { state: 'done' }, false],
      ['meanwhile', {}, true],
      ['meanwhile', { state: 'done' }, false],
    ] as const)('is right or stale where the list was read %s: %j', async (when, params, isOptimistic) => {
      const list = start({ given: 'a1* b2* c3*', isOptimistic });
      if (when === 'before') await list.read(params);
      list.net.isQuick = false;
      const made = list.create('d4*');
      await calm();
      const post = list.net.inFlight.shift()!; // it waits
      post.handle();
      list.net.isQuick = true;
      await see(list);
      if (when === 'meanwhile') await list.read(params);
      await post.deliver();
      await made;
      const isRight = list.total(params) === 4;
      expect(isRight || !list.isFresh(params)).toBe(true);
      await list.read(params);
      expect([list.total(params), list.isFresh(params)]).toEqual([4, true]);
    });
  });

  test.each([true, false])(
    'does not count a row as known that another list brought while the list was in flight; optimistic: %s',
    async (isOptimistic) => {
      const open = { state: 'open' };
      const list = start({ given: 'a1 b2 c3 d4 e5*', isOptimistic });
      await list.read(open);
      await list.get('e');
      list.net.isQuick = false;
      const change = list.change('e', { state: 'open' });
      await calm();
      const other = list.read({ order: 'rank', page: '3' });
      await calm();
      const again = list.read(open);
      await calm();
      list.net.next('GET /items?state=open').handle();
      list.net.next('PATCH').handle();
      await list.net.next('GET /items?order=rank').deliver();
      await other;
      await list.net.next('PATCH').deliver();
      await change;
      await list.net.next('GET /items?state=open').deliver();
      await again;
      expect(list.total(open) === 5 || !list.isFresh(open)).toBe(true);
    },
  );

  test.each([0, 1, 2])(
    'is never below the rows shown: %i of four pending deletions handled',
    async (handled) => {
      const open = { state: 'open' };
      const list = start({ given: 'a1 b2 c3 d4', size: 1, isOptimistic: true });
      for (const id of 'abcd') await list.get(id);
      list.net.isQuick = false;
      const removals = [...'abcd'].map((id) => list.remove(id));
      await calm();
      const deletes = list.net.inFlight.splice(0);
      for (const one of deletes.slice(0, handled)) one.handle();
      list.net.isQuick = true;
      await list.read(open);
      expect([list.ids(open), list.total(open)]).toEqual(['', 0]);
      for (const one of deletes) await one.deliver();
      await Promise.all(removals);
    },
  );
});

describe('two lists over the same rows whose responses cross', () => {
  /** Both are on screen; the response of the ordered list, which was requested first, arrives last. */
  async function cross() {
    const list = start({ given: 'a1 b2 c3 d4 e5', size: 3, order: 'by sort', isOptimistic: true });
    list.net.isQuick = false;
    const sorted = show(list, { sort: 'rank' });
    show(list);
    await calm();
    const [first, second] = [...list.net.inFlight];
    await second!.deliver();
    await first!.deliver();
    return { ...list, shown: () => sorted.read().data?.items?.map(({ id, title }) => `${id} ${title}`) };
  }

  test('cost no further request', async () => {
    const list = start({ given: 'a1 b2 c3 d4 e5', size: 3, order: 'by sort' });
    list.net.isQuick = false;
    show(list, { sort: 'rank' });
    show(list);
    await calm();
    const [first, second] = [...list.net.inFlight];
    await second!.deliver();
    await first!.deliver();
    expect(list.net.sent).toHaveLength(2);
    expect([list.ids({ sort: 'rank' }), list.isFresh({ sort: 'rank' })]).toEqual(['a b c', true]);
  });

  test('follow messages, updates, deletions and names of created rows', async () => {
    const list = await cross();
    void list.controller.set(Item, { ...item('b2'), title: 'message' });
    expect(list.shown()).toEqual(['a old', 'b message', 'c old']);
    const change = list.change('a', { title: 'mine' });
    await calm();
    expect(list.shown()).toEqual(['a mine', 'b message', 'c old']);
    await list.net.next('PATCH').deliver();
    await change;
    const made = list.create('n2');
    await calm();
    await list.net.next('POST').deliver();
    await made;
    expect(list.shown()).toEqual(['a mine', 'b message', 'n old', 'c old']);
    const removal = list.remove('b');
    await calm();
    expect(list.shown()).toEqual(['a mine', 'n old', 'c old']);
    await list.net.next('DELETE').deliver();
    await removal;
    expect(list.shown()).toEqual(['a mine', 'n old', 'c old']);
  });
});

test('a list that contradicts its order, and is stale, follows an optimistic update', async () => {
  const list = start({ given: 'a1 b2 c3', size: 9, order: 'by sort', isOptimistic: true });
  const params = { sort: '-rank' };
  const watch = show(list, params);
  await calm();
  list.net.isQuick = false;
  void list.controller.set(Item, { ...item('b2'), title: 'message' });
  await calm();
  void list.change('a', { title: 'mine' });
  await calm();
  expect(watch.read().data?.items?.map(({ title }) => title)).toEqual(['mine', 'message', 'old']);
});

describe('the last row of the loaded pages, written while the list is read', () => {
  const params = { sort: 'rank' };

  test.each(['an update', 'a creation', 'a message'])('is shown: %s', async (what) => {
    const list = start({ given: 'a1 b2 c3 d4', size: 3, order: 'by sort' });
    if (what === 'a creation') list.items.delete('c');
    await list.read(params);
    list.net.isQuick = false;
    const write =
      what === 'an update'
        ? list.change('c', { title: 'new' })
        : what === 'a creation'
          ? list.create('c3')
          : undefined;
    await calm();
    list.net.inFlight[0]?.handle();
    const again = list.read(params);
    await calm();
    if (!write) list.items.set('c', { ...item('c3'), title: 'new' });
    if (!write) await list.controller.set(Item, { ...item('c3'), title: 'new' });
    list.net.next('GET').handle();
    if (write) await list.net.inFlight[0]?.deliver();
    await write;
    await list.net.next('GET').deliver();
    await again;
    expect(list.ids(params)).toBe('a b c');
  });

  test('is shown under an optimistic update, and after the response', async () => {
    const list = start({ given: 'a1 b2 c3 d4', size: 3, order: 'by rank', isOptimistic: true });
    list.net.isQuick = false;
    const change = list.change('c', { title: 'new' }).catch(() => undefined);
    await calm();
    const patch = list.net.inFlight.shift()!; // it waits
    list.net.isQuick = true;
    await list.read();
    expect(list.ids()).toBe('a b c');
    await patch.deliver();
    await change;
    expect([list.ids(), list.isFresh()]).toEqual(['a b c', true]);
  });

  test('makes the list stale where it may have moved away', async () => {
    const list = start({ given: 'a1 b2 c3 d4', size: 3, order: 'by rank' });
    list.net.isQuick = false;
    const read = list.read();
    await calm();
    list.net.next('GET').handle();
    const change = list.change('c', { rank: 9 });
    await calm();
    await list.net.next('PATCH').deliver();
    await change;
    await list.net.next('GET').deliver();
    await read;
    expect([list.ids(), list.isFresh()]).toEqual(['a b c', false]);
  });
});

describe('pages that are read while a write is in flight', () => {
  test('are read once more when the write has ended, and not before', async () => {
    const list = start({ given: 'a1 b2 c3 d4' });
    show(list);
    await calm();
    await list.more();
    list.net.isQuick = false;
    void list.change('zz', { title: 'slow' }).catch(() => undefined);
    await calm();
    const patch = list.net.inFlight.shift()!; // it waits
    list.items.set('zz', item('zz9'));
    list.net.isQuick = true;
    list.net.sent.length = 0;
    list.controller.expireAll(list.resource.getList);
    for (let turn = 0; turn < 20; turn += 1) await calm();
    expect(list.net.sent).toEqual(['GET /items', 'GET /items?page=2']);
    await patch.deliver();
    for (let turn = 0; turn < 20; turn += 1) await calm();
    expect(list.net.sent).toHaveLength(4);
    expect(list.isFresh()).toBe(true);
  });
});
