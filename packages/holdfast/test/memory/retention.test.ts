// The data that is kept and the data that is removed: read through the public entries, with the engine's own count of everything
// it stores.
import {
  Controller,
  createResource,
  Entity,
  ExpiryStatus,
  getDefaultManagers,
  RestEndpoint,
  schema,
  watchQuery,
} from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class User extends Entity {
  static override key = 'User';
  id = 0;
  name = '';
}

class Label extends Entity {
  static override key = 'Label';
  id = '';
  name = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  id: number | string = 0;
  title = '';
  status = '';
  owner: User | undefined = undefined;
  static override schema = { owner: User };
}

const RETENTION_MS = 300_000;
const TodoResource = createResource({
  urlPrefix: 'http://model.test',
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});

let world: FakeWorld;
let controller: Controller;
let sent: string[];
let answer: (method: string, path: string) => unknown;
beforeEach(() => {
  world = new FakeWorld();
  sent = [];
  answer = (_method, path) => {
    const id = Number(path.split('/')[2]);
    return path.startsWith('/todos/')
      ? { id, title: `t${id}`, status: 'open', owner: { id: id % 3, name: 'u' } }
      : [1, 2, 3].map((each) => ({
          id: each,
          title: `t${each}`,
          status: 'open',
          owner: { id: each, name: 'u' },
        }));
  };
  controller = new Controller({
    ...world.options,
    managers: getDefaultManagers(),
    fetch: async (url, init) => {
      const { pathname } = new URL(url);
      sent.push(`${init?.method ?? 'GET'} ${pathname}`);
      return Response.json(answer(init?.method ?? 'GET', pathname));
    },
  });
  controller.start();
});
afterEach(() => controller.stop());

test('data that was fetched and never read is removed, and the store ends empty, without a timer', async () => {
  for (let id = 1; id <= 1_000; id += 1) await controller.fetch(TodoResource.get, { id });
  controller.get(Todo, { id: 7 });
  controller.get(Todo, { id: 99_999 });
  expect(controller.size).toBeGreaterThan(2_000);

  await world.pass(RETENTION_MS - 1_000);
  expect(controller.get(Todo, { id: 7 })?.title).toBe('t7');
  await world.pass(3 * RETENTION_MS);

  expect(controller.size).toBe(0);
  expect(world.time.pendingTimers).toBe(0);
});

test('data that a reader shows stays, with everything in it, and the rest is removed', async () => {
  await controller.fetch(TodoResource.getList, {});
  await controller.fetch(TodoResource.get, { id: 500 });
  await controller.set(User, { id: 77 }, { id: 77, name: 'unused' });
  const list = controller.watch(TodoResource.getList, {});
  const user = watchQuery(controller, User, { id: 2 });
  const stops = [list.subscribe(() => undefined), user.subscribe(() => undefined)];

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);

  expect(list.read().data?.map((todo) => todo.owner?.id)).toEqual([1, 2, 3]);
  expect(user.read().data?.name).toBe('u');
  expect(controller.get(Todo, { id: 500 })).toBeUndefined();
  expect(controller.get(User, { id: 77 })).toBeUndefined();
  for (const stop of stops) stop();
  await world.pass(3 * RETENTION_MS);
  expect(controller.size).toBe(0);
});

test('a read that runs again keeps its dependencies: data that it shows is never removed', async () => {
  const all = new schema.All(Todo);
  const open = new schema.Query(all, (todos: readonly Todo[]) =>
    todos.filter((todo) => todo.status === 'open'),
  );
  await controller.fetch(TodoResource.getList, {});
  const observer = watchQuery(controller, open);
  const stop = observer.subscribe(() => undefined);
  for (let turn = 0; turn < 7; turn += 1) {
    for (let look = 0; look < 10; look += 1) observer.read();
    await controller.set(Todo, { id: 1 }, { id: 1, title: `x${turn}` });
    await world.pass(RETENTION_MS);
  }

  expect(observer.read().data?.map((todo) => todo.id)).toEqual([1, 2, 3]);
  stop();
});

