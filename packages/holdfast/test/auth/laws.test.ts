// The laws of sessions, in one tab, against a real server that rotates refresh tokens and detects their reuse.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, RestEndpoint } from 'holdfast';
import { AuthManager } from 'holdfast/auth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import { bearerOf, startTokenServer } from '../support/token-server.ts';
import type { TokenServer } from '../support/token-server.ts';
import { createApp, endsOf, Item } from './app.ts';

let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(() => server.close());

const many = Array.from({ length: 20 }, (_, index) => String(index));
const signIn = (app: ReturnType<typeof createApp>, userId = 'ann'): void =>
  app.auth.begin(server.book.logIn(userId));
const sentTo = (path: string) => server.server.seen('*', path);

// ── D1, D2: one refresh ────────────────────────────────────────────────────────────────────────

test('D1 requests that are refused together share one refresh, and no token is sent twice', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();

  const items = await Promise.all(many.map((id) => app.controller.fetch(app.ItemResource.get, { id })));

  expect(items.map(({ id }) => id)).toEqual(many);
  expect(server.book).toMatchObject({ refreshes: 1, replays: 0 });
  expect(server.mostAtOnce).toBe(1);
});

test('D2 each refused request is repeated once', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();

  await Promise.all(many.map((id) => app.controller.fetch(app.ItemResource.get, { id })));

  expect(many.map((id) => sentTo(`/items/${id}`).length)).toEqual(many.map(() => 2));
});

test('D2 a token that is refused right after its renewal is a failure, after two requests', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.server.on('GET', '/items/1', { status: 401 });

  expect(await failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }))).toMatchObject({
    status: 401,
  });

  expect(sentTo('/items/1')).toHaveLength(2);
  expect(app.auth.session).toBeDefined();
});

test('a request that starts during a renewal waits for it and is sent once', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const held = server.server.hold('POST', '/refresh');
  const first = app.controller.fetch(app.ItemResource.get, { id: '1' });
  const refresh = await held.next();

  const second = app.controller.fetch(app.ItemResource.get, { id: '2' });
  refresh.release();

  expect(await endsOf([first, second])).toEqual(['answered', 'answered']);
  expect(sentTo('/items/2')).toHaveLength(1);
});

// ── D3: late refusals ──────────────────────────────────────────────────────────────────────────

test('D3 a request with a late 401 for an older token is sent again with the present token, without a refresh', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const held = server.server.hold('GET', '/items/9');
  const late = app.controller.fetch(app.ItemResource.get, { id: '9' });
  const refused = await held.next();
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  held.stop();

  refused.release();

  expect(await late).toMatchObject({ id: '9' });
  expect(server.book).toMatchObject({ refreshes: 1, replays: 0 });
});

test('D3 a late 401 causes a renewal if the newer token has expired too', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const held = server.server.hold('GET', '/items/9');
  const late = app.controller.fetch(app.ItemResource.get, { id: '9' });
  const refused = await held.next();
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  server.book.expire();
  held.stop();

  refused.release();

  expect(await late).toMatchObject({ id: '9' });
  expect(server.book).toMatchObject({ refreshes: 2, replays: 0 });
});

test('D3 a late 401 of a session that has ended does not end the next session', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const held = server.server.hold('GET', '/items/9');
  const late = failureOf(app.controller.fetch(app.ItemResource.get, { id: '9' }));
  const refused = await held.next();

  app.auth.end();
  signIn(app);
  const { session } = app.auth;
  refused.release();

  expect(await late).toMatchObject({ code: 'STORE_RESET' });
  expect(app.auth.session).toBe(session);
  expect(server.book.refreshes).toBe(0);
});

// ── D4: one user's data ────────────────────────────────────────────────────────────────────────

test('D4 a change of the user empties the store at once, and no response for the former user enters it', async () => {
  const app = createApp(server.url);
  signIn(app);
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  const held = server.server.hold('GET', '/items/2');
  const old = failureOf(app.controller.fetch(app.ItemResource.get, { id: '2' }));
  const request = await held.next();

  signIn(app, 'bob');

  expect(app.controller.get(Item, { id: '1' })).toBeUndefined();
  request.release();
  expect(await old).toMatchObject({ code: 'STORE_RESET' });
  expect(app.controller.get(Item, { id: '2' })).toBeUndefined();
});

