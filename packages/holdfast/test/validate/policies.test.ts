// What becomes of rows that checks refuse: each policy in each frame, nested rows, and schemas that cannot be used.
import {
  Cache,
  Controller,
  createResource,
  defaults,
  dehydrate,
  Entity,
  inPages,
  RestEndpoint,
  savedState,
  schema,
  totalOf,
} from 'holdfast';
import type { StandardSchema } from 'holdfast';
import { check, EntityOf, getRefused, optional, watchRefused } from 'holdfast/validate';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

const fields = { id: z.string(), title: z.string(), votes: check(z.number()) };
const makeTodo = (onInvalid: EntityOf.OnInvalid) =>
  class Todo extends EntityOf('Todo', fields, { onInvalid }) {};
const row = (id: string, more: object = {}) => ({ id, title: `t${id}`, votes: 0, ...more });
const bad = (id: string) => row(id, { title: 5 });

const warn = vi.spyOn(console, 'warn');
beforeEach(() => void warn.mockImplementation(() => undefined));
afterEach(() => void warn.mockReset());

async function start(Todo: ReturnType<typeof makeTodo>) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });
  const refused = () => getRefused(controller).map(({ pk, outcome }) => `${pk} ${outcome}`);
  return { server, controller, todos, refused };
}

test('reject refuses the whole payload, and the store is unchanged', async () => {
  const Todo = makeTodo('reject');
  const { server, controller, todos, refused } = await start(Todo);
  server.on('GET', '/todos', { body: [row('1')] });
  const before = await controller.fetch(todos.getList);

  server.on('GET', '/todos', { body: [row('1', { title: 'new' }), bad('2')] });
  await expect(controller.fetch(todos.getList)).rejects.toMatchObject({
    code: 'ENTITY_INVALID',
    params: { entity: 'Todo', path: 'Todo.getList[1]', reason: expect.stringContaining('title: ') },
  });

  expect(controller.getResponse(todos.getList).data).toBe(before);
  expect(controller.get(Todo, { id: '2' })).toBeUndefined();
  expect(refused()).toEqual(['2 refused']);
});

test('of ten thousand rows with three bad ones the others are shown, and three are reported', async () => {
  const Todo = makeTodo('drop');
  const { server, controller, todos, refused } = await start(Todo);
  const isBad = (at: number) => [17, 5_000, 9_999].includes(at);
  const rows = Array.from({ length: 10_000 }, (_, at) => (isBad(at) ? bad(`${at}`) : row(`${at}`)));
  server.on('GET', '/todos', { body: rows });

  const list = await controller.fetch(todos.getList);

  expect(list.map(({ id }) => id)).toEqual(rows.filter((_, at) => !isBad(at)).map(({ id }) => id));
  expect(refused()).toEqual(['17 dropped', '5000 dropped', '9999 dropped']);
});

test('keep leaves the stored value of the field, writes the rest, and drops a row that is not stored yet', async () => {
  const Todo = makeTodo('keep');
  const { server, controller, todos, refused } = await start(Todo);
  server.on('GET', '/todos', { body: [row('1'), row('2')] });
  await controller.fetch(todos.getList);

  server.on('GET', '/todos', { body: [row('1', { title: 5, votes: 9 }), row('2'), bad('3')] });
  const list = await controller.fetch(todos.getList);

  expect(list).toMatchObject([row('1', { votes: 9 }), row('2')]);
  expect(refused()).toEqual(['1 kept', '3 dropped']);
});

test('pass stores the unchecked value', async () => {
  const Todo = makeTodo('pass');
  const { server, controller, todos, refused } = await start(Todo);
  server.on('GET', '/todos', { body: [row('1', { title: 5, votes: 'many' }), { id: '2' }] });

  const list = await controller.fetch(todos.getList);

  expect(list).toMatchObject([{ id: '1', title: 5, votes: 'many' }, { id: '2' }]);
  expect(refused()).toEqual(['1 passed', '2 passed']);
});

