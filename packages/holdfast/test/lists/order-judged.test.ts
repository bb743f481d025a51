// A declared order is checked against the responses of the server, whenever they are read: a list that contradicts it, or cannot
// be compared, keeps the order of the response, and is stale as soon as a row changes that only the server could place.
import { Controller, dehydrate, Endpoint, Entity, HttpError, hydrate, orderBy, schema } from 'holdfast';
import { beforeEach, expect, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Author extends Entity {
  static override key = 'Author';
  id = '';
  name = '';
}

class Card extends Entity {
  static override key = 'Card';
  id = '';
  rank = 0;
  title = '';
  author: Author | null = null;
  static override schema = { author: Author };
}

type Fields = Record<string, unknown>;

const byRank = new schema.Collection([Card], {
  order: orderBy<Card>((left, right) => left.rank - right.rank),
});
const byAuthor = new schema.Collection([Card], {
  order: orderBy<Card>((left, right) => (left.author?.name ?? '').localeCompare(right.author?.name ?? '')),
});
const bySort = new schema.Collection([Card], { order: orderBy('sort') });

const getCards = (list: typeof byRank, answer: () => Promise<unknown> = async () => []) =>
  new Endpoint(async (_args: Fields) => answer(), { name: 'cards', schema: list });
const pushCard = (list: typeof byRank) =>
  new Endpoint(async (_args: Fields, card: Fields) => card as unknown, {
    name: 'push',
    schema: list.push,
    sideEffect: true,
  });

/** A controller, and the shown rows of a list. */
function start(list = byRank, args: Fields = {}) {
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  let next: readonly unknown[] = [];
  const get = getCards(list, async () => next);
  const shown = () =>
    (controller.getResponse(get, args).data ?? []).map(({ id, rank }) => `${id}${rank}`).join(' ');
  const isFresh = () => controller.getResponse(get, args).expiresAt > world.time.clock.now();
  const answer = (cards: readonly unknown[]) => controller.setResponse(get, args, cards as never); // cast: loose here
  const read = (cards: readonly unknown[]) => controller.fetch(get, ((next = cards), args));
  const push = (card: Fields) => controller.setResponse(pushCard(list), args, card, card as never);
  const set = (id: string, change: Fields) =>
    controller.set(Card, { id }, (card: Card) => ({ ...card, ...change }));
  return { controller, get, shown, isFresh, answer, read, push, set };
}

const refused = new HttpError({ method: 'PATCH', url: '/' }, new Response(null, { status: 400 }));

/** An optimistic update that has not ended: the fields of a row of this type. */
function guess(controller: Controller, entity: typeof Card | typeof Author, fields: Fields) {
  let end: (isGood: boolean) => void = () => {};
  const answer = new Promise<unknown>((resolve, reject) => {
    end = (isGood) => (isGood ? resolve(fields) : reject(refused));
  });
  const change = new Endpoint(async (_fields: Fields) => answer, {
    name: 'change',
    schema: entity as typeof Card,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, given: Fields) => given,
  });
  const call = controller.fetch(change, fields).catch(() => undefined);
  return async (isGood: boolean) => {
    end(isGood);
    await call;
  };
}

const card = (id: string, rank: number, more: Fields = {}) => ({
  id,
  rank,
  title: '',
  author: null,
  ...more,
});
const by = (id: string, name: string, rank = 0) => card(id, rank, { author: { id: `of-${id}`, name } });

let warn = vi.spyOn(console, 'warn');
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  return () => warn.mockRestore();
});
const codes = () => warn.mock.calls.map(([text]) => /[A-Z]+_[A-Z]+/.exec(String(text))?.[0]);

// ── answers that are read late ───────────────────────────────────────────────────────────────────

