import { Controller, createResource, Entity, LogManager, LogoutManager, RestEndpoint } from 'holdfast';
import type { Manager } from 'holdfast';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failureOf } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET', '/todos/:id', ({ params }) =>
    params['id'] === '401' ? { status: 401 } : { body: { id: Number(params['id']), title: 'milk' } },
  );
});
afterEach(() => server.close());
const createTodos = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

test('an answer 401 empties the store; other failures do not', async () => {
  const controller = new Controller({ managers: [new LogoutManager()] });
  const TodoResource = createTodos();
  await controller.fetch(TodoResource.get, { id: 1 });
  await expect(controller.fetch(TodoResource.update, { id: 1 }, {})).rejects.toMatchObject({ status: 404 });
  expect(controller.get(Todo, { id: 1 })).toBeDefined();

  await expect(controller.fetch(TodoResource.get, { id: 401 })).rejects.toThrow();
  await Promise.resolve();

  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
});

test('a 401 of the old session that arrives late does not end the new one', async () => {
  let logouts = 0;
  const controller = new Controller({
    managers: [new LogoutManager({ handleLogout: () => (logouts += 1) })],
  });
  const TodoResource = createTodos();
  const held = server.hold('GET', '/todos/401');
  const old = failureOf(controller.fetch(TodoResource.get, { id: 401 }));
  const request = await held.next();

  controller.resetEntireStore();
  request.release();
  expect(await old).toMatchObject({
    code: 'STORE_RESET',
  });

  expect(logouts).toBe(0);
});

test('shouldLogout decides which failures count', async () => {
  const seen: string[] = [];
  const controller = new Controller({
    managers: [
      new LogoutManager({
        shouldLogout: (error) => error.message.includes('nothing like that'),
        handleLogout: () => seen.push('logout'),
      }),
    ],
  });

  await expect(controller.fetch(createTodos().get, { id: 401 })).rejects.toThrow();
  await Promise.resolve();
  expect(seen).toEqual([]);
});

test('the log has one line per event', async () => {
  const lines: string[] = [];
  const controller = new Controller({
    clock: { now: () => 0 },
    managers: [new LogManager((line) => lines.push(line.replace(server.url, '')))],
  });

  await controller.fetch(createTodos().get, { id: 1 });
  await expect(controller.fetch(createTodos().delete, { id: 1 })).rejects.toThrow();
  controller.resetEntireStore();

  expect(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    '00:00:00.000 fetch GET',
    '00:00:00.000 answer GET',
    '00:00:00.000 fetch (mutation)',
    '00:00:00.000 failure (mutation)',
    '00:00:00.000 reset',
  ]);
});

test("a user's own manager stands around every request and hears what happened", async () => {
  const seen: string[] = [];
  const timing: Manager = {
    async request(request, next) {
      seen.push(`out ${request.isRead}`);
      const outcome = await next({ ...request, headers: { 'x-trace': 'abc' } });
      seen.push(`in ${outcome.response?.status}`);
      return outcome;
    },
    event: (event) => seen.push(event.type),
  };
  const controller = new Controller({ managers: [timing] });

  await controller.fetch(createTodos().get, { id: 1 });

  expect(seen).toEqual(['out true', 'fetch', 'in 200', 'answer']);
  expect(server.requests[0]?.headers['x-trace']).toBe('abc');
});

/** Requests that leave the client, answered 401 until the session is there. */
const createSession = () => {
  const session = { isOpen: false, sent: [] as string[] };
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    session.sent.push(`${init?.method} ${url.replace(server.url, '')}`);
    return globalThis.fetch(url, init);
  };
  server.on('GET', '/me', () => (session.isOpen ? { body: { name: 'Ann' } } : { status: 401 }));
  server.on('GET', '/news', () => (session.isOpen ? { body: [] } : { status: 401 }));
  server.on('POST', '/login', () => {
    session.isOpen = true;
    return {};
  });
  return { session, fetch };
};
const read = (path: string) => new RestEndpoint({ urlPrefix: server.url, path });
const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

test('mounted readers that are answered 401 again and again ask at most three times in the first second', async () => {
  const { session, fetch } = createSession();
  const controller = new Controller({ fetch, managers: [new LogoutManager()] });
  const stops = ['/me', '/news'].map((path) => controller.watch(read(path)).subscribe(() => undefined));

  await sleep(1_000);

  for (const path of ['/me', '/news']) {
    const count = session.sent.filter((one) => one === `GET ${path}`).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(3);
  }
  for (const stop of stops) stop();
});

test('a log-out that takes a while paces its readers too', async () => {
  const { session, fetch } = createSession();
  const handleLogout = async (host: { resetEntireStore(): void }): Promise<void> => {
    await sleep(1);
    host.resetEntireStore();
  };
  const controller = new Controller({ fetch, managers: [new LogoutManager({ handleLogout })] });
  const stop = controller.watch(read('/me')).subscribe(() => undefined);

  await sleep(1_000);

  expect(session.sent.length).toBeLessThanOrEqual(3);
  stop();
});

test('a mutation that is answered, or a reset of the application, ends the pause after a log-out', async () => {
  for (const logIn of ['answer', 'reset']) {
    const { session, fetch } = createSession();
    // chance gives the longest pauses
    const controller = new Controller({ fetch, random: () => 0.999, managers: [new LogoutManager()] });
    const observer = controller.watch(read('/me'));
    const stop = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(session.sent).toEqual(['GET /me']));
    await sleep(50);
    expect(session.sent).toEqual(['GET /me']);

    if (logIn === 'answer') await controller.fetch(read('/login').extend({ method: 'POST' }));
    else {
      session.isOpen = true;
      controller.resetEntireStore();
    }

    await vi.waitFor(() => expect(observer.read().data).toEqual({ name: 'Ann' }), { timeout: 300 });
    stop();
  }
});