test('an optimistic update that its checks refuse is not shown, and the mutation continues', async () => {
  const Todo = makeTodo('drop');
  const { server, controller, todos } = await start(Todo);
  server.on('GET', '/todos/:id', { body: row('1') });
  await controller.fetch(todos.get, { id: '1' });
  server.on('PATCH', '/todos/:id', { body: row('1', { title: 'answered' }) });
  const held = server.hold('PATCH', '/todos/:id');

  const saving = controller.fetch(todos.partialUpdate, { id: '1' }, { title: 5 } as object);
  const patch = await held.next();

  expect(controller.get(Todo, { id: '1' })?.title).toBe('t1');
  patch.release();
  expect((await saving).title).toBe('answered');
});

test('the optimistic update of a creation is shown where no field is missing, and not where one is', async () => {
  const Todo = makeTodo('drop');
  const { server, controller, todos } = await start(Todo);
  server.on('GET', '/todos', { body: [row('1')] });
  server.on('POST', '/todos', ({ body }) => ({ status: 201, body: row('2', body as object) }));
  await controller.fetch(todos.getList);
  const titles = () => controller.getResponse(todos.getList).data?.map(({ title }) => title);

  const whole = controller.fetch(todos.getList.push, { title: 'whole', votes: 1 });
  expect(titles()).toEqual(['t1', 'whole']);
  expect((await whole).id).toBe('2');
  const part = controller.fetch(todos.getList.push, { title: 'part' });
  expect(titles()).toEqual(['t1', 'whole']);
  await part;
});

test('a creation with a bad row in its response fails, whatever the policy', async () => {
  const Todo = makeTodo('drop');
  const { server, controller, todos } = await start(Todo);
  server.on('POST', '/todos', { status: 201, body: bad('2') });

  const creating = controller.fetch(todos.getList.push, { title: 'a', votes: 0 });

  await expect(creating).rejects.toMatchObject({ code: 'ENTITY_INVALID' });
});

test('a message that its checks refuse leaves the row unchanged', async () => {
  const Todo = makeTodo('drop');
  const { controller } = await start(Todo);
  await controller.set(Todo, row('1'));

  await expect(controller.set(Todo, bad('1'))).rejects.toMatchObject({ code: 'ENTITY_INVALID' });

  expect(controller.get(Todo, { id: '1' })?.title).toBe('t1');
});

test('rows of a saved state are checked when they are read', async () => {
  // saved by an application of which the checks were others
  const Older = class Todo extends EntityOf('Todo', { id: z.string(), title: z.unknown() }) {};
  const Todo = makeTodo('drop');
  const { server, todos } = await start(Todo);
  const older = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Older });
  const saving = new Controller();
  server.on('GET', '/todos', { body: [row('1'), bad('2'), { id: '3', title: 'no votes' }] });
  await saving.fetch(older.getList);

  const controller = new Controller({ initialState: savedState(JSON.stringify(dehydrate(saving))) });

  expect(controller.getResponse(todos.getList).data).toMatchObject([{ id: '1' }]);
  expect(controller.get(Todo, { id: '2' })).toBeUndefined();
  expect(getRefused(controller)).toMatchObject([
    { pk: '2', path: '', fields: [{ field: 'title' }] },
    { pk: '3', path: '', fields: [{ field: 'votes', message: 'is missing' }] },
  ]);
});

test('a refused nested row refuses the row that requires it, and is reported itself', () => {
  class User extends EntityOf('User', { id: z.string(), name: z.string() }, { onInvalid: 'drop' }) {}
  class Post extends EntityOf('Post', {
    id: z.string(),
    author: User,
    editors: [User],
    proof: optional(User),
  }) {}
  const controller = new Controller();
  const list = new schema.Collection([Post]);
  const [ada, none] = [{ id: 'a', name: 'Ada' }, { id: 'n' }];

  void controller.set(list, {}, [
    { id: '1', author: ada, editors: [] },
    { id: '2', author: none, editors: [] },
    { id: '3', author: ada, editors: [ada, none], proof: none },
  ]);

  const posts = controller.get(list, {})!;
  expect(posts.map(({ id }) => id)).toEqual(['1', '3']);
  expect(posts[1]!.editors.map(({ name }) => name)).toEqual(['Ada']);
  expect(posts[1]!.proof).toBeUndefined();
  expect(getRefused(controller).map(({ entity, pk }) => `${entity} ${pk}`)).toEqual(['User n']);
});

