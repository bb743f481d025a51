// The contract's letter where a small change of the library would go unseen: one test per such change, titled by its clause.
import { All, Cache, Collection, Controller, createResource, Entity, schema } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
class Link extends Entity {
  static override key = 'Link';
  id = '';
}
class Post extends Entity {
  static override key = 'Post';
  id = '';
}
const ids = (items: readonly { readonly id: string }[] | undefined): unknown => items?.map((item) => item.id);

test.each([
  [{ reorder: 'x' }, {}],
  [{ border: 'x' }, {}],
  [{ Order: 'x' }, {}],
])('C-6 a key property with the word order elsewhere than at its start filters: %j', (key, params) => {
  const cache = new Cache();
  const list = new Collection([Todo]);
  cache.write(list, [], [key]);

  cache.write(list.push, { id: '1' }, [params]);

  expect(ids(cache.read(list, [key]))).toEqual([]);
});

test.each([
  [0, ''],
  ['', 0],
  [false, 0],
  [[1, 2], '1,2'],
  ['1,2', [1, 2]],
  [['a'], 'a'],
  ['a', ['a']],
  [true, 'true'],
  ['null', null],
])('C-6 %j in a key matches %j, as a parameter and in a body', (inKey, given) => {
  for (const sent of [[{ x: given }], [{}, { x: given }]]) {
    const cache = new Cache();
    const list = new Collection([Todo]);
    cache.write(list, [], [{ x: inKey }]);

    cache.write(list.push, { id: '1' }, sent);

    expect(ids(cache.read(list, [{ x: inKey }]))).toEqual(['1']);
  }
});

test('C-6 a body property that differs does not hide a parameter that matches', () => {
  const cache = new Cache();
  const list = new Collection([Todo]);
  cache.write(list, [], [{ userId: '1' }]);

  cache.write(list.push, { id: '1' }, [{ userId: '1' }, { userId: '2' }]);

  expect(ids(cache.read(list, [{ userId: '1' }]))).toEqual(['1']);
});

test('C-5 a custom filter gets the whole key, with the properties that start with order', () => {
  const cache = new Cache();
  const seen: unknown[] = [];
  const list = new Collection([Todo], {
    createCollectionFilter: () => (collectionKey) => seen.push({ ...collectionKey }) > 0,
  });
  cache.write(list, [], [{ userId: 1, orderBy: 'title' }]);

  cache.write(list.push, { id: '1' }, [{}]);

  expect(seen).toContainEqual({ userId: '1', orderBy: 'title' });
});

test('C-8 the filter of addWith takes precedence over that of the Collection', () => {
  const cache = new Cache();
  const list = new Collection([Todo], { createCollectionFilter: () => () => false });
  cache.write(list, []);

  cache.write(
    list.addWith(
      (collection, creation) => [...collection, ...creation],
      () => () => true,
    ),
    { id: '1' },
  );

  expect(ids(cache.read(list))).toEqual(['1']);
});

test('C-3 argsKey gets every argument, the body included', () => {
  const cache = new Cache();
  const list = new Collection([Todo], { argsKey: (params, body) => ({ ...params, ...body }) });
  cache.write(list, [{ id: '1' }], [{ a: 1 }, { b: 2 }]);

  expect(ids(cache.read(list, [{ a: 1 }, { b: 2 }]))).toEqual(['1']);
  expect(cache.read(list, [{ a: 1 }, { b: 3 }])).toBeUndefined();
});

test.each(['static', 'instance'])('C-13 a custom pk, %s, gets value, parent, key and arguments', (form) => {
  const seen: unknown[] = [];
  const pk = (...given: readonly unknown[]): string => {
    seen.push(given);
    return '{}';
  };
  class Static extends Collection<[typeof Todo]> {
    static override pk = pk;
  }
  class Instance extends Collection<[typeof Todo]> {
    override pk(...given: readonly unknown[]): string {
      return pk(...given);
    }
  }
  const list = new (form === 'static' ? Static : Instance)([Todo]);
  class Person extends Entity {
    static override key = 'Person';
    id = '';
    todos: Todo[] = [];
    static override schema = {
      todos: new (list.constructor as typeof Instance)([Todo], { nestKey: () => ({}) }),
    };
  }

  new Cache().write(list, [{ id: '1' }], [{ a: 1 }, { b: 2 }]);
  new Cache().write(Person, { id: 'p', todos: [{ id: '1' }] }, [{ a: 1 }]);

  expect(seen[0]).toEqual([[{ id: '1' }], undefined, '', [{ a: 1 }, { b: 2 }]]);
  expect(seen.at(-1)).toMatchObject([[{ id: '1' }], { id: 'p' }, 'todos', [{ a: 1 }]]);
});

