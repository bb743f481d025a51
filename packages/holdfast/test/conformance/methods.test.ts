// Section H: the methods of RestEndpoint that a subclass, an option or extend() overrides, against a real server.
import { createResource, Entity, RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.on('*', '/*', ({ body }) => ({
    body: { id: '1', ...(body as object) },
    headers: { 'x-total': '42', link: '</todos?page=2>; rel="next"' },
  }));
});
beforeEach(() => server.forget());
afterAll(() => server.close());

test('H-1 getRequestInit transforms the body and adds options', async () => {
  const inits: RequestInit[] = [];
  class ShoutingEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      const loud = Object.fromEntries(
        Object.entries(body ?? {}).map(([name, value]) => [name.toUpperCase(), value]),
      );
      // oxlint-disable-next-line typescript/no-misused-spread, typescript/no-misused-promises -- sync, as getHeaders is
      return { ...super.getRequestInit(loud), credentials: 'same-origin' };
    }

    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      inits.push(init);
      return super.fetchResponse(url, init);
    }
  }
  const update = new ShoutingEndpoint({ urlPrefix: server.url, path: '/todos/:id', method: 'PUT' });

  await update({ id: 1 }, { title: 'x' });

  expect(server.requests[0]).toMatchObject({ method: 'PUT', body: { TITLE: 'x' } });
  expect(inits[0]).toMatchObject({ method: 'PUT', credentials: 'same-origin' });
});

test('H-1 an async override may await the method that it overrides', async () => {
  const base = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
  const update = base.update.extend({
    async getRequestInit(body?: unknown) {
      return {
        ...(await base.update.getRequestInit.call(this, { wrapped: body })),
        credentials: 'omit',
      } as const;
    },
  });

  await update({ id: 1 }, { title: 'x' });

  expect(server.requests[0]).toMatchObject({ method: 'PUT', body: { wrapped: { title: 'x' } } });
});

test('H-2 process gets the parsed response and the URL parameters', async () => {
  const getTodo = new RestEndpoint({
    urlPrefix: server.url,
    path: '/lists/:list/todos/:id',
    process(value: { id: string }, params: { list: string }) {
      return { ...value, list: params.list };
    },
  });
  expect(await getTodo({ list: 'work', id: 1 })).toEqual({ id: '1', list: 'work' });
});

test('H-2 process gets the URL parameters of a call with a body alone, too', async () => {
  const seen: unknown[] = [];
  const create = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos',
    method: 'POST',
    process(value: unknown, params: unknown, body: unknown) {
      seen.push(params, body);
      return value;
    },
  });
  await create({ title: 'x' });
  expect(seen).toEqual([{}, { title: 'x' }]);
});

test('H-3 parseResponse reads the response with its headers', async () => {
  class LinkEndpoint extends RestEndpoint {
    override async parseResponse(response: Response): Promise<unknown> {
      return { results: await super.parseResponse(response), link: response.headers.get('link') };
    }
  }
  const getTodos = new LinkEndpoint({ urlPrefix: server.url, path: '/todos' });
  expect(await getTodos()).toEqual({ results: { id: '1' }, link: '</todos?page=2>; rel="next"' });
});

test('H-4 fetchResponse gives access to the response and its headers', async () => {
  let total = 0;
  class CountingEndpoint extends RestEndpoint {
    override async fetchResponse(url: string, init?: RequestInit): Promise<Response> {
      const response = await super.fetchResponse(url, init);
      total = Number(response.headers.get('x-total'));
      return response;
    }
  }
  expect(await new CountingEndpoint({ urlPrefix: server.url, path: '/todos' })()).toEqual({ id: '1' });
  expect(total).toBe(42);
});

test('H-5 fetch carries all requests of every member', async () => {
  const calls: unknown[][] = [];
  class LoggedEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override async fetch(...args: readonly unknown[]): Promise<unknown> {
      calls.push([this.method, ...args]);
      return super.fetch(...args);
    }
  }
  const resource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    Endpoint: LoggedEndpoint,
  });

  await resource.get({ id: 1 });
  await resource.getList();
  await resource.getList.push({ title: 'x' });
  await resource.update({ id: 1 }, { title: 'x' });
  await resource.delete({ id: 1 });

  expect(calls).toEqual([
    ['GET', { id: 1 }],
    ['GET'],
    ['POST', { title: 'x' }],
    ['PUT', { id: 1 }, { title: 'x' }],
    ['DELETE', { id: 1 }],
  ]);
  expect(server.requests).toHaveLength(5);
});
