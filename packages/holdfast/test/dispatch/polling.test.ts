import { Controller, getDefaultManagers, PollingManager, RestEndpoint } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
let world: FakeWorld;
let controller: Controller;
let polls: PollingManager;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  polls = new PollingManager();
  controller = new Controller({ ...world.options, managers: [polls] });
  controller.start();
});
afterEach(async () => {
  controller.stop();
  await server.close();
});

function createPrice(pollFrequency = 5_000) {
  let price = 0;
  server.on('GET', '/prices/:symbol', () => ({ body: { price: (price += 1) } }));
  return new RestEndpoint({ urlPrefix: server.url, path: '/prices/:symbol', pollFrequency });
}
const sent = () => server.seen('GET', '/prices/*').length;

test('a subscribed endpoint is fetched at its pollFrequency, and no more after the last unsubscribe', async () => {
  const getPrice = createPrice();

  controller.subscribe(getPrice, { symbol: 'A' });
  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(1);
  await until(() => sent() === 1);
  await breathe();
  await world.pass(15_100);
  expect(sent()).toBe(4);

  controller.unsubscribe(getPrice, { symbol: 'A' });
  await world.pass(5_100);
  expect(sent()).toBe(5);
  controller.unsubscribe(getPrice, { symbol: 'A' });
  await world.pass(60_000);
  expect(sent()).toBe(5);
  expect(polls.size).toBe(0);
  controller.stop(); // the collection of unused data has a separate timer
  expect(world.time.pendingTimers).toBe(0);
});

test('the lowest frequency of all subscriptions applies, as long as its subscription lasts', async () => {
  const slow = createPrice(60_000);
  const fast = slow.extend({ pollFrequency: 1_000 });
  controller.subscribe(slow, { symbol: 'A' });
  await world.pass(1);
  await until(() => sent() === 1);
  await breathe();

  controller.subscribe(fast, { symbol: 'A' });
  await world.pass(5_050);
  expect(sent()).toBeGreaterThanOrEqual(5);
  const before = sent();
  controller.unsubscribe(fast, { symbol: 'A' });
  await world.pass(30_000);

  expect(sent()).toBe(before);
});

test('polling pauses while the page is hidden or offline, and resumes at once', async () => {
  const getPrice = createPrice();
  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(1);
  await until(() => sent() === 1);
  await breathe();

  world.show(false);
  await world.pass(60_000);
  expect(sent()).toBe(1);
  world.show(true);
  await world.pass(1);
  await until(() => sent() === 2);
  await breathe();

  world.goOnline(false);
  await world.pass(60_000);
  expect(sent()).toBe(2);
  world.goOnline(true);
  await world.pass(1);
  await until(() => sent() === 3);
});

test('a subscription that is torn down and set up again continues without an extra request', async () => {
  const getPrice = createPrice();
  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(1);
  await until(() => sent() === 1);
  await breathe();

  for (let turn = 0; turn < 3; turn += 1) {
    controller.unsubscribe(getPrice, { symbol: 'A' });
    controller.subscribe(getPrice, { symbol: 'A' });
  }
  controller.stop();
  controller.start();
  await world.pass(1_000);
  expect(sent()).toBe(1);
  await world.pass(4_100);
  expect(sent()).toBe(2);
});

test('a failed poll leaves the shown data, is repeated after growing pauses, and recovers', async () => {
  const getPrice = createPrice(100);
  await controller.fetch(getPrice, { symbol: 'A' });
  server.on('GET', '/prices/:symbol', { status: 503 });
  server.forget();
  const errors: unknown[] = [];
  const observer = controller.watch(getPrice, { symbol: 'A' });
  const stop = observer.subscribe(() => errors.push(observer.read().error));

  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(1_000);
  expect(sent()).toBeLessThanOrEqual(3);
  expect(observer.read().data).toEqual({ price: 1 });
  expect(errors.filter(Boolean)).toEqual([]);

  server.on('GET', '/prices/:symbol', { body: { price: 99 } });
  await world.pass(4_000);
  await until(() => (observer.read().data as { price: number }).price === 99);
  stop();
});

test('a clock that is set back an hour does not delay the next poll', async () => {
  const getPrice = createPrice();
  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(1);
  await until(() => sent() === 1);
  await breathe();

  world.time.stepBack(3_600_000);
  controller.unsubscribe(getPrice, { symbol: 'A' });
  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(5_100);

  expect(sent()).toBe(2);
});

test('nothing is polled before start and after stop, and both may be called repeatedly', async () => {
  const getPrice = createPrice();
  const resting = new Controller({ ...world.options, managers: getDefaultManagers() });
  resting.subscribe(getPrice, { symbol: 'A' });
  await world.pass(30_000);
  expect(sent()).toBe(0);

  resting.start();
  resting.start();
  await world.pass(1);
  await until(() => sent() === 1);
  await breathe();
  resting.stop();
  resting.stop();
  await world.pass(30_000);
  expect(sent()).toBe(1);
});

test('the error of a controller without managers contains the import that serves a subscription', () => {
  const getPrice = createPrice();

  expect(() => new Controller(world.options).subscribe(getPrice, { symbol: 'A' })).toThrow(
    /SUBSCRIPTION_NOT_SERVED.*import getDefaultManagers/,
  );
});

test('a subscription that no manager serves is a coded error', () => {
  const plain = new RestEndpoint({ urlPrefix: server.url, path: '/plain' });

  expect(() => controller.subscribe(plain)).toThrow(
    expect.objectContaining({ code: 'SUBSCRIPTION_NOT_SERVED' }),
  );
  controller.subscribe(plain, null);
});

test('the pauses after failures double from one second to one minute, whatever the frequency and the age', async () => {
  const getPrice = createPrice(100);
  await controller.fetch(getPrice, { symbol: 'A' });
  server.on('GET', '/prices/:symbol', { status: 503 });
  controller.subscribe(getPrice, { symbol: 'A' });
  await world.pass(100);
  server.forget();

  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await world.pass(pauseMs - 50);
    expect(sent()).toBe(0);
    await world.pass(50);
    expect(sent()).toBe(1);
    server.forget();
  }
});
