import { afterEach, expect, test, vi } from 'vitest';
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  HoldfastError,
  HttpError,
  inPages,
  isTimeoutError,
  RestEndpoint,
  RetryManager,
} from 'holdfast';
import { applyFixtures, createMockController, MockManager } from 'holdfast/testing';

class Todo extends Entity {
  id = '';
  title = '';
  votes = 0;
  static override key = 'Todo';
}

afterEach(() => {
  vi.useRealTimers();
});

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, urlPrefix: 'https://nowhere.test' });
const milk = { id: '1', title: 'milk', votes: 0 };

test('a fixture responds to exactly its call', async () => {
  const { controller } = createMockController({
    fixtures: [
      { endpoint: TodoResource.get, args: [{ id: '1' }], response: milk },
      { endpoint: TodoResource.get, args: [{ id: '2' }], response: { ...milk, id: '2', title: 'bread' } },
    ],
  });

  expect((await controller.fetch(TodoResource.get, { id: 1 })).title).toBe('milk');
  expect((await controller.fetch(TodoResource.get, { id: '2' })).title).toBe('bread');
  expect(controller.get(Todo, { id: '1' })).toBeInstanceOf(Todo);
});

test('a fixture of a list responds to its first page, also where that page is sent with its token', async () => {
  const getList = TodoResource.getList.extend({
    paginationField: 'page',
    pages: inPages({ by: 'number', sendFirst: true }),
  });
  const { controller } = createMockController({
    fixtures: [
      { endpoint: getList, args: [], response: [milk] },
      { endpoint: getList.getPage, args: [{ page: '2' }], response: [] },
    ],
  });

  const [todo] = await controller.fetch(getList);

  expect(todo?.title).toBe('milk');
});

/** A `fetch` that responds to every request, and the URLs that it was given. */
function recordedNetwork() {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    return Response.json({ id: '3', title: 'real' });
  };
  return { urls, fetch };
}

const getMilk = { endpoint: TodoResource.get, args: [{ id: '1' }], response: milk } as const;

test('a call without a fixture fails with its name, its arguments and the nearest fixture', async () => {
  const { urls, fetch } = recordedNetwork();
  const { controller } = createMockController({
    fixtures: [
      { endpoint: TodoResource.getList, response: () => [milk] },
      { ...getMilk, args: [{ id: '1205' }] },
      getMilk,
    ],
    fetch,
  });

  const error: unknown = await controller
    .fetch(TodoResource.get, { id: '3' })
    .catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(HoldfastError);
  expect(error).toMatchObject({
    code: 'FIXTURE_MISSING',
    params: { call: 'Todo.get({"id":"3"})', nearest: 'Todo.get({"id":"1"})' },
  });
  expect(String(error)).toContain('Todo.get({"id":"3"})');
  expect(String(error)).toContain('Todo.get({"id":"1"})');
  expect(urls).toEqual([]);
});

test.each([
  {
    title: 'one of the same endpoint, however different its arguments are',
    fixtures: [
      { ...getMilk, args: [{ id: 'a-very-long-id' }] },
      { endpoint: TodoResource.getList, response: () => [] },
    ],
    nearest: 'Todo.get({"id":"a-very-long-id"})',
  },
  {
    title: 'else the one whose call is spelled most alike',
    fixtures: [
      { endpoint: TodoResource.partialUpdate, response: () => milk },
      { endpoint: TodoResource.getList, args: [{ id: '3' }], response: [] },
    ],
    nearest: 'Todo.getList({"id":"3"})',
  },
  {
    title: 'an interceptor without its arguments',
    fixtures: [{ endpoint: TodoResource.delete, response: () => milk }],
    nearest: 'Todo.delete(…)',
  },
  { title: 'none where the list is empty', fixtures: [], nearest: undefined },
  {
    title: 'the request where another endpoint has the same name',
    fixtures: [
      {
        endpoint: TodoResource.get.extend({ urlPrefix: 'https://else.test' }),
        args: [{ id: '3' }] as const,
        response: milk,
      },
    ],
    nearest: 'GET https://else.test/todos/3 Todo',
  },
])('the nearest fixture is $title', async ({ fixtures, nearest }) => {
  const { controller } = createMockController({ fixtures });

  await expect(controller.fetch(TodoResource.get, { id: '3' })).rejects.toMatchObject({
    code: 'FIXTURE_MISSING',
    params: { nearest },
  });
});

