// Sessions in several tabs: each tab is a separate controller, and all share the stored session, a lock and a channel.
// e2e/sessions.test.ts tests the same with a real browser.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, FakeWorld, until } from '../support/fake-world.ts';
import type { Tokens } from '../support/token-book.ts';
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

/** Tabs of one application, all of which know that a user is signed in. */
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

test('D1 a hundred requests of three tabs that meet an expired token cause one refresh and no replay', async () => {
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

/**
 * Two tabs whose time does not move, so that a lock with a time limit stays held; the second tab reads writes of the first late.
 */
function openLateTabs() {
  const world = new FakeWorld();
  const store = createStore();
  const { lock, createChannel } = createTabs();
  const late = { isLate: false, reads: undefined as Tokens | undefined, asked: 0 };
  const one = createApp(server.url, { store, lock, channel: createChannel() }, world.options);
  const other = createApp(
    server.url,
    {
      store,
      read: () => (late.isLate ? late.reads : store.read()),
      lock: {
        guard(...turn) {
          late.asked += 1;
          return lock.guard(...turn);
        },
      },
      channel: createChannel(),
    },
    world.options,
  );
  for (const { controller } of [one, other]) controller.start();
  one.auth.begin(server.book.logIn('ann'));
  return { world, one, other, late };
}

test('D1 a tab that cannot read a renewal yet waits until it can, and does not renew again', async () => {
  const { world, one, other, late } = openLateTabs();
  await until(() => other.auth.session !== undefined);
  server.book.expire();
  late.reads = other.auth.session;
  late.isLate = true;
  await one.controller.fetch(one.ItemResource.get, { id: '1' });

  const item = other.controller.fetch(other.ItemResource.get, { id: '2' });
  await until(() => late.asked === 1);
  await world.pass(3_900);
  late.isLate = false;
  await world.pass(200);

  expect(await item).toMatchObject({ owner: 'ann' });
  expect(server.book).toMatchObject({ refreshes: 1, replays: 0 });
});

test('a tab that gets the message about a renewal continues at once, while the lock is held for the other tabs', async () => {
  const { one, other, late } = openLateTabs();
  await until(() => other.auth.session !== undefined);
  server.book.expire();
  const held = server.server.hold('POST', '/refresh');
  const items = [one, other].map(({ controller, ItemResource }) =>
    controller.fetch(ItemResource.get, { id: '1' }),
  );
  const refresh = await held.next();
  await until(() => late.asked === 1);
  refresh.release();

  expect(await endsOf(items)).toEqual(['answered', 'answered']);
  expect(server.book).toMatchObject({ refreshes: 1, replays: 0 });
});

test('tabs that get no message continue together when the lock is free, and none reports that the lock was busy', async () => {
  const world = new FakeWorld();
  const { lock } = createTabs();
  const store = createStore();
  const problems: Error[] = [];
  const tabs = Array.from({ length: 5 }, () =>
    createApp(server.url, { store, lock, onProblem: (error) => problems.push(error) }, world.options),
  );
  tabs[0]!.auth.begin(server.book.logIn('ann'));
  for (const { controller } of tabs) controller.start();
  server.book.expire();

  const items = endsOf(
    tabs.map(({ controller, ItemResource }) => controller.fetch(ItemResource.get, { id: '1' })),
  );
  await until(() => server.book.refreshes === 1);
  // whichever was refused first: its lock is kept from now on
  await until(() => tabs.some(({ controller }) => controller.get(Item, { id: '1' }) !== undefined));
  await world.pass(4_100);

  expect(await items).toEqual(tabs.map(() => 'answered'));
  expect(problems).toEqual([]);
  expect(server.book).toMatchObject({ refreshes: 1, replays: 0 });
});

test('a failed renewal frees its lock at once', async () => {
  const { one, other } = openLateTabs();
  await until(() => other.auth.session !== undefined);
  server.book.expire();
  server.nextRefresh = () => ({ status: 503 });

  expect(await endsOf([one.controller.fetch(one.ItemResource.get, { id: '1' })])).toEqual([
    'CONNECTION_FAILED',
  ]);
  expect(await endsOf([other.controller.fetch(other.ItemResource.get, { id: '1' })])).toEqual(['answered']);
});

test('a session that was just renewed can be renewed again at once, by any tab', async () => {
  const { one, other } = openLateTabs();
  for (const { controller, ItemResource } of [one, other, one]) {
    server.book.expire();
    expect(await endsOf([controller.fetch(ItemResource.get, { id: '1' })])).toEqual(['answered']);
  }

  expect(server.book).toMatchObject({ refreshes: 3, replays: 0 });
});

test('D4 a log-out in one tab empties the others, and a log-in sends them the new user', async () => {
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

  // it gets no message, so that the renewal itself must find out
  one.controller.stop();
  other.auth.end();
  refresh.release();

  expect(await waiting).toMatchObject({ code: 'STORE_RESET' });
  await until(() => one.auth.session === undefined);
  expect(one.store.text).toBe('');
});

test('a renewal by one tab does not change the user in another: its data stays', async () => {
  const [one, other] = (await openTabs(2)) as [App, App];
  await other.controller.fetch(other.ItemResource.get, { id: '1' });
  server.book.expire();

  await one.controller.fetch(one.ItemResource.get, { id: '2' });
  await until(() => other.auth.session?.accessToken === one.auth.session?.accessToken);

  expect(other.controller.get(Item, { id: '1' })).toBeDefined();
});

test('a stopped tab gets no messages, and reads the session when it is started again', async () => {
  const [one, other] = (await openTabs(2)) as [App, App];
  await other.controller.fetch(other.ItemResource.get, { id: '1' });
  other.controller.stop();
  one.auth.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(other.controller.get(Item, { id: '1' })).toBeDefined();

  other.controller.start();

  expect(other.controller.get(Item, { id: '1' })).toBeUndefined();
});