test('a response that nobody read again can be invalidated as long as its row is kept', async () => {
  await controller.fetch(TodoResource.get, { id: 1 });
  const stop = controller.watch(TodoResource.getList, {}).subscribe(() => undefined);
  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');

  controller.invalidateAll(TodoResource.get);

  expect(controller.getResponse(TodoResource.get, { id: 1 }).expiryStatus).toBe(ExpiryStatus.Invalid);
  stop();
  await world.pass(3 * RETENTION_MS);
  expect(controller.size).toBe(0);
});

test('an invalid response whose rows go at different times goes with the last of them', async () => {
  const getAll = TodoResource.getList.extend({ schema: [Todo] });
  await controller.fetch(getAll);
  controller.invalidate(getAll);
  const release = controller.watch(TodoResource.get, { id: 3 }).subscribe(() => undefined);
  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
  release();

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);

  expect(controller.size).toBe(0);
});

test('data that stays keeps the rows that it refers to, however old they are', async () => {
  await controller.set(User, { id: 1 }, { id: 1, name: 'Ada' });
  for (let turn = 0; turn < 12; turn += 1) {
    await controller.set(Todo, { id: 1 }, { id: 1, title: `x${turn}`, owner: 1 });
    await world.pass(RETENTION_MS / 2);
  }

  expect(controller.get(Todo, { id: 1 })?.owner?.name).toBe('Ada');
});

test('data that was released just before a collection stays until its retention is over', async () => {
  const observer = controller.watch(TodoResource.get, { id: 1 });
  const stop = observer.subscribe(() => undefined);
  await world.pass(4 * RETENTION_MS - 1_000);
  controller.stop();
  stop();
  controller.start();

  await world.pass(RETENTION_MS + 10_000);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');
});

test('requests in flight and pending mutations keep the data that they use', async () => {
  await controller.fetch(TodoResource.getList, {});
  let release: (response: Response) => void = () => undefined;
  const slow = new Controller({
    ...world.options,
    timeoutMs: Infinity,
    fetch: async (_url, init) =>
      init?.method === 'PATCH'
        ? new Promise<Response>((resolve) => (release = resolve))
        : Response.json([{ id: 1, title: 't1', status: 'open' }]),
  });
  slow.start();
  await slow.fetch(TodoResource.getList, {});
  const changing = slow.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'x' });

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
  expect(slow.get(Todo, { id: 1 })?.title).toBe('x');
  release(Response.json({ id: 1, title: 'x', status: 'open' }));
  expect((await changing).title).toBe('x');
  await world.pass(3 * RETENTION_MS);
  expect(slow.size).toBe(0);
  slow.stop();
});

for (const method of ['PATCH', 'GET'])
  test(`a row stays while a ${method} of it is in flight, and the response changes it`, async () => {
    const { get, getList, partialUpdate } = createResource({
      urlPrefix: 'http://model.test',
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { status?: string },
      body: {} as { status: string },
    });
    const open = { id: 1, title: 't1', status: 'open' };
    let release: (response: Response) => void = () => undefined;
    const slow = new Controller({
      ...world.options,
      timeoutMs: Infinity,
      fetch: async (url) => {
        const { pathname, search } = new URL(url);
        if (pathname === '/todos') return Response.json(search === '' ? [open] : []);
        return new Promise<Response>((resolve) => (release = resolve));
      },
    });
    slow.start();
    await slow.fetch(getList, {});
    const done = slow.watch(getList, { status: 'done' });
    const stop = done.subscribe(() => undefined);
    const asked =
      method === 'GET'
        ? slow.fetch(get, { id: 1 })
        : slow.fetch(partialUpdate, { id: 1 }, { status: 'done' });

    for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
    expect(slow.get(Todo, { id: 1 })?.status).toBe('open');
    release(Response.json({ ...open, status: 'done' }));
    await asked;

    expect(slow.get(Todo, { id: 1 })?.status).toBe('done');
    // The list has been requested again since the GET, so only the server knows whether the row belongs to the list.
    expect(done.read().data?.map((todo) => todo.id)).toEqual(method === 'GET' ? [] : [1]);
    stop();
    await world.pass(3 * RETENTION_MS);
    expect(slow.size).toBe(0);
    slow.stop();
  });

