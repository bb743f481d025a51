// `Retry-After` is a gate for its origin: a request to a closed gate waits, or fails like the response that closed it.
import { RestEndpoint } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, failureOf } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import { start } from './app.ts';

const busy = (seconds: string, status = 429) => ({ status, headers: { 'retry-after': seconds } });

test('one 429 response delays all other requests to the origin until its time is over', async () => {
  const { controller, Posts, server, world } = await start();
  server.on('GET', '/posts/1', busy('5'));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  server.forget();

  const others = ['2', '3'].map((id) => controller.fetch(Posts.get, { id }));
  const written = controller.fetch(Posts.partialUpdate, { id: '3' }, { topic: 'b' });
  await world.pass(4_900);
  expect(server.requests).toHaveLength(0);

  await world.pass(200);
  expect(await Promise.all(others)).toMatchObject([{ id: '2' }, { id: '3' }]);
  expect(await written).toMatchObject({ topic: 'b' });
  expect(server.requests).toHaveLength(3);
});

test('a request that would have to wait too long rejects at once, without being sent', async () => {
  const { controller, Posts, server, world } = await start({ longestWaitMs: 2_000 });
  server.on('GET', '/posts/1', busy('100', 503));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  await world.pass(30_000);

  const failure = await failureOf(controller.fetch(Posts.get, { id: '2' }));

  expect(failure).toMatchObject({ code: 'HTTP_ERROR', status: 503 });
  expect((failure as { response: Response }).response.headers.get('retry-after')).toBe('70'); // cast: checked above
  expect(server.seen('GET', '/posts/2')).toHaveLength(0);
});

test('requests to other origins are sent meanwhile', async () => {
  await using other = await startServer();
  other.on('GET', '/count', { body: 7 });
  const { controller, Posts, server } = await start();
  server.on('GET', '/posts/1', busy('100'));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));

  expect(await controller.fetch(new RestEndpoint({ urlPrefix: other.url, path: '/count' }))).toBe(7);
});

test('a date in `Retry-After` works like seconds, by the clock of the server', async () => {
  const { controller, Posts, server, world } = await start();
  const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:40 GMT' };
  server.on('GET', '/posts/1', { status: 429, headers });
  await failureOf(controller.fetch(Posts.get, { id: '1' }));

  const other = controller.fetch(Posts.get, { id: '2' });
  await world.pass(2_900);
  expect(server.seen('GET', '/posts/2')).toHaveLength(0);

  await world.pass(200);
  expect(await other).toMatchObject({ id: '2' });
});

test.each(['', 'soon', '-5', '1e3', 'Infinity', '0', '0x10', '5s'])(
  'a `Retry-After` of "%s" delays nothing',
  async (text) => {
    const { controller, Posts, server } = await start();
    server.on('GET', '/posts/1', busy(text));
    await failureOf(controller.fetch(Posts.get, { id: '1' }));

    expect(await controller.fetch(Posts.get, { id: '2' })).toMatchObject({ id: '2' });
  },
);

test('other failures delay nothing, and neither does `retryAfter: false`', async () => {
  const { controller, Posts, server } = await start();
  server.on('GET', '/posts/1', { status: 500, headers: { 'retry-after': '100' } });
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  expect(await controller.fetch(Posts.get, { id: '2' })).toMatchObject({ id: '2' });

  const off = await start({ retryAfter: false });
  off.server.on('GET', '/posts/1', busy('100'));
  await failureOf(off.controller.fetch(off.Posts.get, { id: '1' }));
  expect(await off.controller.fetch(off.Posts.get, { id: '2' })).toMatchObject({ id: '2' });
});

test('a request that waits ends with its time limit and its signal', async () => {
  const { controller, Posts, server, world } = await start({}, { timeoutMs: 1_000 });
  server.on('GET', '/posts/1', busy('5'));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  const aborter = new AbortController();

  const late = failureOf(controller.fetch(Posts.get, { id: '2' }));
  const aborted = failureOf(controller.fetch(Posts.get.extend({ signal: aborter.signal }), { id: '3' }));
  await breathe();
  aborter.abort();
  await breathe();
  await world.pass(1_100);

  expect(await late).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(await aborted).toMatchObject({ code: 'REQUEST_ABORTED' });
  expect(server.seen('GET', '/posts/2')).toHaveLength(0);
});

test('a reset opens the gate: the delay was for another user', async () => {
  const { controller, Posts, server } = await start();
  server.on('GET', '/posts/1', busy('100'));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  controller.resetEntireStore();

  expect(await controller.fetch(Posts.get, { id: '2' })).toMatchObject({ id: '2' });
});

test('a clock that is set back does not keep the gate closed, nor does a server that requires a day', async () => {
  const { controller, Posts, server, world } = await start();
  server.on('GET', '/posts/1', busy('9'));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  world.time.stepBack(60_000);
  expect(await controller.fetch(Posts.get, { id: '2' })).toMatchObject({ id: '2' });

  server.on('GET', '/posts/1', busy('86400'));
  await failureOf(controller.fetch(Posts.get, { id: '1' }));
  expect(await failureOf(controller.fetch(Posts.get, { id: '2' }))).toMatchObject({ status: 429 });
  await world.pass(3_600_000);
  expect(await controller.fetch(Posts.get, { id: '2' })).toMatchObject({ id: '2' });
});