test('an object that stands for rows of two classes is checked by both', async () => {
  class Person extends EntityOf('Person', { id: z.string(), name: z.string() }, { onInvalid: 'drop' }) {}
  class Account extends EntityOf('Account', { id: z.string(), email: z.string() }, { onInvalid: 'drop' }) {}
  class Team extends EntityOf(
    'Team',
    { id: z.string(), owner: Person, payer: Account },
    { onInvalid: 'drop' },
  ) {}
  class Board extends EntityOf('Board', { id: z.string(), team: Team }, { onInvalid: 'drop' }) {}
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const getBoards = new RestEndpoint({
    urlPrefix: server.url,
    path: '/boards',
    schema: new schema.Collection([Board]),
    process: (boards: { id: string; user: object }[]) =>
      boards.map(({ id, user }) => ({ id, team: { id: `t${id}`, owner: user, payer: user } })),
  });
  const ada = { id: 'a', name: 'Ada', email: 'ada@example.com' };
  server.on('GET', '/boards', {
    body: [
      { id: '1', user: ada },
      { id: '2', user: { id: 'b', name: 'Bob' } },
    ],
  });

  const boards = await controller.fetch(getBoards);

  expect(boards.map(({ team }) => team.payer.email)).toEqual(['ada@example.com']);
  expect(getRefused(controller).map(({ entity, pk }) => `${entity} ${pk}`)).toEqual(['Account b']);
});

test('maps and lists over several types leave out refused rows', () => {
  class User extends EntityOf(
    'User',
    { id: z.string(), type: z.literal('user'), name: z.string() },
    { onInvalid: 'drop' },
  ) {}
  class Team extends EntityOf('Team', { id: z.string(), type: z.literal('team') }, { onInvalid: 'drop' }) {}
  const cache = new Cache();
  const members = new schema.Collection(new schema.Array({ user: User, team: Team }, 'type'));
  const byName = new schema.Collection(new schema.Values(User), { argsKey: () => ({ by: 'name' }) });
  const ada = { id: 'a', type: 'user', name: 'Ada' };

  cache.write(members, [ada, { id: 'b', type: 'user' }, { id: 't', type: 'team' }]);
  cache.write(byName, { ada, bob: { id: 'b', type: 'user' } });

  expect(cache.read(members, [{}])?.map(({ id }) => id)).toEqual(['a', 't']);
  expect(Object.keys(cache.read(byName) ?? {})).toEqual(['ada']);
});

test('a bad row inside an object, or inside an entity without checks, refuses the payload', () => {
  class User extends EntityOf('User', { id: z.string(), name: z.string() }, { onInvalid: 'drop' }) {}
  class Post extends Entity {
    id = '';
    author: User = User.fromJS();
    static override key = 'Post';
    static override schema = { author: User };
  }
  const cache = new Cache();

  expect(() => cache.write({ user: User }, { user: { id: '1' } })).toThrow('ENTITY_INVALID');
  expect(() => cache.write([Post], [{ id: '1', author: { id: '1' } }])).toThrow('ENTITY_INVALID');
  expect(cache.read(Post, ['1'])).toBeUndefined();
});

