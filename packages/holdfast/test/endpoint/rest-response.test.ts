import {
  AbortError,
  ConnectionError,
  Controller,
  createResource,
  Entity,
  HoldfastError,
  HttpError,
  isAbortError,
  isConnectionError,
  isHttpError,
  isNetworkError,
  isParseError,
  isTimeoutError,
  NetworkError,
  ParseError,
  RestEndpoint,
  TimeoutError,
} from 'holdfast';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../support/server.ts';
import type { Reply, TestServer } from '../support/server.ts';
import { runRequest } from '../../src/endpoint/run-request.ts';

class Thing extends Entity {
  static override key = 'Thing';
  id = '';
  title = '';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const answer = (reply: Reply, options: object = {}) => {
  server.on('*', '/thing', reply);
  const endpoint = new RestEndpoint({ urlPrefix: server.url, path: '/thing', schema: Thing, ...options });
  return (): Promise<unknown> => endpoint();
};
const failure = (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => undefined,
    (error: unknown) => error,
  );
const html = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in</p>' };

describe('bodies', () => {
  test.each<[string, Reply]>([
    ['204', { status: 204 }],
    ['205', { status: 205 }],
    ['an empty 200', { status: 200, body: '' }],
    [
      'an empty 201 marked as JSON',
      { status: 201, body: '', headers: { 'content-type': 'application/json' } },
    ],
    ['white space', { status: 200, body: ' \n', headers: { 'content-type': 'application/json' } }],
  ])('%s gives null, for reads and mutations', async (_, reply) => {
    expect(await answer(reply)()).toBeNull();
    expect(await answer(reply, { method: 'PATCH' })()).toBeNull();
  });

  test.each<[string, Reply]>([
    ['without a length or a type', { status: 200, body: (async function* () {})() }],
    ['of no length', { status: 200, body: '', headers: { 'content-length': '0' } }],
    ['marked as text', { status: 200, body: '', headers: { 'content-type': 'text/plain' } }],
  ])(
    'an empty body %s gives null without a schema too; with `content` it gives an empty string or Blob',
    async (_, reply) => {
      const once = (): Reply =>
        typeof reply.body === 'string' ? reply : { ...reply, body: (async function* () {})() };
      expect(await answer(once(), { schema: undefined })()).toBeNull();
      expect(await answer(once(), { schema: undefined, content: 'text' })()).toBe('');
      expect(await answer(once(), { schema: undefined, content: 'blob' })()).toMatchObject({ size: 0 });
    },
  );

  test('HEAD gives null, whatever its headers announce', async () => {
    const reply = {
      body: '{"id":"1"}',
      headers: { 'content-type': 'application/json', 'content-length': '10' },
    };
    expect(await answer(reply, { schema: undefined, method: 'HEAD' })()).toBeNull();
  });

  test('JSON is read by its content type, with a suffix and a byte order mark too', async () => {
    expect(await answer({ body: { id: '1' } })()).toEqual({ id: '1' });
    const marked = {
      body: '\uFEFF{"id":"1"}',
      headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' },
    };
    expect(await answer(marked)()).toEqual({ id: '1' });
  });

  test('JSON without a content type is parsed where a schema needs it', async () => {
    expect(await answer({ body: ' {"id":"1"}', headers: { 'content-type': 'text/plain' } })()).toEqual({
      id: '1',
    });
    expect(await answer({ body: '{"id":"1"}' })()).toEqual({ id: '1' });
  });

  test('text is the result where there is no schema', async () => {
    expect(
      await answer({ body: 'hello', headers: { 'content-type': 'text/plain' } }, { schema: undefined })(),
    ).toBe('hello');
    expect(await answer(html, { schema: undefined })()).toBe(html.body);
  });

  test('text is the result where process is overridden', async () => {
    const csv = { body: 'a,b', headers: { 'content-type': 'text/csv' } };
    expect(await answer(csv, { process: (text: string) => text.split(',') })()).toEqual(['a', 'b']);
  });

  test('a Blob is the result for content that is neither text nor JSON', async () => {
    const png = { body: new Uint8Array([1, 2, 3]), headers: { 'content-type': 'image/png' } };
    const blob = await answer(png, { schema: undefined })();
    expect(blob).toBeInstanceOf(Blob);
    expect(await failure(answer(png))).toBeInstanceOf(ParseError);
  });

  test('an office document is no text, though its type contains xml', async () => {
    const bytes = new Uint8Array([80, 75, 3, 4, 255, 254]);
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const sheet = { body: bytes, headers: { 'content-type': type } };
    const blob = (await answer(sheet, { schema: undefined })()) as Blob; // cast: asserted below
    expect(blob).toBeInstanceOf(Blob);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);

    for (const xml of ['application/xml', 'image/svg+xml; charset=utf-8', 'text/xml'])
      expect(await answer({ body: '<a/>', headers: { 'content-type': xml } }, { schema: undefined })()).toBe(
        '<a/>',
      );
  });

  test('content that is no data is refused where a schema needs data', async () => {
    const error = await failure(answer({ body: { id: '1' } }, { content: 'blob' }));

    expect(error).toBeInstanceOf(ParseError);
    expect(String(error)).toContain("content: 'blob'");
    // what process makes of it is data
    const text = { content: 'text', process: (value: string) => JSON.parse(value) as unknown };
    expect(await answer({ body: { id: '1' } }, text)()).toEqual({ id: '1' });
  });

  test('the content option decides how the body is read', async () => {
    const reply = { body: '{"id":"1"}', headers: { 'content-type': 'application/json' } };
    const read = (content: string) => answer(reply, { schema: undefined, content })();
    expect(await read('text')).toBe('{"id":"1"}');
    expect(await ((await read('blob')) as Blob).text()).toBe('{"id":"1"}');
    expect(new TextDecoder().decode((await read('arrayBuffer')) as ArrayBuffer)).toBe('{"id":"1"}');
    const stream = (await read('stream')) as ReadableStream<Uint8Array>;
    expect(await new Response(stream).text()).toBe('{"id":"1"}');
    const asJson = answer(
      { body: '[1]', headers: { 'content-type': 'application/octet-stream' } },
      { content: 'json' },
    );
    expect(await asJson()).toEqual([1]);
  });

  test('a stream reports the progress of a download', async () => {
    async function* parts() {
      for (const size of [10, 20, 30]) yield 'x'.repeat(size);
    }
    const call = answer(
      { body: parts(), headers: { 'content-length': '60' } },
      { schema: undefined, content: 'stream' },
    );
    const seen: number[] = [];
    let received = 0;
    for await (const chunk of (await call()) as ReadableStream<Uint8Array>)
      seen.push((received += chunk.length));

    expect(seen.at(-1)).toBe(60);
  });
});

