// How a session ends by a refusal, and what its readers do then: managers without a `refresh`.
import { dehydrate, RestEndpoint, savedState } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startTokenServer } from '../support/token-server.ts';
import type { TokenServer } from '../support/token-server.ts';
import { createApp, Item } from './app.ts';
import type { App } from './app.ts';

let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(() => server.close());

function signedIn(more: object = {}, controllerOptions: ControllerOptions = {}): App {
  const app = createApp(server.url, { refresh: undefined as never, ...more }, controllerOptions);
  app.auth.begin(server.book.logIn('ann'));
  return app;
}
const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

test('a 401 response empties the store; other failures do not', async () => {
  const app = signedIn();
  await app.controller.fetch(app.ItemResource.get, { id: '1' });
  server.server.on('PUT', '/items/1', { status: 404 });
  server.server.on('GET', '/items/403', { status: 403 });
  await expect(app.controller.fetch(app.ItemResource.partialUpdate, { id: '9' }, {})).resolves.toBeDefined();
  for (const asked of [
    app.controller.fetch(app.ItemResource.update, { id: '1' }, {}),
    app.controller.fetch(app.ItemResource.get, { id: '403' }),
  ])
    expect(await failureOf(asked)).toMatchObject({ code: 'HTTP_ERROR' });
  expect(app.auth.session).toBeDefined();
  expect(app.controller.get(Item, { id: '9' })).toBeDefined();

  server.book.expire();
  await failureOf(app.controller.fetch(app.ItemResource.get, { id: '2' }));

  expect(app.controller.get(Item, { id: '9' })).toBeUndefined();
  expect(app.auth.session).toBeUndefined();
});

test.each(['a sign-in', 'a sign-out'])('%s before the start empties the initial state', async (change) => {
  const before = createApp(server.url);
  await before.controller.setResponse(before.ItemResource.get, { id: '1' }, { id: '1', owner: 'ann' });
  const initialState = savedState(JSON.stringify(dehydrate(before.controller)));

  const { auth, controller } = createApp(server.url, {}, { initialState });
  expect(controller.get(Item, { id: '1' })?.owner).toBe('ann');
  if (change === 'a sign-in') auth.begin(server.book.logIn('bob'));
  else auth.end();

  expect(controller.get(Item, { id: '1' })).toBeUndefined();
});

test('a 401 of an earlier store that arrives late does not end the session', async () => {
  const app = signedIn();
  const held = server.server.hold('GET', '/items/1');
  server.book.expire();
  const old = failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }));
  const request = await held.next();

  app.controller.resetEntireStore();
  request.release();

  expect(await old).toMatchObject({ code: 'STORE_RESET' });
  await sleep(20);
  expect(app.auth.session).toBeDefined();
});

test('isRefused decides which failures count', async () => {
  const app = signedIn({ isRefused: (error: Error) => error.message.includes('nothing like that') });
  server.book.expire();

  expect(await failureOf(app.controller.fetch(app.ItemResource.get, { id: '1' }))).toMatchObject({
    status: 401,
  });

  expect(app.auth.session).toBeDefined();
});

test('mounted readers that get 401 repeatedly send at most three requests in the first second', async () => {
  const world = new FakeWorld();
  const app = signedIn({}, world.options);
  server.book.expire();
  const paths = ['/items/1', '/items/2'];
  const read = (path: string) => new RestEndpoint({ urlPrefix: server.url, path });
  const stops = paths.map((path) => app.controller.watch(read(path)).subscribe(() => undefined));

  await until(() => paths.every((path) => server.server.seen('GET', path).length > 0));
  await world.pass(1_000);

  for (const path of paths) {
    const count = server.server.seen('GET', path).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(3);
  }
  for (const stop of stops) stop();
});

test('a log-in makes the readers that stayed mounted fetch again at once', async () => {
  const app = signedIn();
  server.book.expire();
  // a failure is shown for a long time: only the log-in requests the data again
  const get = app.ItemResource.get.extend({ errorExpiryLength: 600_000 });
  const observer = app.controller.watch(get, { id: '1' });
  const stop = observer.subscribe(() => undefined);
  await until(() => app.auth.session === undefined && observer.read().error !== undefined);

  app.auth.begin(server.book.logIn('bob'));

  await until(() => observer.read().data?.owner === 'bob');
  expect(observer.read().error).toBeUndefined();
  stop();
});
