// Sessions at their edges: dates that lie, bodies that are gone, cookies, stores that fail, other managers.
import { Controller, RestEndpoint, RetryManager } from 'holdfast';
import type { HoldfastError } from 'holdfast';
import { AuthManager, localSession } from 'holdfast/auth';
import type { Session } from 'holdfast/auth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startTokenServer } from '../support/token-server.ts';
import type { TokenServer } from '../support/token-server.ts';
import { createApp, createStore, endsOf, Item } from './app.ts';

let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

const signIn = (app: ReturnType<typeof createApp>, more: object = {}): void =>
  app.auth.begin({ ...server.book.logIn('ann'), ...more });

test('a refused mutation is sent again with its body', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();

  await app.controller.fetch(app.ItemResource.update, { id: '1' }, { owner: 'x' });

  expect(server.server.seen('PUT', '/items/1').map(({ body }) => body)).toEqual([
    { owner: 'x' },
    { owner: 'x' },
  ]);
});

test('a body that is a stream is not sent again: the refusal is the failure', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const upload = new RestEndpoint({
    urlPrefix: server.url,
    path: '/items/1',
    method: 'POST',
    body: {} as ReadableStream,
  });

  const failure = await failureOf(app.controller.fetch(upload, new Blob(['text']).stream()));

  expect(failure).toMatchObject({ status: 401 });
  expect(server.server.seen('POST', '/items/1')).toHaveLength(1);
});

test('a session that has an expiry time is renewed before it', async () => {
  const app = createApp(server.url);
  signIn(app, { expiresAt: Date.now() + 1_000 });
  server.book.expire();

  await app.controller.fetch(app.ItemResource.get, { id: '1' });

  expect(server.server.seen('GET', '/items/1')).toHaveLength(1);
  expect(server.book.refreshes).toBe(1);
});

test('a renewal before the expiry time that fails leaves the session in use until it ends', async () => {
  const app = createApp(server.url);
  signIn(app, { expiresAt: Date.now() + 10_000 });
  server.nextRefresh = () => ({ status: 503 });

  expect(await app.controller.fetch(app.ItemResource.get, { id: '1' })).toMatchObject({ owner: 'ann' });

  signIn(app, { expiresAt: Date.now() - 1 });
  server.nextRefresh = () => ({ status: 503 });
  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '2' })])).toEqual([
    'CONNECTION_FAILED',
  ]);
});

test('where the clock or the date is wrong, only refusals cause a renewal', async () => {
  const app = createApp(server.url, {
    refresh: async ({ refreshToken }) => {
      const renewed = server.book.renew(refreshToken);
      return renewed && { ...renewed, expiresAt: 1 };
    },
  });
  signIn(app, { expiresAt: 1 });

  for (const id of ['1', '2', '3']) await app.controller.fetch(app.ItemResource.get, { id });
  expect(server.book.refreshes).toBe(1);

  server.book.expire();
  await app.controller.fetch(app.ItemResource.get, { id: '4' });
  expect(server.book.refreshes).toBe(2);
});

test('an endpoint that sets the header itself keeps it, and its refusal causes no renewal', async () => {
  const app = createApp(server.url);
  signIn(app);
  const own = new RestEndpoint({
    urlPrefix: server.url,
    path: '/items/1',
    requestInit: { headers: { authorization: 'Bearer own' } },
  });

  expect(await failureOf(app.controller.fetch(own))).toMatchObject({ status: 401 });

  expect(server.server.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer own']);
});

test('without a session requests are sent unchanged, and a refusal is a failure', async () => {
  const app = createApp(server.url);

  expect(await failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }))).toMatchObject({
    status: 401,
  });

  expect(server.server.requests).toHaveLength(1);
});

test('without `refresh` a refusal ends the session and empties the store, once', async () => {
  const app = createApp(server.url, { refresh: undefined as never });
  signIn(app);
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  server.book.expire();
  const observer = app.controller.watch(app.ItemResource.get, { id: '1' });
  const stop = observer.subscribe(() => undefined);

  const ends = await endsOf(['2', '3'].map((id) => app.controller.fetch(app.ItemResource.get, { id })));

  expect(ends).toEqual(['STORE_RESET', 'STORE_RESET']);
  expect(app.auth.session).toBeUndefined();
  expect(app.controller.get(Item, { id: '1' })).toBeUndefined();
  // the mounted reader has fetched again, without a session, and was refused: that does not end a second session
  await until(() => observer.read().error !== undefined);
  stop();
});

