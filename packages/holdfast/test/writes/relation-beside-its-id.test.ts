// A row may have a nested row and, in a field of its own, the id of that row: `author` and `authorId`. When a payload changes the id and
// omits the nested row, only the server knows the new one.
import { Controller, createResource, Entity } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Author extends Entity {
  static override key = 'PairAuthor';
  id = '';
  name = '';
}

class Post extends Entity {
  static override key = 'PairPost';
  id = '';
  title = '';
  likes = 0;
  authorId: string | null = null;
  author: Author | null = null;
  tagIds: readonly string[] = [];
  tags: readonly Author[] = [];
  static override schema = { author: Author, tags: [Author] };
}

interface Stored {
  readonly id: string;
  readonly title: string;
  readonly likes: number;
  readonly authorId: string | null;
  readonly tagIds: readonly string[];
}

const authorOf = (id: string | null) => (id === null ? null : { id, name: `name ${id}` });

/** A server that sends the nested rows only where `_expand` is said, and a client that has read the list with them. */
async function start(given: Partial<Stored> = {}) {
  const post: Stored = { id: '1', title: 'old', likes: 7, authorId: '7', tagIds: ['7', '8'], ...given };
  const posts = new Map([['1', post]]);
  const nested = (row: Stored) => ({
    ...row,
    author: authorOf(row.authorId),
    tags: row.tagIds.map(authorOf),
  });
  const net = new Moments(({ method, path, query, body }) => {
    const id = path.split('/')[2];
    if (method === 'PATCH') posts.set(id!, { ...posts.get(id!)!, ...(body as Partial<Stored>) }); // it is there
    const rows = [...posts.values()].map((row) => (query['_expand'] ? nested(row) : row));
    return { body: id ? rows.find((row) => row.id === id) : rows };
  });
  net.isQuick = true;
  const resource = createResource({
    urlPrefix: 'http://by.hand',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { _expand?: string },
    body: {} as Partial<Stored>,
    nonFilterArgumentKeys: ['_expand'],
  });
  const controller = new Controller({ fetch: net.fetch });
  onTestFinished(() => controller.stop());
  controller.start();
  const args = { _expand: 'author' };
  await controller.fetch(resource.getList, args);
  const seen = () => {
    const { data, expiresAt } = controller.getResponse(resource.getList, args);
    const [{ author, tags } = {} as Post] = data ?? [];
    const isFresh = expiresAt > Date.now();
    return [author?.name, tags!.map(({ id }) => id).join(), isFresh ? 'fresh' : 'stale'].join(' ');
  };
  net.sent.length = 0;
  const change = (fields: Partial<Stored>) => controller.fetch(resource.partialUpdate, { id: '1' }, fields);
  return { args, change, controller, net, posts, resource, seen };
}

describe('a response without the nested rows', () => {
  test.each([
    ['another id', 'name 7 7,8 stale', {}, { authorId: '9' }],
    ['no id', 'name 7 7,8 stale', {}, { authorId: null }],
    ['the first id', ' 7,8 stale', { authorId: null }, { authorId: '9' }],
    ['other ids', 'name 7 7,8 stale', {}, { tagIds: ['8'] }],
    ['the first ids', 'name 7  stale', { tagIds: [] }, { tagIds: ['8'] }],
    ['the same ids', 'name 7 7,8 fresh', {}, { authorId: '7', tagIds: ['7', '8'] }],
    ['another title', 'name 7 7,8 fresh', {}, { title: 'new' }],
    ['a title where there is no author', ' 7,8 fresh', { authorId: null }, { title: 'new' }],
    ['another number', 'name 7 7,8 fresh', { likes: 3 }, { likes: 4 }],
    ['another number instead of the id', 'name 7 7,8 stale', {}, { likes: 8 }],
  ] as const)('to a mutation that sends %s leaves on screen: %s', async (_sent, expected, given, sent) => {
    const { change, seen } = await start(given);
    await change(sent);
    expect(seen()).toBe(expected);
  });
});

