// The reach of `invalidateAll` and `expireAll`: every response of an endpoint, whatever its source, and no other.
import {
  Controller,
  createResource,
  dehydrate,
  Endpoint,
  Entity,
  ExpiryStatus,
  hydrate,
  RestEndpoint,
  savedState,
  testKey,
} from 'holdfast';
import type { AnyReadEndpoint, EndpointArgs } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}
class Note extends Entity {
  static override key = 'Note';
  id = 0;
}

const urlPrefix = 'https://api.example.com';
const create = () =>
  createResource({
    urlPrefix,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { group?: string } | undefined,
    paginationField: 'cursor',
  });
const TodoResource = create();

/** Responds with the row, or the rows, of an address; `/broken` fails. */
async function fetch(address: string): Promise<Response> {
  const { pathname, searchParams } = new URL(address);
  if (pathname.endsWith('/broken') || searchParams.get('cursor') === 'broken')
    return new Response(null, { status: 500 });
  const id = Number(/\d+$/.exec(pathname)?.[0] ?? 0);
  return Response.json(id > 0 ? { id } : [{ id: searchParams.has('cursor') ? 2 : 1 }]);
}
const createController = () => new Controller({ fetch });

const isInvalid = <E extends AnyReadEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: EndpointArgs<E>
): boolean => controller.getResponse(endpoint, ...args).expiryStatus === ExpiryStatus.Invalid;

/** The state of a controller as a page or a storage keeps it. */
const saved = (controller: Controller): string => JSON.stringify(dehydrate(controller));

/** A controller, and another one with its saved state. */
async function twice(fill: (controller: Controller) => Promise<unknown>) {
  const [first, restored] = [createController(), createController()];
  await fill(first);
  hydrate(restored, saved(first));
  return { first, restored };
}

describe('all arguments of an endpoint', () => {
  test('invalidateAll reaches each response, and no other member of the resource', async () => {
    const controller = createController();
    await controller.fetch(TodoResource.get, { id: 1 });
    await controller.fetch(TodoResource.get, { id: 2 });
    await controller.fetch(TodoResource.getList);

    controller.invalidateAll(TodoResource.get);

    expect(isInvalid(controller, TodoResource.get, { id: 1 })).toBe(true);
    expect(isInvalid(controller, TodoResource.get, { id: 2 })).toBe(true);
    expect(isInvalid(controller, TodoResource.getList)).toBe(false);
  });

  test('expireAll reaches each response, and the data is still shown', async () => {
    const controller = createController();
    await controller.fetch(TodoResource.getList);
    await controller.fetch(TodoResource.getList, { group: 'a' });

    controller.expireAll(TodoResource.getList);

    for (const params of [{}, { group: 'a' }]) {
      const { data, expiresAt } = controller.getResponse(TodoResource.getList, params);
      expect([data?.length, expiresAt]).toEqual([1, 0]);
    }
  });

  test('responses that were written directly, and failures, are reached too', async () => {
    const controller = createController();
    await controller.setResponse(TodoResource.get, { id: 1 }, { id: 1 });
    await controller.resolve(TodoResource.get, { args: [{ id: 2 }], response: { id: 2 } });
    await controller.setError(TodoResource.get, { id: 3 }, new Error('no'));

    controller.invalidateAll(TodoResource.get);

    expect(isInvalid(controller, TodoResource.get, { id: 1 })).toBe(true);
    expect(isInvalid(controller, TodoResource.get, { id: 2 })).toBe(true);
    expect(controller.getError(TodoResource.get, { id: 3 })).toBeUndefined();
  });

  test('rows that came with a list are reached where the endpoint has been requested for them', async () => {
    const controller = createController();
    await controller.fetch(TodoResource.getList);
    expect(controller.getResponse(TodoResource.get, { id: 1 }).data).toBeInstanceOf(Todo);

    controller.invalidateAll(TodoResource.get);

    expect(isInvalid(controller, TodoResource.get, { id: 1 })).toBe(true);
  });

  test('a request that is in flight does not make its response fresh', async () => {
    const controller = createController();
    const asked = controller.fetch(TodoResource.get, { id: 1 });

    controller.invalidateAll(TodoResource.get);
    await asked;

    expect(isInvalid(controller, TodoResource.get, { id: 1 })).toBe(true);
  });

  test('reads with a body are distinguished from those of another address', async () => {
    const controller = createController();
    const search = new RestEndpoint({ urlPrefix, path: '/search', method: 'POST', sideEffect: false });
    const find = search.extend({ path: '/find' });
    await controller.fetch(search, { text: 'milk and bread' });
    await controller.fetch(find, { text: 'milk and bread' });

    controller.invalidateAll(search);

    expect(isInvalid(controller, search, { text: 'milk and bread' })).toBe(true);
    expect(isInvalid(controller, find, { text: 'milk and bread' })).toBe(false);
  });

  test('an endpoint around a function is identified by its name', async () => {
    const controller = createController();
    const getRate = new Endpoint(async (currency: string) => currency.length, { name: 'getRate' });
    const getRates = getRate.extend({ name: 'getRates' });
    await controller.fetch(getRate, 'EUR');
    await controller.fetch(getRates, 'EUR');

    controller.invalidateAll(getRate);

    expect(isInvalid(controller, getRate, 'EUR')).toBe(true);
    expect(isInvalid(controller, getRates, 'EUR')).toBe(false);
  });
});

