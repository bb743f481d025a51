// Order: the later-sent request wins, whatever arrives when. Each test is a bug that users of other libraries reported.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
}

let server: TestServer;
let world: FakeWorld;
let controller: Controller;
let rows: Map<number, { id: number; title: string; status: string }>;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  // the clock does not move: order must not depend on it
  controller = new Controller(world.options);
  rows = new Map([1, 2, 3].map((id) => [id, { id, title: `t${id}`, status: 'open' }]));
  server.on('GET', '/todos', ({ query }) => ({
    body: [...rows.values()].filter((row) => !query.has('status') || row.status === query.get('status')),
  }));
  server.on('GET', '/todos/:id', ({ params }) => {
    const row = rows.get(Number(params['id']));
    return row ? { body: { ...row } } : { status: 404 };
  });
  server.on('POST', '/todos', ({ body }) => {
    const row = { status: 'open', ...(body as { title: string }), id: rows.size + 1 };
    rows.set(row.id, row);
    return { status: 201, body: { ...row } };
  });
  server.on('PATCH', '/todos/:id', ({ params, body }) => {
    const row = { ...rows.get(Number(params['id']))!, ...(body as object) };
    rows.set(row.id, row);
    return { body: row };
  });
  server.on('DELETE', '/todos/:id', ({ params }) => {
    rows.delete(Number(params['id']));
    return { status: 204 };
  });
});
afterEach(() => server.close());

const create = (optimistic = false) =>
  createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic });
const ids = (list: readonly Todo[] | undefined) => list?.map((todo) => todo.id);

test('of two reads of one entity the later-sent one wins, also when both were sent in one millisecond', async () => {
  const TodoResource = create();
  const byTitle = TodoResource.get.extend({ path: '/by-title/:title' });
  server.on('GET', '/by-title/:title', () => ({ body: { ...rows.get(1) } }));
  const held = server.hold('GET', '/todos/1');
  const early = controller.fetch(TodoResource.get, { id: 1 });
  const first = await held.next();
  rows.set(1, { id: 1, title: 'new', status: 'open' });

  await controller.fetch(byTitle, { title: 'x' });
  first.release();
  await early;

  expect(controller.get(Todo, { id: 1 })?.title).toBe('new');
});

test('a GET that was sent before a PATCH, with a response after it, does not undo it', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/1');
  const reading = controller.fetch(TodoResource.get, { id: 1 });
  const get = await held.next();

  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'patched' });
  get.release();

  expect((await reading).title).toBe('patched');
  expect(controller.get(Todo, { id: 1 })?.title).toBe('patched');
});

test('a GET that was sent while a PATCH was in flight does not undo it either', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.get, { id: 1 });
  const heldPatch = server.hold('PATCH', '/todos/1');
  const patching = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'patched' });
  const patch = await heldPatch.next();
  rows.set(1, { id: 1, title: 't1', status: 'open' }); // the server is slow to apply it
  const heldGet = server.hold('GET', '/todos/1');
  const reading = controller.fetch(TodoResource.get, { id: 1 });
  const get = await heldGet.next();

  patch.release();
  await patching;
  get.release();
  await reading;

  expect(controller.get(Todo, { id: 1 })?.title).toBe('patched');
});

test('a fetch after a mutation never joins a request that was sent before it', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/1');
  const before = controller.fetch(TodoResource.get, { id: 1 });
  const get = await held.next();
  held.stop();
  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'patched' });

  const after = controller.fetch(TodoResource.get, { id: 1 });
  expect(after).not.toBe(before);
  expect((await after).title).toBe('patched');
  expect(server.seen('GET', '/todos/1')).toHaveLength(2);
  get.release();
  await before;
});

test('a fetch after an invalidation never joins an older request, whose response does not end the invalidation', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/1');
  const before = controller.fetch(TodoResource.get, { id: 1 });
  const get = await held.next();

  controller.invalidate(TodoResource.get, { id: 1 });
  get.release();
  await before;
  expect(controller.getResponse(TodoResource.get, { id: 1 }).expiryStatus).toBe(1);

  const again = controller.fetch(TodoResource.get, { id: 1 });
  (await held.next()).release();
  await again;
  expect(controller.getResponse(TodoResource.get, { id: 1 }).expiryStatus).toBe(3);
});

test('two concurrent fetches of one key are one request', async () => {
  const TodoResource = create();

  const [first, second] = await Promise.all([
    controller.fetch(TodoResource.get, { id: 1 }),
    controller.fetch(TodoResource.get, { id: 1 }),
  ]);

  expect(first).toBe(second);
  expect(server.seen('GET', '/todos/1')).toHaveLength(1);
});