describe('failures', () => {
  test('an error status is an HttpError with its problem', async () => {
    const problem = { type: 'about:blank', title: 'Gone fishing', detail: 'Back on Monday', balance: 30 };
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '5' };
    const error = (await failure(
      answer({ status: 503, body: JSON.stringify(problem), headers }),
    )) as HttpError;

    expect(error).toBeInstanceOf(HttpError);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      code: 'HTTP_ERROR',
      status: 503,
      method: 'GET',
      url: `${server.url}/thing`,
      problem,
    });
    expect(error.response.headers.get('retry-after')).toBe('5');
    expect(await error.response.json()).toEqual(problem);
    expect(error.message).toContain('Back on Monday');
  });

  test('a problem body that is no JSON is ignored', async () => {
    const call = answer({ status: 500, body: '{"cut', headers: { 'content-type': 'application/json' } });
    expect(await failure(call)).toMatchObject({ status: 500, problem: undefined });
    expect(await failure(answer({ ...html, status: 404 }))).toMatchObject({
      status: 404,
      problem: undefined,
    });
  });

  test.each<[string, Reply, RegExp]>([
    ['HTML instead of JSON', html, /unreadably: HTML/],
    ['HTML marked as JSON', { ...html, headers: { 'content-type': 'application/json' } }, /unreadably: HTML/],
    [
      'cut JSON',
      { body: '{"id":"1","ti', headers: { 'content-type': 'application/json' } },
      /unreadably: malformed/,
    ],
    ['text', { body: 'hello', headers: { 'content-type': 'text/plain' } }, /unreadably: text/],
  ])('%s is a ParseError with the real status', async (_, reply, reason) => {
    const error = (await failure(answer(reply))) as ParseError;

    expect(error).toBeInstanceOf(ParseError);
    expect(error).toMatchObject({ code: 'RESPONSE_UNREADABLE', status: 200 });
    expect(error.message).toMatch(reason);
  });

  test('a mutation with a plain word as its response has not failed', async () => {
    const ok = { body: 'OK', headers: { 'content-type': 'text/plain' } };
    expect(await answer(ok, { method: 'POST' })()).toBeNull();
    expect(await failure(answer(html, { method: 'POST' }))).toBeInstanceOf(ParseError);
  });

  test.each<[string, Reply]>([
    ['a word that a framework marked as HTML', { headers: { 'content-type': 'text/html' }, body: 'Deleted' }],
    ['an XML receipt', { headers: { 'content-type': 'text/xml' }, body: '<ok/>' }],
    ['bytes', { headers: { 'content-type': 'application/octet-stream' }, body: 'x' }],
  ])('a mutation with the response %s has not failed', async (_, reply) => {
    expect(await answer(reply, { method: 'PUT' })()).toBeNull();
    expect(await failure(answer(reply))).toBeInstanceOf(ParseError);
  });

  test('an HTML page as the response to a delete is a failure: a log-in form has deleted nothing', async () => {
    const ThingResource = createResource({ urlPrefix: server.url, path: '/things/:id', schema: Thing });
    const controller = new Controller();
    server.on('GET', '/things/1', { body: { id: '1' } });
    server.on('DELETE', '/things/1', html);
    await controller.fetch(ThingResource.get, { id: '1' });

    await expect(controller.fetch(ThingResource.delete, { id: '1' })).rejects.toBeInstanceOf(ParseError);
    expect(controller.get(Thing, { id: '1' })).toBeDefined();

    server.on('DELETE', '/things/1', { headers: html.headers, body: 'Deleted' });
    await controller.fetch(ThingResource.delete, { id: '1' });
    expect(controller.get(Thing, { id: '1' })).toBeUndefined();
  });

  test('a delete with a custom process reads an HTML page as text', async () => {
    const seen: unknown[] = [];
    const ThingResource = createResource({
      urlPrefix: server.url,
      path: '/things/:id',
      schema: Thing,
    }).extend({
      delete: { process: (value: unknown, params: object) => (seen.push(value), params) },
    });
    server.on('DELETE', '/things/1', html);

    await ThingResource.delete({ id: '1' });
    expect(seen).toEqual([html.body]);
  });

  test('a dropped connection is a ConnectionError without a status', async () => {
    const error = (await failure(answer({ drop: true }))) as ConnectionError;

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.code).toBe('CONNECTION_FAILED');
    expect('status' in error).toBe(false);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test('a body that breaks off is a failure, not an empty response', async () => {
    const cut = gzipSync(JSON.stringify({ id: '1', title: 'x'.repeat(5000) })).subarray(0, 30);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(
      isNetworkError(
        await failure(answer({ body: cut, headers: { ...headers, 'content-length': String(cut.length) } })),
      ),
    ).toBe(true);
    async function* broken() {
      yield '{"id":"1","ti';
      throw new Error('the server gives up');
    }
    const half = answer({ body: broken(), headers: { 'content-type': 'application/json' } });
    expect(await failure(half)).toBeInstanceOf(ConnectionError);
  });

  test('304 keeps the stored data: null for a direct call, a flag for the controller', async () => {
    server.on('GET', '/thing', { status: 304, headers: { etag: '"1"' } });
    const get = new RestEndpoint({ urlPrefix: server.url, path: '/thing', schema: Thing });

    expect(await get()).toBeNull();
    const outcome = await runRequest(get as never, []);
    expect(outcome).toMatchObject({ isNotModified: true, value: null });
    expect(outcome.response?.headers.get('etag')).toBe('"1"');
  });

  test('304 for a mutation is no failure', async () => {
    expect(await answer({ status: 304 }, { method: 'PUT' })()).toBeNull();
    const put = new RestEndpoint({ urlPrefix: server.url, path: '/thing', method: 'PUT' });
    const { value, isNotModified = false } = await runRequest(put as never, [{}]);
    expect([value, isNotModified]).toEqual([null, false]);
  });

  test('type guards distinguish the failures', async () => {
    const http = await failure(answer({ status: 404, body: {} }));
    const connection = await failure(answer({ drop: true }));
    const parse = await failure(answer(html));
    expect([isHttpError(http), isHttpError(http, 404), isHttpError(http, 500), isNetworkError(http)]).toEqual(
      [true, true, false, true],
    );
    expect([isConnectionError(connection), isConnectionError(http)]).toEqual([true, false]);
    expect([isParseError(parse), isParseError(http)]).toEqual([true, false]);
    expect([isTimeoutError(http), isAbortError(http), isNetworkError(new Error('x'))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('an error can be cloned and printed without its response', async () => {
    const error = (await failure(answer({ status: 404, body: {} }))) as HttpError;
    expect(Object.keys(error)).not.toContain('response');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'HTTP_ERROR', status: 404 });
  });

  test('connection errors, timeouts, 429 and server errors are soft failures', () => {
    const endpoint = new RestEndpoint({ path: '/thing' });
    const request = { method: 'GET', url: '/thing' };
    const status = (code: number) =>
      endpoint.errorPolicy(new HttpError(request, new Response(null, { status: code })));
    expect([500, 503, 429, 404, 401].map(status)).toEqual(['soft', 'soft', 'soft', undefined, undefined]);
    expect(endpoint.errorPolicy(new ConnectionError(request))).toBe('soft');
    expect(endpoint.errorPolicy(new TimeoutError(request, 5))).toBe('soft');
    expect(endpoint.errorPolicy(new Error('x'))).toBeUndefined();
  });
});

describe('every call settles', () => {
  test('after its time limit', async () => {
    const error = (await failure(answer({ delay: 2000, body: {} }, { timeoutMs: 30 }))) as TimeoutError;

    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', method: 'GET' });
  });

  test('after the time limit of a run, unless the endpoint has its own', async () => {
    server.on('GET', '/thing', { delay: 100, body: { id: '1' } });
    const get = new RestEndpoint({ urlPrefix: server.url, path: '/thing' });

    await expect(runRequest(get as never, [], { timeoutMs: 20 })).rejects.toBeInstanceOf(TimeoutError);
    const patient = get.extend({ timeoutMs: 5000 });
    expect((await runRequest(patient as never, [], { timeoutMs: 20 })).value).toEqual({ id: '1' });
    const endless = get.extend({ timeoutMs: Number.POSITIVE_INFINITY });
    expect((await runRequest(endless as never, [], { timeoutMs: 20 })).value).toEqual({ id: '1' });
  });

  test('when the body never ends', async () => {
    async function* never() {
      yield '{"id":';
      await new Promise(() => {});
    }
    const call = answer(
      { body: never(), headers: { 'content-type': 'application/json' } },
      { timeoutMs: 50 },
    );
    expect(await failure(call)).toBeInstanceOf(TimeoutError);
  });

  test('when an override ignores the signal', async () => {
    const call = new RestEndpoint({
      path: '/thing',
      timeoutMs: 20,
      fetch: () => new Promise<unknown>(() => {}),
    });
    expect(await failure(() => call())).toBeInstanceOf(TimeoutError);
  });

  test('when its signal aborts, whatever the reason', async () => {
    const aborter = new AbortController();
    const hold = server.hold('GET', '/thing');
    const call = failure(answer({ body: {} }, { signal: aborter.signal }));
    const held = await hold.next();
    aborter.abort('changed my mind');
    const error = (await call) as AbortError;

    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ name: 'AbortError', code: 'REQUEST_ABORTED', cause: 'changed my mind' });
    await expect.poll(() => held.request.aborted).toBe(true);
    hold.releaseAll();
  });

  test('when its signal has aborted before: nothing is sent', async () => {
    server.forget();
    expect(await failure(answer({ body: {} }, { signal: AbortSignal.abort() }))).toBeInstanceOf(AbortError);
    expect(server.requests).toEqual([]);
  });

  test('when code throws at once, and when it rejects with nothing', async () => {
    const throwing = new RestEndpoint({
      path: '/thing',
      fetch() {
        throw new Error('at once');
      },
    });
    expect(await failure(() => throwing())).toMatchObject({ message: 'at once' });
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a rejection may carry anything
    const empty = new RestEndpoint({ path: '/thing', fetch: () => Promise.reject(undefined) });
    expect(await failure(() => empty())).toBeInstanceOf(Error);
  });

  test('with a typed value or a typed error for any body', async () => {
    server.on('GET', '/fuzz', ({ query }) => JSON.parse(query.get('reply') ?? '{}') as Reply);
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/fuzz',
      schema: Thing,
      searchParams: {} as { reply: string },
    });
    const json = fc.json();
    const body = fc.oneof(
      json,
      fc.string(),
      json.map((text) => text.slice(0, text.length / 2)),
      json.map((text) => `<html>${text}`),
      fc.constantFrom('', 'null', '\uFEFF{}', '0', 'undefined'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          status: fc.constantFrom(200, 201, 400, 500),
          body,
          headers: fc.record({
            'content-type': fc.constantFrom(
              'application/json',
              'text/html',
              'text/plain',
              'image/png',
              'application/problem+json',
            ),
          }),
        }),
        async (reply) => {
          const error = await failure(() => get({ reply: JSON.stringify(reply) }));
          return error === undefined
            ? reply.status < 300
            : error instanceof HoldfastError && isNetworkError(error);
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 2000) },
    );
  });
});
