import { Controller, Endpoint, Entity, RestEndpoint } from 'holdfast';
import type { Manager, RestOptions } from 'holdfast';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { runRequest } from '../../src/endpoint/run-request.ts';

class Thing extends Entity {
  static override key = 'Thing';
  id = '';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.on('*', '/*', ({ path }) => ({ body: { id: '1', path } }));
});
beforeEach(() => server.forget());
afterAll(() => server.close());

describe('a callable instance', () => {
  test('is a function and an instance, without code made from strings', async () => {
    const get = new RestEndpoint({ urlPrefix: server.url, path: '/things/:id', name: 'getThing' });

    expect(typeof get).toBe('function');
    expect(get).toBeInstanceOf(RestEndpoint);
    expect(get.name).toBe('getThing');
    expect(get.constructor).toBe(RestEndpoint);
    expect(await get({ id: 1 })).toEqual({ id: '1', path: '/things/1' });
    expect(await get.call(undefined, { id: 2 })).toMatchObject({ path: '/things/2' });
  });

  test('is named after its address when it has no name', () => {
    expect(new RestEndpoint({ urlPrefix: 'https://x.com', path: '/a' }).name).toBe('https://x.com/a');
  });

  test('cannot be constructed and has no prototype of its own', () => {
    const get = new RestEndpoint({ path: '/a' });
    expect(() => Reflect.construct(get as never, [])).toThrow(TypeError);
    expect(Object.hasOwn(get, 'prototype')).toBe(false);
  });
});

describe('class fields and options', () => {
  class ApiEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override urlPrefix = 'https://field.example.com';
    override method = 'POST';
    override dataExpiryLength = 111;
    readonly label: string = 'field';
  }

  test('a class field takes precedence over the base default', () => {
    const endpoint = new ApiEndpoint({ path: '/a' });
    expect(endpoint.url()).toBe('https://field.example.com/a');
    expect(endpoint.method).toBe('POST');
    expect(endpoint.sideEffect).toBe(true);
    expect(endpoint.name).toBe('https://field.example.com/a');
  });

  test('an option takes precedence over a class field', async () => {
    const endpoint = new ApiEndpoint({ path: '/a', urlPrefix: server.url, method: 'PUT' });
    expect(endpoint.key()).toBe(`PUT ${server.url}/a`);
    expect(endpoint.urlPrefix).toBe(server.url);
    await endpoint();
    expect(server.requests[0]).toMatchObject({ method: 'PUT', url: '/a' });
  });

  test('an option takes precedence over a class field in an extended endpoint, at once', () => {
    const endpoint = new ApiEndpoint({ path: '/a' }).extend({
      urlPrefix: 'https://option.example.com',
      dataExpiryLength: 5,
    });
    expect(endpoint.urlPrefix).toBe('https://option.example.com');
    expect(endpoint.dataExpiryLength).toBe(5);
    expect(endpoint).toBeInstanceOf(ApiEndpoint);
    expect((endpoint as unknown as ApiEndpoint).label).toBe('field');
    expect(endpoint.extend({ path: '/b' }).url()).toBe('https://option.example.com/b');
  });

  test('an accessor of a subclass is called each time', () => {
    let host = 'https://one.example.com';
    class Dynamic extends RestEndpoint {
      override get urlPrefix(): string {
        return host;
      }
    }
    const endpoint = new Dynamic({ path: '/a' });
    expect(endpoint.url()).toBe('https://one.example.com/a');
    host = 'https://two.example.com';
    expect(endpoint.url()).toBe('https://two.example.com/a');
  });

  test('an accessor of a subclass may build on the default, and is called each time', () => {
    let version = 1;
    class Versioned extends RestEndpoint {
      override get urlPrefix(): string {
        return `${Reflect.get(RestEndpoint.prototype, 'urlPrefix', this)}/v${version}`; // super.urlPrefix
      }

      override get method(): string {
        return Reflect.get(RestEndpoint.prototype, 'method', this) === 'GET' ? 'QUERY' : 'POST'; // super.method
      }
    }
    const endpoint = new Versioned({ path: '/a/:id' });
    expect([endpoint.key({ id: 1 }), endpoint.key({ id: 1 })]).toEqual(Array(2).fill('QUERY /v1/a/1'));
    version = 2;
    expect([endpoint.key({ id: 1 }), endpoint.url({ id: 1 })]).toEqual(['QUERY /v2/a/1', '/v2/a/1']);
    expect(endpoint.extend({ path: '/b' }).url()).toBe('/v2/b');
  });

  test('fields that are assigned in a constructor work too', () => {
    class Loose extends RestEndpoint {
      constructor(options: RestOptions) {
        super(options);
        Object.assign(this, { method: 'PATCH', name: 'loose' });
      }
    }
    expect(new Loose({ path: '/a' }).key()).toBe('PATCH /a');
    expect(new Loose({ path: '/a' }).name).toBe('loose');
  });

  test('the controller recognizes a mutation by its options, whatever a class field contains', async () => {
    class Counted extends Endpoint<() => Promise<number>> {
      // the effect of a field declared without a value in a compiled class
      override readonly sideEffect = undefined as never;
    }
    const count = new Counted(async () => 1, { name: 'count', sideEffect: true });
    const reads: boolean[] = [];
    const watching: Manager = {
      request(request, next) {
        reads.push(request.isRead);
        return next(request);
      },
    };
    await new Controller({ managers: [watching] }).fetch(count);

    expect(reads).toEqual([false]);
  });

  test('properties that were set on an endpoint are copied to the endpoints that extend it', () => {
    const endpoint = Object.assign(new RestEndpoint({ path: '/a' }), { audience: 'admins' });
    const extended = endpoint.extend({ path: '/b' });
    expect(extended.path).toBe('/b');
    expect(extended).toHaveProperty('audience', 'admins');
  });
});

