// The table of docs/lists.md: the request of a creation and the stored row decide whether the row enters a list, and whether the
// list counts as fresh.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Category extends Entity {
  static override key = 'Category';
  id = 0;
}
class Product extends Entity {
  static override key = 'Product';
  id = 0;
  name = '';
  inStock = false;
  category: Category | undefined = undefined;
  static override schema = { category: Category };
}

type Args = Record<string, string | number | boolean>;

/** Two lists are loaded, empty; `created` is the response to a creation. */
async function start(args: Args, more: object = {}) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const {
    getList,
    partialUpdate,
    get,
    delete: remove,
  } = createResource({
    urlPrefix: server.url,
    path: '/products/:id',
    schema: Product,
    searchParams: {} as Args,
    body: {} as Record<string, unknown>,
    ...more,
  });
  server.on('GET', '/products', { body: [] });
  await controller.fetch(getList, args);
  const ids = () => controller.getResponse(getList, args).data?.map(({ id }) => id) ?? [];
  const end = () => {
    const isIn = ids().includes(9);
    const isFresh = controller.getResponse(getList, args).expiresAt > world.time.clock.now();
    return `${isIn ? 'in' : 'not in'}, ${isFresh ? 'fresh' : 'stale'}`;
  };
  return { server, controller, getList, partialUpdate, get, remove, end };
}

interface Case {
  readonly name: string;
  readonly list: Args;
  readonly sent: Record<string, unknown>;
  readonly row: object;
  readonly end: string;
  readonly more?: object;
}

const cases: readonly Case[] = [
  {
    name: 'a list whose key matches the request and the row',
    list: { inStock: true },
    sent: { inStock: true },
    row: { inStock: true },
    end: 'in, fresh',
  },
  {
    name: 'a list whose key matches the request and is no field of the row',
    list: { vendor: 'a' },
    sent: { vendor: 'a' },
    row: {},
    end: 'in, fresh',
  },
  {
    name: 'a list whose key matches the request and not the row',
    list: { inStock: true },
    sent: { inStock: true },
    row: { inStock: false },
    end: 'in, stale',
  },
  {
    name: 'a list whose key matches the row and is not in the request',
    list: { inStock: true },
    sent: {},
    row: { inStock: true },
    end: 'in, fresh',
  },
  {
    name: 'a list whose key matches a nested entity of the row, which the request names otherwise',
    list: { category: 5 },
    sent: { category_id: 5 },
    row: { category: { id: 5 } },
    end: 'in, fresh',
  },
  {
    name: 'a list whose key matches the row and not the request',
    list: { inStock: true },
    sent: { inStock: false },
    row: { inStock: true },
    end: 'in, fresh',
  },
  {
    name: 'a list whose key is a search and no field of the row',
    list: { q: 'x' },
    sent: {},
    row: { inStock: true },
    end: 'not in, stale',
  },
  {
    name: 'a list whose key matches the row and has a limit',
    list: { inStock: true, limit: 10 },
    sent: {},
    row: { inStock: true },
    end: 'not in, stale',
  },
  {
    name: 'a list whose key does not match the row and has a limit',
    list: { inStock: false, limit: 10 },
    sent: {},
    row: { inStock: true },
    end: 'not in, fresh',
  },
  {
    name: 'a list whose key matches neither the request nor the row',
    list: { inStock: false },
    sent: {},
    row: { inStock: true },
    end: 'not in, fresh',
  },
];

describe.each(cases)('$name', ({ list, sent, row, end }) => {
  const created = { id: 9, name: 'n', ...row };

  test(`a creation has this effect on the list: ${end}`, async () => {
    const started = await start(list);
    started.server.on('POST', '/products', { status: 201, body: created });
    await started.controller.fetch(started.getList.push, sent as never); // cast: the body is loose here
    expect(started.end()).toBe(end);
  });

  test(`a response that is written directly has this effect on the list: ${end}`, async () => {
    const started = await start(list);
    await started.controller.setResponse(started.getList.push, sent as never, created as never); // cast: as above
    expect(started.end()).toBe(end);
  });

  test(`a list that was requested before the creation ends: ${end}`, async () => {
    const started = await start(list);
    const { server, controller, getList } = started;
    server.on('POST', '/products', { status: 201, body: created });
    const held = server.hold('GET', '/products*');
    const reading = controller.fetch(getList, list);
    const request = await held.next();
    held.stop();
    await controller.fetch(getList.push, sent as never); // cast: as above
    request.release({ body: [] });
    await reading;
    expect(started.end()).toBe(end);
  });
});

test('a list whose membership the server decides gets rows that match the request, and is stale', async () => {
  class ServersList<S extends readonly unknown[]> extends schema.Collection<S> {
    constructor(of: S, options: object) {
      super(of, { ...options, membership: 'server' });
    }
  }
  const started = await start({ inStock: true }, { Collection: ServersList });
  started.server.on('POST', '/products', { status: 201, body: { id: 9, name: 'n', inStock: true } });
  await started.controller.fetch(started.getList.push, { inStock: true } as never); // cast: as above
  expect(started.end()).toBe('in, stale');
});