test('the error of a call with a long body has the start of the body only', async () => {
  const { controller } = createMockController({ fixtures: [] });

  const error = await controller
    .fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'x'.repeat(10_000) })
    .catch((thrown: unknown) => thrown);

  expect(String(error)).toMatch(/Todo\.partialUpdate\(\{"id":"1"\},\{"title":"xxx/);
  expect(String(error).length).toBeLessThan(700);
});

test('a mutation, an endpoint of any function and a list without a fixture fail too, and none is tried again', async () => {
  let calls = 0;
  const double = new Endpoint(async (value: number) => (calls += value), { name: 'double' });
  const { controller } = createMockController({
    fixtures: [getMilk],
    managers: [new RetryManager({ delayMs: 1 })],
  });

  for (const call of [
    () => controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'tea' }),
    () => controller.fetch(double, 2),
    () => controller.fetch(TodoResource.getList),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'FIXTURE_MISSING' });
  expect(calls).toBe(0);
});

test('a call without a fixture uses the network where `unmatched` says so', async () => {
  const { urls, fetch } = recordedNetwork();
  const { controller } = createMockController({ fixtures: [getMilk], unmatched: 'network', fetch });

  expect((await controller.fetch(TodoResource.get, { id: '1' })).title).toBe('milk');
  expect((await controller.fetch(TodoResource.get, { id: '3' })).title).toBe('real');
  expect(urls).toEqual(['https://nowhere.test/todos/3']);
});

test('every call uses the network where no fixtures are given, unless `unmatched` says otherwise', async () => {
  const { urls, fetch } = recordedNetwork();
  const initialFixtures = [getMilk];
  const open = createMockController({ initialFixtures, fetch }).controller;
  const closed = createMockController({ initialFixtures, unmatched: 'error', fetch }).controller;

  expect((await open.fetch(TodoResource.get, { id: '3' })).title).toBe('real');
  await expect(closed.fetch(TodoResource.get, { id: '3' })).rejects.toMatchObject({
    code: 'FIXTURE_MISSING',
  });
  expect(urls).toEqual(['https://nowhere.test/todos/3']);
});

test('fixtures that are given later count as given', async () => {
  const { urls, fetch } = recordedNetwork();
  const { controller, network } = createMockController({ fetch });
  await controller.fetch(TodoResource.get, { id: '3' });

  network.replace([getMilk]);

  await expect(controller.fetch(TodoResource.get, { id: '3' })).rejects.toMatchObject({
    code: 'FIXTURE_MISSING',
  });
  expect(urls).toHaveLength(1);
});

test('an error fixture fails with the error, or with the status and body', async () => {
  const { controller } = createMockController({
    fixtures: [
      { endpoint: TodoResource.get, args: [{ id: '1' }], response: new Error('no luck'), error: true },
      {
        endpoint: TodoResource.get,
        args: [{ id: '2' }],
        response: { status: 422, body: { title: 'no' } },
        error: true,
      },
    ],
  });

  await expect(controller.fetch(TodoResource.get, { id: '1' })).rejects.toThrow('no luck');
  const error: unknown = await controller
    .fetch(TodoResource.get, { id: '2' })
    .catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ status: 422, problem: { title: 'no' } });
});

test('an error fixture with a message fails with that message, and one without a status with 500', async () => {
  const { controller } = createMockController({
    fixtures: [
      { endpoint: TodoResource.get, args: [{ id: '1' }], response: 'no luck', error: true },
      { endpoint: TodoResource.get, args: [{ id: '2' }], response: { body: { title: 'no' } }, error: true },
    ],
  });

  await expect(controller.fetch(TodoResource.get, { id: '1' })).rejects.toThrow(/^no luck$/);
  await expect(controller.fetch(TodoResource.get, { id: '2' })).rejects.toMatchObject({
    status: 500,
    problem: { title: 'no' },
  });
});