describe('overriding methods', () => {
  test('every step of a subclass runs, with super, on one request', async () => {
    const steps: string[] = [];
    class Traced extends RestEndpoint {
      override async fetch(...args: readonly unknown[]): Promise<unknown> {
        steps.push('fetch');
        return { fetched: await super.fetch(...args) };
      }

      override url(params?: Readonly<Record<string, unknown>>): string {
        steps.push('url');
        return super.url(params);
      }

      override searchToString(params: Readonly<Record<string, unknown>>): string {
        steps.push('searchToString');
        return super.searchToString(params);
      }

      override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
        steps.push('getRequestInit');
        // oxlint-disable-next-line typescript/no-misused-spread, typescript/no-misused-promises -- sync, as getHeaders is
        return { ...super.getRequestInit(body), credentials: 'same-origin' };
      }

      override getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
        steps.push('getHeaders');
        return { ...headers, traced: 'yes' };
      }

      override async fetchResponse(url: string, init?: RequestInit): Promise<Response> {
        steps.push(`fetchResponse ${init?.credentials}`);
        return super.fetchResponse(url, init);
      }

      override async parseResponse(response: Response): Promise<unknown> {
        steps.push(`parseResponse ${response.headers.get('content-type')}`);
        return super.parseResponse(response);
      }

      override process(value: unknown, params: Readonly<Record<string, unknown>>): unknown {
        steps.push(`process ${JSON.stringify(params)}`);
        return super.process(value, params);
      }
    }
    const endpoint = new Traced({ urlPrefix: server.url, path: '/a' });

    expect(await endpoint({ q: 1 })).toEqual({ fetched: { id: '1', path: '/a' } });
    expect(steps).toEqual([
      'fetch',
      'url',
      'searchToString',
      'getRequestInit',
      'getHeaders',
      'fetchResponse same-origin',
      'parseResponse application/json',
      'process {"q":1}',
    ]);
    expect(server.requests[0]?.headers['traced']).toBe('yes');
    expect(await endpoint.fetch({ q: 1 })).toEqual({ fetched: { id: '1', path: '/a' } });
  });

  test('an option may call the method that it overrides with the request in which it runs', async () => {
    const base = new RestEndpoint({ urlPrefix: server.url, path: '/a/:id' });
    const extended = base.extend({
      path: '/b/:id',
      async fetch(...args: [{ id: string }]) {
        return {
          wrapped: await base.call(this as never, ...args),
          signal: this.signal instanceof AbortSignal,
        };
      },
    });

    // the parent's fetch on the extended endpoint's request: the new path, and its signal
    expect(await extended({ id: '7' })).toEqual({ wrapped: { id: '1', path: '/b/7' }, signal: true });
    expect(server.requests).toHaveLength(1);
  });

  test('an endpoint that is a property of another endpoint runs as itself', async () => {
    const list = Object.assign(new RestEndpoint({ urlPrefix: server.url, path: '/list' }), {
      other: new RestEndpoint({ urlPrefix: server.url, path: '/other' }),
    });
    expect(await list.other()).toMatchObject({ path: '/other' });
  });

  test('getRequestInit is synchronous as long as getHeaders is', () => {
    const endpoint = new RestEndpoint({ path: '/a', method: 'POST' });
    expect(endpoint.getRequestInit({ a: 1 })).toEqual({
      method: 'POST',
      body: '{"a":1}',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    });
  });

  test('a mock replaces the network', async () => {
    const mocked = new RestEndpoint({ path: '/a/:id' }).extend({
      fetch: async ({ id }: { id: number }) => ({ id, mocked: true }),
    });
    expect(await mocked({ id: 4 })).toEqual({ id: 4, mocked: true });
    const outcome = await runRequest(mocked as never, [{ id: 4 }]);
    expect(outcome).toMatchObject({ value: { id: 4, mocked: true }, response: undefined, isOwned: false });
  });

  test('a request takes fetch, timers and headers from its environment', async () => {
    const asked: [string, RequestInit | undefined][] = [];
    const timers: number[] = [];
    const environment = {
      fetch: (url: string, init?: RequestInit) => {
        asked.push([url, init]);
        return Promise.resolve(Response.json({ ok: true }));
      },
      timers: { set: (_: () => void, delayMs: number) => timers.push(delayMs), clear: () => {} },
      random: () => 0.5,
    };
    const endpoint = new RestEndpoint({ path: '/a', method: 'POST', idempotencyKey: true });

    const outcome = await runRequest(endpoint as never, [{ x: 1 }], {
      environment,
      timeoutMs: 77,
      headers: { 'Idempotency-Key': 'kept' },
    });

    expect(outcome.value).toEqual({ ok: true });
    expect(outcome.response?.status).toBe(200);
    expect(timers).toEqual([77]);
    expect(asked[0]?.[0]).toBe('/a');
    expect(new Headers(asked[0]?.[1]?.headers).get('idempotency-key')).toBe('kept');
  });
});