test('a list that was requested before a creation, with a response after it, contains the new row once, in either order of arrival', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos');
  const listing = controller.fetch(TodoResource.getList, {});
  const list = await held.next();
  await controller.fetch(TodoResource.getList.push, { title: 'new' });
  list.release();
  expect(ids(await listing)).toEqual([1, 2, 3, 4]);

  const posting = server.hold('POST', '/todos');
  const creating = controller.fetch(TodoResource.getList.push, { title: 'newer' });
  const post = await posting.next();
  held.stop();
  await controller.fetch(TodoResource.getList, {});
  expect(ids(controller.getResponse(TodoResource.getList, {}).data)).toEqual([1, 2, 3, 4, 5]);
  post.release();
  await creating;
  expect(ids(controller.getResponse(TodoResource.getList, {}).data)).toEqual([1, 2, 3, 4, 5]);
});

test('a list that is first read while a creation is in flight ends right', async () => {
  const TodoResource = create(true);
  const posting = server.hold('POST', '/todos');
  const creating = controller.fetch(TodoResource.getList.push, { title: 'new' });
  const post = await posting.next();
  rows.delete(4); // the response of the list is older than the creation
  const listing = controller.fetch(TodoResource.getList, {});

  expect(ids(await listing)?.slice(0, 3)).toEqual([1, 2, 3]);
  post.release();
  await creating;

  expect(ids(controller.getResponse(TodoResource.getList, {}).data)).toEqual([1, 2, 3, 4]);
});

test('refetches during a slow creation never hide the new row', async () => {
  const TodoResource = create(true);
  await controller.fetch(TodoResource.getList, {});
  const posting = server.hold('POST', '/todos');
  server.on('POST', '/todos', { status: 201, body: { id: 9, title: 'new', status: 'open' } });
  const creating = controller.fetch(TodoResource.getList.push, { title: 'new' });
  const titles = () => controller.getResponse(TodoResource.getList, {}).data?.map((todo) => todo.title);
  const post = await posting.next();

  for (let poll = 0; poll < 3; poll += 1) {
    await controller.fetch(TodoResource.getList, {});
    expect(titles()).toEqual(['t1', 't2', 't3', 'new']);
  }
  post.release();
  await creating;
  expect(titles()).toEqual(['t1', 't2', 't3', 'new']);
});

test('a deleted row does not come back with a response that was sent before the delete was acknowledged', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  const heldGet = server.hold('GET', '/todos/2');
  const heldList = server.hold('GET', '/todos');
  const reading = controller.fetch(TodoResource.get, { id: 2 });
  const listing = controller.fetch(TodoResource.getList, {});
  const [get, list] = [await heldGet.next(), await heldList.next()];

  await controller.fetch(TodoResource.delete, { id: 2 });
  get.release();
  list.release();
  expect(ids(await listing)).toEqual([1, 3]);
  await reading;

  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
  expect(ids(controller.getResponse(TodoResource.getList, {}).data)).toEqual([1, 3]);
});

test('a read that was sent after the delete is accepted: the server may have restored the row', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.delete, { id: 2 });
  rows.set(2, { id: 2, title: 'again', status: 'open' });

  expect((await controller.fetch(TodoResource.get, { id: 2 })).title).toBe('again');
});

test('404 for a row that its arguments identify removes the row from the lists', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  rows.delete(2);

  expect(await failureOf(controller.fetch(TodoResource.get, { id: 2 }))).toMatchObject({ status: 404 });
  expect(ids(controller.getResponse(TodoResource.getList, {}).data)).toEqual([1, 3]);
});

test('an older response does not replace a newer one of a key without a schema', async () => {
  let version = 0;
  server.on('GET', '/version', () => ({ body: { version: (version += 1) } }));
  const getVersion = new RestEndpoint({ urlPrefix: server.url, path: '/version' });
  const held = server.hold('GET', '/version');
  const first = controller.fetch(getVersion);
  const old = await held.next();
  controller.invalidate(getVersion);
  const second = controller.fetch(getVersion);
  (await held.next()).release();
  await second;

  old.release();
  await first;

  expect(controller.getResponse(getVersion).data).toEqual({ version: 2 });
});

test('an older failure does not replace newer data', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/1');
  const first = failureOf(controller.fetch(TodoResource.get, { id: 1 }));
  const old = await held.next();
  controller.invalidate(TodoResource.get, { id: 1 });
  held.stop();
  await controller.fetch(TodoResource.get, { id: 1 });

  old.release({ status: 500 });
  expect(await first).toMatchObject({ status: 500 });

  expect(controller.getError(TodoResource.get, { id: 1 })).toBeUndefined();
  expect(controller.getResponse(TodoResource.get, { id: 1 }).expiryStatus).toBe(3);
});

