import { Controller, Entity, HoldfastError, RestEndpoint } from 'holdfast';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.on('*', '/*', ({ body }) => ({ body: body === undefined ? {} : { sent: body } }));
});
beforeEach(() => server.forget());
afterAll(() => server.close());

const last = () => server.requests.at(-1);
const make = <const O extends { method?: string; body?: unknown; path?: string }>(options: O) =>
  new RestEndpoint({ path: '/things', ...options, urlPrefix: server.url } as unknown as { path: string });

class Thing extends Entity {
  static override key = 'Thing';
  id = '';
  title = '';
}

describe('bodies', () => {
  test('a plain object is sent as JSON', async () => {
    await make({ method: 'POST' })({}, { title: 'milk' });

    expect(last()).toMatchObject({ method: 'POST', body: { title: 'milk' } });
    expect(last()?.headers['content-type']).toBe('application/json');
  });

  test('arrays are sent as JSON', async () => {
    await make({ method: 'POST' })({}, [{ title: 'a' }, { title: 'b' }]);

    expect(last()?.body).toEqual([{ title: 'a' }, { title: 'b' }]);
    expect(last()?.headers['content-type']).toBe('application/json');
  });

  test('instances are sent as JSON, by toJSON when they have it', async () => {
    class Money {
      amount = 5;
      toJSON(): unknown {
        return { amount: `${this.amount}.00` };
      }
    }
    await make({ method: 'POST' })({}, new Money());
    expect(last()?.body).toEqual({ amount: '5.00' });

    await make({ method: 'POST' })({}, Thing.fromJS({ id: '1', title: 'x' }));
    expect(last()?.body).toEqual({ id: '1', title: 'x' });
  });

  test('numbers and booleans are JSON too', async () => {
    await make({ method: 'POST' })({}, false);
    expect(last()?.body).toBe(false);
  });

  test('a FormData keeps its boundary', async () => {
    const form = new FormData();
    form.set('title', 'milk');
    await make({ method: 'POST' })({}, form);

    expect(last()?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(last()?.body).toContain('milk');
  });

  test('URLSearchParams, Blob, strings and bytes are sent unchanged with their own content type', async () => {
    const post = make({ method: 'POST' });
    await post({}, new URLSearchParams({ a: '1' }));
    expect(last()).toMatchObject({ body: 'a=1' });
    expect(last()?.headers['content-type']).toContain('application/x-www-form-urlencoded');
    await post({}, new Blob(['x'], { type: 'image/png' }));
    expect(last()?.headers['content-type']).toBe('image/png');
    await post({}, 'plain');
    expect(last()).toMatchObject({ body: 'plain' });
    expect(last()?.headers['content-type']).toContain('text/plain');
    await post({}, new TextEncoder().encode('bytes'));
    expect(last()?.body).toBe('bytes');
  });

  test('a stream is sent chunk by chunk', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('part one, '));
        controller.enqueue(new TextEncoder().encode('part two'));
        controller.close();
      },
    });
    await make({ method: 'POST' })({}, stream);

    expect(last()?.body).toBe('part one, part two');
  });

  test('DELETE sends a body when the option requires it', async () => {
    await make({ method: 'DELETE', body: {} as { ids: number[] } })({}, { ids: [1, 2] });
    expect(last()).toMatchObject({ method: 'DELETE', body: { ids: [1, 2] } });

    await make({ method: 'DELETE' })({});
    expect(last()?.body).toBeUndefined();
  });

  test('GET sends neither a body nor a content type', async () => {
    await make({})({ q: 'x' });

    expect(last()?.headers['content-type']).toBeUndefined();
    expect(last()?.url).toBe('/things?q=x');
  });

  test('a call without a body sends no content type', async () => {
    await make({ method: 'POST' })({}, undefined);
    expect(last()?.headers['content-type']).toBeUndefined();
    await make({ method: 'POST' })({}, null);
    expect(last()?.headers['content-type']).toBeUndefined();
  });

  test.each<[string, () => unknown]>([
    ['a Map', () => new Map([['a', 1]])],
    ['a BigInt', () => ({ id: 5n })],
    [
      'a circle',
      () => {
        const circle: Record<string, unknown> = {};
        return Object.assign(circle, { circle });
      },
    ],
    ['a function', () => () => 1],
  ])('%s cannot be a body', async (_, body) => {
    const sent = make({ method: 'POST' })({}, body());

    await expect(sent).rejects.toMatchObject({ code: 'BODY_NOT_SERIALIZABLE' });
    expect(server.requests).toEqual([]);
  });
});

