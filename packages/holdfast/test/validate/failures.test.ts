// Failures by type: the results of `attempt`, `failureOf` and `failedWith` for the responses of a real server.
import { type } from 'arktype';
import {
  Controller,
  createResource,
  dehydrate,
  Endpoint,
  Entity,
  HttpError,
  RestEndpoint,
  savedState,
  schema,
} from 'holdfast';
import type { StandardSchema } from 'holdfast';
import { attempt, failedWith, failureOf } from 'holdfast/validate';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { Reply } from '../support/server.ts';

class Todo extends Entity {
  id = '';
  title = '';
  dueAt = new Date(0);
  static override key = 'Todo';
  static override schema = { dueAt: Date };
}

const zodFields = z.object({ fields: z.record(z.string(), z.string()) });
const valibotFields = v.object({ fields: v.record(v.string(), v.string()) });
const arktypeFields = type({ fields: 'Record<string, string>' });

async function start() {
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const todos = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    errors: { 409: Todo, 422: zodFields },
  });
  const refuse = (reply: Reply) => server.on('PATCH', '/todos/:id', reply);
  const save = () => attempt(controller, todos.partialUpdate, { id: '1' }, { title: 'tea' });
  return { server, controller, todos, refuse, save };
}

test('a successful call returns its value', async () => {
  const { refuse, save } = await start();
  refuse({ body: { id: '1', title: 'tea' } });

  const saved = await save();

  expect(saved).toMatchObject({ ok: true, value: { title: 'tea' } });
  expect(saved.ok && saved.value).toBeInstanceOf(Todo);
});

test.each([
  ['zod', zodFields],
  ['valibot', valibotFields],
  ['arktype', arktypeFields],
])('a declared status gives its typed body, by %s', async (_library, fields) => {
  const { server, controller, todos } = await start();
  server.on('PATCH', '/todos/:id', { status: 422, body: { fields: { title: 'is taken' } } });
  const save = todos.partialUpdate.extend({ errors: { 422: fields as typeof zodFields } });

  const saved = await attempt(controller, save, { id: '1' }, { title: 'tea' });

  if (saved.ok || saved.failure.kind !== 422) throw new Error('told apart wrongly');
  expect(saved.failure.body.fields).toEqual({ title: 'is taken' });
  expect(saved.failure.error).toBeInstanceOf(HttpError);
});

test('an entity as the schema parses the body to an instance, and the store does not change', async () => {
  const { controller, refuse, save } = await start();
  refuse({ status: 409, body: { id: '1', title: 'theirs', dueAt: '2026-01-02T00:00:00Z' } });

  const saved = await save();

  if (saved.ok || saved.failure.kind !== 409) throw new Error('told apart wrongly');
  expect(saved.failure.body).toBeInstanceOf(Todo);
  expect(saved.failure.body.dueAt).toEqual(new Date('2026-01-02T00:00:00Z'));
  expect(controller.get(Todo, { id: '1' })).toBeUndefined();
});

test('a body with entities and a list is read whole', async () => {
  const { server, controller, todos } = await start();
  const save = todos.partialUpdate.extend({
    errors: { 409: { current: Todo, others: new schema.Collection([Todo]) } },
  });
  const body = { current: { id: '1', title: 'a' }, others: [{ id: '2', title: 'b' }] };
  server.on('PATCH', '/todos/:id', { status: 409, body });

  const saved = await attempt(controller, save, { id: '1' }, { title: 'tea' });

  if (saved.ok || saved.failure.kind !== 409) throw new Error('told apart wrongly');
  expect(saved.failure.body.current.title).toBe('a');
  expect(saved.failure.body.others.map(({ title }) => title)).toEqual(['b']);
});

