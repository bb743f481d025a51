// What endpoints promise in half a sentence: which methods change something, whose keys are whose, which lists are whose.
import { Collection, Controller, createResource, Endpoint, Entity, RestEndpoint, testKey } from 'holdfast';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
class Note extends Entity {
  static override key = 'Note';
  id = '';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.on('*', '/*', ({ method }) => ({ body: method === 'GET' ? [] : { id: '1' } }));
});
beforeEach(() => server.forget());
afterAll(() => server.close());

const titles = (items: readonly { readonly title?: string }[] | undefined): unknown =>
  items?.map(({ title }) => title);

test.each([
  ['GET', undefined, undefined],
  ['HEAD', undefined, undefined],
  ['QUERY', undefined, { q: 1 }],
  ['POST', true, { q: 1 }],
  ['PUT', true, { q: 1 }],
  ['PATCH', true, { q: 1 }],
  ['DELETE', true, undefined],
] as const)('%s is a mutation: %s; its second argument is sent: %j', async (method, sideEffect, body) => {
  const endpoint = new RestEndpoint({ urlPrefix: server.url, path: '/things/:id', method });

  await (endpoint as unknown as (params: object, body: object) => Promise<unknown>)({ id: 1 }, { q: 1 }); // cast: whatever the method

  expect(endpoint.sideEffect).toBe(sideEffect);
  expect(server.requests.map((request) => [request.method, request.body])).toEqual([[method, body]]);
});

test('OPTIONS is a read, and sends a body only where the option requires it', () => {
  const options = new RestEndpoint({ path: '/things', method: 'OPTIONS' });
  const bodied = options.extend({ body: {} as object });

  expect([options.sideEffect, bodied.sideEffect]).toEqual([undefined, undefined]);
  expect([options, bodied].map((each) => each.splitArgs([{}, { a: 1 }]).body)).toEqual([undefined, { a: 1 }]);
});

const own = { 'X-Tenant': 'a', 'content-type': 'application/merge-patch+json' };

test.each([
  ['an object', own],
  ['pairs', Object.entries(own)],
  ['Headers', new Headers(own)],
])('headers of requestInit may be %s, and keep their own content type', async (_form, headers) => {
  const endpoint = new RestEndpoint({
    urlPrefix: server.url,
    path: '/things',
    method: 'PATCH',
    requestInit: { headers },
  });

  await endpoint({ a: 1 });

  expect(server.requests[0]?.headers).toMatchObject({
    'x-tenant': 'a',
    'content-type': 'application/merge-patch+json',
    accept: 'application/json',
  });
});

test('testKey calls the custom testKey of an endpoint, whatever its class', () => {
  const rest = new RestEndpoint({ path: '/todos/:id' }).extend({ testKey: (key) => key === 'mine' });
  const plain = new Endpoint(async (id: string) => id, { name: 'plain' });

  expect([testKey(rest, 'mine'), testKey(rest, rest.key({ id: 1 }))]).toEqual([true, false]);
  expect([testKey(plain, plain.key('1')), testKey(plain, 'other ["1"]')]).toEqual([true, false]);
});

test('a key follows an accessor of the path', () => {
  let version = 1;
  class Versioned extends RestEndpoint {
    override get path(): string {
      return `/v${version}/things/:id`;
    }
  }
  const endpoint = new Versioned({} as { path: string }); // cast: an option would go before the accessor

  expect(endpoint.key({ id: 1 })).toBe('GET /v1/things/1');
  version = 2;
  expect(endpoint.key({ id: 1 })).toBe('GET /v2/things/1');
});

test('an undefined argument of an endpoint around a function counts where another argument follows it', () => {
  const find = new Endpoint(async (_first?: string, _second?: string) => null, { name: 'find' });

  expect(find.key(undefined, 'a')).not.toBe(find.key());
  expect(find.key(undefined, 'a')).not.toBe(find.key('a'));
  expect(find.key('a', undefined)).toBe(find.key('a'));
});

test('X-4 a list of another server is another list; a list with another expiry time is the same list', async () => {
  const { getList } = createResource({ urlPrefix: 'http://one.test', path: '/todos/:id', schema: Todo });
  const elsewhere = getList.extend({ urlPrefix: 'http://two.test' });
  const longer = getList.extend({ dataExpiryLength: 5 });
  const controller = new Controller();

  await controller.setResponse(getList, [{ id: '1', title: 'here' }]);
  await controller.setResponse(elsewhere, [{ id: '2', title: 'there' }]);

  expect(titles(controller.getResponse(getList).data)).toEqual(['here']);
  expect(titles(controller.getResponse(elsewhere).data)).toEqual(['there']);
  expect(controller.get(longer.schema, {})).toBe(controller.get(getList.schema, {}));
});

test('lists of different rows at one address do not share a slot', () => {
  const list = (entity: typeof Todo | typeof Note): string =>
    new RestEndpoint({ path: '/all', schema: new Collection([entity]) }).key();

  expect(list(Todo)).not.toBe(list(Note));
  expect(list(Todo)).toBe(list(Todo));
});

test('a creation around a function enters the lists that its first argument identifies', async () => {
  const controller = new Controller();
  const list = new Collection([Todo]);
  const read = new Endpoint(async (_params: { team: string }) => [] as object[], {
    name: 'read',
    schema: list,
  });
  const create = new Endpoint(
    async (_params: { team: string }, _body: object) => ({ id: '1', title: 'new' }),
    {
      name: 'create',
      schema: list.push,
      sideEffect: true,
    },
  );
  for (const team of ['red', 'blue']) await controller.fetch(read, { team });

  await controller.fetch(create, { team: 'red' }, { title: 'new' });

  expect(titles(controller.getResponse(read, { team: 'red' }).data)).toEqual(['new']);
  expect(titles(controller.getResponse(read, { team: 'blue' }).data)).toEqual([]);
});

test('the error about an empty body with an announced length reports that it was cut short', async () => {
  const cut = new RestEndpoint({ path: '/cut', schema: Todo });
  const headers = { 'content-type': 'application/json', 'content-length': '10' };
  const controller = new Controller({ fetch: async () => new Response('', { headers }) });

  await expect(controller.fetch(cut)).rejects.toThrow('unreadably: cut');
});
