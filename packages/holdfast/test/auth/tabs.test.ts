// Sessions in several tabs: each is a controller of its own, and they share what is kept, a lock and a channel. The browser's
// own are tried in e2e/sessions.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, until } from '../support/fake-world.ts';
import { startTokenServer } from '../support/token-server.ts';
import type { TokenServer } from '../support/token-server.ts';
import { createApp, createStore, endsOf, Item } from './app.ts';
import type { App } from './app.ts';
import { createTabs } from './model-tabs.ts';

let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(() => server.close());

/** Tabs of one application, all of which know that somebody is signed in. */
async function openTabs(count: number): Promise<App[]> {
  const store = createStore();
  const { lock, createChannel } = createTabs();
  const tabs = Array.from({ length: count }, () =>
    createApp(server.url, { store, lock, channel: createChannel() }),
  );
  for (const { controller } of tabs) controller.start();
  tabs[0]?.auth.begin(server.book.logIn('ann'));
  await until(() => tabs.every(({ auth }) => auth.session));
  return tabs;
}

test('D1 a hundred requests of three tabs meet an expired token: one refresh, no replay', async () => {
  const tabs = await openTabs(3);
  server.book.expire();

  const ends = await endsOf(
    Array.from({ length: 100 }, (_, index) => {
      const { controller, ItemResource } = tabs[index % 3]!;
      return controller.fetch(ItemResource.get, { id: String(index) });
    }),
  );

  expect(new Set(ends)).toEqual(new Set(['answered']));
  expect(server.book).toMatchObject({ refreshes: 1, replays: 0 });
  expect(server.mostAtOnce).toBe(1);
});

test('D4 a log-out in one tab empties the others, and a log-in tells them who it is', async () => {
  const [one, other] = (await openTabs(2)) as [App, App];
  await other.controller.fetch(other.ItemResource.get, { id: '1' });

  one.auth.end();
  await until(() => other.auth.session === undefined);
  expect(other.controller.get(Item, { id: '1' })).toBeUndefined();

  one.auth.begin(server.book.logIn('bob'));
  await until(() => other.auth.session?.userId === 'bob');
  expect(await other.controller.fetch(other.ItemResource.get, { id: '1' })).toMatchObject({ owner: 'bob' });
});

test('D4 a log-out in another tab during a renewal is not undone by it', async () => {
  const [one, other] = (await openTabs(2)) as [App, App];
  server.book.expire();
  const held = server.server.hold('POST', '/refresh');
  const waiting = failureOf(one.controller.fetch(one.ItemResource.get, { id: '1' }));
  const refresh = await held.next();

  // it hears nothing, so that the renewal itself must find out
  one.controller.stop();
  other.auth.end();
  refresh.release();

  expect(await waiting).toMatchObject({ code: 'STORE_RESET' });
  await until(() => one.auth.session === undefined);
  expect(one.store.text).toBe('');
});

test('a renewal by one tab is no change of the user in another: its data stays', async () => {
  const [one, other] = (await openTabs(2)) as [App, App];
  await other.controller.fetch(other.ItemResource.get, { id: '1' });
  server.book.expire();

  await one.controller.fetch(one.ItemResource.get, { id: '2' });
  await until(() => other.auth.session?.accessToken === one.auth.session?.accessToken);

  expect(other.controller.get(Item, { id: '1' })).toBeDefined();
});

test('a tab that was stopped hears nothing, and reads the session when it is started again', async () => {
  const [one, other] = (await openTabs(2)) as [App, App];
  await other.controller.fetch(other.ItemResource.get, { id: '1' });
  other.controller.stop();
  one.auth.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(other.controller.get(Item, { id: '1' })).toBeDefined();

  other.controller.start();

  expect(other.controller.get(Item, { id: '1' })).toBeUndefined();
});
