import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  FocusManager,
  RestEndpoint,
  savedState,
} from 'holdfast';
import type { EndpointInterface } from 'holdfast';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { breathe, failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Author extends Entity {
  static override key = 'Author';
  id = 0;
  name = '';
}

class Post extends Entity {
  static override key = 'Post';
  id = 0;
  title = '';
  author = new Author();
  static override schema = { author: Author };
}

let server: TestServer;
let world: FakeWorld;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  controller = new Controller(world.options);
  controller.start();
});
afterEach(async () => {
  controller.stop();
  await server.close();
});

let count = 0;
function createCount(options: object = {}) {
  count = 0;
  server.on('GET', '/count', () => ({ body: { count: (count += 1) } }));
  return new RestEndpoint({ urlPrefix: server.url, path: '/count', ...options });
}
const sent = () => server.seen('GET', '/count').length;

test('a mounted reader fetches again by itself when its data has expired', async () => {
  const getCount = createCount({ dataExpiryLength: 5_000 });
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().data !== undefined);

  await world.pass(4_900);
  expect(sent()).toBe(1);
  await world.pass(200);
  await until(() => (observer.read().data as { count: number }).count === 2);

  stop();
  await world.pass(60_000);
  expect(sent()).toBe(2);
  controller.stop(); // the collection of unused data has a separate timer
  expect(world.time.pendingTimers).toBe(0);
});

test('a reader of a row that another call has read again requests the row only when that read has expired', async () => {
  const { get, getList } = createResource({
    urlPrefix: server.url,
    path: '/authors/:id',
    schema: Author,
    dataExpiryLength: 5_000,
  });
  server.on('GET', '/authors', () => ({ body: [{ id: 1, name: 'Ann' }] }));
  server.on('GET', '/authors/1', () => ({ body: { id: 1, name: 'Ann' } }));
  await controller.fetch(getList);
  const stop = controller.watch(get, { id: 1 }).subscribe(() => undefined);
  await world.pass(4_000);
  await controller.fetch(getList);
  await world.pass(2_000);
  expect(server.seen('GET', '/authors/1')).toHaveLength(0);

  await world.pass(3_100);
  await until(() => server.seen('GET', '/authors/1').length === 1);
  stop();
});

test('dataExpiryLength of the endpoint takes precedence over that of the controller, and that over the default', async () => {
  const own = createCount({ dataExpiryLength: 5_000 });
  const inherited = new RestEndpoint({ urlPrefix: server.url, path: '/count', name: 'inherited' });
  const shortLived = new Controller({ ...world.options, dataExpiryLength: 2_000 });
  const now = world.time.clock.now();
  const lifeOf = (of: Controller, endpoint: EndpointInterface) => of.getResponse(endpoint).expiresAt - now;

  await Promise.all([controller.fetch(inherited), shortLived.fetch(inherited)]);
  expect(lifeOf(controller, inherited)).toBe(60_000);
  expect(lifeOf(shortLived, inherited)).toBe(2_000);
  await Promise.all([controller.fetch(own), shortLived.fetch(own)]);
  expect(lifeOf(controller, own)).toBe(5_000);
  expect(lifeOf(shortLived, own)).toBe(5_000);
});

test('fetchIfStale returns stored data as long as it is fresh, then fetches', async () => {
  const getCount = createCount({ dataExpiryLength: 5_000 });
  await controller.fetch(getCount);

  expect(controller.fetchIfStale(getCount)).toEqual({ count: 1 });
  await world.pass(5_001);
  expect(await controller.fetchIfStale(getCount)).toEqual({ count: 2 });
});

test('invalidIfStale shows nothing rather than stale data', async () => {
  const getCount = createCount({ dataExpiryLength: 5_000, invalidIfStale: true });
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => !observer.read().isBlocked);
  const held = server.hold('GET', '/count');

  await world.pass(5_001);
  const second = await held.next();
  expect(observer.read()).toMatchObject({ isBlocked: true, data: undefined });
  second.release();
  await until(() => (observer.read().data as { count: number } | undefined)?.count === 2);
  stop();
});

test('a failure is shown for errorExpiryLength, and then fetched again by its readers', async () => {
  const getCount = createCount({ errorExpiryLength: 10_000 });
  server.on('GET', '/count', { status: 500 });
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().error !== undefined);

  await world.pass(9_900);
  expect(sent()).toBe(1);
  server.on('GET', '/count', { body: { count: 7 } });
  await world.pass(200);
  await until(() => observer.read().data !== undefined);
  expect(observer.read().error).toBeUndefined();
  stop();
});

