// Expiry times of responses by their headers, through a controller and a real server. expiry-laws.test.ts tests how headers are
// parsed.
import { inPages, schema } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { expect, onTestFinished, test } from 'vitest';
import { breathe } from '../support/fake-world.ts';
import { Post, start } from './app.ts';

/** How long the last response is fresh, in seconds. */
async function lifetimeOf(
  headers: Record<string, string>,
  options: object = {},
  own?: number,
): Promise<number> {
  const { controller, Posts, say, now } = await start({ validators: false, ...options });
  const get = own === undefined ? Posts.get : Posts.get.extend({ dataExpiryLength: own });
  say(headers);
  await controller.fetch(get, { id: '1' });
  return (controller.getResponse(get, { id: '1' }).expiresAt - now()) / 1_000;
}

test('a response is fresh for as long as its server declares', async () => {
  expect(await lifetimeOf({ 'cache-control': 'max-age=600' })).toBe(600);
  expect(await lifetimeOf({ 'cache-control': 'private, max-age=90', age: '30' })).toBe(60);
  expect(await lifetimeOf({ 'cache-control': 'no-cache' })).toBe(0);
});

test('where the headers contain no freshness the expiry time of the endpoint applies', async () => {
  expect(await lifetimeOf({})).toBe(60);
  expect(await lifetimeOf({}, {}, 5_000)).toBe(5);
  expect(await lifetimeOf({ 'cache-control': 'public' }, {}, 5_000)).toBe(5);
});

test('`shorter` uses the lesser of the two, `false` ignores the headers', async () => {
  expect(await lifetimeOf({ 'cache-control': 'max-age=600' }, { expiry: 'shorter' }, 5_000)).toBe(5);
  expect(await lifetimeOf({ 'cache-control': 'max-age=2' }, { expiry: 'shorter' }, 5_000)).toBe(2);
  expect(await lifetimeOf({ 'cache-control': 'max-age=600' }, { expiry: false }, 5_000)).toBe(5);
});

test('a response without an age is fresh for no longer than its endpoint declares', async () => {
  expect(await lifetimeOf({ 'cache-control': 'max-age=600', date: 'unknown' }, {}, 5_000)).toBe(5);
  expect(await lifetimeOf({ 'cache-control': 'max-age=3', date: 'unknown' }, {}, 5_000)).toBe(3);
});

test('data with a longer expiry time than that of its endpoint is not requested again before its end', async () => {
  const { controller, Posts, server, world, say } = await start({ validators: false });
  say({ 'cache-control': 'max-age=3600' });
  const observer = controller.watch(Posts.get, { id: '1' });
  onTestFinished(observer.subscribe(() => undefined));
  await breathe();

  await world.pass(3_599_000);
  expect(server.seen('GET', '/posts/1')).toHaveLength(1);

  await world.pass(2_000);
  expect(server.seen('GET', '/posts/1')).toHaveLength(2);
});

test('data that is stale on arrival is fetched when a reader mounts, and is not polled', async () => {
  const { controller, Posts, server, world, say } = await start({ validators: false });
  say({ 'cache-control': 'no-cache' });
  const observer = controller.watch(Posts.get, { id: '1' });
  const stop = observer.subscribe(() => undefined);
  await breathe();

  await world.pass(600_000);
  expect(server.seen('GET', '/posts/1')).toHaveLength(1);
  expect(observer.read().data).toMatchObject({ title: 't1' });

  stop();
  onTestFinished(controller.watch(Posts.get, { id: '1' }).subscribe(() => undefined));
  await breathe();
  expect(server.seen('GET', '/posts/1')).toHaveLength(2);
});

test('an expiry time that the server changes counts from the response that contains it', async () => {
  const { controller, Posts, say, now } = await start({ validators: false });
  const left = () => (controller.getResponse(Posts.get, { id: '1' }).expiresAt - now()) / 1_000;
  say({ 'cache-control': 'max-age=600' });
  await controller.fetch(Posts.get, { id: '1' });
  say({ 'cache-control': 'max-age=5' });

  await controller.fetch(Posts.get, { id: '1' });
  expect(left()).toBe(5);

  await controller.setResponse(Posts.get, { id: '1' }, { id: '1', title: 'set' });
  expect(left()).toBe(60);
});

test('rows of a response are as fresh as the response, for other endpoints too', async () => {
  const { controller, Posts, say, now } = await start({ validators: false });
  say({ 'cache-control': 'max-age=7' });

  await controller.fetch(Posts.getList);

  expect((controller.getResponse(Posts.get, { id: '1' }).expiresAt - now()) / 1_000).toBe(7);
});

test('pages that are read as one list are as fresh as the shortest of them', async () => {
  const { controller, server, now } = await start({ validators: false });
  const Feed = new schema.Collection([Post]);
  const { Posts } = await start();
  const getFeed = Posts.getList.extend({
    urlPrefix: server.url,
    path: '/feed',
    schema: { items: Feed, next: '' },
    paginationField: 'cursor',
    pages: inPages({ next: 'next' }),
  });
  server.on('GET', '/feed', ({ query }) => {
    const page = Number(query.get('cursor') ?? 1);
    return {
      headers: { 'cache-control': `max-age=${page === 1 ? 600 : 20}` },
      body: { items: [{ id: String(page), title: '', topic: 'a' }], next: page < 2 ? String(page + 1) : '' },
    };
  });
  await controller.fetch(getFeed);
  const left = () => (controller.getResponse(getFeed).expiresAt - now()) / 1_000;
  expect(left()).toBe(600);
  await controller.fetch(getFeed.getPage, { cursor: '2' });

  await controller.fetch(getFeed);

  expect(server.seen('GET', '/feed')).toHaveLength(4);
  expect(left()).toBe(20);
});

test('the position of the manager in the list does not matter', async () => {
  const { controller, Posts, say, now } = await start(
    { expiry: false },
    { managers: [{}, new HttpSemantics()] },
  );
  say({ 'cache-control': 'max-age=600' });

  await controller.fetch(Posts.get, { id: '1' });

  expect((controller.getResponse(Posts.get, { id: '1' }).expiresAt - now()) / 1_000).toBe(600);
});