test('a restored list keeps its order, with the rows that were added and moved before it was saved', async () => {
  const saved = start();
  await saved.answer([card('a', 1), card('b', 2), card('c', 4)]);
  await saved.push(card('x', 2));
  await saved.set('a', { rank: 3 });
  expect(saved.shown()).toBe('b2 x2 a3 c4');

  const restored = start();
  hydrate(restored.controller, dehydrate(saved.controller));

  expect([restored.shown(), restored.isFresh(), codes()]).toEqual(['b2 x2 a3 c4', true, []]);
  await restored.push(card('y', 3));
  expect([restored.shown(), restored.isFresh()]).toEqual(['b2 x2 a3 y3 c4', true]);
});

test('a restored list that contradicts the order is stale', async () => {
  const saved = start();
  await saved.answer([card('a', 4), card('b', 2)]);
  const restored = start();
  hydrate(restored.controller, dehydrate(saved.controller));

  expect([restored.shown(), restored.isFresh()]).toEqual(['a4 b2', false]);
});

test.each(['a contradiction', 'an error'])(
  '%s that is found after a change makes the list stale',
  async (what) => {
    const list = new schema.Collection([Card], {
      order: orderBy<Card>((left, right) => {
        if (what === 'an error') throw new Error('no order');
        return left.rank - right.rank;
      }),
    });
    const { answer, set, push, shown, isFresh } = start(list);
    await answer([card('a', 4), card('b', 2), card('c', 5)]);
    await (what === 'an error' ? push(card('d', 1)) : set('c', { rank: 1 }));

    expect(shown()).toContain('a4 b2');
    expect(isFresh()).toBe(false);
  },
);

test('a contradiction in a later response, with a change between, makes the list stale', async () => {
  const { answer, set, shown, isFresh } = start();
  await answer([card('a', 1), card('b', 2)]);
  expect(shown()).toBe('a1 b2');
  await answer([card('b', 2), card('a', 1), card('c', 3)]);
  await set('c', { rank: 0 });

  expect([shown(), isFresh()]).toEqual(['b2 a1 c0', false]);
});

test('the response of a write that contains the list does not count a row that was added meanwhile as its own', async () => {
  const { controller, answer, push, shown, isFresh } = start();
  await answer([card('a', 1), card('b', 2)]);
  expect(shown()).toBe('a1 b2');
  let end: (cards: unknown) => void = () => {};
  const sortAll = new Endpoint(async (_args: Fields) => new Promise<unknown>((resolve) => (end = resolve)), {
    name: 'sortAll',
    schema: byRank,
    sideEffect: true,
  });
  const call = controller.fetch(sortAll, {});
  await push(card('x', 0));
  end([card('a', 1), card('b', 2)]);
  await call;

  // the message may be older than the response, so the list is read once more
  expect([shown(), isFresh(), codes()]).toEqual(['x0 a1 b2', false, []]);
});

// ── rows inside the items ────────────────────────────────────────────────────────────────────────

test('the order of a response is checked without the optimistic update of a nested row', async () => {
  const { controller, answer, read, shown, isFresh } = start(byAuthor);
  await answer([by('a', 'Ada'), by('b', 'Bob'), by('c', 'Cyd')]);
  expect(shown()).toBe('a0 b0 c0');
  const end = guess(controller, Author, { id: 'of-a', name: 'Zoe' });
  await read([by('a', 'Ada'), by('b', 'Bob'), by('c', 'Cyd')]);
  expect([shown(), codes()]).toEqual(['b0 c0 a0', []]);
  await end(false);

  expect([shown(), isFresh()]).toEqual(['a0 b0 c0', true]);
});

test('the order that an optimistic update hid is checked when the update has ended', async () => {
  const { controller, answer, read, shown, isFresh } = start();
  await answer([card('a', 1), card('b', 2)]);
  expect(shown()).toBe('a1 b2');
  const end = guess(controller, Card, card('a', 9));
  await read([card('b', 2), card('a', 1)]);
  expect(shown()).toBe('b2 a9');
  await end(false);

  expect([shown(), isFresh(), codes()]).toEqual(['b2 a1', true, ['ORDER_CONTRADICTED']]);
});