test('errorPolicy soft keeps the data of a failed refetch on screen, hard shows the failure', async () => {
  const soft = createCount({ dataExpiryLength: 5_000, errorPolicy: () => 'soft' });
  const hard = soft.extend({ errorPolicy: () => 'hard' });
  const readers = [controller.watch(soft), controller.watch(hard)];
  const stops = readers.map((reader) => reader.subscribe(() => undefined));
  await until(() => readers.every((reader) => reader.read().data !== undefined));
  server.on('GET', '/count', { status: 503 });

  await world.pass(5_001);
  await until(() => sent() > 1);
  await breathe();

  expect(readers.map((reader) => reader.read().error === undefined)).toEqual([true, false]);
  expect(readers.map((reader) => reader.read().data)).toEqual([{ count: 1 }, { count: 1 }]);
  expect(controller.getError(soft)).toBeUndefined();
  expect(controller.getError(hard)).toBeInstanceOf(Error);
  for (const stop of stops) stop();
});

test.each([
  ['fails', { status: 500 }],
  ['drops the connection', { drop: true }],
  ['sends broken JSON', { body: '{"a":', headers: { 'content-type': 'application/json' } }],
])(
  'a resource that always %s gets at most three requests in the first second, then fewer and fewer',
  async (_how, reply) => {
    const getCount = createCount({ errorExpiryLength: 0 });
    server.on('GET', '/count', reply);
    const observer = controller.watch(getCount);
    const stop = observer.subscribe(() => undefined);
    await until(() => observer.read().error !== undefined);

    await world.pass(1_000);
    expect(sent()).toBeLessThanOrEqual(3);
    await world.pass(60_000);
    expect(sent()).toBeLessThanOrEqual(10);
    expect(observer.read().error).toBeInstanceOf(Error);
    stop();
  },
);

test('a request that is aborted from outside each time ends in an error after two requests, and is not sent endlessly', async () => {
  const aborter = new AbortController();
  aborter.abort('changed my mind');
  const getCount = createCount({ errorExpiryLength: 0, signal: aborter.signal });
  const states: boolean[] = [];
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => states.push(observer.read().isBlocked));
  let requests = 0;
  const counted = new Controller({
    ...world.options,
    managers: [
      {
        request: (request, next) => {
          requests += 1;
          return next(request);
        },
      },
    ],
  });
  const other = counted.watch(getCount);
  const stopOther = other.subscribe(() => undefined);

  await until(() => observer.read().error !== undefined && other.read().error !== undefined);
  await world.pass(1_000);
  expect(requests).toBeLessThanOrEqual(3);
  expect(observer.read()).toMatchObject({ isBlocked: false, data: undefined });
  stop();
  stopOther();
});

test('a response without a required part is requested once more, and is an error the second time', async () => {
  const PostResource = createResource({ urlPrefix: server.url, path: '/posts/:id', schema: Post });
  server.on('GET', '/posts/:id', { body: { id: 1, title: 'a', author: 9 } });
  await controller.set(Author, { id: 9 }, { id: 9, name: 'Ada' });
  server.on('DELETE', '/authors/:id', { status: 204 });
  const AuthorResource = createResource({ urlPrefix: server.url, path: '/authors/:id', schema: Author });
  await controller.fetch(AuthorResource.delete, { id: 9 });
  const get = PostResource.get.extend({ errorExpiryLength: 0 });
  const observer = controller.watch(get, { id: 1 });
  const stop = observer.subscribe(() => undefined);

  await until(() => observer.read().error !== undefined);
  expect(observer.read().error).toMatchObject({ code: 'INCOMPLETE_ENTITY' });
  // with an errorExpiryLength of 0 the third one may be in flight already
  expect(server.seen('GET', '/posts/1').length).toBeGreaterThanOrEqual(2);
  await world.pass(1_000);
  expect(server.seen('GET', '/posts/1').length).toBeLessThanOrEqual(3);
  stop();
});