test('isRefused decides what a refusal is, and endsSession which failures end the session', async () => {
  const app = createApp(server.url, {
    isRefused: (error) => (error as { status?: number }).status === 419,
    endsSession: (error) => (error as { status?: number }).status === 422,
  });
  signIn(app);
  let isOver = false;
  server.server.on('GET', '/items/1', ({ headers }) =>
    headers['authorization'] === `Bearer ${app.auth.session?.accessToken}` && !isOver
      ? { body: { id: '1' } }
      : { status: 419 },
  );
  server.book.expire();
  expect(await failureOf(app.controller.fetch(app.ItemResource.get, { id: '2' }))).toMatchObject({
    status: 401,
  });
  expect(server.book.refreshes).toBe(0);

  isOver = true;
  server.nextRefresh = () => ({ status: 422 });

  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual(['STORE_RESET']);
  expect(app.auth.session).toBeUndefined();
});

test('a refresh that returns nothing ends the session', async () => {
  const app = createApp(server.url, { refresh: async () => undefined });
  signIn(app);
  server.book.expire();

  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual(['STORE_RESET']);

  expect(app.auth.session).toBeUndefined();
});

test('a renewed session of another user changes the user', async () => {
  const app = createApp(server.url, { refresh: async () => server.book.logIn('bob') });
  signIn(app);
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  server.book.expire();

  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '2' })])).toEqual(['STORE_RESET']);

  expect(app.controller.get(Item, { id: '1' })).toBeUndefined();
  expect(await app.controller.fetch(app.ItemResource.get, { id: '1' })).toMatchObject({ owner: 'bob' });
});

test('a cookie session is renewed in the same way, without headers, and the page provides the user', async () => {
  let cookie = 'old';
  let renewals = 0;
  server.server.on('GET', '/items/:id', ({ params, headers }) =>
    headers['cookie'] === 'sid=good' ? { body: { id: params['id'], owner: 'ann' } } : { status: 401 },
  );
  const store = createStore() as unknown as {
    read: () => Session | undefined;
    write: (session: Session | undefined) => void;
  };
  const auth = new AuthManager<Session>({
    ...store,
    origins: [server.url],
    refresh: async ({ userId }) => {
      renewals += 1;
      cookie = 'good';
      return { userId, expiresAt: Date.now() + 600_000 };
    },
  });
  const jar = (url: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url, { ...init, headers: [...new Headers(init.headers), ['cookie', `sid=${cookie}`]] });
  const controller = new Controller({ fetch: jar, managers: [auth] });
  auth.begin({ userId: 'ann' });
  const { ItemResource } = createApp(server.url);

  const items = await Promise.all(['1', '2', '3'].map((id) => controller.fetch(ItemResource.get, { id })));

  expect(items).toHaveLength(3);
  expect(renewals).toBe(1);
  expect(auth.session).toMatchObject({ userId: 'ann', expiresAt: expect.any(Number) });
});

test('a retry manager repeats a request that failed because the session could not be renewed', async () => {
  const world = new FakeWorld();
  const app = createApp(server.url, {}, { ...world.options, managers: [new RetryManager()] });
  signIn(app);
  server.book.expire();
  server.nextRefresh = () => ({ drop: true });

  const item = app.controller.fetch(app.ItemResource.get, { id: '1' });
  // all limits are longer than this: it is the pause before a repetition
  await until(() => (world.time.nextDelayMs() ?? Infinity) <= 1_000);
  await world.pass(1_000);

  expect(await item).toMatchObject({ owner: 'ann' });
});

test('`session` is the same object until it changes, and listeners are notified of every change', () => {
  const app = createApp(server.url);
  const seen: (string | undefined)[] = [];
  const stop = app.auth.listen(() => seen.push(app.auth.session?.userId));

  signIn(app);
  expect(app.auth.session).toBe(app.auth.session);
  app.auth.end();
  stop();
  signIn(app);

  expect(seen).toEqual(['ann', undefined]);
});

test('a tab that becomes visible again reads the session before it shows anything', async () => {
  const world = new FakeWorld();
  const app = createApp(server.url, {}, world.options);
  app.controller.start();
  signIn(app);
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  world.show(false);
  app.store.write(undefined);
  expect(app.controller.get(Item, { id: '1' })).toBeDefined();

  world.show(true);

  expect(app.controller.get(Item, { id: '1' })).toBeUndefined();
  app.controller.stop();
  expect(world.listeners).toBe(0);
});