test('allSettled ends while timers are faked, and waits for requests that responses cause', async () => {
  vi.useFakeTimers();
  const { controller, network } = createMockController({
    fixtures: [{ endpoint: TodoResource.get, response: ({ id }: { id: string }) => ({ ...milk, id }) }],
  });
  const seen: string[] = [];
  const read = async (id: string): Promise<void> => {
    seen.push((await controller.fetch(TodoResource.get, { id })).id);
    if (id === '1') void read('2');
  };
  void read('1');

  await network.allSettled();

  expect(seen).toEqual(['1', '2']);
  expect(network.size).toBe(0);
}, 2_000);

test('an endpoint with a pollFrequency is polled, unless other managers serve it', async () => {
  let count = 0;
  const getCount = new RestEndpoint({ path: '/count', pollFrequency: 10 });
  const fixtures = [{ endpoint: getCount, response: () => (count += 1) }];
  const { controller } = createMockController({ fixtures });
  controller.start();
  controller.subscribe(getCount);
  await vi.waitFor(() => expect(count).toBeGreaterThan(1));
  controller.unsubscribe(getCount);
  controller.stop();

  const served: string[] = [];
  const own = { subscribe: ({ key }: { key: string }) => (served.push(key), () => undefined) };
  createMockController({ fixtures, managers: [own] }).controller.subscribe(getCount);
  expect(served).toHaveLength(1);

  // data of a socket does not change by itself
  createMockController({ fixtures }).controller.subscribe(TodoResource.get, { id: '1' });
});

test('interceptors respond to every call of an endpoint and share their data', async () => {
  const { controller, network } = createMockController({
    getInitialInterceptorData: () => ({ votes: 0 }),
    fixtures: [
      {
        endpoint: TodoResource.get,
        response({ id }: { id: string }) {
          return { id, title: `todo ${id}`, votes: this.votes };
        },
      },
      {
        endpoint: TodoResource.partialUpdate,
        async response({ id }: { id: string }, body: object) {
          this.votes += 1;
          return { id, ...body, votes: this.votes };
        },
      },
      {
        endpoint: TodoResource.delete,
        response() {
          throw new Error('not allowed');
        },
      },
    ],
  });

  await controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'tea' });
  await controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'tea' });

  expect(await controller.fetch(TodoResource.get, { id: '7' })).toMatchObject({ title: 'todo 7', votes: 2 });
  expect(network.data.votes).toBe(2);
  await expect(controller.fetch(TodoResource.delete, { id: '5' })).rejects.toThrow('not allowed');
  expect(controller.get(Todo, { id: '5' })?.title).toBe('tea');
});

test('an interceptor that replaces the server leaves the code of the endpoint in use', async () => {
  const get = new RestEndpoint({
    path: '/todos/:id',
    urlPrefix: 'https://nowhere.test',
    schema: Todo,
    process: (value: { title: string }) => ({ ...value, title: value.title.toUpperCase() }),
  });
  const sent: string[] = [];
  const { controller } = createMockController({
    fixtures: [
      {
        endpoint: get,
        fetchResponse(url: string, init: RequestInit) {
          sent.push(`${init.method} ${url}`);
          return url.endsWith('/9') ? new Response('', { status: 404 }) : milk;
        },
      },
    ],
  });

  expect((await controller.fetch(get, { id: '1' })).title).toBe('MILK');
  await expect(controller.fetch(get, { id: '9' })).rejects.toMatchObject({ status: 404 });
  expect(sent).toEqual(['GET https://nowhere.test/todos/1', 'GET https://nowhere.test/todos/9']);
});