test.each([
  ["''", ''],
  ['0', 0],
  ['false', false],
  ['null', null],
  ['204', undefined],
])('the response %s is complete: it is not requested in a loop', async (_name, body) => {
  server.on('GET', '/odd', () =>
    body === '' ? { body: '', headers: { 'content-type': 'text/plain' } } : { body },
  );
  const getOdd = new RestEndpoint({ urlPrefix: server.url, path: '/odd' });
  const observer = controller.watch(getOdd);
  const stop = observer.subscribe(() => undefined);

  await until(() => !observer.read().isFetching && server.seen('GET', '/odd').length > 0);
  await world.pass(1_000);
  expect(observer.read().isBlocked).toBe(false);
  expect(server.seen('GET', '/odd')).toHaveLength(1);
  stop();
});

test.each([undefined, Author])(
  '304 where nothing is stored is a failure with that status, and stores nothing',
  async (entity) => {
    server.on('GET', '/count', { status: 304 });
    const get = new RestEndpoint({ urlPrefix: server.url, path: '/count', schema: entity });

    expect(await failureOf(controller.fetch(get))).toMatchObject({ code: 'HTTP_ERROR', status: 304 });

    expect(controller.getResponse(get).data).toBeUndefined();
  },
);

test('304 makes the stored data fresh again, with the same references', async () => {
  const getCount = createCount({ dataExpiryLength: 5_000 });
  const first = await controller.fetch(getCount);
  server.on('GET', '/count', { status: 304 });
  await world.pass(10_000);
  expect(controller.getResponse(getCount).expiresAt).toBeLessThan(world.time.clock.now());

  expect(await controller.fetch(getCount)).toBe(first);
  expect(controller.getResponse(getCount).expiresAt).toBe(world.time.clock.now() + 5_000);
});

test('stale data is fetched when the page gets the focus, and when the network returns', async () => {
  const getCount = createCount({ dataExpiryLength: 5_000 });
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().data !== undefined);

  world.show(false);
  await world.pass(30_000);
  expect(sent()).toBe(1);
  world.show(true);
  await until(() => sent() === 2);
  await breathe();
  world.show(false);
  world.show(true);
  await breathe();
  expect(sent()).toBe(2); // fresh

  world.goOnline(false);
  await world.pass(30_000);
  expect(sent()).toBe(2);
  world.goOnline(true);
  await until(() => sent() === 3);
  stop();
});

test('a read that failed while the network was away is sent at once when it returns', async () => {
  const getCount = createCount({ errorExpiryLength: 600_000 });
  server.on('GET', '/count', { drop: true });
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().error !== undefined);
  world.goOnline(false);
  server.on('GET', '/count', { body: { count: 5 } });

  world.goOnline(true);
  await until(() => observer.read().data !== undefined);
  expect(observer.read()).toMatchObject({ data: { count: 5 }, error: undefined });
  stop();
});

test('a read that the server refused is not sent again when the network returns', async () => {
  const getCount = createCount({ errorExpiryLength: 600_000 });
  server.on('GET', '/count', { status: 403 });
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().error !== undefined);

  world.goOnline(false);
  world.goOnline(true);
  await breathe();

  expect(server.seen('GET', '/count')).toHaveLength(1);
  stop();
});

test('focus and reconnect can be disabled, and then leave no listener', async () => {
  const off = new Controller({
    ...world.options,
    managers: [new FocusManager({ onFocus: false, onReconnect: false })],
  });
  const before = world.listeners;
  off.start();
  expect(world.listeners).toBe(before);
  off.stop();

  controller.stop();
  expect(world.listeners).toBe(0);
});

test('a clock that steps back an hour does not make data fresh for an hour', async () => {
  const getCount = createCount();
  const observer = controller.watch(getCount);
  const stop = observer.subscribe(() => undefined);
  await until(() => observer.read().data !== undefined);

  world.time.stepBack(3_600_000);
  await world.pass(61_000);
  await until(() => sent() >= 2);
  await breathe();
  const before = sent();
  await world.pass(30_000);
  expect(sent()).toBe(before);
  stop();
});

test('a reader from before the clock was set back is read again although a later reader has set an earlier alarm', async () => {
  const getNews = new RestEndpoint({ urlPrefix: server.url, path: '/news/:id' });
  server.on('GET', '/news/:id', { body: { headline: 'new' } });
  const sent = (id: number) => server.seen('GET', `/news/${id}`).length;
  const stops: (() => void)[] = [];
  const mount = async (id: number): Promise<void> => {
    const observer = controller.watch(getNews, { id });
    stops.push(observer.subscribe(() => undefined));
    await until(() => observer.read().data !== undefined);
  };
  await mount(1);

  world.time.stepBack(3_600_000);
  await mount(2);
  await world.pass(130_000);

  await until(() => sent(2) >= 2);
  expect(sent(1)).toBeGreaterThanOrEqual(2);
  for (const stop of stops) stop();
});