describe('arguments', () => {
  test('a single argument is the body where the URL needs no parameters', async () => {
    await make({ method: 'POST' })({ title: 'milk' });
    expect(last()).toMatchObject({ url: '/things', body: { title: 'milk' } });
  });

  test('a single argument is the parameters where the URL needs them', async () => {
    await make({ method: 'POST', path: '/things/:id/wake' })({ id: 5 });
    expect(last()).toMatchObject({ url: '/things/5/wake', body: undefined });
  });

  test('parameters that are no object are refused', async () => {
    await expect(make({})('5' as never)).rejects.toMatchObject({ code: 'PARAMS_NOT_OBJECT' });
    await expect(make({})([5] as never)).rejects.toMatchObject({ code: 'PARAMS_NOT_OBJECT' });
  });
});

describe('method and sideEffect', () => {
  test.each([
    [{}, 'GET', undefined],
    [{ method: 'POST' }, 'POST', true],
    [{ sideEffect: true }, 'POST', true],
    [{ method: 'POST', sideEffect: false }, 'POST', false],
    [{ body: {} }, 'POST', true],
    [{ body: undefined }, 'GET', undefined],
    [{ method: 'DELETE' }, 'DELETE', true],
  ] as const)('%j is %s with sideEffect %s', (options, method, sideEffect) => {
    const endpoint = new RestEndpoint({ path: '/a', ...options });

    expect([endpoint.method, endpoint.sideEffect]).toEqual([method, sideEffect]);
  });

  test('extend derives sideEffect again when the method changes', () => {
    const search = new RestEndpoint({ path: '/a', method: 'POST', sideEffect: false });

    expect(search.extend({ dataExpiryLength: 1 }).sideEffect).toBe(false);
    expect(search.extend({ method: 'PUT' }).sideEffect).toBe(true);
    expect(search.extend({ method: 'GET' }).sideEffect).toBeUndefined();
  });
});

describe('headers', () => {
  test('every request starts from requestInit', async () => {
    await make({
      method: 'POST',
      requestInit: { headers: new Headers({ 'X-One': '1', 'content-type': 'application/vnd.api+json' }) },
    } as never)({}, { a: 1 });

    expect(last()?.headers).toMatchObject({ 'x-one': '1', 'content-type': 'application/vnd.api+json' });
  });

  test('getHeaders may be async', async () => {
    const endpoint = new RestEndpoint({
      urlPrefix: server.url,
      path: '/things',
      method: 'PUT',
      async getHeaders(headers) {
        return { ...headers, token: await Promise.resolve('secret') };
      },
    });
    await endpoint({ title: 'x' });

    expect(last()).toMatchObject({ method: 'PUT', body: { title: 'x' } });
    expect(last()?.headers).toMatchObject({ token: 'secret', 'content-type': 'application/json' });
  });

  test('a header with a line break is refused, not sent', async () => {
    const headers = { token: 'a\r\nset-cookie: b' };
    const sent = make({ name: 'getThings', requestInit: { headers } } as never)({});

    await expect(sent).rejects.toMatchObject({ code: 'HEADERS_INVALID', params: { endpoint: 'getThings' } });
    await expect(sent).rejects.toThrow(HoldfastError);
    expect(server.requests).toEqual([]);
  });

  test('a request accepts JSON, unless its headers or its content option require otherwise', async () => {
    const accepted = async (options: object): Promise<unknown> => {
      await make(options)({});
      return last()?.headers['accept'];
    };

    expect(await accepted({})).toBe('application/json');
    expect(await accepted({ method: 'POST' })).toBe('application/json');
    expect(await accepted({ content: 'json' })).toBe('application/json');
    expect(await accepted({ requestInit: { headers: { accept: 'application/ld+json' } } })).toBe(
      'application/ld+json',
    );
    expect(await accepted({ getHeaders: () => ({ Accept: 'text/csv' }) })).toBe('text/csv');
    expect(await accepted({ content: 'blob' })).toBe('*/*');
  });

  test('a spread promise is distinguished from an init', async () => {
    class Endpoint extends RestEndpoint {
      override async getHeaders(headers: Record<string, string>): Promise<HeadersInit> {
        return headers;
      }

      override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
        // oxlint-disable-next-line typescript/no-misused-spread, typescript/no-misused-promises -- the mistake under test
        return { ...super.getRequestInit(body), credentials: 'same-origin' };
      }
    }
    const sent = new Endpoint({ urlPrefix: server.url, path: '/things', method: 'POST' })({ a: 1 });

    await expect(sent).rejects.toMatchObject({ code: 'REQUEST_INIT_NOT_AWAITED' });
  });

  test('an idempotency key is sent with mutations only', async () => {
    await make({ method: 'POST', idempotencyKey: true } as never)({}, {});
    const first = last()?.headers['idempotency-key'];
    await make({ method: 'POST', idempotencyKey: true } as never)({}, {});
    const second = last()?.headers['idempotency-key'];
    await make({ idempotencyKey: true } as never)({});

    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(last()?.headers['idempotency-key']).toBeUndefined();
    await make({ method: 'POST', idempotencyKey: 'X-Request' } as never)({}, {});
    expect(last()?.headers['x-request']).toMatch(/^[0-9a-f]{32}$/);
    await make({ method: 'POST', idempotencyKey: (_: unknown, body: { id: string }) => body.id } as never)(
      {},
      { id: 'mine' },
    );
    expect(last()?.headers['idempotency-key']).toBe('mine');
  });
});