test('a list that lost a row counts like the server: its total, and the offset of its next page', async () => {
  const Todo = makeTodo('drop');
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const results = new schema.Collection([Todo]);
  const { getList } = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    paginationField: 'offset',
  }).extend({
    getList: {
      schema: { results, total: totalOf(results) },
      pages: inPages({ by: 'offset', total: 'total' }),
    },
  });
  const all = [row('0'), bad('1'), row('2'), row('3'), row('4')];
  server.on('GET', '/todos', ({ query }) => {
    const offset = Number(query.get('offset') ?? 0);
    return { body: { results: all.slice(offset, offset + 2), total: all.length } };
  });

  const first = await controller.fetch(getList);
  expect(first).toMatchObject({ results: [{ id: '0' }], total: 5 });
  await controller.fetch(getList.getPage, { offset: 2 });

  const { data } = controller.getResponse(getList);
  expect(data?.results?.map(({ id }) => id)).toEqual(['0', '2', '3']);
  expect(data?.total).toBe(5);
});

test('in a sample the first and every n-th row is checked, and parsed fields always', () => {
  let looks = 0;
  const looked = z.string().refine(() => {
    looks += 1;
    return true;
  });
  class Item extends EntityOf(
    'Item',
    { id: z.string(), name: check(looked) },
    { onInvalid: 'drop', sample: 0.1 },
  ) {}
  const cache = new Cache();
  const items = Array.from({ length: 100 }, (_, at) => ({ id: at === 55 ? 55 : `${at}`, name: 'a' }));

  cache.write(new schema.Collection([Item]), items, [{}], { isOwned: true });

  expect(looks).toBe(10);
  expect(cache.read(new schema.Collection([Item]), [{}])).toHaveLength(99);
});

test('hooks and defaults of the class, late schemas and extensions of the class work with checks', () => {
  class User extends EntityOf('User', { id: z.string() }) {
    posts: unknown[] = [];
  }
  class Post extends EntityOf(
    'Post',
    { id: z.string(), title: z.string(), votes: z.number() },
    { onInvalid: 'drop' },
  ) {
    override votes = 7;
    static override process(input: object) {
      const { name, ...rest } = input as { name?: string };
      return { ...rest, title: name };
    }
    get loud() {
      return `${this.title}!`;
    }
  }
  User.schema = { ...User.schema, posts: [Post] };
  const cache = new Cache();

  cache.write(User, {
    id: 'u',
    posts: [
      { id: '1', name: 'a' },
      { id: '2', name: 5 },
    ],
  });

  expect(cache.read(User, ['u'])?.posts).toMatchObject([{ id: '1', title: 'a', votes: 7, loud: 'a!' }]);
});

test('an output of a schema can be written to another row, though the schema does not accept it as input', () => {
  const size = z.string().transform((text) => ({ of: text.length }));
  class Box extends EntityOf('Box', { id: z.string(), size }) {}
  const cache = new Cache();
  cache.write(Box, { id: '1', size: 'long' });
  const made = cache.read(Box, ['1'])!.size;

  cache.write(Box, { id: '2', size: made });

  expect(cache.read(Box, ['2'])?.size).toEqual({ of: 4 });
  expect(() => cache.write(Box, { id: '3', size: { of: 4 } })).toThrow('ENTITY_INVALID');
});

test('rules get the values that readers see', () => {
  const rules = z
    .object({ from: z.date(), to: z.date() })
    .refine(({ from, to }) => from <= to, 'ends before it begins');
  const dates = { id: z.string(), from: z.coerce.date(), to: z.coerce.date() };
  class Booking extends EntityOf('Booking', dates, { rules }) {}
  const cache = new Cache();
  cache.write(Booking, { id: '1', from: '2026-01-01', to: '2026-01-05' });

  expect(() => cache.write(Booking, { id: '1', to: '2025-01-01' })).toThrow('ends before it begins');
  expect(cache.read(Booking, ['1'])?.to).toEqual(new Date('2026-01-05'));
});

