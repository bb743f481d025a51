import { Controller, createResource, Entity, Invalidate, RestEndpoint, RetryManager } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe, failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { Reply, TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

let server: TestServer;
let world: FakeWorld;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  controller = new Controller({ ...world.options, managers: [new RetryManager()] });
});
afterEach(() => server.close());

/** Responds with each reply once, then with the last one. */
function answerInTurn(method: string, path: string, ...replies: Reply[]): void {
  let at = 0;
  server.on(method, path, () => replies[Math.min(at++, replies.length - 1)] ?? {});
}
const createTodos = (options: object = {}) =>
  createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, ...options });
const milk = { body: { id: 1, title: 'milk' } };

test('a read with a temporary failure is repeated after growing pauses until it succeeds', async () => {
  const TodoResource = createTodos();
  answerInTurn('GET', '/todos/:id', { status: 503 }, { drop: true }, milk);
  const asked = controller.fetch(TodoResource.get, { id: 1 });
  await until(() => server.requests.length === 1);
  await breathe();

  // random() is 0.5: three quarters of 1 s, then of 2 s
  await world.pass(740);
  expect(server.requests).toHaveLength(1);
  await world.pass(20);
  expect(server.requests).toHaveLength(2);
  await world.pass(1_480);
  expect(server.requests).toHaveLength(2);
  await world.pass(30);

  expect((await asked).title).toBe('milk');
});

test('after the last repetition the caller gets the failure', async () => {
  const TodoResource = createTodos();
  server.on('GET', '/todos/:id', { status: 500 });
  const asked = controller.fetch(TodoResource.get, { id: 1 });
  const failed = failureOf(asked);
  await until(() => server.requests.length === 1);
  await breathe();

  await world.pass(60_000);
  expect(await failed).toMatchObject({ status: 500 });
  expect(server.requests).toHaveLength(4);
});

test.each([400, 401, 403, 404, 409, 422])('a response with %i is final', async (status) => {
  const TodoResource = createTodos();
  server.on('GET', '/todos/:id', { status });

  await expect(controller.fetch(TodoResource.get, { id: 1 })).rejects.toMatchObject({ status });
  await world.pass(60_000);
  expect(server.requests).toHaveLength(1);
});

test('a header that cannot be sent is refused once, without a repetition', async () => {
  const sent: string[] = [];
  const controller = new Controller({
    managers: [new RetryManager({ delayMs: 1 })],
    fetch: async (url, init) => {
      sent.push(url);
      return globalThis.fetch(url, init);
    },
  });
  const bad = createTodos().get.extend({ requestInit: { headers: { token: 'a\nb' } } });

  await expect(controller.fetch(bad, { id: 1 })).rejects.toMatchObject({ code: 'HEADERS_INVALID' });
  expect(sent).toEqual([]);
});

test('Retry-After is obeyed, in seconds and as a date, but only up to the limit', async () => {
  const TodoResource = createTodos({ retry: { maxDelayMs: 20_000 } });
  const soon = new Date(world.time.clock.now() + 9_000).toUTCString();
  answerInTurn(
    'GET',
    '/todos/:id',
    { status: 429, headers: { 'retry-after': '4' } },
    { status: 503, headers: { 'retry-after': soon } },
    milk,
  );
  const asked = controller.fetch(TodoResource.get, { id: 1 });
  await until(() => server.requests.length === 1);
  await breathe();
  await world.pass(3_900);
  expect(server.requests).toHaveLength(1);
  await world.pass(200);
  expect(server.requests).toHaveLength(2);
  await world.pass(3_500);
  expect(server.requests).toHaveLength(2);
  await world.pass(1_500);
  expect((await asked).title).toBe('milk');

  server.on('GET', '/todos/:id', { status: 429, headers: { 'retry-after': '3600' } });
  await expect(controller.fetch(TodoResource.get, { id: 1 })).rejects.toMatchObject({ status: 429 });
});