describe('equal endpoints', () => {
  const other = create();
  test.each([
    ['extended with another expiry time', TodoResource.get.extend({ dataExpiryLength: 5 })],
    ['extended with a signal', TodoResource.get.extend({ signal: new AbortController().signal })],
    ['extended with headers', TodoResource.get.extend({ requestInit: { headers: { token: 'a' } } })],
    ['extended with another name', TodoResource.get.extend({ name: 'getTodo' })],
    ['of another resource of the same address', other.get],
    ['built on their own', new RestEndpoint({ urlPrefix, path: '/todos/:id', schema: Todo })],
    ['with a slash at the end of the prefix', TodoResource.get.extend({ urlPrefix: `${urlPrefix}/` })],
  ])('responses of endpoints %s are reached, both ways', async (_, equal) => {
    const controller = createController();
    await controller.fetch(equal, { id: 1 });
    controller.invalidateAll(TodoResource.get);
    expect(isInvalid(controller, equal, { id: 1 })).toBe(true);

    await controller.fetch(TodoResource.get, { id: 2 });
    controller.invalidateAll(equal);
    expect(isInvalid(controller, TodoResource.get, { id: 2 })).toBe(true);
  });

  test('the name of a parameter does not matter', async () => {
    const controller = createController();
    const get = new RestEndpoint({ urlPrefix, path: '/todos/:todoId', schema: Todo });
    await controller.fetch(get, { todoId: 1 });

    controller.invalidateAll(TodoResource.get);

    expect(isInvalid(controller, get, { todoId: 1 })).toBe(true);
  });

  test('an endpoint with a query part in its path does not reach the list at the same address, nor the reverse', async () => {
    const controller = createController();
    const { getList } = TodoResource;
    const getOpen = getList.extend({ path: '/todos?status=:status', schema: getList.schema });
    await controller.fetch(getOpen, { status: 'open' });
    await controller.fetch(getList);

    controller.invalidateAll(getOpen);
    expect(isInvalid(controller, getList)).toBe(false);
    await controller.fetch(getOpen, { status: 'open' });
    controller.invalidateAll(getList);
    expect(isInvalid(controller, getOpen, { status: 'open' })).toBe(false);
    controller.invalidateAll({ testKey: (key) => testKey(getList, key) });
    expect(isInvalid(controller, getOpen, { status: 'open' })).toBe(true);
  });

  test('an address that another path gives too is reached by `testKey`, which adds its matcher', async () => {
    const { get, getList } = TodoResource;
    const pinned = get.extend({ path: '/todos/1' });
    const getOpen = getList.extend({ path: '/todos?group=:group', schema: getList.schema });
    const { first, restored } = await twice(async (controller) => {
      await controller.fetch(pinned);
      await controller.fetch(getList, { group: 'a' });
    });

    for (const controller of [first, restored]) {
      controller.invalidateAll(get);
      expect(isInvalid(controller, pinned)).toBe(false);
      for (const endpoint of [get, getOpen])
        controller.invalidateAll({ testKey: (key) => testKey(endpoint, key) });

      expect(isInvalid(controller, get, { id: 1 })).toBe(true);
      expect(isInvalid(controller, pinned)).toBe(true);
      expect(isInvalid(controller, getOpen, { group: 'a' })).toBe(true);
    }
  });

  test('a response that two endpoints share is reached by both', async () => {
    const { get } = TodoResource;
    const pinned = get.extend({ path: '/todos/1' });
    const controller = createController();
    for (const endpoint of [get, pinned]) {
      await controller.fetch(get, { id: 1 });
      await controller.fetch(pinned);
      controller.invalidateAll(endpoint);
      expect(isInvalid(controller, get, { id: 1 })).toBe(true);
    }
  });

  test('an endpoint with a custom url() reaches its own responses', async () => {
    const get = TodoResource.get.extend({ url: () => `${urlPrefix}/v2/todos/1` });
    const { first, restored } = await twice((controller) => controller.fetch(get, { id: 1 }));

    for (const controller of [first, restored]) {
      controller.invalidateAll(get);
      expect(isInvalid(controller, get, { id: 1 })).toBe(true);
    }
  });

  test.each([
    ['another method', TodoResource.get.extend({ method: 'POST', sideEffect: false, body: undefined })],
    ['another host', TodoResource.get.extend({ urlPrefix: 'https://other.example.com' })],
    ['another path', TodoResource.get.extend({ path: '/archive/:id' })],
    ['a longer path', TodoResource.get.extend({ path: '/todos/:id/1' })],
    ['another schema', TodoResource.get.extend({ schema: Note })],
    ['no schema', TodoResource.get.extend({ schema: undefined })],
    ['another content', TodoResource.get.extend({ schema: undefined, content: 'text' })],
  ])('an endpoint with %s is another endpoint', async (_, different) => {
    const controller = createController();
    await controller.fetch(TodoResource.get, { id: 1 });

    controller.invalidateAll(different as typeof TodoResource.get);

    expect(isInvalid(controller, TodoResource.get, { id: 1 })).toBe(false);
  });
});