test('C-13 `this` is the Collection in every static method, and each can be called on the class', () => {
  const seen: unknown[] = [];
  class Mine extends Collection<[typeof Todo]> {
    static override pk(...given: Parameters<typeof Collection.pk>): string {
      seen.push(this);
      return super.pk(...given);
    }
    static override merge(existing: unknown, incoming: unknown): unknown {
      seen.push(this);
      return super.merge(existing, incoming);
    }
    static override shouldReorder(...given: Parameters<typeof Collection.shouldReorder>): boolean {
      seen.push(this);
      return super.shouldReorder(...given);
    }
  }
  const list = new Mine([Todo]);
  const cache = new Cache();
  cache.write(list, [{ id: '1' }]);
  cache.write(list, [{ id: '2' }]);

  expect(seen.length).toBeGreaterThan(3);
  expect(seen.filter((self) => self !== list)).toEqual([]);
  const newer = { fetchedAt: 2, date: 2 };
  const older = { fetchedAt: 1, date: 1 };
  expect(schema.Collection.pk([], undefined, '', [{ a: 1 }])).toBe('{"a":"1"}');
  expect(schema.Collection.mergeWithStore(newer, older, ['a'], ['b'])).toEqual(['a']);
});

test('C-12 an array of plain values gives its string, a Date its ISO string; anything ambiguous gives canonical JSON', () => {
  const list = new Collection([Todo]);
  const given = {
    a: [1, 2],
    d: new Date(0),
    o: { z: 1, y: 2 },
    c: ['a,b'],
    m: [{ b: 1, a: 2 }],
    l: [[1], 2],
  };

  expect(JSON.parse(list.pk([], undefined, '', [given]))).toEqual({
    a: '1,2',
    d: '1970-01-01T00:00:00.000Z',
    o: '{"y":2,"z":1}',
    c: '["a,b"]',
    m: '[{"a":2,"b":1}]',
    l: '[[1],2]',
  });
});

test('L-3 an object of ids where an array of entities is declared is the array of its values', () => {
  const cache = new Cache();
  cache.write([Todo], [{ id: '1' }, { id: '2' }]);
  const list = new Collection([Todo]);

  cache.write(list, { first: '2', second: '1' });

  expect(ids(cache.read(list))).toEqual(['2', '1']);
});

test('A-4 define replaces an existing entry', () => {
  const cache = new Cache();
  const feed = new schema.Array({ item: Link }, 'type');
  feed.define({ item: Post as unknown as typeof Link }); // cast: another class for the same name

  cache.write(feed, [{ id: '1', type: 'item' }]);

  expect(cache.read(Post, ['1'])).toBeInstanceOf(Post);
  expect(cache.read(Link, ['1'])).toBeUndefined();
});

test.each([
  [
    'a mapping',
    new schema.Array<Record<string, typeof Link | typeof Post>>({ link: Link }, 'type'),
    { post: Post },
  ],
  ['one schema', new schema.Array<typeof Link | typeof Post>(Link), Post],
])('A-4 define applies to a schema that was used before: %s', (_title, feed, definition) => {
  const cache = new Cache();
  cache.write(feed, [{ id: '1', type: 'link' }]);

  (feed as { define(given: unknown): void }).define(definition); // cast: either of the two
  cache.write(feed, [{ id: '2', type: 'post' }]);

  expect(cache.read(Post, ['2'])).toBeInstanceOf(Post);
});

test('A-3 an attribute whose value is a number selects an entry', () => {
  const cache = new Cache();
  const all = new All({ 1: Link, 2: Post }, 'kind');

  cache.write(all, [
    { id: 'a', kind: 1 },
    { id: 'b', kind: 2 },
  ]);

  expect(cache.read(Link, ['a'])).toBeInstanceOf(Link);
  expect(cache.read(Post, ['b'])).toBeInstanceOf(Post);
});

test('A-1 All reads every entity, however many there are', () => {
  const cache = new Cache();
  cache.write(
    [Todo],
    Array.from({ length: 50 }, (_, index) => ({ id: `${index}` })),
  );

  expect(cache.read(new All(Todo))).toHaveLength(50);
});

test('M-2 an empty string and zero are written into the query', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const resource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

  expect(resource.getList.url({ q: '', page: 0 })).toBe(`${server.url}/todos?page=0&q=`);
});

test('X-5 a page may be requested with the cursor 0', async () => {
  const { getList } = createResource({
    urlPrefix: 'http://any.test',
    path: '/todos/:id',
    schema: Todo,
    paginationField: 'cursor',
  });
  const answers: Record<string, unknown> = { '': [{ id: '1' }], '?cursor=0': [{ id: '2' }] };
  const controller = new Controller({
    fetch: async (url) => Response.json(answers[new URL(url as string).search]),
  });

  await controller.fetch(getList);
  await controller.fetch(getList.getPage, { cursor: 0 });

  expect(ids(controller.getResponse(getList).data)).toEqual(['1', '2']);
});