test('setResponse while a request is in flight is newer than the request', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos');
  const listing = controller.fetch(TodoResource.getList, {});
  const list = await held.next();

  await controller.setResponse(TodoResource.getList, {}, [{ id: 8, title: 'pushed' }]);
  list.release();
  await listing;

  expect(ids(controller.getResponse(TodoResource.getList, {}).data)).toEqual([8]);
});

test('a clock that steps back an hour does not keep old values', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.get, { id: 1 });
  world.time.stepBack(3_600_000);
  rows.set(1, { id: 1, title: 'new', status: 'open' });

  await controller.fetch(TodoResource.get, { id: 1 });
  expect(controller.get(Todo, { id: 1 })?.title).toBe('new');

  controller.resetEntireStore();
  world.time.stepBack(3_600_000);
  expect((await controller.fetch(TodoResource.get, { id: 1 })).title).toBe('new');
  expect(controller.get(Todo, { id: 1 })?.title).toBe('new');
});

test('resolve applies the response of a request that was sent elsewhere, in the order of its sending', async () => {
  const TodoResource = create();
  const earlier = world.time.clock.now() - 5_000;
  await controller.fetch(TodoResource.get, { id: 1 });

  await controller.resolve(TodoResource.get, {
    args: [{ id: 1 }],
    response: { id: 1, title: 'old' },
    fetchedAt: earlier,
  });
  expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');
  await controller.resolve(TodoResource.get, { args: [{ id: 1 }], response: { id: 1, title: 'now' } });
  expect(controller.get(Todo, { id: 1 })?.title).toBe('now');
});

test('a message for a row that does not match leaves a filtered list unchanged; one for a matching row enters it', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, { status: 'open' });
  const shown = () => ids(controller.getResponse(TodoResource.getList, { status: 'open' }).data);

  await controller.set(Todo, { id: 7 }, { id: 7, title: 'other', status: 'done' });
  await controller.setResponse(TodoResource.getList.push, { status: 'done' }, { id: 8, status: 'done' });
  expect(shown()).toEqual([1, 2, 3]);
  await controller.setResponse(TodoResource.getList.push, { status: 'open' }, { id: 9, status: 'open' });
  expect(shown()).toEqual([1, 2, 3, 9]);
  await controller.set(Todo, { id: 9 }, { id: 9, status: 'done' });
  expect(shown()).toEqual([1, 2, 3]);
  await controller.setResponse(TodoResource.delete, { id: 1 }, { id: 1 });
  expect(shown()).toEqual([2, 3]);
});

test('a row that enters a late list is appended: where the server sorts, the list is stale', async () => {
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { status: string; orderBy?: string },
  });
  rows.set(2, { id: 2, title: 't2', status: 'done' });
  await controller.fetch(TodoResource.get, { id: 1 });
  const held = server.hold('GET', '/todos');
  const sorted = { status: 'done', orderBy: 'id' };
  const lists = [sorted, { status: 'done' }];
  const reads = lists.map((args) => controller.fetch(TodoResource.getList, args));
  const answers = [await held.next(), await held.next()];

  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { status: 'done' });
  for (const answer of answers) answer.release();
  await Promise.all(reads);

  const seen = lists.map((args) => controller.getResponse(TodoResource.getList, args));
  expect(seen.map(({ data }) => ids(data))).toEqual([
    [2, 1],
    [2, 1],
  ]);
  expect(seen.map(({ expiresAt }) => expiresAt === 0)).toEqual([true, false]);
});

test('pages that are requested together are all sent, and are stored in page order whatever the order of arrival', async () => {
  const pages: Record<string, number[]> = { '1': [1, 2], '2': [3, 4], '3': [5, 6] };
  server.on('GET', '/feed', ({ query }) => ({
    body: (pages[query.get('page') ?? '1'] ?? []).map((id) => ({ id, title: `t${id}` })),
  }));
  const getFeed = new RestEndpoint({
    urlPrefix: server.url,
    path: '/feed',
    searchParams: {} as { group?: string } | undefined,
    schema: new schema.Collection([Todo]),
  });
  const getPage = getFeed.paginated('page');
  await controller.fetch(getFeed);
  const held = server.hold('GET', '/feed');
  const two = controller.fetch(getPage, { page: 2 });
  const three = controller.fetch(getPage, { page: 3 });
  const [first, second] = [await held.next(), await held.next()];
  const shown = () => ids(controller.getResponse(getFeed).data);

  second.release();
  await three;
  first.release();
  await two;
  expect(shown()).toEqual([1, 2, 3, 4, 5, 6]);

  // the same page again is replaced, not appended
  held.stop();
  pages['2'] = [4, 7];
  await controller.fetch(getPage, { page: 2 });
  expect(shown()).toEqual([1, 2, 4, 7, 5, 6]);
});