test('every request ends: a request without a response fails at the time limit', async () => {
  const getCount = createCount();
  server.hold('GET', '/count');
  const impatient = new Controller({ ...world.options, timeoutMs: 1_000 });
  const asked = impatient.fetch(getCount);
  const failed = failureOf(asked);
  await until(() => sent() === 1);

  await world.pass(1_001);
  expect(await failed).toMatchObject({ code: 'REQUEST_TIMEOUT' });
});

test('every reader retries its failure in time although the clock was set back', async () => {
  const getNews = new RestEndpoint({ urlPrefix: server.url, path: '/news/:id' });
  server.on('GET', '/news/:id', { status: 500 });
  const sent = (id: number) => server.seen('GET', `/news/${id}`).length;
  const stops: (() => void)[] = [];
  for (const id of [1, 2]) {
    stops.push(controller.watch(getNews, { id }).subscribe(() => undefined));
    await until(() => controller.getError(getNews, { id }) !== undefined);
    await world.pass(400);
  }

  world.time.stepBack(3_600_000);
  await world.pass(2_000);

  expect(sent(1)).toBeGreaterThan(1);
  expect(sent(2)).toBeGreaterThan(1);
  for (const stop of stops) stop();
});

test('a row that a later response repeats unchanged is as fresh as that response', async () => {
  const AuthorResource = createResource({ urlPrefix: server.url, path: '/authors/:id', schema: Author });
  const authors = [{ id: 1, name: 'Ada' }];
  await controller.setResponse(AuthorResource.getList, {}, authors);
  const first = controller.getResponse(AuthorResource.get, { id: 1 });

  await world.pass(10_000);
  await controller.setResponse(AuthorResource.getList, {}, authors);

  const second = controller.getResponse(AuthorResource.get, { id: 1 });
  expect(second.data).toBe(first.data);
  expect(second.expiresAt).toBe(first.expiresAt + 10_000);
});

describe('a stale row two levels down makes all data that shows it stale', () => {
  class Person extends Entity {
    static override key = 'Person';
    id = '';
    name = '';
  }
  class Remark extends Entity {
    static override key = 'Remark';
    id = '';
    author = Person.fromJS();
    static override schema = { author: Person };
  }
  class Article extends Entity {
    static override key = 'Article';
    id = '';
    remarks: Remark[] = [];
    static override schema = { remarks: [Remark] };
  }
  const ArticleResource = createResource({ path: '/articles/:id', schema: Article });
  const PersonResource = createResource({ path: '/people/:id', schema: Person, optimistic: true });
  const article = { id: '1', remarks: [{ id: 'r', author: { id: 'p', name: 'old' } }] };
  const options = {
    fetch: async (url: string, { method }: RequestInit = {}) => {
      if (method === 'PATCH') throw new TypeError('down');
      return Response.json(url.endsWith('articles') ? [article] : article);
    },
  };
  const loseChange = (client: Controller) =>
    failureOf(client.fetch(PersonResource.partialUpdate, { id: 'p' }, { name: 'new' }));
  const isFresh = (client: Controller) =>
    client.getResponse(ArticleResource.get, { id: '1' }).expiresAt > Date.now();

  test.each([false, true])(
    'a row from the responses of other endpoints is stale as well, read before: %s',
    async (isRead) => {
      const client = new Controller(options);
      await client.fetch(ArticleResource.getList);
      if (isRead) expect(isFresh(client)).toBe(true);

      await loseChange(client);

      expect(isFresh(client)).toBe(false);
      await client.fetch(ArticleResource.get, { id: '1' });
      expect(isFresh(client)).toBe(true);
    },
  );

  test.each([false, true])(
    'a row in a restored response is stale as well, read before: %s',
    async (isRead) => {
      const first = new Controller(options);
      await first.fetch(ArticleResource.get, { id: '1' });
      const saved = savedState(JSON.stringify(dehydrate(first)));
      const client = new Controller({ ...options, initialState: saved });
      if (isRead) expect(isFresh(client)).toBe(true);

      await loseChange(client);

      expect(isFresh(client)).toBe(false);
      await client.fetch(ArticleResource.get, { id: '1' });
      expect(isFresh(client)).toBe(true);
    },
  );
});