test('R-7 unshift is optimistic, as push is', async () => {
  const { getList } = createResource({
    urlPrefix: 'http://any.test',
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
  });
  let answer = (_response: Response): void => {};
  const controller = new Controller({
    fetch: async (_url, init) =>
      init?.method === 'POST'
        ? new Promise<Response>((resolve) => (answer = resolve))
        : Response.json([{ id: '1', title: 'old' }]),
  });
  await controller.fetch(getList);

  const created = controller.fetch(getList.unshift, { title: 'new' });
  expect(controller.getResponse(getList).data?.map(({ title }) => title)).toEqual(['new', 'old']);

  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  answer(Response.json({ id: '2', title: 'new' }));
  await created;
});

test.each([
  ['push', ['old', 'a', 'b']],
  ['unshift', ['a', 'b', 'old']],
] as const)('C-2 several members that are sent together by %s keep their order', async (change, titles) => {
  const server = await startServer();
  onTestFinished(() => server.close());
  server.on('GET', '/todos', { body: [{ id: '1', title: 'old' }] });
  server.on('POST', '/todos', ({ body }) => ({
    body: (body as object[]).map((row, nth) => ({ id: `new ${nth}`, ...row })), // cast: what is sent below
  }));
  const { getList } = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
  const several = getList[change].extend({ body: [] as { title: string }[] });
  const controller = new Controller();
  await controller.fetch(getList);

  await controller.fetch(several, [{ title: 'a' }, { title: 'b' }]);

  expect(controller.getResponse(getList).data?.map(({ title }) => title)).toEqual(titles);
});

test('C-12 a first argument that is no object is the key itself', () => {
  const cache = new Cache();
  const list = new Collection([Todo]);
  const by = (text: string): [never] => [text as never]; // cast: where an endpoint around a function takes a text
  cache.write(list, [{ id: '1' }], by('a'));

  expect(list.pk([], undefined, '', by('a'))).toBe('{"0":"a"}');
  expect(ids(cache.read(list, by('a')))).toEqual(['1']);
  expect(cache.read(list, by('b'))).toBeUndefined();
  expect(cache.read(list, [])).toBeUndefined();
});

test('C-12 with nestKey alone, a nested list belongs to its parent whatever the arguments', () => {
  const cache = new Cache();
  const todos = new Collection([Todo], { nestKey: (parent) => ({ owner: parent.id }) });
  class Person extends Entity {
    static override key = 'Person';
    id = '';
    todos: Todo[] = [];
    static override schema = { todos };
  }

  cache.write(Person, { id: 'p', todos: [{ id: '1' }] }, [{ owner: 'somebody else' }]);

  expect(ids(cache.read(todos, [{ owner: 'p' }]))).toEqual(['1']);
  expect(cache.read(todos, [{ owner: 'somebody else' }])).toBeUndefined();
});

test('C-13 nonFilterArgumentKeys may be a function, which gets each property name of the key', () => {
  const cache = new Cache();
  const list = new Collection([Todo], { nonFilterArgumentKeys: (name) => name === 'limit' });
  cache.write(list, [], [{ limit: 5 }]);
  cache.write(list, [], [{ page: 5 }]);

  cache.write(list.push, { id: '1' }, [{}]);

  expect(ids(cache.read(list, [{ limit: 5 }]))).toEqual(['1']);
  expect(ids(cache.read(list, [{ page: 5 }]))).toEqual([]);
});

test('M-6 define replaces the schema of delete, as it does that of any Invalidate', () => {
  const cache = new Cache();
  cache.write([Todo], [{ id: '1' }]);
  cache.write([Link], [{ id: '1' }]);
  const { delete: remove } = createResource({ path: '/todos/:id', schema: Todo });
  const gone = new schema.Invalidate<typeof Todo | typeof Link>(Todo);
  for (const each of [remove.schema, gone]) (each as typeof gone).define(Link); // cast: for any class

  cache.write(remove.schema, { id: '1' });
  expect([cache.read(Todo, ['1'])?.id, cache.read(Link, ['1'])]).toEqual(['1', undefined]);

  cache.write([Link], [{ id: '1' }]);
  cache.write(gone, '1');
  expect([cache.read(Todo, ['1'])?.id, cache.read(Link, ['1'])]).toEqual(['1', undefined]);
});

test('E-5 a union is looked up by its type where the arguments contain it, else by the type that has the row', () => {
  const cache = new Cache();
  const either = new schema.Union({ link: Link, post: Post }, (value) => value.type);
  cache.write([Link], [{ id: '1' }, { id: '2' }]);
  cache.write([Post], [{ id: '1' }, { id: '3' }]);
  const read = (args: object): unknown => cache.read(either, [args as { id: string }]); // cast: with the type, too

  expect(read({ id: '1', type: 'post' })).toBeInstanceOf(Post);
  expect(read({ id: '1', type: 'link' })).toBeInstanceOf(Link);
  expect(read({ id: '3' })).toBeInstanceOf(Post);
  expect(read({ id: '2', type: 'post' })).toBeUndefined();
});