test.each(['-5', '0', '0.001', '1e0', '', 'soon', 'soon 2099', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
  'a Retry-After of "%s" allows no repetition before the planned pause is over',
  async (value) => {
    const TodoResource = createTodos();
    answerInTurn('GET', '/todos/:id', { status: 429, headers: { 'retry-after': value } }, milk);
    const asked = controller.fetch(TodoResource.get, { id: 1 });
    await until(() => server.requests.length === 1);
    await breathe();

    // random() is 0.5: three quarters of 1 s
    await world.pass(740);
    expect(server.requests).toHaveLength(1);
    await world.pass(20);
    expect((await asked).title).toBe('milk');
  },
);

test('PUT and DELETE are repeated; POST and PATCH only with an idempotency key', async () => {
  const TodoResource = createTodos();
  const sure = createTodos({ idempotencyKey: true });
  for (const method of ['PUT', 'PATCH', 'DELETE']) answerInTurn(method, '/todos/:id', { status: 503 }, milk);
  answerInTurn('POST', '/todos', { status: 503 }, milk);

  const put = controller.fetch(TodoResource.update, { id: 1 }, { title: 'a' });
  const removed = controller.fetch(TodoResource.delete, { id: 2 });
  const patch = controller.fetch(TodoResource.partialUpdate, { id: 3 }, { title: 'a' });
  const post = controller.fetch(TodoResource.getList.push, { title: 'a' });
  await expect(patch).rejects.toMatchObject({ status: 503 });
  await expect(post).rejects.toMatchObject({ status: 503 });
  await until(() => server.requests.length === 4);
  await breathe();
  await world.pass(10_000);
  await Promise.all([put, removed]);
  expect(server.requests).toHaveLength(6);

  server.forget();
  answerInTurn('POST', '/todos', { drop: true }, { status: 503 }, milk);
  const keyed = controller.fetch(sure.getList.push, { title: 'a' });
  await until(() => server.requests.length === 1);
  await breathe();
  await world.pass(10_000);
  await keyed;
  const keys = server.seen('POST', '/todos').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('a write in no queue is not repeated once a later write of the same row was sent: it would undo the later write', async () => {
  const TodoResource = createTodos();
  const update = TodoResource.update.extend({ queue: null });
  const vote = TodoResource.get.extend({
    path: '/todos/:id/vote',
    method: 'POST',
    body: undefined,
    queue: null,
  });
  const stored = new Map<string, unknown>();
  server.on('PUT', '/todos/:id', ({ params, body }) => {
    const id = String(params['id']);
    if ((body as Todo).title === 'first') return { status: 503 };
    stored.set(id, (body as Todo).title);
    return { body: { id: Number(id), ...(body as object) } };
  });
  server.on('POST', '/todos/:id/vote', ({ params }) => ({
    body: { id: Number(params['id']), title: 'voted' },
  }));
  const put = (id: number, title: string) => controller.fetch(update, { id }, { title });

  const overtaken = [failureOf(put(1, 'first')), failureOf(put(2, 'first'))];
  const alone = failureOf(put(3, 'first'));
  await until(() => server.requests.length === 3);
  await breathe();
  await Promise.all([put(1, 'second'), controller.fetch(vote, { id: 2 })]);
  await world.pass(60_000);

  expect(await Promise.all(overtaken)).toMatchObject([{ status: 503 }, { status: 503 }]);
  expect(stored.get('1')).toBe('second');
  expect(server.seen('PUT', '/todos/1')).toHaveLength(2);
  expect(server.seen('PUT', '/todos/2')).toHaveLength(1);
  expect(await alone).toMatchObject({ status: 503 });
  expect(server.seen('PUT', '/todos/3')).toHaveLength(4);
});

test('a write in a queue is repeated whatever else was sent to its address meanwhile', async () => {
  const TodoResource = createTodos();
  const removeMany = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos',
    method: 'DELETE',
    body: [] as { id: number }[],
    schema: [new Invalidate(Todo)],
  });
  server.on('POST', '/todos', { body: { id: 2, title: 'bread' } });
  answerInTurn('DELETE', '/todos', { status: 503 }, { body: [{ id: 1 }] });

  const removed = controller.fetch(removeMany, [{ id: 1 }]);
  await until(() => server.requests.length === 1);
  await breathe();
  await controller.fetch(TodoResource.getList.push, { title: 'bread' });
  await world.pass(10_000);

  await removed;
  expect(server.seen('DELETE', '/todos')).toHaveLength(2);
});

test('a refused repetition leaves unknown what the first try did: the row is read again', async () => {
  const TodoResource = createTodos({ dataExpiryLength: 60_000 });
  let title = 'milk';
  server.on('GET', '/todos/:id', () => ({ body: { id: 1, title } }));
  let tries = 0;
  server.on('PUT', '/todos/:id', ({ body }) => {
    title = (body as Todo).title;
    return (tries += 1) === 1 ? { drop: true } : { status: 412 };
  });
  await controller.fetch(TodoResource.get, { id: 1 });

  const failed = failureOf(controller.fetch(TodoResource.update, { id: 1 }, { title: 'bread' }));
  await until(() => tries === 1);
  await breathe();
  await world.pass(10_000);

  expect(await failed).toMatchObject({ status: 412 });
  expect(controller.getResponse(TodoResource.get, { id: 1 }).expiresAt).toBeLessThanOrEqual(
    world.options.clock.now(),
  );
});

test('a repeated DELETE that gets "not found" has succeeded: the first one deleted the row', async () => {
  const TodoResource = createTodos();
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'milk' });
  answerInTurn('DELETE', '/todos/:id', { drop: true }, { status: 404 });

  const removed = controller.fetch(TodoResource.delete, { id: 1 });
  await until(() => server.requests.length === 1);
  await breathe();
  await world.pass(10_000);

  await removed;
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
});