test('a row stays while a PATCH of it through a union is in flight', async () => {
  const Thing = new schema.Union({ todo: Todo }, 'kind' as never);
  const things = createResource({ urlPrefix: 'http://model.test', path: '/things/:id', schema: Thing });
  const slow = new Controller({
    ...world.options,
    timeoutMs: Infinity,
    fetch: () => new Promise(() => undefined),
  });
  slow.start();
  await slow.set(Todo, { id: 1 }, { id: 1, title: 't1', status: 'open' });
  void slow.fetch(things.partialUpdate, { id: 1 }, { title: 't2' }).catch(() => undefined);

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);

  expect(slow.get(Todo, { id: 1 })?.title).toBe('t1');
  slow.stop();
});

test.each([
  ['PATCH', [Todo], [{ id: 1, title: 't2' }]],
  ['DELETE', [new schema.Invalidate(Todo)], ['1']],
] as const)('rows stay while a %s has them in its body', async (method, many, body) => {
  const slow = new Controller({
    ...world.options,
    timeoutMs: Infinity,
    fetch: () => new Promise(() => undefined),
  });
  const change = new RestEndpoint({
    urlPrefix: 'http://model.test',
    path: '/todos',
    method,
    schema: many as unknown as [typeof Todo], // cast: the two have different types
    body: [] as readonly unknown[],
  });
  slow.start();
  await slow.set(Todo, { id: 1 }, { id: 1, title: 't1', status: 'open' });
  void slow.fetch(change, body).catch(() => undefined);

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);

  expect(slow.get(Todo, { id: 1 })?.title).toBe('t1');
  slow.stop();
});

test('deleted rows, local ids, filtered lists, failures and invalidations leave nothing behind', async () => {
  await controller.fetch(TodoResource.getList, { status: 'open' } as never);
  for (let id = 100; id < 200; id += 1) {
    answer = (method) => (method === 'DELETE' ? {} : { id, title: 'new', status: 'open' });
    await controller.fetch(TodoResource.getList.push, { title: 'new', status: 'open' } as never);
    await controller.fetch(TodoResource.delete, { id });
    controller.invalidate(TodoResource.get, { id });
    await controller.setError(TodoResource.get, { id }, new Error('broken'));
    controller.watch(TodoResource.get, { id }).read();
    controller.getResponse(TodoResource.getList, { status: String(id) } as never);
  }

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
  expect(controller.size).toBe(0);
});

test('look-ups by an index are collected too', async () => {
  class Account extends Entity {
    static override key = 'Account';
    static override indexes = ['name'] as const;
    id = 0;
    name = '';
  }
  for (let id = 0; id < 500; id += 1) {
    await controller.set(Account, { id }, { id, name: `n${id}` });
    controller.get(Account, { name: `n${id}` });
  }

  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
  expect(controller.size).toBe(0);
});

test('a subscription keeps its data while no reader shows it', async () => {
  let price = 0;
  const getPrice = new RestEndpoint({
    urlPrefix: 'http://model.test',
    path: '/price',
    pollFrequency: RETENTION_MS * 10,
  });
  answer = () => ({ price: (price += 1) });
  controller.subscribe(getPrice);
  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);

  expect(controller.getResponse(getPrice).data).toEqual({ price: 1 });
  controller.unsubscribe(getPrice);
});

test('a subscription to a list keeps its rows', async () => {
  const getLive = TodoResource.getList.extend({ pollFrequency: RETENTION_MS * 100 });
  controller.subscribe(getLive, {});
  for (let turn = 0; turn < 6; turn += 1) await world.pass(RETENTION_MS);

  expect(controller.getResponse(getLive, {}).data?.map((todo) => todo.title)).toEqual(['t1', 't2', 't3']);
  expect(sent).toHaveLength(1);
  controller.unsubscribe(getLive, {});
});