describe('Endpoint', () => {
  const getThing = new Endpoint(async ({ id }: { id: number }) => ({ id: String(id) }), {
    name: 'getThing',
    schema: Thing,
  });

  test('runs its function', async () => {
    expect(await getThing({ id: 5 })).toEqual({ id: '5' });
    expect(getThing).toBeInstanceOf(Endpoint);
    expect(getThing.name).toBe('getThing');
  });

  test('a subclass may override fetch', async () => {
    class Loud<F extends (...args: never) => Promise<unknown>> extends Endpoint<F> {
      override async fetch(...args: readonly unknown[]): Promise<unknown> {
        return { loud: await super.fetch(...args) };
      }
    }
    const loud = new Loud(async (word: string) => word.toUpperCase(), { name: 'loud' });
    expect(await loud('hi')).toEqual({ loud: 'HI' });
    expect(await loud.extend({ dataExpiryLength: 5 })('hi')).toEqual({ loud: 'HI' });
  });

  test('a function may call the function that it replaces after extend', async () => {
    const doubled = getThing.extend({
      async fetch(params: { id: number }): Promise<{ id: string }> {
        return getThing.call(this as never, { id: params.id * 2 });
      },
    });
    expect(await doubled({ id: 5 })).toEqual({ id: '10' });
  });

  test('another function has its own name and keys, so that responses do not overwrite each other', async () => {
    const controller = new Controller();
    const readTwice = async ({ id }: { id: number }) => ({ id: String(id), title: 'twice' });
    const plain = new Endpoint(async (_params: { id: number }) => 'once', {
      name: 'getText',
      key: ({ id }: { id: number }) => `text ${id}`,
    });
    const named = plain.extend({ fetch: readTwice });
    const unnamed = plain.extend({ fetch: async (_params: { id: number }) => 'again' });
    const told = plain.extend({ name: 'told', key: () => 'told', fetch: readTwice });

    expect([named.name, unnamed.name, told.name]).toEqual(['readTwice', 'getText.fetch', 'told']);
    expect(new Set([plain, named, unnamed, told].map((one) => one.key({ id: 1 }))).size).toBe(4);
    expect(told.key({ id: 1 })).toBe('told');
    expect(plain.extend({ dataExpiryLength: 5 }).key({ id: 1 })).toBe('text 1');

    await controller.fetch(plain, { id: 1 });
    await controller.fetch(unnamed, { id: 1 });
    expect(controller.getResponse(plain, { id: 1 }).data).toBe('once');
    expect(controller.getResponse(unnamed, { id: 1 }).data).toBe('again');
  });

  test('bind returns an endpoint whose first arguments are bound', async () => {
    const controller = new Controller();
    const getName = new Endpoint(async (first: string, last: string) => `${first} ${last}`, {
      name: 'getName',
    });
    expect(getName.bind(undefined)).toBe(getName);
    const getAda = getName.bind(undefined, 'Ada');

    expect(getAda).toBeInstanceOf(Endpoint);
    expect(await getAda('Lovelace')).toBe('Ada Lovelace');
    expect(await controller.fetch(getAda, 'Byron')).toBe('Ada Byron');
    // the same call, so the same response
    expect(getAda.name).toBe('getName');
    expect(getAda.key('Byron')).toBe(getName.key('Ada', 'Byron'));
    expect(controller.getResponse(getName, 'Ada', 'Byron').data).toBe('Ada Byron');
  });

  test('keys distinguish arguments, whatever their order', () => {
    const endpoint = new Endpoint(async (..._args: unknown[]) => null, { name: 'e' });
    expect(endpoint.key({ a: 1, b: { d: 1, c: 2 } })).toBe(endpoint.key({ b: { c: 2, d: 1 }, a: 1 }));
    const different = [
      [],
      [null],
      [Number.NaN],
      ['null'],
      [1],
      ['1'],
      [1n],
      [{}],
      [[]],
      [new Map([['a', 1]])],
      [new Map([['a', 2]])],
      [new Set([1])],
      [new Date(0)],
      [{ ['__proto__']: 'x' }],
      [{ a: 1 }],
      [{ a: '1' }],
      ['a', 'b'],
      ['a,b'],
    ].map((args) => endpoint.key(...args));
    expect(new Set(different).size).toBe(different.length);
    expect(endpoint.key()).toBe(endpoint.key(undefined));
    expect(endpoint.key('\uD800')).toContain('e [');
  });

  test('testKey recognizes only the keys of its endpoint', () => {
    const getThings = getThing.extend({ name: 'getThings' });
    expect(getThing.testKey(getThing.key({ id: 1 }))).toBe(true);
    expect(getThing.testKey(getThings.key({ id: 1 }))).toBe(false);
    expect(getThings.testKey(getThing.key({ id: 1 }))).toBe(false);
  });

  test('a nameless function needs a name', () => {
    const nameless = new Endpoint(
      (
        () => async () =>
          null
      )(),
    );
    expect(() => nameless.key()).toThrow('ENDPOINT_WITHOUT_NAME');
  });
});