test('D4 a request that waits for a renewal is never sent with the token of another user', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const held = server.server.hold('POST', '/refresh');
  const old = [1, 2].map((id) => app.controller.fetch(app.ItemResource.update, { id: String(id) }, {}));
  const ends = endsOf(old);
  const refresh = await held.next();

  signIn(app, 'bob');
  refresh.release();

  expect(await ends).toEqual(['STORE_RESET', 'STORE_RESET']);
  const users = server.server
    .seen('PUT', '/items/*')
    .map(({ headers }) => server.book.ownerOf(bearerOf(headers)));
  expect(new Set(users)).toEqual(new Set(['ann']));
});

test('D4 tokens of a refresh that ends after the log-out are dropped', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  const held = server.server.hold('POST', '/refresh');
  const old = failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }));
  const refresh = await held.next();

  app.auth.end();
  refresh.release();

  expect(await old).toMatchObject({ code: 'STORE_RESET' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(app.store.text).toBe('');
  expect(app.auth.session).toBeUndefined();
});

test('D4 a session that another tab wrote applies to the next request, and to the response of a request in flight', async () => {
  const app = createApp(server.url);
  signIn(app);
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  const held = server.server.hold('GET', '/items/2');
  const old = failureOf(app.controller.fetch(app.ItemResource.get, { id: '2' }));
  const request = await held.next();

  app.store.write(server.book.logIn('bob')); // as another tab would
  request.release();

  expect(await old).toMatchObject({ code: 'STORE_RESET' });
  expect(app.controller.get(Item, { id: '1' })).toBeUndefined();
  expect(await app.controller.fetch(app.ItemResource.get, { id: '3' })).toMatchObject({ owner: 'bob' });

  app.store.write(undefined);
  expect(await failureOf(app.controller.fetch(app.ItemResource.get, { id: '4' }))).toMatchObject({
    code: 'STORE_RESET',
  });
  expect(app.controller.get(Item, { id: '3' })).toBeUndefined();
});

// ── D5: no connection is no logout ─────────────────────────────────────────────────────────────

test('D5 a refresh without a response fails its requests with a connection error, and the session continues', async () => {
  for (const reply of [
    { drop: true },
    ...[408, 425, 429, 500, 502, 503, 504].map((status) => ({ status })),
  ]) {
    const app = createApp(server.url);
    signIn(app);
    server.book.expire();
    server.nextRefresh = () => reply;

    const failure = await failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }));

    expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', cause: { code: 'SESSION_NOT_RENEWED' } });
    expect(app.auth.session).toMatchObject({ userId: 'ann' });
    expect(await app.controller.fetch(app.ItemResource.get, { id: '1' })).toMatchObject({ owner: 'ann' });
  }
});

test('D5 a refresh that fails with a status not worth repeating fails its requests, and the session continues', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.book.expire();
  server.nextRefresh = () => ({ status: 501 });

  const failure = await failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }));

  expect(failure).toMatchObject({ code: 'SESSION_NOT_RENEWED' });
  expect(app.auth.session).toMatchObject({ userId: 'ann' });
});

test('D5 a request without a connection neither refreshes nor ends the session', async () => {
  const app = createApp(server.url);
  signIn(app);
  server.server.on('GET', '/items/1', { drop: true });

  expect(await failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }))).toMatchObject({
    code: 'CONNECTION_FAILED',
  });

  expect(server.book.refreshes).toBe(0);
  expect(app.auth.session).toBeDefined();
});

