// Tags: a response with a known tag is not read, and the store ends as if it had been. test/simulation/unread.test.ts tests the
// law itself; here are the edge cases.
import { Controller, RestEndpoint, RetryManager, schema } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { pick } from 'holdfast/local';
import { getRefused, EntityOf } from 'holdfast/validate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { breathe } from '../support/fake-world.ts';
import { Post, start } from './app.ts';

const UNREAD = { validators: 'unread' } as const;
const SEND = { validators: 'send' } as const;

test('a body whose tag is known is not read, and the stored data is fresh again', async () => {
  const { controller, Posts, world, read, now } = await start(UNREAD);
  const first = await controller.fetch(Posts.getList);
  await world.pass(50_000);

  const second = await controller.fetch(Posts.getList);

  expect(read).toEqual(['/posts']);
  expect(second).toBe(first);
  expect(controller.getResponse(Posts.getList).expiresAt).toBe(now() + 60_000);
});

test('the body of a response with picked fields is not read when its tag is known', async () => {
  const { controller, Posts, world, read } = await start(UNREAD);
  const PostRow = pick(Post, ['id', 'title']);
  const getRows = Posts.getList.extend({ schema: new schema.Collection([PostRow]) });
  const first = await controller.fetch(getRows);
  await world.pass(50_000);

  expect(await controller.fetch(getRows)).toBe(first);
  expect(read).toEqual(['/posts']);
  expect(controller.getResponse(Posts.get, { id: '1' }).data).toBeUndefined();

  // The response of the whole class makes row 1 whole, and is the newer one for its title.
  await controller.fetch(Posts.get, { id: '1' });
  await world.pass(20_000);
  await controller.fetch(getRows);
  expect(read).toEqual(['/posts', '/posts/1']);
  expect(controller.getResponse(Posts.get, { id: '1' }).data).toMatchObject({ id: '1', topic: 'a' });
});

test('the whole class reads a body of which only picked fields were stored', async () => {
  const { controller, Posts, rows, read } = await start(UNREAD);
  const getRows = Posts.getList.extend({ schema: new schema.Collection([pick(Post, ['id', 'title'])]) });
  for (const id of ['1', '2', '3']) await controller.fetch(Posts.get, { id });
  rows.set('1', { id: '1', title: 't1', topic: 'new' });
  await controller.fetch(getRows);

  expect((await controller.fetch(Posts.getList))[0]).toMatchObject({ topic: 'new' });
  expect(read.slice(3)).toEqual(['/posts', '/posts']);
});

test('a body with another tag is read', async () => {
  const { controller, Posts, rows, read } = await start(UNREAD);
  await controller.fetch(Posts.get, { id: '1' });
  rows.set('1', { id: '1', title: 'new', topic: 'a' });

  expect(await controller.fetch(Posts.get, { id: '1' })).toMatchObject({ title: 'new' });
  expect(read).toHaveLength(2);
});

test('`unread` sends no header; `send` sends the tag, and accepts "not modified" as a response', async () => {
  for (const options of [UNREAD, SEND]) {
    const { controller, Posts, server, read } = await start(options);
    await controller.fetch(Posts.get, { id: '1' });

    expect(await controller.fetch(Posts.get, { id: '1' })).toMatchObject({ title: 't1' });

    const sent = server.seen('GET', '/posts/1').map(({ headers }) => headers['if-none-match'] !== undefined);
    expect(sent).toEqual([false, options === SEND]);
    expect(read).toHaveLength(1);
  }
});

test('outside a page tags are sent, and `validators: false` does nothing', async () => {
  const { controller, Posts, server } = await start();
  await controller.fetch(Posts.get, { id: '1' });
  await controller.fetch(Posts.get, { id: '1' });
  expect(server.seen('GET', '/posts/1')[1]?.headers).toHaveProperty('if-none-match');

  const off = await start({ validators: false });
  await off.controller.fetch(off.Posts.get, { id: '1' });
  await off.controller.fetch(off.Posts.get, { id: '1' });
  expect(off.read).toHaveLength(2);
});

