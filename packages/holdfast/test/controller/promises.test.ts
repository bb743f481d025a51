// Every returned promise settles; nothing throws during a write; no caller can cancel the request of another.
import {
  AbortError,
  Controller,
  createResource,
  Endpoint,
  Entity,
  getPending,
  RestEndpoint,
  watchQuery,
} from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe, failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

let server: TestServer;
let world: FakeWorld;
let controller: Controller;
let unhandled: unknown[];
const note = (reason: unknown): unknown => unhandled.push(reason);
beforeEach(async () => {
  unhandled = [];
  process.on('unhandledRejection', note);
  server = await startServer();
  world = new FakeWorld();
  controller = new Controller(world.options);
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title: 'milk' } }));
});
afterEach(async () => {
  await breathe();
  process.off('unhandledRejection', note);
  await server.close();
  if (unhandled.length > 0) throw new Error('A rejection was not handled.', { cause: unhandled[0] });
});
const create = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a text', 'no'],
  ['an object', { status: 500 }],
])('a fetch function that rejects with %s gives an Error, and can be called again', async (_name, reason) => {
  let calls = 0;
  const odd = new Endpoint(
    () => {
      calls += 1;
      return calls === 1 ? Promise.reject(reason) : Promise.resolve(5);
    },
    { name: `odd-${_name}` },
  );

  expect(await failureOf(controller.fetch(odd))).toBeInstanceOf(Error);
  expect(await controller.fetch(odd)).toBe(5);
});

test('a fetch function that throws at once rejects, and the next call is a new one', async () => {
  let calls = 0;
  const odd = new Endpoint(
    () => {
      calls += 1;
      if (calls === 1) throw new TypeError('at once');
      return Promise.resolve(5);
    },
    { name: 'throwing' },
  );

  expect(await failureOf(controller.fetch(odd))).toMatchObject({ message: 'at once' });
  expect(await controller.fetch(odd)).toBe(5);
});

test('arguments that give no key reject, they do not throw', async () => {
  const TodoResource = create();

  expect(await failureOf(controller.fetch(TodoResource.get, { id: '' }))).toMatchObject({
    code: 'PATH_PARAM_INVALID',
  });
});

test('a value that the schema refuses rejects set and setResponse and changes nothing', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.get, { id: 1 });

  expect(await failureOf(controller.set(Todo, { id: 1 }, 5 as never))).toMatchObject({
    name: 'ValidationError',
  });
  expect(await failureOf(controller.setResponse(TodoResource.get, { id: 1 }, null))).toBeInstanceOf(Error);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('milk');
});

test('writes are applied when their call returns', () => {
  void controller.set(Todo, { id: 5 }, { id: 5, title: 'now' });

  expect(controller.get(Todo, { id: 5 })?.title).toBe('now');
  void controller.set(Todo, { id: 5 }, (todo: Todo) => ({ id: todo.id, title: `${todo.title}!` }));
  expect(controller.get(Todo, { id: 5 })?.title).toBe('now!');
});

/** Runs a function whose listeners throw, and returns the errors that were reported as uncaught. */
async function uncaughtIn(run: () => Promise<unknown>): Promise<unknown[]> {
  const thrown: unknown[] = [];
  const caught = (error: unknown): unknown => thrown.push(error);
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', caught);
  await run();
  await breathe();
  process.off('uncaughtException', caught);
  for (const listener of before) process.on('uncaughtException', listener);
  return thrown;
}

test('an observer whose listener throws does not stop the write nor the other listeners', async () => {
  const heard: string[] = [];
  const bad = (): void => {
    throw new Error('in a listener');
  };
  const shared = watchQuery(controller, Todo, { id: 5 });
  const stops = [
    watchQuery(controller, Todo, { id: 5 }).subscribe(bad),
    shared.subscribe(bad),
    shared.subscribe(() => heard.push('beside it')),
    watchQuery(controller, Todo, { id: 5 }).subscribe(() => heard.push('elsewhere')),
  ];

  const thrown = await uncaughtIn(() => controller.set(Todo, { id: 5 }, { id: 5, title: 'now' }));

  expect(heard).toEqual(['beside it', 'elsewhere']);
  expect(thrown).toMatchObject([{ message: 'in a listener' }, { message: 'in a listener' }]);
  for (const stop of stops) stop();
});

test('a manager that throws in its event handler does not disturb the event', async () => {
  const bad = {
    event(): void {
      throw new Error('in a manager');
    },
  };
  const heard = new Controller({ ...world.options, managers: [bad] });
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
  });
  server.on('PATCH', '/todos/:id', { body: { id: 1, title: 'b' } });

  const thrown = await uncaughtIn(async () => {
    await heard.fetch(TodoResource.get, { id: 1 });
    await heard.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'b' });
  });

  expect(heard.get(Todo, { id: 1 })?.title).toBe('b');
  expect(getPending(heard, Todo, { id: 1 })).toEqual([]);
  expect(thrown.length).toBeGreaterThan(0);
});