test('a list that the server fills by another rule gets rows that match the request, and is stale', async () => {
  const started = await start({ inStock: true });
  const { server, controller, getList } = started;
  server.on('GET', '/products', { body: [{ id: 1, name: 'a', inStock: false }] });
  await controller.fetch(getList, { inStock: true });
  server.on('POST', '/products', { status: 201, body: { id: 9, name: 'n', inStock: true } });
  await controller.fetch(getList.push, { inStock: true } as never); // cast: as above
  expect(started.end()).toBe('in, stale');
});

describe.each<[string, Args, object, object, string]>([
  [
    'a field begins to match every entry of the key',
    { inStock: true },
    { inStock: false },
    { inStock: true },
    'in, fresh',
  ],
  [
    'a field begins to match, and an entry of the key is no field (limit)',
    { inStock: true, limit: 5 },
    { inStock: false },
    { inStock: true },
    'not in, stale',
  ],
  [
    'a field begins to match, and an entry of the key is no field (search)',
    { inStock: true, q: 'x' },
    { inStock: false },
    { inStock: true },
    'not in, stale',
  ],
  [
    'a changed field cannot be compared with a search',
    { q: 'x' },
    { name: 'n' },
    { name: 'x' },
    'not in, stale',
  ],
  [
    'a field still does not match',
    { inStock: true, limit: 5 },
    { inStock: false, name: 'n' },
    { name: 'x' },
    'not in, fresh',
  ],
])('%s', (_name, list, before, change, end) => {
  test.each(['response', 'set'])(`an update by %s has this effect on the list: ${end}`, async (way) => {
    const started = await start(list);
    const { server, controller, get, partialUpdate } = started;
    server.on('GET', '/products/9', { body: { id: 9, ...before } });
    await controller.fetch(get, { id: 9 } as never); // cast: as above
    server.on('PATCH', '/products/9', { body: { id: 9, ...before, ...change } });
    if (way === 'set') await controller.set(Product, { id: 9 }, change as never); // cast: as above
    else await controller.fetch(partialUpdate, { id: 9 } as never, change as never); // cast: as above
    expect(started.end()).toBe(end);
  });
});

test.each<[string, Args, object, string]>([
  ['matches every entry of the key', { inStock: true }, { inStock: true }, 'in, fresh'],
  [
    'cannot be compared with every entry of the key',
    { inStock: true, limit: 5 },
    { inStock: true },
    'not in, stale',
  ],
  ['does not match the key', { inStock: true, limit: 5 }, { inStock: false }, 'not in, fresh'],
])(
  'a row that is created by `set` and %s has the declared effect on the list',
  async (_name, list, row, end) => {
    const started = await start(list);
    await started.controller.set(Product, { id: 9, name: 'n', ...row } as never); // cast: as above
    expect(started.end()).toBe(end);
  },
);

test('a row that no longer matches leaves a list with a key entry that is no field, and the list is stale', async () => {
  const started = await start({ inStock: true, limit: 5 });
  const { server, controller, getList, partialUpdate } = started;
  server.on('GET', '/products', { body: [{ id: 9, name: 'n', inStock: true }] });
  await controller.fetch(getList, { inStock: true, limit: 5 });
  expect(started.end()).toBe('in, fresh');
  server.on('PATCH', '/products/9', { body: { id: 9, name: 'n', inStock: false } });
  await controller.fetch(partialUpdate, { id: 9 } as never, { inStock: false } as never); // cast: as above
  expect(started.end()).toBe('not in, stale');
});

test.each<[string, Args, string]>([
  ['is stale behind a limit', { inStock: true, limit: 1 }, 'not in, stale'],
  ['is fresh where every entry is a field', { inStock: true }, 'not in, fresh'],
])('a list that a deleted row leaves %s', async (_name, list, end) => {
  const started = await start(list, { optimistic: true });
  const { server, controller, getList } = started;
  server.on('GET', '/products', { body: [{ id: 9, name: 'n', inStock: true }] });
  await controller.fetch(getList, list);
  server.on('DELETE', '/products/9', { status: 204 });
  await controller.fetch(started.remove, { id: 9 } as never); // cast: as above
  expect(started.end()).toBe(end);
});

test('a list with a limit is stale whose response was requested before one of its rows was deleted', async () => {
  const list = { inStock: true, limit: 2 };
  const started = await start(list);
  const { server, controller, getList } = started;
  const { fetchedAt } = controller.snapshot();
  server.on('DELETE', '/products/9', { status: 204 });
  await controller.fetch(started.remove, { id: 9 } as never); // cast: as above
  const response = [9, 8].map((id) => ({ id, name: 'n', inStock: true }));
  await controller.resolve(getList, { args: [list], response, fetchedAt });
  expect(controller.getResponse(getList, list).data?.map(({ id }) => id)).toEqual([8]);
  expect(started.end()).toBe('not in, stale');
});
