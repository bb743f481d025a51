// How responses are sent: compressed for clients that accept it, with tags that identify the bytes, and cached where allowed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createFolder, startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface Reply {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

const LIST = '/api/issues?limit=100';
const SCRIPT = 'export const text = "a script of the page";';
const PAGE = `<!doctype html><title>Harbor</title>${'<p>text</p>'.repeat(200)}`;
const folder = createFolder();
let demo: Demo;
beforeAll(async () => {
  mkdirSync(join(folder.path, 'assets'));
  writeFileSync(join(folder.path, 'index.html'), PAGE);
  writeFileSync(join(folder.path, 'assets/main-1a2b.js'), SCRIPT);
  writeFileSync(join(folder.path, 'assets/main-1a2b.js.br'), 'the brotli copy');
  writeFileSync(join(folder.path, 'assets/main-1a2b.js.gz'), 'the gzip copy');
  demo = await startDemo({ web: folder.path });
});
afterAll(async () => {
  await demo.close();
  folder.remove();
});

/** The raw response: `fetch` would decompress it. */
function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((done, fail) => {
    request(demo.url + path, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', fail)
      .end();
  });
}

test('a list is compressed with an encoding that the client accepts, and decodes to the same list', async () => {
  const plain = await get(LIST);
  const gzip = await get(LIST, { 'accept-encoding': 'gzip' });
  const brotli = await get(LIST, { 'accept-encoding': 'gzip, deflate, br' });

  expect([plain, gzip, brotli].map((reply) => reply.headers['content-encoding'])).toEqual([
    undefined,
    'gzip',
    'br',
  ]);
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
  expect(brotli.body.length).toBeLessThan(plain.body.length / 4);
  expect(brotli.headers['content-length']).toBe(String(brotli.body.length));
});

test.each([
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['identity', undefined],
])('a request with accept-encoding %s gets a response in %s', async (accepted, expected) => {
  const { headers } = await get(LIST, { 'accept-encoding': accepted });

  expect(headers['content-encoding']).toBe(expected);
});

test('every encoding of a response has its own strong tag, and each tag leads to a 304', async () => {
  const replies = [];
  for (const accepted of ['identity', 'gzip', 'br']) {
    replies.push(await get(LIST, { 'accept-encoding': accepted }));
  }
  const tags = replies.map((reply) => String(reply.headers['etag']));

  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    expect(tag).toMatch(/^"[\w-]{22}(\.br|\.gzip)?"$/);
    const { status, headers, body } = await get(LIST, { 'accept-encoding': 'br', 'if-none-match': tag });
    expect([status, headers['etag'], headers['vary'], body.length]).toEqual([
      304,
      tag,
      'accept-encoding, demo-network',
      0,
    ]);
  }
});

test('the tag of a compressed response is accepted in If-Match', async () => {
  const path = '/api/issues/LTH-1';
  await demo.request('PATCH', path, { description: 'long '.repeat(400) });
  const { headers } = await get(path, { 'accept-encoding': 'br' });

  const write = (tag: string): Promise<Response> =>
    demo.request('PATCH', path, { title: 'Matched' }, { 'if-match': tag });

  expect(headers['etag']).toMatch(/\.br"$/);
  expect((await write(String(headers['etag']))).status).toBe(200);
  expect((await write(String(headers['etag']))).status).toBe(412);
});

test('a response that depends on a request header has that header in Vary', async () => {
  const vary = async (path: string): Promise<unknown> => (await get(path)).headers['vary'];

  expect(await vary(LIST)).toBe('accept-encoding, demo-network');
  expect(await vary('/api/projects')).toBe('accept-encoding');
  expect(await vary('/')).toBe('accept-encoding, cookie');
  expect(await vary('/assets/main-1a2b.js')).toBe('accept-encoding');
});

test('the event stream is not compressed', async () => {
  const controller = new AbortController();
  const response = await fetch(`${demo.url}/api/stream`, { signal: controller.signal });

  expect(response.headers.get('content-encoding')).toBeNull();
  controller.abort();
});

test('the files of the page are cached without an end and are sent compressed', async () => {
  const accepted = { 'accept-encoding': 'gzip, deflate, br' };
  const { headers, body } = await get('/assets/main-1a2b.js', accepted);

  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': expect.stringContaining('text/javascript') as unknown,
  });
  expect(String(body)).toBe('the brotli copy');
  expect(String((await get('/assets/main-1a2b.js', { 'accept-encoding': 'gzip' })).body)).toBe(
    'the gzip copy',
  );
  expect(String((await get('/assets/main-1a2b.js')).body)).toBe(SCRIPT);
});

test('the response for a missing file is not cached', async () => {
  const { status, headers } = await get('/assets/gone.js');

  expect([status, headers['cache-control']]).toEqual([404, undefined]);
});

test('the document is revalidated at each visit, and sent again only when it has changed', async () => {
  const first = await get('/board/LTH', { 'accept-encoding': 'br' });
  const second = await get('/table', { 'if-none-match': String(first.headers['etag']) });

  expect([first.headers['cache-control'], first.headers['content-encoding']]).toEqual(['no-cache', 'br']);
  expect(String(brotliDecompressSync(first.body))).toBe(PAGE);
  expect([second.status, second.body.length]).toEqual([304, 0]);
});