const touches: Readonly<Record<string, (app: Awaited<ReturnType<typeof start>>) => unknown>> = {
  'a row was set': ({ controller }) => controller.set(Post, { id: '1' }, { title: 'local' }),
  'an answer was set': ({ controller, Posts }) =>
    controller.setResponse(Posts.getList, [{ id: '1', title: 'local', topic: 'a' }]),
  'a mutation was answered': ({ controller, Posts }) =>
    controller.fetch(Posts.partialUpdate, { id: '1' }, { topic: 'a' }),
  'a guess is pending': ({ controller, Posts, server }) => {
    server.hold('PATCH', '/posts/1');
    const update = Posts.partialUpdate.extend({ optimistic: true });
    controller.fetch(update, { id: '1' }, { title: 'guess' }).catch(() => undefined);
  },
  'a row was created into it': ({ controller, Posts, server }) => {
    server.on('POST', '/posts', { body: { id: '9', title: 'new', topic: 'a' } });
    return controller.fetch(Posts.getList.push, { title: 'new' });
  },
};

test.each(Object.entries(touches))(
  'the body is read where the stored data was written since: %s',
  async (_, touch) => {
    const app = await start(UNREAD);
    const { controller, Posts, read } = app;
    await controller.fetch(Posts.getList);
    await touch(app);
    await breathe();

    await controller.fetch(Posts.getList);

    expect(read).toEqual(['/posts', '/posts']);
  },
);

test('a write after the request takes precedence over "not modified", as it would over the body', async () => {
  for (const options of [SEND, { validators: false } as const]) {
    const { controller, Posts, server } = await start(options);
    await controller.fetch(Posts.get, { id: '1' });
    const held = server.hold('GET', '/posts/1');
    const asked = controller.fetch(Posts.get, { id: '1' });
    const request = await held.next();
    await controller.set(Post, { id: '1' }, { title: 'local' });

    request.release();
    await asked;

    expect(controller.get(Post, { id: '1' })).toMatchObject({ title: 'local' });
    expect(server.seen('GET', '/posts/1')).toHaveLength(2);
  }
});

test('"not modified" for data that was removed meanwhile requests the whole response', async () => {
  const { controller, Posts, server, read } = await start(SEND);
  server.on('DELETE', '/posts/:id', { status: 204 });
  await controller.fetch(Posts.get, { id: '1' });
  const held = server.hold('GET', '/posts/1');
  const asked = controller.fetch(Posts.get, { id: '1' });
  const request = await held.next();
  held.stop();
  await controller.fetch(Posts.delete, { id: '1' });

  request.release();

  expect(await asked).toMatchObject({ title: 't1' });
  expect(controller.get(Post, { id: '1' })).toBeUndefined();
  const sent = server.seen('GET', '/posts/1').map(({ headers }) => 'if-none-match' in headers);
  expect(sent).toEqual([false, true, false]);
  expect(read).toHaveLength(2);
});

test('a newer read with an unchanged row leaves the tag of the response valid', async () => {
  const { controller, Posts, read } = await start(UNREAD);
  await controller.fetch(Posts.getList);
  await controller.fetch(Posts.get, { id: '1' });

  await controller.fetch(Posts.getList);

  expect(read).toEqual(['/posts', '/posts/1']);
});

test('a response for another user is read, whatever its tag', async () => {
  const { controller, Posts, read } = await start(UNREAD);
  let token = 'ann';
  const get = Posts.get.extend({
    getHeaders: (headers: Record<string, string>) => ({ ...headers, authorization: token }),
  });
  await controller.fetch(get, { id: '1' });
  token = 'bob';

  await controller.fetch(get, { id: '1' });

  expect(read).toHaveLength(2);
});

test.each([
  ['no-store', { 'cache-control': 'no-store' }],
  ['Vary: *', { vary: 'accept, *' }],
  ['a tag without quotes', { etag: 'abc' }],
  ['an empty tag', { etag: '' }],
])('a response with %s is not recognized by its tag', async (_, said) => {
  const { controller, Posts, read, say } = await start(UNREAD);
  say(said);
  await controller.fetch(Posts.get, { id: '1' });

  await controller.fetch(Posts.get, { id: '1' });

  expect(read).toHaveLength(2);
});

test('a weak tag is as good as a strong one for reads', async () => {
  const { controller, Posts, read, say } = await start(UNREAD);
  say({ etag: '"7"' });
  await controller.fetch(Posts.get, { id: '1' });
  say({ etag: 'W/"7"' });

  await controller.fetch(Posts.get, { id: '1' });

  expect(read).toHaveLength(1);
});

test.each([
  ['fetch', { fetch: async () => ({ id: '1', title: 'own', topic: 'a' }) }],
  [
    'parseResponse',
    { parseResponse: async (response: Response) => ({ id: '1', title: response.headers.get('x-title') }) },
  ],
])('a response that an endpoint parses itself (%s) is read each time', async (_, override) => {
  const { controller, Posts, say } = await start(UNREAD);
  const get = Posts.get.extend(override as object);
  say({ 'x-title': 'one' });
  await controller.fetch(get, { id: '1' });
  say({ 'x-title': 'two' });

  const title = (await controller.fetch(get, { id: '1' })).title;

  expect(title).toBe('fetch' in override ? 'own' : 'two');
});