test('a body that does not match its schema is a plain HTTP failure with the issues', async () => {
  const { controller, refuse, save, todos } = await start();
  refuse({ status: 422, body: { fields: { title: 5 } } });

  const saved = await save();

  if (saved.ok || saved.failure.kind !== 'http') throw new Error('told apart wrongly');
  expect(saved.failure).toMatchObject({ status: 422, issues: [{ path: ['fields', 'title'] }] });
  const error: unknown = await controller
    .fetch(todos.partialUpdate, { id: '1' }, {})
    .catch((thrown: unknown) => thrown);
  expect(failedWith(todos.partialUpdate, error, 422)).toBe(false);
});

test('an entity that refuses the body, and a status without one, are plain HTTP failures too', async () => {
  const { refuse, save } = await start();

  refuse({ status: 409, body: { title: 'without a key' } });
  expect(await save()).toMatchObject({
    failure: {
      kind: 'http',
      status: 409,
      issues: [{ message: expect.stringContaining('ENTITY_WITHOUT_PK') }],
    },
  });

  refuse({ status: 409, body: 'plain text' });
  expect(await save()).toMatchObject({ failure: { kind: 'http', status: 409, issues: [{}] } });
});

test('a status that is not declared is a plain HTTP failure without issues', async () => {
  const { refuse, save } = await start();
  refuse({ status: 403, body: { detail: 'no' } });

  expect(await save()).toMatchObject({ ok: false, failure: { kind: 'http', status: 403, issues: [] } });
});

test('a missing response, the time limit, an abort and a mistake of the caller are distinguished', async () => {
  const { server, controller, refuse, save, todos } = await start();
  refuse({ drop: true });
  expect(await save()).toMatchObject({ failure: { kind: 'network', error: { code: 'CONNECTION_FAILED' } } });

  refuse({ status: 403 });
  const kindOf = async (endpoint: typeof todos.partialUpdate) => {
    const saved = await attempt(controller, endpoint, { id: '1' }, { title: 'tea' });
    return saved.ok ? 'ok' : saved.failure.kind;
  };
  const aborter = new AbortController();
  const held = server.hold('PATCH', '/todos/:id');
  const aborted = kindOf(todos.partialUpdate.extend({ signal: aborter.signal }));
  await held.next();
  aborter.abort();
  expect(await aborted).toBe('abort');

  const world = new FakeWorld();
  const patient = new Controller({ ...world.options, fetch: (url, init) => fetch(url, init) });
  const late = attempt(patient, todos.partialUpdate.extend({ timeoutMs: 5 }), { id: '1' }, {});
  await held.next();
  await world.pass(10);
  expect(await late).toMatchObject({ failure: { kind: 'timeout' } });

  const wrong = { id: '' } as { id: string };
  const fault = await attempt(controller, todos.partialUpdate, wrong, {});
  expect(fault).toMatchObject({ failure: { kind: 'other', error: { code: 'PATH_PARAM_INVALID' } } });
});

test('failedWith narrows in a catch, and the body is in no log', async () => {
  const { controller, todos, refuse } = await start();
  refuse({ status: 422, body: { fields: { title: 'is taken' } } });

  const error: unknown = await controller
    .fetch(todos.partialUpdate, { id: '1' }, {})
    .catch((thrown: unknown) => thrown);

  expect(failedWith(todos.partialUpdate, error, 409)).toBe(false);
  if (!failedWith(todos.partialUpdate, error, 422)) throw new Error('not recognised');
  expect(error.body.fields['title']).toBe('is taken');
  expect(Object.keys(error)).not.toContain('body');
  expect(failedWith(todos.partialUpdate, new Error('other'), 422)).toBe(false);
});

test('a body is parsed once per error, and the parsed value is returned', async () => {
  const { server, controller } = await start();
  let count = 0;
  const counted = z.object({ at: z.coerce.date() }).transform((body) => {
    count += 1;
    return body.at;
  });
  const get = new RestEndpoint({ urlPrefix: server.url, path: '/late', errors: { 503: counted } });
  server.on('GET', '/late', { status: 503, body: { at: '2026-01-02T00:00:00Z' } });

  const error: unknown = await controller.fetch(get).catch((thrown: unknown) => thrown);
  const [first, second] = [failureOf(get, error), failureOf(get, error)];

  expect(first).toMatchObject({ kind: 503, body: new Date('2026-01-02T00:00:00Z') });
  expect(second).toMatchObject({ body: new Date('2026-01-02T00:00:00Z') });
  expect(count).toBe(1);
  expect(failureOf(get, undefined)).toBeUndefined();
});