test('rows that a list on screen gets between two slices stay as long as the list', async () => {
  const slices: (() => void)[] = [];
  let rows: readonly unknown[] = [];
  const { getList } = createResource({ urlPrefix: 'http://model.test', path: '/labels/:id', schema: Label });
  const sliced = new Controller({
    ...world.options,
    idle: { request: (run) => slices.push(() => run(() => 0)), cancel: () => undefined },
    fetch: async () => Response.json(rows),
  });
  sliced.start();
  for (let id = 1; id <= 200; id += 1) await sliced.set(Todo, { id }, { id });
  await sliced.fetch(getList);
  const stop = sliced.watch(getList).subscribe(() => undefined);
  await world.pass(RETENTION_MS);
  // everything is marked, and unmarked data is being searched
  for (let slice = 0; slice < 30; slice += 1) slices.shift()?.();
  expect(slices).toHaveLength(1);

  rows = ['1', '2', '3'].map((id) => ({ id, name: 'n' }));
  await sliced.fetch(getList);
  while (slices.length > 0) slices.shift()?.();
  stop();
  await world.pass(RETENTION_MS);
  while (slices.length > 0) slices.shift()?.();

  expect(sliced.getResponse(getList).data?.map(({ id }) => id)).toEqual(['1', '2', '3']);
  await sliced.fetch(getList);
  expect(sliced.get(Label, { id: '1' })?.name).toBe('n');
  sliced.stop();
});

test('a collection works in slices, and handles changes between them', async () => {
  const slices: (() => void)[] = [];
  const sliced = new Controller({
    ...world.options,
    idle: { request: (run) => slices.push(() => run(() => 0)), cancel: () => undefined },
    fetch: async (url) => Response.json(answer('GET', new URL(url).pathname)),
  });
  sliced.start();
  for (let id = 1; id <= 3_000; id += 1) await sliced.set(Todo, { id }, { id, title: `t${id}` });
  const runAll = (between: () => void = () => undefined): number => {
    let count = 0;
    for (let slice = slices.shift(); slice !== undefined; slice = slices.shift()) {
      slice();
      between();
      count += 1;
    }
    return count;
  };
  for (let cycle = 0; cycle < 2; cycle += 1) {
    await world.pass(RETENTION_MS);
    expect(runAll()).toBeGreaterThan(10);
  }
  // look-ups that are stored: a reader that mounts in the middle of a collection starts no new one
  for (let id = 2_001; id <= 2_100; id += 1) sliced.get(Todo, { id });
  await world.pass(RETENTION_MS);
  // data that is looked up again, or linked to, while the collection runs is in use
  let turn = 0;
  const stops: (() => void)[] = [];
  runAll(() => {
    turn += 1;
    void sliced.set(Todo, { id: turn }, (todo: Todo) => ({ id: todo.id, title: 'kept' }));
    stops.push(watchQuery(sliced, Todo, { id: 2_000 + turn }).subscribe(() => undefined));
  });

  // the last turn was after the removal
  for (let id = 1; id < turn; id += 1) {
    expect(sliced.get(Todo, { id })?.title).toBe('kept');
    expect(sliced.get(Todo, { id: 2_000 + id })?.title).toBe(`t${2_000 + id}`);
  }
  expect(sliced.get(Todo, { id: 1_500 })).toBeUndefined();
  for (const stop of stops) stop();
  sliced.stop();
});

test('retentionMs sets another time, or no end; nothing is removed before start and after stop', async () => {
  const options = { ...world.options, fetch: async () => Response.json({ id: 1, title: 't1' }) };
  const controllers = [
    new Controller({ ...options, retentionMs: 1_000 }),
    new Controller({ ...options, retentionMs: Infinity }),
    new Controller(options),
  ];
  for (const each of controllers) await each.fetch(TodoResource.get, { id: 1 });
  controllers[0]?.start();
  controllers[1]?.start();

  await world.pass(5_000);
  await world.pass(RETENTION_MS * 4);
  expect(controllers.map((each) => each.size > 0)).toEqual([false, true, true]);
  for (const each of controllers) each.stop();
});

test('data with a longer retention than a platform timer can wait is not collected at once', async () => {
  const world = new FakeWorld();
  // as platforms do it
  const set = (run: () => void, delayMs: number) =>
    world.time.timers.set(run, delayMs > 2_147_483_647 ? 1 : delayMs);
  const controller = new Controller({
    ...world.options,
    timers: { ...world.time.timers, set },
    retentionMs: 30 * 86_400_000,
  });
  controller.start();
  await controller.set(User, { id: 1 }, { id: 1, name: 'Ada' });

  await world.pass(60_000);

  expect(controller.get(User, { id: 1 })?.name).toBe('Ada');
  controller.stop();
});