describe('lists by a relation or its id', () => {
  interface Row {
    readonly id: string;
    readonly ownerId: string;
  }
  type Form = 'id' | 'row' | 'both';
  const ARGS = [{ owner: '7' }, { owner: '9' }, { ownerId: '7' }, { ownerId: '9' }, { owner_id: '9' }];
  type Filters = Readonly<Partial<Record<'owner' | 'ownerId' | 'owner_id', string>>>;

  class Task extends Entity {
    static override key = 'PairTask';
    id = '';
    owner: Author | null = null;
    static override schema = { owner: Author };
  }

  /** Lists whose rows have the relation, its id or both, and a server whose responses of one row have another form. */
  async function lists(inLists: Form, alone: Form) {
    const rows = new Map<string, Row>([
      ['1', { id: '1', ownerId: '7' }],
      ['2', { id: '2', ownerId: '9' }],
    ]);
    const show = ({ id, ownerId }: Row, form: Form) => ({
      id,
      ...(form !== 'row' && { ownerId }),
      ...(form !== 'id' && { owner: authorOf(ownerId) }),
    });
    const idsOf = ({ owner, ownerId = owner, owner_id = ownerId }: Filters) =>
      [...rows.values()].filter((row) => row.ownerId === owner_id).map(({ id }) => id);
    const net = new Moments(({ method, path, query, body }) => {
      const id = path.split('/')[2];
      const sent = (body ?? {}) as { readonly ownerId?: string; readonly owner?: { readonly id: string } };
      if (method === 'PATCH') rows.set(id!, { id: id!, ownerId: sent.ownerId ?? sent.owner!.id }); // one of the two is sent
      return {
        body: id ? show(rows.get(id)!, alone) : idsOf(query).map((one) => show(rows.get(one)!, inLists)),
      };
    });
    net.isQuick = true;
    const resource = createResource({
      urlPrefix: 'http://by.hand',
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as Filters,
      body: {} as object,
    });
    const controller = new Controller({ fetch: net.fetch });
    onTestFinished(() => controller.stop());
    controller.start();
    for (const args of ARGS) await controller.fetch(resource.getList, args);
    /** The lists that count as fresh and are not those of the server. */
    const wrong = () =>
      ARGS.filter((args) => {
        const { data, expiresAt } = controller.getResponse(resource.getList, args);
        const shown = (data ?? []).map(({ id }) => id).sort();
        return expiresAt > Date.now() && shown.join() !== idsOf(args).sort().join();
      });
    return { controller, resource, rows, show, wrong };
  }

  const forms = (['id', 'row', 'both'] as const).flatMap((inLists) =>
    (['id', 'row', 'both'] as const).map((alone) => [inLists, alone] as const),
  );

  test.each(forms)('are right or stale: %s in the lists, %s alone', async (inLists, alone) => {
    for (const sent of [{ ownerId: '9' }, { owner: authorOf('9') }]) {
      const { controller, resource, wrong } = await lists(inLists, alone);
      await controller.fetch(resource.partialUpdate, { id: '1' }, sent);
      expect(wrong()).toEqual([]);
    }
    const { controller, resource, rows, show, wrong } = await lists(inLists, alone);
    rows.set('1', { id: '1', ownerId: '9' });
    await controller.fetch(resource.get, { id: '1' });
    expect(wrong()).toEqual([]);
    rows.set('2', { id: '2', ownerId: '7' });
    await controller.set(Task, show(rows.get('2')!, alone) as never); // cast: as the server sends it
    expect(wrong()).toEqual([]);
  });

  // The relation stays that of the first response.
  test('are right or stale when the id changes, they are read, and the id changes back', async () => {
    const { controller, resource, wrong } = await lists('id', 'id');
    await controller.set(Task, { id: '1', owner: authorOf('7') } as never); // cast: as the server sends it
    for (const ownerId of ['9', '7']) {
      await controller.fetch(resource.partialUpdate, { id: '1' }, { ownerId });
      expect(wrong()).toEqual([]);
      for (const args of ARGS) await controller.fetch(resource.getList, args);
      expect(wrong()).toEqual([]);
    }
  });
});

test('a message with another id makes the row stale, and one with the nested row too does not', async () => {
  const { controller, seen } = await start();
  await controller.set(Post, { id: '1', authorId: '9', author: { id: '9', name: 'name 9' } } as never); // cast: as the server sends it
  expect(seen()).toBe('name 9 7,8 fresh');
  await controller.set(Post, { id: '1', authorId: '7' });
  expect(seen()).toBe('name 9 7,8 stale');
});

test('a read that brings another id makes the row stale', async () => {
  const { controller, posts, resource, seen } = await start();
  posts.set('1', { ...posts.get('1')!, authorId: '9' });
  await controller.fetch(resource.get, { id: '1' });
  expect(seen()).toBe('name 7 7,8 stale');
});

test('mounted readers read once, and show the new nested row as fresh', async () => {
  const { args, change, controller, net, resource, seen } = await start();
  const stops = [
    controller.watch(resource.getList, args).subscribe(() => {}),
    controller.watch(resource.get, { id: '1' }).subscribe(() => {}),
  ];
  onTestFinished(() => stops.forEach((stop) => stop()));
  await calm();
  net.sent.length = 0;

  await change({ authorId: '9' });
  await new Promise((resolve) => setTimeout(resolve, 1_500));

  expect(seen()).toBe('name 9 7,8 fresh');
  expect(net.sent.toSorted()).toEqual(['GET /posts/1', 'GET /posts?_expand=author', 'PATCH /posts/1']);
});

class Counted extends Entity {
  static override key = 'PairCounted';
  id = '';
  title = '';
  reads = 0;
  static override merge(existing: { reads?: number }, incoming: object) {
    return { ...existing, ...incoming, reads: (existing.reads ?? 0) + 1 };
  }
}

test('a row stays fresh when the merge of its class changes a field that no payload contains', async () => {
  const resource = createResource({ urlPrefix: 'http://by.hand', path: '/counted/:id', schema: Counted });
  const controller = new Controller({ fetch: async () => Response.json([{ id: '1', title: 'milk' }]) });
  for (const reads of [0, 1, 2, 3]) {
    await controller.fetch(resource.getList);
    const { data, expiresAt } = controller.getResponse(resource.getList);
    expect([data?.[0]?.reads, expiresAt > Date.now()]).toEqual([reads, true]);
  }
});