test('an endpoint that sends its own conditional headers is left alone', async () => {
  const { controller, Posts, server, read } = await start(SEND);
  const get = Posts.get.extend({
    getHeaders: (headers: Record<string, string>) => ({ ...headers, 'if-none-match': '"own"' }),
  });
  await controller.fetch(get, { id: '1' });

  await controller.fetch(get, { id: '1' });

  expect(server.seen('GET', '/posts/1')[1]?.headers['if-none-match']).toBe('"own"');
  expect(read).toHaveLength(2);
});

test('"not modified" without headers of its own renews the expiry time that the response had', async () => {
  const { controller, Posts, server, world, now, say } = await start(SEND);
  say({ 'cache-control': 'max-age=600' });
  await controller.fetch(Posts.get, { id: '1' });
  await world.pass(100_000);
  server.on('GET', '/posts/1', { status: 304 });

  await controller.fetch(Posts.get, { id: '1' });

  expect(controller.getResponse(Posts.get, { id: '1' }).expiresAt).toBe(now() + 600_000);
});

test('the tag of a request that was repeated after a failure is stored too', async () => {
  const { controller, Posts, server, world, read } = await start(UNREAD, {
    managers: [new RetryManager({ delayMs: 10 })],
  });
  server.on('GET', '/posts/2', { status: 503 });
  const first = controller.fetch(Posts.get, { id: '2' });
  await breathe();
  server.on('GET', '/posts/2', { headers: { etag: '"2"' }, body: { id: '2', title: 't2', topic: 'a' } });
  await world.pass(1_000);
  await first;

  await controller.fetch(Posts.get, { id: '2' });

  expect(read).toEqual(['/posts/2']);
});

test('a row that its checks refuse is reported again, though its response has the same tag', async () => {
  class Checked extends EntityOf('CheckedPost', { id: z.string(), title: z.string() }) {}
  const { controller, server } = await start(UNREAD);
  const get = new RestEndpoint({ urlPrefix: server.url, path: '/checked', schema: [Checked] });
  const one = new RestEndpoint({ urlPrefix: server.url, path: '/checked/1', schema: Checked });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  server.on('GET', '/checked', {
    headers: { etag: '"1"' },
    body: [
      { id: '1', title: 5 },
      { id: '2', title: 'b' },
    ],
  });
  server.on('GET', '/checked/1', { body: { id: '1', title: 'mended' } });
  await controller.fetch(get).catch(() => undefined);
  const refused = getRefused(controller).length;
  await controller.fetch(one);

  await controller.fetch(get).catch(() => undefined);

  expect(getRefused(controller)).toHaveLength(refused);
});

test('a reset removes every tag', async () => {
  const { controller, Posts, read } = await start(UNREAD);
  await controller.fetch(Posts.get, { id: '1' });
  controller.resetEntireStore();

  expect(await controller.fetch(Posts.get, { id: '1' })).toMatchObject({ title: 't1' });
  expect(read).toHaveLength(2);
});

test('after a reset, rows that were refused before it do not keep a response from being skipped', async () => {
  class Checked extends EntityOf('CheckedPost', { id: z.string(), title: z.string() }) {}
  const { controller, Posts, server, read } = await start(UNREAD);
  const one = new RestEndpoint({ urlPrefix: server.url, path: '/checked/1', schema: Checked });
  server.on('GET', '/checked/1', { body: { id: '1', title: 5 } });
  await controller.fetch(one).catch(() => undefined);
  expect(getRefused(controller)).toHaveLength(1);
  controller.resetEntireStore();
  await controller.fetch(Posts.get, { id: '1' });

  await controller.fetch(Posts.get, { id: '1' });

  expect(read.filter((path) => path === '/posts/1')).toHaveLength(1);
});

test('the tag of a response without a schema is stored, too', async () => {
  const { server } = await start();
  const controller = new Controller({ managers: [new HttpSemantics(UNREAD)] });
  const get = new RestEndpoint({ urlPrefix: server.url, path: '/count' });
  server.on('GET', '/count', { headers: { etag: '"1"' }, body: { count: 1 } });
  const first = await controller.fetch(get);
  server.on('GET', '/count', { headers: { etag: '"1"' }, body: { count: 2 } });

  expect(await controller.fetch(get)).toBe(first);
});