test('where the server orders, a change of a nested row makes the list stale', async () => {
  const { controller, answer, shown, isFresh } = start(byAuthor);
  await answer([by('b', 'Bob'), by('a', 'Ada'), by('c', 'Cyd')]);
  expect([shown(), isFresh()]).toEqual(['b0 a0 c0', true]);
  await controller.set(Author, { id: 'of-c' }, { id: 'of-c', name: 'Abe' });

  expect([shown(), isFresh()]).toEqual(['b0 a0 c0', false]);
});

test('where the server orders, a row that is removed leaves the order of the others', async () => {
  const { controller, answer, shown, isFresh } = start();
  await answer([card('a', 4), card('b', 2), card('c', 1)]);
  expect(shown()).toBe('a4 b2 c1');
  const remove = new Endpoint(async (args: { id: string }) => args as unknown, {
    name: 'remove',
    schema: new schema.Invalidate(Card),
    sideEffect: true,
  });
  await controller.setResponse(remove, { id: 'b' }, { id: 'b' } as never);

  expect([shown(), isFresh()]).toEqual(['a4 c1', true]);
});

// ── one list, two orders ─────────────────────────────────────────────────────────────────────────

test('one list that two Collections order is checked by each of them', async () => {
  const argsKey = () => ({});
  const up = new schema.Collection([Card], { argsKey, order: orderBy<Card>((l, r) => l.rank - r.rank) });
  const down = new schema.Collection([Card], { argsKey, order: orderBy<Card>((l, r) => r.rank - l.rank) });
  const { controller, answer, set, shown, isFresh } = start(up);
  const ids = () => (controller.get(down) ?? []).map(({ id }) => id).join('');
  await answer([card('a', 1), card('b', 2), card('c', 3)]);
  expect([shown(), ids(), isFresh()]).toEqual(['a1 b2 c3', 'abc', true]);
  await set('a', { rank: 9 });

  expect([shown(), ids(), isFresh()]).toEqual(['b2 c3 a9', 'abc', false]);
});

// ── values that have no order ────────────────────────────────────────────────────────────────────

test.each([
  ['a field that the rows lack', 'rank', [{ id: 'a' }, { id: 'b' }], 'ORDER_UNKNOWN'],
  ['objects', 'author', [by('a', 'Ada'), by('b', 'Bob')], 'ORDER_THREW'],
  ['NaN', 'rank', [card('a', NaN), card('b', 1)], 'ORDER_THREW'],
])('%s: only the server orders', async (_what, sort, cards, code) => {
  const { answer, push, shown, isFresh } = start(bySort, { sort });
  await answer(cards);
  expect([shown().length > 0, isFresh(), codes()]).toEqual([true, true, [code]]);
  await push({ ...by('x', 'Abe'), rank: -1 });

  expect([shown().split(' ').at(-1), isFresh()]).toEqual(['x-1', false]);
});

test('an optimistic update may omit the ordering field: its response decides', async () => {
  const { controller, answer, shown, isFresh } = start(bySort, { sort: 'rank' });
  await answer([card('a', 1), card('b', 2)]);
  let end: (made: unknown) => void = () => {};
  const create = new Endpoint(
    async (_args: Fields, _body: Fields) => new Promise<unknown>((resolve) => (end = resolve)),
    {
      name: 'create',
      schema: bySort.push,
      sideEffect: true,
      getOptimisticResponse: (_snapshot: unknown, _args: Fields, body: Fields) => body,
    },
  );
  const call = controller.fetch(create, { sort: 'rank' }, { title: 'new' });
  expect([shown().split(' ').length, codes()]).toEqual([3, []]);
  end(card('x', 1.5));
  await call;

  expect([shown(), isFresh(), codes()]).toEqual(['a1 x1.5 b2', true, []]);
});