test('begin() refuses a value that is no session; read() reports such a value and ignores it', () => {
  const app = createApp(server.url);
  for (const wrong of [undefined, null, 'ann', {}, { userId: '' }, { userId: NaN }])
    expect(() => app.auth.begin(wrong as never)).toThrow(
      expect.objectContaining({ code: 'SESSION_INVALID' }),
    );

  const problems: Error[] = [];
  const onProblem = (error: Error) => problems.push(error);
  const auth = new AuthManager({ read: () => ({}) as never, write: () => undefined, onProblem });
  expect(auth.session).toBeUndefined();
  const throwing = () => {
    throw new Error('no storage');
  };
  expect(new AuthManager({ read: throwing, write: () => undefined, onProblem }).session).toBeUndefined();
  expect(problems.map((error) => (error as HoldfastError).code ?? error.message)).toEqual([
    'SESSION_INVALID',
    'no storage',
  ]);
});

test('headers that throw, or cannot be sent, fail the request with a code', async () => {
  const throwing = createApp(server.url, {
    headers: () => {
      throw new Error('a bug');
    },
  });
  const broken = createApp(server.url, { headers: () => ({ Authorization: 'a\nb' }) });
  signIn(throwing);
  signIn(broken);

  for (const app of [throwing, broken])
    expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual([
      'HEADERS_INVALID',
    ]);
});

test('a store that cannot be written to fails the renewal, and every request settles', async () => {
  const store = createStore();
  const app = createApp(server.url, {
    store,
    write: (session) => {
      if (store.text) throw new Error('full');
      store.write(session);
    },
  });
  signIn(app);
  server.book.expire();

  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual([
    'SESSION_NOT_RENEWED',
  ]);
});

test('a lock that is never granted, or fails, is waited for, reported and then ignored', async () => {
  const world = new FakeWorld();
  const locks = [
    () => new Promise<never>(() => undefined),
    () => Promise.reject(new Error('no locks here')) as Promise<never>,
    () => {
      throw new Error('no locks here');
    },
  ];
  for (const guard of locks) {
    const problems: Error[] = [];
    const app = createApp(
      server.url,
      { lock: { guard }, onProblem: (error) => problems.push(error) },
      world.options,
    );
    signIn(app);
    server.book.expire();
    const item = app.controller.fetch(app.ItemResource.get.extend({ timeoutMs: 60_000 }), { id: '1' });
    let isEnded = false;
    void endsOf([item]).then(() => (isEnded = true));
    for (let second = 0; second < 50 && !isEnded; second += 1) await world.pass(1_000);

    expect(await item).toMatchObject({ owner: 'ann' });
    expect(problems).toMatchObject([{ code: 'SESSION_LOCK_BUSY' }]);
  }
});

test('localSession stores the session for all tabs, or for this tab alone where storage is forbidden', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
  vi.stubGlobal('localStorage', storage);
  const [one, other] = [localSession<Session>('s'), localSession<Session>('s')];
  one.write({ userId: 'ann' });
  expect(other.read()).toEqual({ userId: 'ann' });
  other.write(undefined);
  expect(one.read()).toBeUndefined();

  const forbidden = () => {
    throw new Error('SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  one.write({ userId: 'ann' });
  expect(one.read()).toEqual({ userId: 'ann' });
  expect(other.read()).toBeUndefined();
  one.write(undefined);
  expect(one.read()).toBeUndefined();
});

test('requests use the session of this tab after the store could not be written to', async () => {
  const store = createStore();
  let isFull = false;
  const app = createApp(server.url, {
    store,
    write: (session) => {
      if (isFull) throw new Error('full');
      store.write(session);
    },
  });
  signIn(app);
  isFull = true;
  expect(() => app.auth.begin(server.book.logIn('ben'))).toThrow('full');

  expect(await app.controller.fetch(app.ItemResource.get, { id: '1' })).toMatchObject({ owner: 'ben' });
  expect(() => app.auth.end()).toThrow('full');
  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual(['HTTP_ERROR']);
  expect(app.auth.session).toBeUndefined();

  // what another tab writes counts again
  store.write(server.book.logIn('cleo'));
  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual(['STORE_RESET']);
  expect(app.auth.session).toMatchObject({ userId: 'cleo' });
});

test('localSession returns the newer session where storage is full', () => {
  const kept = new Map([['s', '{"userId":"ann"}']]);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
    removeItem: (name: string) => void kept.delete(name),
  });
  const store = localSession<Session>('s');
  expect(store.read()).toEqual({ userId: 'ann' });

  store.write({ userId: 'ben' });
  expect(store.read()).toEqual({ userId: 'ben' });
});
