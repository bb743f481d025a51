import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';
import { createSpace } from './space.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

test('a route gets parameters, query and parsed body, and responds in JSON', async () => {
  server.on('PUT', '/todos/:id', ({ params, query, body }) => ({
    body: { params, q: query.get('q'), body },
  }));

  const response = await fetch(`${server.url}/todos/a%2Fb?q=1`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"done":true}',
  });

  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ params: { id: 'a/b' }, q: '1', body: { done: true } });
  expect(server.seen('PUT', '/todos/*')).toHaveLength(1);
});

test('held responses leave in the order in which the test releases them, with the state of their arrival', async () => {
  let version = 0;
  server.on('GET', '/todos', () => ({ body: (version += 1) }));
  const held = server.hold('GET', '/todos');
  const arrivals: unknown[] = [];
  const ask = async (): Promise<void> => {
    arrivals.push(await (await fetch(`${server.url}/todos`)).json());
  };

  const firstAnswer = ask();
  const first = await held.next();
  const secondAnswer = ask();
  const second = await held.next();
  second.release();
  await secondAnswer;
  first.release();
  await firstAnswer;

  expect(arrivals).toEqual([2, 1]);
});

test('a dropped connection rejects the fetch', async () => {
  server.on('GET', '/gone', { drop: true });

  await expect(fetch(`${server.url}/gone`)).rejects.toThrow('fetch failed');
});

test('an unknown route is a 404, and a client that disconnects is recorded', async () => {
  expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
  const held = server.hold('GET', '/slow');
  const leaving = new AbortController();

  const asked = fetch(`${server.url}/slow`, { signal: leaving.signal });
  const { request } = await held.next();
  leaving.abort();

  await expect(asked).rejects.toThrow('aborted');
  await expect.poll(() => request.aborted).toBe(true);
});

test('a space stores rows, filters them by query and fails on demand', async () => {
  const space = createSpace();
  await space.seed('todos', [
    { id: '1', done: true },
    { id: '2', done: false },
  ]);

  const open = await fetch(`${space.url}/todos?done=false`);
  const failed = await fetch(`${space.url}/todos/1?fail=503`);
  await fetch(`${space.url}/todos/1`, { method: 'DELETE' });

  expect(await open.json()).toEqual([{ id: '2', done: false }]);
  expect(failed.status).toBe(503);
  expect((await fetch(`${space.url}/todos/1`)).status).toBe(404);
  expect((await space.requests()).map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE', 'GET']);
});