// ── equals ───────────────────────────────────────────────────────────────────────────────────────

test('a row that moved by a nested change is placed behind its equals', async () => {
  const { controller, answer, shown } = start(byAuthor);
  await answer([by('a', 'Ada'), by('b', 'Bob'), by('c', 'Bob')]);
  expect(shown()).toBe('a0 b0 c0');
  await controller.set(Author, { id: 'of-a' }, { id: 'of-a', name: 'Bob' });

  expect(shown()).toBe('b0 c0 a0');
});

test('a row that left and came back is placed like a new row', async () => {
  const lanes = new schema.Collection([Card], { order: orderBy<Card>((l, r) => l.rank - r.rank) });
  const { answer, set, push, shown } = start(lanes, { title: '' });
  await answer([card('a', 1), card('b', 1), card('c', 1)]);
  expect(shown()).toBe('a1 b1 c1');
  await set('a', { title: 'other' });
  expect(shown()).toBe('b1 c1');
  await push(card('x', 1));
  expect(shown()).toBe('b1 c1 x1');
  await set('a', { title: '' });

  expect(shown()).toBe('b1 c1 x1 a1');
});

test('an optimistic update that reads the list does not change its order', async () => {
  const { controller, get, answer, push, set, shown } = start();
  await answer([card('a', 1), card('b', 1)]);
  const seen: string[] = [];
  const look = new Endpoint(async (_args: Fields) => new Promise<unknown>(() => {}), {
    name: 'look',
    schema: Card,
    sideEffect: true,
    getOptimisticResponse(snapshot: { getResponse: (of: typeof get, args: Fields) => { data?: unknown } }) {
      const cards = snapshot.getResponse(get, {}).data as readonly Card[];
      seen.push(cards.map(({ id, rank }) => `${id}${rank}`).join(' '));
      return card('a', 2);
    },
  });
  controller.fetch(look, {}).catch(() => undefined);
  expect(shown()).toBe('b1 a2');
  await push(card('c', 2));
  expect(shown()).toBe('b1 a2 c2');
  await set('b', { title: 'new' });

  expect([seen.at(-1), shown()]).toEqual(['a1 b1 c2', 'b1 a2 c2']);
});

test('items that are no rows keep the order of an equal response', async () => {
  const list = new schema.Collection([{ by: Author, n: 0 }], {
    argsKey: () => ({}),
    order: orderBy<{ by: Author; n: number }>((left, right) => left.by.name.localeCompare(right.by.name)),
  });
  const get = new Endpoint(async () => [], { name: 'plain', schema: list });
  const controller = new Controller(new FakeWorld().options);
  const answer = () =>
    controller.setResponse(
      get,
      ['x', 'y', 'y', 'y'].map((name, at) => ({ by: { id: `${at}`, name }, n: 1 })) as never,
    );
  const shown = () => (controller.getResponse(get).data ?? []).map(({ by: { id } }) => id).join('');
  await answer();
  expect(shown()).toBe('0123');
  await answer();
  expect(shown()).toBe('0123');
  await controller.set(Author, { id: '2' }, { id: '2', name: 'a' });
  expect(shown()).toBe('2013');
  await controller.set(Author, { id: '2' }, { id: '2', name: 'y' });

  // back in its place in the response
  expect(shown()).toBe('0123');
});

test('a response in the declared order keeps the array', async () => {
  const { controller, get, answer, set, shown } = start();
  await answer([card('a', 1), card('b', 2)]);
  await set('a', { rank: 3 });
  expect(shown()).toBe('b2 a3');
  const { data } = controller.getResponse(get, {});
  await answer([card('b', 2), card('a', 3)]);

  expect(controller.getResponse(get, {}).data).toBe(data);
});

// ── no declared order ────────────────────────────────────────────────────────────────────────────