describe('pages', () => {
  const { getList } = TodoResource;

  test('a list is reached together with the pages that extend it', async () => {
    const controller = createController();
    await controller.fetch(getList, {});
    await controller.fetch(getList.getPage, { cursor: 'b' });
    expect(controller.getResponse(getList, {}).data).toHaveLength(2);

    controller.invalidateAll(getList);

    expect(isInvalid(controller, getList, {})).toBe(true);
  });

  test('pages reach the list that they extend', async () => {
    const controller = createController();
    await controller.fetch(getList);
    await controller.fetch(getList.getPage, { cursor: 'b' });

    controller.invalidateAll(getList.getPage);

    expect(isInvalid(controller, getList)).toBe(true);
  });

  test('a page that failed before its list was requested is reached by the list', async () => {
    const controller = createController();
    await failureOf(controller.fetch(getList.getPage, { cursor: 'broken' }));

    controller.invalidateAll(getList);

    expect(controller.getError(getList, {})).toBeUndefined();
  });
});

describe('restored responses', () => {
  async function restore(fill: (controller: Controller) => Promise<unknown>): Promise<Controller> {
    const first = createController();
    await fill(first);
    const second = createController();
    hydrate(second, saved(first));
    return second;
  }

  test('are reached before they have been requested', async () => {
    const controller = await restore((first) => first.fetch(TodoResource.get, { id: 1 }));

    controller.invalidateAll(TodoResource.get);

    expect(isInvalid(controller, TodoResource.get, { id: 1 })).toBe(true);
  });

  test('are reached by an endpoint that was created again, as after a reload', async () => {
    const controller = await restore((first) => first.fetch(TodoResource.getList, { group: 'a' }));
    const { get, getList } = create();

    controller.invalidateAll(get);
    expect(isInvalid(controller, getList, { group: 'a' })).toBe(false);
    controller.expireAll(getList);
    expect(controller.getResponse(getList, { group: 'a' }).expiresAt).toBe(0);
  });

  test('include lists with pages and failures', async () => {
    const broken = new RestEndpoint({ urlPrefix, path: '/broken' });
    const controller = await restore(async (first) => {
      await first.fetch(TodoResource.getList);
      await first.fetch(TodoResource.getList.getPage, { cursor: 'b' });
      await failureOf(first.fetch(broken));
    });

    controller.invalidateAll(TodoResource.getList);
    controller.invalidateAll(broken);

    expect(isInvalid(controller, TodoResource.getList)).toBe(true);
    expect(controller.getError(broken)).toBeUndefined();
  });

  test('are reached after a second round trip through a storage', async () => {
    const once = await restore((first) => first.fetch(TodoResource.get, { id: 1 }));
    const twice = new Controller({ fetch, initialState: savedState(saved(once)) });

    twice.invalidateAll(TodoResource.get);

    expect(isInvalid(twice, TodoResource.get, { id: 1 })).toBe(true);
  });

  test('are reached by their endpoint around a function', async () => {
    const getRate = new Endpoint(async (currency: string) => currency.length, { name: 'getRate' });
    const controller = await restore((first) => first.fetch(getRate, 'EUR'));

    controller.invalidateAll(getRate);

    expect(isInvalid(controller, getRate, 'EUR')).toBe(true);
  });
});

describe('are reached by a custom testKey', () => {
  const isOdd = (key: string): boolean => /[13579] /.test(key);
  class Odd extends RestEndpoint {
    override testKey(key: string): boolean {
      return isOdd(key);
    }
  }

  test.each([
    ['an option', TodoResource.get.extend({ testKey: isOdd })],
    ['a method of a subclass', new Odd({ urlPrefix, path: '/todos/:id', schema: Todo })],
    ['an object that is no endpoint', { testKey: isOdd }],
  ])('as %s', async (_, group) => {
    const first = createController();
    for (const id of [1, 2, 3]) await first.fetch(TodoResource.get, { id });
    const restored = createController();
    hydrate(restored, saved(first));

    for (const controller of [first, restored]) {
      controller.invalidateAll(group);

      const reached = [1, 2, 3].filter((id) => isInvalid(controller, TodoResource.get, { id }));
      expect(reached).toEqual([1, 3]);
    }
  });
});