test.each(['reject', 'drop', 'keep', 'pass'] as const)(
  'a row is deleted, by %s, with and without a body',
  async (onInvalid) => {
    const Todo = makeTodo(onInvalid);
    const { server, controller, todos, refused } = await start(Todo);
    server.on('GET', '/todos', { body: [row('1'), row('2'), row('3')] });
    server.on('DELETE', '/todos/1', { status: 204 });
    server.on('DELETE', '/todos/2', ({ params }) => ({ body: row(params['id'] ?? '2') }));
    await controller.fetch(todos.getList);

    const gone = await controller.fetch(todos.delete, { id: '1' });
    await controller.fetch(todos.delete, { id: '2' });

    expect(gone).toMatchObject({ id: '1' });
    expect(controller.getResponse(todos.getList).data?.map(({ id }) => id)).toEqual(['3']);
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    expect(refused()).toEqual([]);
  },
);

test.each(
  (['reject', 'drop', 'keep', 'pass'] as const).flatMap((onInvalid) => [
    { onInvalid, method: 'PUT', body: { title: 'x' }, answer: undefined },
    { onInvalid, method: 'PUT', body: { title: 'x' }, answer: { ok: true } },
    { onInvalid, method: 'POST', body: { id: '5', title: 'x' }, answer: undefined },
    { onInvalid, method: 'PUT of several', body: [{ id: '5', title: 'x' }], answer: undefined },
    { onInvalid, method: 'PUT of several', body: [{ id: '5', title: 'x' }], answer: { ok: true } },
  ]),
)(
  'sent values are not refused in a response: $method with the response $answer, $onInvalid, succeeds, and is read again',
  async ({ onInvalid, method, body, answer }) => {
    const Todo = makeTodo(onInvalid);
    const { server, controller, todos } = await start(Todo);
    const status = answer ? 200 : 204;
    const reply = { status, body: answer };
    server.on('PUT', '/todos/:id', reply);
    server.on('PUT', '/todos', reply);
    server.on('POST', '/todos', reply);
    server.on('GET', '/todos/:id', { body: row('5', { title: 'x', votes: 7 }) });
    const updateAll = new RestEndpoint({
      urlPrefix: server.url,
      path: '/todos',
      method: 'PUT',
      body: [] as object[],
      schema: [Todo],
    });

    if (Array.isArray(body)) await controller.fetch(updateAll, body);
    else if (method === 'PUT') await controller.fetch(todos.update, { id: '5' }, body);
    else await controller.fetch(todos.getList.push, body);
    const todo = await controller.fetchIfStale(todos.get, { id: '5' });

    expect(todo).toMatchObject({ title: 'x', votes: 7 });
    expect(server.seen('GET', '/todos/5')).toHaveLength(1);
    expect(getRefused(controller)).toEqual([]);
  },
);

test.each([{}, { id: '1' }])(
  'a response with an error message is refused, with %o of its key',
  async (key) => {
    const { server, controller, todos } = await start(makeTodo('reject'));
    server.on('GET', '/todos/:id', { body: row('1') });
    await controller.fetch(todos.get, { id: '1' });
    server.on('PATCH', '/todos/:id', { body: { ...key, title: 'x', votes: 'many' } });

    await expect(controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'x' })).rejects.toMatchObject({
      code: 'ENTITY_INVALID',
    });
  },
);

test('an optional nested row that is deleted reads as undefined, in an object too', async () => {
  const Todo = makeTodo('reject');
  const { server, controller, todos } = await start(Todo);
  const getPage = new RestEndpoint({
    urlPrefix: server.url,
    path: '/page',
    schema: { title: '', first: optional(Todo) },
  });
  server.on('GET', '/page', { body: { title: 'a', first: row('1') } });
  server.on('DELETE', '/todos/:id', { status: 204 });
  const page = await controller.fetch(getPage);
  expect(page.first?.title).toBe('t1');

  await controller.fetch(todos.delete, { id: '1' });

  expect(controller.getResponse(getPage).data).toEqual({ title: 'a', first: undefined });
});