test('a request whose last reader has left is cancelled, unless another reader or caller waits for it', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/:id');
  const watch = (id: number) => controller.watch(TodoResource.get, { id }).subscribe(() => undefined);
  const [alone, shared, sharedToo, wanted] = [watch(1), watch(2), watch(2), watch(3)];
  const asked = controller.fetch(TodoResource.get, { id: 3 });
  const requests = [await held.next(), await held.next(), await held.next()].map(({ request }) => request);
  const isAborted = (id: string) => requests.find(({ params }) => params['id'] === id)?.aborted;

  alone();
  shared();
  wanted();
  await world.pass(1);
  await until(() => isAborted('1') === true);
  expect([isAborted('2'), isAborted('3')]).toEqual([false, false]);

  held.releaseAll();
  expect((await asked).title).toBe('milk');
  expect(controller.getError(TodoResource.get, { id: 1 })).toBeUndefined();
  sharedToo();
});

test('an effect that is torn down and set up again keeps its request', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/:id');
  const observer = controller.watch(TodoResource.get, { id: 1 });

  const first = observer.subscribe(() => undefined);
  first();
  const second = observer.subscribe(() => undefined);
  await world.pass(1);
  (await held.next()).release();
  await until(() => observer.read().data !== undefined);

  expect(server.requests).toHaveLength(1);
  second();
});

test('a second unsubscribe of one listener removes no other listener', async () => {
  const TodoResource = create();
  const observer = controller.watch(TodoResource.get, { id: 1 });
  let heard = 0;
  const stop = observer.subscribe(() => undefined);
  const stopOther = observer.subscribe(() => (heard += 1));

  stop();
  stop();
  await until(() => observer.read().data !== undefined);

  expect(heard).toBeGreaterThan(0);
  stopOther();
});

test('a listener is notified of a change once, after it, and only when its value changes', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.get, { id: 1 });
  const seen: (string | undefined)[] = [];
  const stop = watchQuery(controller, Todo, { id: 1 }).subscribe(() =>
    seen.push(controller.get(Todo, { id: 1 })?.title),
  );

  await controller.set(Todo, { id: 1 }, { id: 1, title: 'a' });
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'a' });
  await controller.set(Todo, { id: 2 }, { id: 2, title: 'other' });
  await controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'b' });
  stop();
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'c' });

  expect(seen).toEqual(['a', 'b']);
});

test('invalidateAll clears failures too, and reaches slots that have only a failure', async () => {
  server.on('GET', '/broken', { status: 500 });
  const getBroken = new RestEndpoint({ urlPrefix: server.url, path: '/broken' });
  await failureOf(controller.fetch(getBroken));
  expect(controller.getError(getBroken)).toBeDefined();

  controller.invalidateAll(getBroken);

  expect(controller.getError(getBroken)).toBeUndefined();
});

test('an abort or a time limit of one caller does not apply to another caller of the same request', async () => {
  const TodoResource = create();
  const held = server.hold('GET', '/todos/:id');
  const aborter = new AbortController();
  const withSignal = TodoResource.get.extend({ signal: aborter.signal });
  const hurried = TodoResource.get.extend({ timeoutMs: 50 });

  const first = failureOf(controller.fetch(withSignal, { id: 1 }));
  const second = controller.fetch(TodoResource.get, { id: 1 });
  const third = failureOf(controller.fetch(hurried, { id: 1 }));
  const joined = controller.fetch(TodoResource.get, { id: 1 });
  const requests = [await held.next(), await held.next(), await held.next()];
  aborter.abort();
  await world.pass(60);
  const late = controller.fetch(TodoResource.get, { id: 1 });
  for (const request of requests) request.release();

  expect(await first).toMatchObject({ code: 'REQUEST_ABORTED' });
  expect(await third).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect((await second).id).toBe(1);
  expect(await joined).toBe(await second);
  expect(await late).toBe(await second);
  expect(server.seen('GET', '/todos/1')).toHaveLength(3);
});

test('a request that is aborted while a constructor throws leaves nothing unhandled', async () => {
  let calls = 0;
  class Fragile extends Entity {
    static override key = 'Fragile';
    id = '';
    constructor() {
      super();
      if (calls === 2) throw new Error('not now');
    }
  }
  const get = new Endpoint(
    async ({ id }: { id: string }) => {
      calls += 1;
      if (calls === 2) await controller.set(Fragile, { id });
      throw new AbortError({ method: 'GET', url: 'fragile' });
    },
    { name: 'fragile', schema: Fragile },
  );
  const observer = controller.watch(get, { id: '1' });

  const stop = observer.subscribe(() => undefined);

  await until(() => calls === 2);
  await breathe();
  expect(observer.readShown).toThrow('not now');
  stop();
});

test('an idle controller that is started keeps no process alive', async () => {
  const timers: NodeJS.Timeout[] = [];
  const controller = new Controller({
    timers: {
      set: (run, delayMs) => timers[timers.push(setTimeout(run, delayMs)) - 1],
      clear: (id) => clearTimeout(id as NodeJS.Timeout), // cast: made by `set`
    },
    fetch: async () => Response.json({ id: 1 }),
  });
  controller.start();
  await controller.fetch(new RestEndpoint({ urlPrefix: 'http://model.test', path: '/one' }));
  const alive = timers.filter((timer) => timer.hasRef() && !(timer as { _destroyed?: boolean })._destroyed); // cast: Node says so there

  expect(timers.length).toBeGreaterThan(0);
  expect(alive).toEqual([]);
  controller.stop();
});