const ownHolder: Record<string, unknown> = {};
ownHolder['self'] = ownHolder;

describe('search parameters', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ b: 2, a: 1 }, 'a=1&b=2'],
    [{ a: undefined, b: null, c: '' }, 'b=&c='],
    [{ tag: ['x', 'y&z'] }, 'tag=x&tag=y%26z'],
    [{ where: { age: { gt: 3 }, name: 'Ann' } }, 'where[age][gt]=3&where[name]=Ann'],
    [{ rows: [{ a: 1 }, { a: 2 }] }, 'rows[0][a]=1&rows[1][a]=2'],
    [{ at: new Date(0) }, 'at=1970-01-01T00%3A00%3A00.000Z'],
    [{ on: [new Date(0), 'now'] }, 'on=1970-01-01T00%3A00%3A00.000Z&on=now'],
    [{ rows: [[1], null] }, 'rows[0]=1&rows='],
    [{ big: 12n, yes: true }, 'big=12&yes=true'],
    [{ 'a&b': 'c=d' }, 'a%26b=c%3Dd'],
    [{ ['__proto__']: 'x' }, '__proto__=x'],
    [{ none: [] }, ''],
    [{ '\uD800': '\uDFFF' }, '%EF%BF%BD=%EF%BF%BD'],
  ])('search parameters %o are written as %s', (params, search) => {
    expect(new RestEndpoint({ path: '/s' }).searchToString(params)).toBe(search);
  });

  test.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['a Map', new Map()],
    ['a function', () => 1],
    ['an object that holds itself', ownHolder],
  ])('%s has no form in a URL', (_, value) => {
    expect(() => new RestEndpoint({ path: '/s' }).searchToString({ value })).toThrow('SEARCH_PARAM_INVALID');
  });

  test('an override defines its own form', async () => {
    const endpoint = new RestEndpoint({
      urlPrefix: server.url,
      path: '/s',
      searchParams: {} as { tag: string[] },
      searchToString: (params) => `tags=${String(params['tag'])}`,
    });
    await endpoint({ tag: ['a', 'b'] });

    expect(last()?.url).toBe('/s?tags=a,b');
  });

  test('search parameters are added to the query part of a path', async () => {
    await make({ path: '/s?fixed=1&q=:q' })({ q: 'x', page: 2 });
    expect(last()?.url).toBe('/s?fixed=1&q=x&page=2');
  });
});

describe('the prefix', () => {
  test('meets the path with one slash', () => {
    const url = (urlPrefix: string, path: string) => new RestEndpoint({ urlPrefix, path }).url();
    expect(url('https://x.com/api', '/u')).toBe('https://x.com/api/u');
    expect(url('https://x.com/api/', '/u')).toBe('https://x.com/api/u');
    expect(url('https://x.com/api/', 'u')).toBe('https://x.com/api/u');
    expect(url('https://x.com/api', '')).toBe('https://x.com/api');
    expect(url('https://x.com/api', '?a=1')).toBe('https://x.com/api?a=1');
    expect(url('', 'https://x.com/u')).toBe('https://x.com/u');
  });

  test('keeps its host: a path that would extend it is refused', () => {
    const endpoint = new RestEndpoint({ urlPrefix: 'https://x.com', path: ':name' });
    expect(() => endpoint.url({ name: '.evil.com' })).toThrow('PATH_INVALID');
  });
});

test('an idempotency key that the endpoint sets itself is the only one sent', async () => {
  const sent: Headers[] = [];
  const controller = new Controller({
    fetch: async (_url, init) => {
      sent.push(new Headers(init?.headers));
      return Response.json({});
    },
  });
  const pay = new RestEndpoint({
    urlPrefix: 'http://model.test',
    path: '/payments',
    method: 'POST',
    body: {} as { amount: number },
    idempotencyKey: true,
    requestInit: { headers: { 'Idempotency-Key': 'mine' } },
  });

  await controller.fetch(pay, { amount: 5 });

  expect(sent.map((headers) => headers.get('idempotency-key'))).toEqual(['mine']);
});