test('creations, changes and pages of a list, and extensions of a member, keep the errors of the resource', async () => {
  const { server, controller, todos } = await start();
  const body = { fields: { title: 'is taken' } };
  for (const method of ['POST', 'PATCH']) server.on(method, '/todos', { status: 422, body });
  server.on('GET', '/todos', { status: 422, body });

  const { getList } = todos;
  const created = await attempt(controller, getList.push, { title: 'tea' });
  const removed = await attempt(controller, getList.remove, {}, { id: '1' });
  const page = await attempt(controller, getList.paginated('page'), { page: 2 });
  const slow = await attempt(controller, getList.push.extend({ timeoutMs: 5_000 }), { title: 'tea' });

  for (const one of [created, removed, page, slow])
    expect(one.ok || (one.failure.kind === 422 && one.failure.body.fields['title'])).toBe('is taken');
});

test('an endpoint around a function can declare errors too', async () => {
  const run = new Endpoint(
    async () => {
      throw new HttpError({ method: 'GET', url: '/' }, new Response(null, { status: 422 }), { fields: {} });
    },
    { name: 'run', errors: { 422: zodFields } },
  );

  const ran = await attempt(new Controller(), run);

  expect(ran).toMatchObject({ ok: false, failure: { kind: 422, body: { fields: {} } } });
});

test('a restored failure is a plain HTTP failure: saved states contain no bodies', async () => {
  const { server, controller, todos } = await start();
  server.on('GET', '/todos/:id', { status: 422, body: { fields: {} } });
  await attempt(controller, todos.get, { id: '1' });
  const state = JSON.stringify(dehydrate(controller));

  const restored = new Controller({ initialState: savedState(state) });
  const error = restored.getError(todos.get, { id: '1' });

  expect(failureOf(todos.get, error)).toMatchObject({ kind: 'http', status: 422 });
});

const standard = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

test.each([
  ['SCHEMA_ASYNC', standard(async (value) => ({ value }))],
  [
    'SCHEMA_THREW',
    standard(() => {
      throw new Error('no');
    }),
  ],
  [
    'SCHEMA_CHANGED_INPUT',
    standard((value) => {
      Object.assign(value as object, { seen: true });
      return { value };
    }),
  ],
])('a schema that cannot be used is reported as %s', async (code, odd) => {
  const { controller, refuse, todos } = await start();
  const save = todos.partialUpdate.extend({ errors: { 422: odd } });
  refuse({ status: 422, body: { fields: {} } });

  await expect(attempt(controller, save, { id: '1' }, {})).rejects.toMatchObject({ code });
});

test('an entity whose `process` throws for a body is reported as SCHEMA_THREW', async () => {
  class Odd extends Todo {
    static override process(): never {
      throw new Error('no');
    }
  }
  const { controller, refuse, todos } = await start();
  const save = todos.partialUpdate.extend({ errors: { 409: Odd } });
  refuse({ status: 409, body: { id: '1' } });

  await expect(attempt(controller, save, { id: '1' }, {})).rejects.toMatchObject({
    code: 'SCHEMA_THREW',
    cause: { message: 'no' },
  });
});

test('a function of a schema that throws for a body is a plain HTTP failure', async () => {
  const { controller, refuse, todos } = await start();
  const odd = (): never => {
    throw new Error('no');
  };
  const save = todos.partialUpdate.extend({ errors: { 409: { at: odd } } });
  refuse({ status: 409, body: { at: 'now' } });

  expect(await attempt(controller, save, { id: '1' }, {})).toMatchObject({
    failure: { kind: 'http', issues: [{ message: expect.stringContaining('FIELD_PARSER_THREW') }] },
  });
});