test('a refused refresh ends the session, empties the store and settles all requests that wait', async () => {
  const app = createApp(server.url);
  signIn(app);
  await app.controller.fetch(app.ItemResource.get, { id: 'first' });
  let told = 0;
  app.auth.listen(() => (told += 1));
  server.book.revoke();

  const ends = await endsOf(many.map((id) => app.controller.fetch(app.ItemResource.get, { id })));

  expect(new Set(ends)).toEqual(new Set(['STORE_RESET']));
  expect(app.auth.session).toBeUndefined();
  expect(app.store.text).toBe('');
  expect(app.controller.get(Item, { id: 'first' })).toBeUndefined();
  expect(told).toBe(1);
  expect(server.book).toMatchObject({ refused: 1 });
});

// ── D6: listed origins ─────────────────────────────────────────────────────────────────────────

test('D6 no token is sent to an origin that is not listed', async () => {
  await using other = await startServer();
  other.on('*', '/*', { body: { id: '1' } });
  const app = createApp(server.url);
  signIn(app);
  const leak = new RestEndpoint({ path: '/items/:id', urlPrefix: server.url });
  const hostile = [
    // another port is another origin
    new RestEndpoint({ urlPrefix: other.url, path: '/items/1' }),
    leak.extend({ url: () => `${other.url}/items/1` }),
    leak.extend({ url: () => `${server.url}@${other.url.replace('http://', '')}/items/1` }),
    leak.extend({ fetchResponse: () => fetch(`${other.url}/items/1`) }),
  ];

  for (const endpoint of hostile)
    await app.controller.fetch(endpoint as typeof leak, { id: '1' }).catch(() => undefined);
  for (const id of [
    '//evil.example',
    '@evil.example',
    '..%2f..',
    '\\\\evil.example',
    'http://evil.example',
    '1#@evil.example',
  ])
    await app.controller.fetch(app.ItemResource.get, { id }).catch(() => undefined);

  expect(other.requests.length).toBeGreaterThan(0);
  expect(other.requests.map(({ headers }) => headers['authorization'])).toEqual(
    other.requests.map(() => undefined),
  );
});

test('D6 a redirect to an origin that is not listed does not get the token', async () => {
  await using other = await startServer();
  other.on('GET', '/items/1', { body: { id: '1' } });
  const app = createApp(server.url);
  signIn(app);
  server.server.on('GET', '/items/1', { status: 302, headers: { location: `${other.url}/items/1` } });

  await app.controller.fetch(app.ItemResource.get, { id: '1' });

  expect(other.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined]);
});

test('D6 a Request or a URL that an override passes on is judged by its address', async () => {
  const seen: (string | null)[] = [];
  const app = createApp(
    server.url,
    {},
    {
      fetch: async (input, init) => {
        seen.push(
          new Headers(init?.headers).get('authorization') &&
            new URL((input as unknown as Request).url ?? input).origin,
        );
        return Response.json({ id: '1' });
      },
    },
  );
  signIn(app);
  class Handing extends RestEndpoint {
    override fetchResponse(url: string, init?: RequestInit): Promise<Response> {
      const elsewhere = url.endsWith('2') ? 'http://evil.example/items/2' : url;
      const given = url.endsWith('3') ? new URL(url) : new Request(elsewhere);
      return super.fetchResponse(given as unknown as string, init);
    }
  }
  const get = new Handing({ urlPrefix: server.url, path: '/items/:id' });

  for (const id of ['1', '2', '3']) await app.controller.fetch(get, { id });

  expect(seen).toEqual([server.url, null, server.url]);
});

test('D6 an origin that only begins like a listed one is another origin', async () => {
  const seen: (string | null)[] = [];
  const fetch = async (_input: string, init?: RequestInit): Promise<Response> => {
    seen.push(new Headers(init?.headers).get('authorization'));
    return Response.json({});
  };
  const app = createApp('https://api.example', {}, { fetch });
  signIn(app);

  for (const urlPrefix of [
    'https://api.example',
    'https://api.example.evil',
    'https://api.example:444',
    'http://api.example',
  ])
    await app.controller.fetch(new RestEndpoint({ urlPrefix, path: '/items' }));

  expect(seen).toEqual([expect.stringContaining('Bearer ann'), null, null, null]);
});