test('rows may refer to each other in circles', () => {
  class Person extends EntityOf('Person', { id: z.string(), name: z.string() }, { onInvalid: 'keep' }) {
    friends: Person[] = [];
  }
  Person.schema = { ...Person.schema, friends: [Person] };
  const cache = new Cache();
  const ada: Record<string, unknown> = { id: 'a', name: 'Ada' };
  const bob: Record<string, unknown> = { id: 'b', name: 'Bob', friends: [ada] };
  ada['friends'] = [bob];

  cache.write(Person, ada);
  expect(cache.read(Person, ['a'])?.friends[0]?.friends[0]).toBe(cache.read(Person, ['a']));

  cache.write(Person, { ...ada, name: 'Ada L.', friends: [{ ...bob, name: 5 }] });
  expect(cache.read(Person, ['a'])).toMatchObject({ name: 'Ada L.', friends: [{ name: 'Bob' }] });
});

test('listeners are notified once per payload, the array stays while nothing changes, and a reset clears it', async () => {
  const Todo = makeTodo('drop');
  const { server, controller, todos } = await start(Todo);
  server.on('GET', '/todos', { body: [bad('1'), bad('2'), row('3')] });
  const refused = watchRefused(controller);
  const told: number[] = [];
  const stop = refused.subscribe(() => told.push(refused.read().length));

  await controller.fetch(todos.getList);
  await until(() => told.length > 0);
  expect(told).toEqual([2]);
  const before = refused.read();
  await controller.fetch(todos.getList);
  expect(refused.read()).toBe(before);

  controller.resetEntireStore();
  expect(refused.read()).toEqual([]);
  stop();
  await controller.fetch(todos.getList);
  expect(told).toEqual([2]);
});

test('the newest reports stay when there are more than the limit, and development warns once per field', () => {
  const Todo = makeTodo('drop');
  const controller = new Controller();

  void controller.set(
    new schema.Collection([Todo]),
    {},
    Array.from({ length: defaults.refused.kept + 5 }, (_, at) => bad(`${at}`)),
  );

  const refused = getRefused(controller);
  expect(refused).toHaveLength(defaults.refused.kept);
  expect(refused.at(-1)?.pk).toBe(`${defaults.refused.kept + 4}`);
  expect(warn.mock.calls.filter(([text]) => String(text).includes('ROW_REFUSED'))).toHaveLength(1);
});

const standard = (validate: StandardSchema['~standard']['validate']): StandardSchema<unknown, string[]> =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as StandardSchema<unknown, string[]>; // cast: says nothing of types

test.each([
  ['SCHEMA_ASYNC', standard(async (value) => ({ value }))],
  [
    'SCHEMA_THREW',
    standard(() => {
      throw new Error('no');
    }),
  ],
  ['SCHEMA_CHANGED_INPUT', standard((value) => ({ value: (value as string[]).sort() }))],
])('a schema that cannot be used is reported as %s, and the store is unchanged', (code, odd) => {
  class Item extends EntityOf('Item', { id: z.string(), tags: odd }, { onInvalid: 'drop' }) {}
  const cache = new Cache();

  expect(() => cache.write([Item], [{ id: '1', tags: ['b', 'a'] }])).toThrow(code);
  expect(cache.read(Item, ['1'])).toBeUndefined();
});

test('a deleted row, or one that was removed, is no longer among the refused rows', async () => {
  const Todo = makeTodo('keep');
  const { server, controller, todos, refused } = await start(Todo);
  server.on('GET', '/todos', { body: [row('1'), row('2'), row('3')] });
  await controller.fetch(todos.getList);
  server.on('GET', '/todos', { body: [bad('1'), bad('2'), bad('3')] });
  await controller.fetch(todos.getList);
  expect(refused()).toEqual(['1 kept', '2 kept', '3 kept']);
  server.on('DELETE', '/todos/:id', { status: 204 });
  server.on('GET', '/todos/:id', { status: 404 });

  await controller.fetch(todos.delete, { id: '1' });
  expect(refused()).toEqual(['2 kept', '3 kept']);
  await controller.fetch(todos.get, { id: '2' }).catch(() => undefined);
  expect(refused()).toEqual(['3 kept']);
  expect(getRefused(controller)).toBe(getRefused(controller));
});