test.each([
  ['-popularity,id', false],
  ['rank:desc', true],
])(
  'with orderBy=%s and no declared order, after a change of another field: fresh is %s',
  async (orderByText, isKept) => {
    const { answer, set, isFresh } = start(new schema.Collection([Card]) as typeof byRank, {
      orderBy: orderByText,
    });
    await answer([card('a', 1), card('b', 2)]);
    await set('a', { title: 'new' });

    expect(isFresh()).toBe(isKept);
  },
);

test.each([
  ['moves in', { title: 'x' }],
  ['moves in by a message with further fields', { title: 'x', rank: 3 }],
])('a row that %s has no known place in a list in server order: the list is stale', async (_how, change) => {
  const plain = new schema.Collection([Card]);
  const { controller, answer, isFresh, set } = start(plain as never, { title: 'x', orderBy: 'rank' });
  await controller.set(Card, { id: 'c', rank: 1, title: 'y' });
  await answer([
    { id: 'a', rank: 1, title: 'x' },
    { id: 'b', rank: 2, title: 'x' },
  ]);
  expect(isFresh()).toBe(true);

  await set('c', change);
  expect(isFresh()).toBe(false);
});

test.each([{ title: 'x', orderBy: 'rank' }, { orderBy: 'rank' }])(
  'a member whose creation has a response with another place in the server order makes the list stale: %o',
  async (args) => {
    const plain = new schema.Collection([Card]);
    const { answer, isFresh, push } = start(plain as never, args);
    await answer([
      { id: 'a', rank: 1, title: 'x' },
      { id: 'b', rank: 2, title: 'x' },
    ]);
    expect(isFresh()).toBe(true);

    await push({ id: 'a', rank: 3, title: 'x' });
    expect(isFresh()).toBe(false);
  },
);

test.each([
  ['created', { title: 'x', orderBy: 'rank' }],
  ['created', { orderBy: 'rank' }],
  ['moved in', { title: 'x', orderBy: 'rank' }],
])(
  'a row that is %s while a list in server order is read has no known place there: the list %o is stale',
  async (what, args) => {
    const plain = new schema.Collection([Card]);
    let send: (cards: readonly unknown[]) => void = () => {};
    const get = getCards(plain as never, () => new Promise((resolve) => (send = resolve)));
    const controller = new Controller(new FakeWorld().options);
    const card = { id: 'c', rank: 1, title: 'x' };
    if (what === 'moved in') await controller.set(Card, { ...card, title: 'y' });
    const reading = controller.fetch(get, args);
    if (what === 'moved in') await controller.set(Card, card);
    else await controller.setResponse(pushCard(plain as never), args, card, card as never);

    send([{ id: 'a', rank: 2, title: 'x' }]);
    await reading;
    expect(controller.getResponse(get, args).data?.map(({ id }) => id)).toContain('c');
    expect(controller.getResponse(get, args).expiresAt).toBe(0);
  },
);

test('a row that is created while a list in server order is read may have another place than in its response', async () => {
  const plain = new schema.Collection([Card]);
  let send: (cards: readonly unknown[]) => void = () => {};
  const get = getCards(plain as never, () => new Promise((resolve) => (send = resolve)));
  const create = new Endpoint(async (_card: Fields) => ({}) as unknown, {
    name: 'create',
    schema: Card,
    sideEffect: true,
    method: 'POST',
  });
  const controller = new Controller(new FakeWorld().options);
  const args = { orderBy: 'rank' };
  const reading = controller.fetch(get, args);
  const card = { id: 'c', rank: 1, title: 'x' };
  await controller.setResponse(create, card, card as never);

  send([
    { id: 'a', rank: 2, title: 'x' },
    { id: 'c', rank: 3, title: 'x' },
  ]);
  await reading;
  expect(controller.getResponse(get, args).data?.map(({ id, rank }) => `${id}${rank}`)).toEqual(['a2', 'c1']);
  expect(controller.getResponse(get, args).expiresAt).toBe(0);
});