test('D6 a string that is no origin is refused at once', () => {
  for (const origin of ['api.example.com', 'https://api.example.com/v1', 'file:///x', 'null', '*'])
    expect(() => createApp(server.url, { origins: [origin] })).toThrow(
      expect.objectContaining({ code: 'ORIGIN_INVALID' }),
    );
});

// ── D7: every waiting request settles ──────────────────────────────────────────────────────────

const badRefreshes: Record<string, [() => never | Promise<never>, string]> = {
  throws: [
    () => {
      throw new Error('a bug');
    },
    'SESSION_NOT_RENEWED',
  ],
  'rejects with no error': [() => Promise.reject('words') as Promise<never>, 'SESSION_NOT_RENEWED'],
  hangs: [() => new Promise<never>(() => undefined), 'CONNECTION_FAILED'],
  'gives a text': [() => 'ok' as never, 'SESSION_NOT_RENEWED'],
  'gives an object without a user': [() => ({ accessToken: 'new' }) as never, 'SESSION_NOT_RENEWED'],
  'gives a user without a name': [() => ({ userId: '' }) as never, 'SESSION_NOT_RENEWED'],
};

for (const [what, [refresh, code]] of Object.entries(badRefreshes)) {
  test(`D7 a refresh that ${what} ends with a code, every waiting request settles and the session continues`, async () => {
    const app = createApp(server.url, { refresh, refreshTimeoutMs: 30 });
    signIn(app);
    server.book.expire();

    const failures = await Promise.all(
      many.map((id) => failureOf(app.controller.fetch(app.ItemResource.get, { id }))),
    );

    for (const failure of failures as { code: string; cause: { code?: string } }[]) {
      expect(failure.code).toBe(code);
      if (code === 'CONNECTION_FAILED') expect(failure.cause.code).toBe('SESSION_NOT_RENEWED');
    }
    expect(app.auth.session).toMatchObject({ userId: 'ann' });
    expect(app.controller.size).toBeGreaterThan(0);
  });
}

test('D7 a request that waits keeps its own time limit and its own signal', async () => {
  let isRenewing = false;
  const refresh = (): Promise<never> => {
    isRenewing = true;
    return new Promise(() => undefined);
  };
  const app = createApp(server.url, { refresh });
  signIn(app);
  server.book.expire();
  const others = app.controller.fetch(app.ItemResource.get, { id: '1' });
  others.catch(() => undefined);
  await until(() => isRenewing);
  const aborter = new AbortController();

  const hurried = failureOf(
    app.controller.fetch(app.ItemResource.get.extend({ timeoutMs: 20 }), { id: '2' }),
  );
  const called = failureOf(
    app.controller.fetch(app.ItemResource.get.extend({ signal: aborter.signal }), { id: '3' }),
  );
  aborter.abort();

  expect(await hurried).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(await called).toMatchObject({ code: 'REQUEST_ABORTED' });
  expect([...sentTo('/items/2'), ...sentTo('/items/3')]).toEqual([]);
});

test('D7 a refresh that fetches through the controller waits for itself only until its time limit', async () => {
  const again = new RestEndpoint({ urlPrefix: server.url, path: '/refresh', method: 'POST' });
  const app = createApp(server.url, {
    refreshTimeoutMs: 30,
    refresh: () => app.controller.fetch(again) as Promise<never>,
  });
  signIn(app);
  server.book.expire();

  expect(await endsOf([app.controller.fetch(app.ItemResource.get, { id: '1' })])).toEqual([
    'CONNECTION_FAILED',
  ]);
});

test('no request waits for a manager that was not started', async () => {
  const app = createApp(server.url);
  const idle = createServer((_, answer) => void answer.end('{}')).listen(0);
  const { port } = idle.address() as AddressInfo;

  expect(
    await app.controller.fetch(new RestEndpoint({ path: '/', urlPrefix: `http://127.0.0.1:${port}` })),
  ).toBeDefined();
  expect(app.auth.session).toBeUndefined();
  expect(new Controller({ managers: [new AuthManager(app.store)] }).size).toBe(0);
  idle.close();
});
