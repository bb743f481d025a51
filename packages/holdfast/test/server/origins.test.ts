import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServerRender } from 'holdfast/react/server';
import { failureOf } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { createTodos } from './harness.tsx';

let api: TestServer;
let other: TestServer;
beforeEach(async () => {
  [api, other] = await Promise.all([startServer(), startServer()]);
  for (const server of [api, other]) {
    server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: params['id'], title: server.url } }));
  }
});
afterEach(() => Promise.all([api.close(), other.close()]));

const create = (options: Partial<createServerRender.Options> = {}) =>
  createServerRender({ origins: [api.url], ...options }).controller;

test('an origin that is not in the list is refused before anything is sent', async () => {
  const error = await failureOf(create().fetch(createTodos(other.url).get, { id: '1' }));

  expect(error).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED', params: { origin: other.url } });
  expect(other.requests).toHaveLength(0);
  const todo = await create({ origins: [other.url] }).fetch(createTodos(other.url).get, { id: '1' });
  expect(todo.title).toBe(other.url);
});

test('the origin is compared, not the string: look-alikes, other ports, other schemes and credentials do not pass', async () => {
  for (const prefix of [
    `${api.url}.example.test`,
    api.url.replace(/\d+$/, '1'),
    api.url.replace('http', 'https'),
    'data:,',
    `http://x@${new URL(other.url).host}`,
  ])
    expect(await failureOf(create().fetch(createTodos(prefix).get, { id: '1' }))).toMatchObject({
      code: 'ORIGIN_NOT_ALLOWED',
    });
  expect([...api.requests, ...other.requests]).toEqual([]);
});

test('a relative address needs a base, whose origin is allowed', async () => {
  expect(await failureOf(create().fetch(createTodos().get, { id: '1' }))).toMatchObject({
    code: 'ORIGIN_NOT_ALLOWED',
  });

  const todo = await create({ origins: [], baseUrl: `${api.url}/page` }).fetch(createTodos().get, {
    id: '1',
  });

  expect(todo.title).toBe(api.url);
});

test('a redirect is followed within the list and refused outside of it, before the second request', async () => {
  api.on('GET', '/todos/in', { status: 302, headers: { location: '/todos/2' } });
  api.on('GET', '/todos/out', { status: 307, headers: { location: `${other.url}/todos/3` } });
  api.on('GET', '/todos/round', { status: 301, headers: { location: '/todos/round' } });
  const todos = createTodos(api.url);

  expect((await create().fetch(todos.get, { id: 'in' })).id).toBe('2');
  expect(await failureOf(create().fetch(todos.get, { id: 'out' }))).toMatchObject({
    code: 'ORIGIN_NOT_ALLOWED',
  });
  expect(other.requests).toHaveLength(0);
  expect(await failureOf(create().fetch(todos.get, { id: 'round' }))).toMatchObject({
    code: 'CONNECTION_FAILED',
  });
  expect(api.seen('GET', '/todos/round').length).toBeLessThan(25);
});

test('another origin of the list gets no credentials and no custom headers', async () => {
  api.on('GET', '/todos/out', { status: 302, headers: { location: `${other.url}/todos/3` } });
  const get = createTodos(api.url).get.extend({
    requestInit: {
      headers: { authorization: 'Bearer secret', cookie: 'a=1', 'x-own': '1', accept: 'text/x' },
    },
  });

  await create({ origins: [api.url, other.url] }).fetch(get, { id: 'out' });

  expect(api.requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-own': '1' });
  const heard = other.requests[0]?.headers ?? {};
  expect(heard['accept']).toBe('text/x');
  for (const name of ['authorization', 'cookie', 'x-own']) expect(heard).not.toHaveProperty(name);
});

test('headers of the visitor are sent to the origin of the base alone, and headers of an endpoint replace them', async () => {
  api.on('GET', '/todos/out', { status: 302, headers: { location: `${other.url}/todos/3` } });
  const controller = create({
    origins: [other.url],
    baseUrl: api.url,
    headers: { Cookie: 'visitor=1', 'X-Own': 'ours' },
  });
  const get = createTodos().get.extend({ requestInit: { headers: { 'x-own': 'its' } } });

  await controller.fetch(get, { id: '1' });
  await controller.fetch(get, { id: 'out' });
  await controller.fetch(createTodos(other.url).get, { id: '4' });

  for (const { headers } of api.requests)
    expect(headers).toMatchObject({ cookie: 'visitor=1', 'x-own': 'its' });
  expect(api.requests).toHaveLength(2);
  expect(other.requests).toHaveLength(2);
  for (const { headers } of other.requests) {
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('x-own');
  }
});

test('a creation whose response is a redirect becomes a read, as in a browser', async () => {
  api.on('POST', '/todos', { status: 303, headers: { location: '/todos/9' } });
  const { push } = createTodos(api.url).getList;

  const made = await create().fetch(push, { title: 'new' });

  expect(made).toMatchObject({ id: '9' });
  expect(api.requests.map(({ method, body }) => [method, body])).toEqual([
    ['POST', { title: 'new' }],
    ['GET', undefined],
  ]);
});

test('a request that a redirect makes a GET has no headers of a body, also at its own origin', async () => {
  api.on('POST', '/todos', { status: 303, headers: { location: '/todos/9' } });
  const { push } = createTodos(api.url).getList;

  await create().fetch(push.extend({ requestInit: { headers: { 'x-own': '1' } } }), { title: 'new' });

  const [post, get] = api.requests.map(({ headers }) => headers);
  expect(post).toHaveProperty('content-type');
  expect(get).toMatchObject({ 'x-own': '1' });
  expect(get).not.toHaveProperty('content-type');
});

test('a string that is no origin is refused at once', () => {
  for (const origin of [
    '*',
    'example.com',
    'ftp://example.com',
    `${api.url}/path`,
    'https://user@example.com',
  ])
    expect(() => create({ origins: [origin] }), origin).toThrow(
      expect.objectContaining({ code: 'ORIGIN_INVALID' }),
    );
  expect(() => create({ baseUrl: '/page' })).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }));
});