test('an endpoint decides whether it is repeated, how often, and after which failures', async () => {
  const never = createTodos({ retry: false });
  const once = createTodos({ retry: 1 });
  const conflicts = createTodos({
    retry: {
      count: 5,
      delayMs: 10,
      when: (error: { status?: number }, attempt: number) => error.status === 409 && attempt < 3,
    },
  });
  server.on('GET', '/todos/:id', { status: 503 });
  await expect(controller.fetch(never.get, { id: 1 })).rejects.toMatchObject({ code: 'HTTP_ERROR' });
  expect(server.requests).toHaveLength(1);

  const asked = failureOf(controller.fetch(once.get, { id: 1 }));
  await until(() => server.requests.length === 2);
  await breathe();
  await world.pass(60_000);
  expect(await asked).toMatchObject({ code: 'HTTP_ERROR' });
  expect(server.requests).toHaveLength(3);

  server.on('GET', '/todos/:id', { status: 409 });
  const refused = failureOf(controller.fetch(conflicts.get, { id: 1 }));
  await until(() => server.requests.length === 4);
  await breathe();
  await world.pass(60_000);
  expect(await refused).toMatchObject({ code: 'HTTP_ERROR' });
  expect(server.requests).toHaveLength(6);
});

test('repetitions stop when the last reader has left', async () => {
  const getNews = new RestEndpoint({ urlPrefix: server.url, path: '/news' });
  server.on('GET', '/news', { status: 503 });
  const stop = controller.watch(getNews).subscribe(() => undefined);
  await until(() => server.requests.length === 1);
  await breathe();

  stop();
  await world.pass(60_000);

  expect(server.requests).toHaveLength(1);
  expect(world.time.pendingTimers).toBe(0);
});

test('repetitions of an old session stop at a reset, and write nothing into the new session', async () => {
  const TodoResource = createTodos();
  answerInTurn('GET', '/todos/:id', { status: 503 }, milk);
  const asked = failureOf(controller.fetch(TodoResource.get, { id: 1 }));
  await until(() => server.requests.length === 1);
  await breathe();

  controller.resetEntireStore();
  expect(await asked).toMatchObject({
    code: 'STORE_RESET',
  });
  await world.pass(60_000);

  expect(server.requests).toHaveLength(1);
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
});

test('while the network is away no repetition is used up', async () => {
  const TodoResource = createTodos();
  answerInTurn('GET', '/todos/:id', { drop: true }, milk);
  const asked = controller.fetch(TodoResource.get, { id: 1 });
  await until(() => server.requests.length === 1);
  await breathe();

  world.goOnline(false);
  await world.pass(600_000);
  expect(server.requests).toHaveLength(1);
  world.goOnline(true);

  expect((await asked).title).toBe('milk');
  expect(world.listeners).toBe(0);
});