test('a delay is before the response or, collapsed, before the response is made', async () => {
  let stock = 1;
  const { controller, network } = createMockController({
    fixtures: [
      {
        endpoint: TodoResource.get,
        response: ({ id }: { id: string }) => ({ id, votes: stock }),
        delay: 300,
      },
      {
        endpoint: TodoResource.getList,
        response: () => [{ id: '9', votes: stock }],
        delay: () => 300,
        delayCollapse: true,
      },
    ],
  });

  const made = controller.fetch(TodoResource.get, { id: '1' });
  const collapsed = controller.fetch(TodoResource.getList);
  await Promise.resolve();
  expect(network.size).toBe(2);
  await new Promise((next) => setTimeout(next, 10));
  stock = 2;
  await network.allSettled();

  expect((await made).votes).toBe(1);
  expect((await collapsed)[0]?.votes).toBe(2);
  expect(network.size).toBe(0);
});

test('requests are joined, timed out and stored as in an application', async () => {
  let calls = 0;
  const slow = TodoResource.get.extend({ timeoutMs: 20 });
  const { controller } = createMockController({
    fixtures: [
      { endpoint: slow, args: [{ id: '1' }], response: milk, delay: 5_000 },
      { endpoint: TodoResource.getList, response: () => [{ ...milk, votes: (calls += 1) }] },
    ],
  });

  const [first, second] = await Promise.all([
    controller.fetch(TodoResource.getList),
    controller.fetch(TodoResource.getList),
  ]);

  expect(second).toBe(first);
  expect(calls).toBe(1);
  expect(isTimeoutError(await controller.fetch(slow, { id: '1' }).catch((error: unknown) => error))).toBe(
    true,
  );
});

test('initial fixtures are there at once', () => {
  const { controller } = createMockController({
    initialFixtures: [
      { endpoint: TodoResource.getList, args: [], response: [milk] },
      { endpoint: TodoResource.get, args: [{ id: '9' }], response: new Error('gone'), error: true },
    ],
  });
  const other = new Controller({ managers: [new MockManager()] });
  applyFixtures(other, [{ endpoint: TodoResource.get, args: [{ id: '1' }], response: milk }]);

  expect(controller.get(Todo, { id: '1' })?.title).toBe('milk');
  expect(controller.getError(TodoResource.get, { id: '9' })?.message).toBe('gone');
  expect(other.get(Todo, { id: '1' })?.title).toBe('milk');
});

test('changes of a response by the application do not change the fixture', async () => {
  const response = { ...milk };
  const { controller } = createMockController({
    fixtures: [{ endpoint: TodoResource.get, args: [{ id: '1' }], response }],
  });

  await controller.fetch(TodoResource.get, { id: '1' });
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'changed' });

  expect(response).toEqual(milk);
});

test('an initial fixture with a status is the same failure as a requested one', () => {
  const { controller } = createMockController({
    initialFixtures: [
      { endpoint: TodoResource.get, args: [{ id: '2' }], response: { status: 422 }, error: true },
    ],
  });

  expect(controller.getError(TodoResource.get, { id: '2' })).toBeInstanceOf(HttpError);
  expect(controller.getError(TodoResource.get, { id: '2' })).toMatchObject({ status: 422 });
});

test('a fixture whose arguments make no request is refused at its declaration', () => {
  const fixtures = [{ endpoint: TodoResource.get, args: [{ idd: '1' }], response: milk }];

  expect(() => createMockController({ fixtures })).toThrow(/PATH_PARAM_MISSING/);
  const { network } = createMockController();
  expect(() => network.replace(fixtures)).toThrow(/PATH_PARAM_MISSING/);
});

test('a fixture for exact arguments takes precedence over one for any arguments, wherever it is in the list', async () => {
  const exact = { endpoint: TodoResource.get, args: [{ id: '1' }] as const, response: milk };
  const general = {
    endpoint: TodoResource.get,
    response: ({ id }: { id: string }) => ({ id, title: 'any', votes: 0 }),
  };
  for (const fixtures of [
    [exact, general],
    [general, exact],
  ]) {
    const { controller } = createMockController({ fixtures });
    expect((await controller.fetch(TodoResource.get, { id: '1' })).title).toBe('milk');
    expect((await controller.fetch(TodoResource.get, { id: '2' })).title).toBe('any');
  }
});