test('a delete, and a page loaded after it, cause neither a gap nor a repeated row', async () => {
  const all = [1, 2, 3, 4, 5, 6];
  server.on('GET', '/feed', ({ query }) => {
    const after = Number(query.get('after') ?? 0);
    return {
      body: all
        .filter((id) => id > after)
        .slice(0, 2)
        .map((id) => ({ id, title: `t${id}` })),
    };
  });
  const TodoResource = create();
  const getFeed = new RestEndpoint({
    urlPrefix: server.url,
    path: '/feed',
    schema: new schema.Collection([Todo]),
  });
  const getPage = getFeed.paginated('after');
  await controller.fetch(getFeed);

  all.splice(1, 1);
  await controller.fetch(TodoResource.delete, { id: 2 });
  await controller.fetch(getPage, { after: 1 });
  await controller.fetch(getPage, { after: 4 });

  expect(ids(controller.getResponse(getFeed).data)).toEqual([1, 3, 4, 5, 6]);
});

test('a cyclic graph of thousands of entities is read without overflow', async () => {
  class Person extends Entity {
    static override key = 'Person';
    id = 0;
    friends: Person[] = [];
  }
  Person.schema = { friends: [Person] };
  const size = 5_000;
  const people = Array.from({ length: size }, (_, id) => ({
    id,
    friends: [(id + 1) % size, (id + 7) % size],
  }));
  server.on('GET', '/people', { body: people });
  const getPeople = new RestEndpoint({ urlPrefix: server.url, path: '/people', schema: [Person] });

  const [first] = await controller.fetch(getPeople);

  let person = first;
  for (let step = 0; step < size; step += 1) person = person?.friends[0];
  expect(person).toBe(first);
});

test('after a sign-out nothing of the old session enters the store, and its promises reject with that reason', async () => {
  const TodoResource = create(true);
  await controller.fetch(TodoResource.getList, {});
  const holds = [
    server.hold('GET', '/todos/1'),
    server.hold('PATCH', '/todos/2'),
    server.hold('POST', '/todos'),
  ];
  const old = [
    controller.fetch(TodoResource.get, { id: 1 }),
    controller.fetch(TodoResource.partialUpdate, { id: 2 }, { title: 'mine' }),
    controller.fetch(TodoResource.getList.push, { title: 'mine' }),
  ].map(failureOf);
  const requests = await Promise.all(holds.map((hold) => hold.next()));

  controller.resetEntireStore();
  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
  expect(controller.get(TodoResource.getList.schema, {})).toBeUndefined();
  const other = controller.fetch(TodoResource.get, { id: 3 });
  await until(() => requests.every(({ request }) => request.aborted));
  for (const request of requests) request.release();
  for (const failure of await Promise.all(old)) expect(failure).toMatchObject({ code: 'STORE_RESET' });
  await other;

  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
  expect(controller.get(Todo, { id: 3 })?.title).toBe('t3');
});

test('mounted readers of the old session fetch in the new one', async () => {
  const TodoResource = create();
  const observer = controller.watch(TodoResource.get, { id: 1 });
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().data !== undefined);
  rows.set(1, { id: 1, title: 'of another user', status: 'open' });

  controller.resetEntireStore();
  expect(observer.read().data).toBeUndefined();
  await world.pass(0);
  await until(() => observer.read().data?.title === 'of another user');
  expect(observer.read().error).toBeUndefined();
  stop();
});

test('a failure of an earlier request that arrives after a newer response is not shown', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/:id');
  const early = failureOf(controller.fetch(TodoResource.get, { id: 1 }));
  const lost = await held.next();
  controller.invalidate(TodoResource.get, { id: 1 });
  const late = controller.fetch(TodoResource.get, { id: 1 });
  (await held.next()).release();
  expect((await late).title).toBe('t1');

  lost.release({ status: 403 });
  expect(await early).toMatchObject({ status: 403 });
  expect(controller.getError(TodoResource.get, { id: 1 })).toBeUndefined();
  expect(controller.getResponse(TodoResource.get, { id: 1 }).data?.title).toBe('t1');
});
