// Bulk: calls of one endpoint in one task are one request, and each of them has its own end.
import { Controller, getDefaultManagers, RestEndpoint, RetryManager } from 'holdfast';
import type { Manager } from 'holdfast';
import { BatchManager, edit, failure, history, success } from 'holdfast/edit';
import { HttpSemantics } from 'holdfast/http';
import { expect, test } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import type { Reply } from '../support/server.ts';
import { start, Todo } from '../writes/harness.ts';

type Row = Record<string, unknown>;
interface BulkReply {
  readonly rows: Record<string, Row>;
  readonly failed: Record<string, Row>;
}

/** The bulk endpoint of the server; what changes todo 2 is refused where `refused` says so. */
function bulkOf(url: string, more: object = {}) {
  return new RestEndpoint({
    urlPrefix: url,
    path: '/bulk',
    method: 'POST',
    body: {} as { updates: readonly Row[] },
    process: (value: unknown) => value as BulkReply, // cast: what the server of the test sends
    ...more,
  });
}

/** A client whose partial updates are merged. The manager is made last, because it needs the server's URL. */
async function open(more: Partial<BatchManager.Options<never, never>> & { retries?: boolean } = {}) {
  const { retries = false, ...options } = more;
  const inner: { manager?: Manager } = {};
  const late: Manager = { request: (request, next) => inner.manager!.request!(request, next) }; // set below
  const managers = [late, ...(retries ? [new RetryManager()] : []), ...getDefaultManagers()];
  const all = await start({ managers });
  const { partialUpdate, getList } = all.todos();
  const refused = new Map<string, Row>();
  all.server.on('POST', '/bulk', ({ body }): Reply => {
    const reply: BulkReply = { rows: {}, failed: {} };
    for (const { id, ...fields } of (body as { updates: Row[] }).updates) {
      const key = String(id);
      const refusal = refused.get(key);
      if (refusal) reply.failed[key] = refusal;
      else {
        all.rows.set(key, { ...all.rows.get(key), ...fields });
        reply.rows[key] = all.rows.get(key)!; // set above
      }
    }
    return { body: reply };
  });
  const bulk = bulkOf(all.server.url);
  inner.manager = new BatchManager({
    each: partialUpdate,
    as: bulk,
    args: (calls) => [{ updates: calls.map(([{ id }, body]) => ({ id, ...body })) }],
    results: ({ rows, failed }, calls) =>
      calls.map(([{ id }]) => (failed[id] ? failure(422, failed[id]) : success(rows[id]))),
    ...(options as object),
  });
  await all.controller.fetch(getList, {});
  all.left.length = 0;
  const shown = all.show((rows) => rows.map(({ title }) => title).join(' '), getList, {});
  const rename = (id: number, title: string): Promise<Todo> => all.send(partialUpdate, { id }, { title });
  return { ...all, bulk, partialUpdate, getList, refused, shown, rename };
}

test('the calls of one task are one request, and each is shown at once and ends with its row', async () => {
  const { rename, shown, left, world } = await open();

  const calls = [rename(1, 'a'), rename(2, 'b'), rename(3, 'c')];
  expect(shown.at(-1)).toBe('a b c');
  await world.pass(0);
  const rows = await Promise.all(calls);

  expect(left).toEqual([
    'POST /bulk {"updates":[{"id":1,"title":"a"},{"id":2,"title":"b"},{"id":3,"title":"c"}]}',
  ]);
  expect(rows.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
  expect(rows[0]).toBeInstanceOf(Todo);
  expect(shown.slice(shown.indexOf('a b c'))).toEqual(['a b c']);
});

test('a refused call rolls its own update back, and its neighbours keep theirs', async () => {
  const { rename, refused, shown, world } = await open();
  refused.set('2', { errors: { title: 'is taken' } });

  const calls = [rename(1, 'a'), rename(2, 'b'), rename(3, 'c')];
  await world.pass(0);
  const [first, second, third] = await Promise.allSettled(calls);

  expect([first?.status, third?.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(second).toMatchObject({
    reason: { status: 422, problem: { errors: { title: 'is taken' } }, method: 'PATCH' },
  });
  expect(String((second as PromiseRejectedResult).reason.url)).toMatch(/\/todos\/2$/);
  expect(shown.at(-1)).toBe('a t2 c');
});

test('one render shows the end of all calls', async () => {
  const { rename, refused, world, controller, getList } = await open();
  refused.set('3', {});
  const calls = [1, 2, 3].map((id) => rename(id, 'new'));
  const seen: unknown[] = [];
  const observer = controller.watch(getList, {});
  // like React: notified readers look in a microtask
  observer.subscribe(() =>
    queueMicrotask(() =>
      seen.push(
        observer
          .readShown()
          .data?.map(({ title }) => title)
          .join(' '),
      ),
    ),
  );
  await world.pass(0);
  await Promise.allSettled(calls);

  expect(new Set(seen)).toEqual(new Set(['new new t3']));
});

test('a call alone is sent as itself, and so is a call of an endpoint that extends the merged one', async () => {
  const { rename, send, partialUpdate, left, world } = await open();

  const alone = rename(1, 'a');
  await world.pass(0);
  await alone;
  const other = partialUpdate.extend({ extra: 1 });
  await Promise.all([send(other, { id: 1 }, { title: 'b' }), send(other, { id: 2 }, { title: 'c' })]);

  expect(left).toEqual([
    'PATCH /todos/1 {"title":"a"}',
    'PATCH /todos/1 {"title":"b"}',
    'PATCH /todos/2 {"title":"c"}',
  ]);
});

test('two calls of one row wait for each other, so they are two requests', async () => {
  const { rename, left, rows, world } = await open();

  const calls = [rename(1, 'a'), rename(2, 'b'), rename(1, 'c'), rename(2, 'd')];
  await world.pass(0);
  await until(() => left.length > 0);
  await breathe();
  await world.pass(0);
  await Promise.all(calls);

  expect(left).toEqual([
    'POST /bulk {"updates":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}',
    'POST /bulk {"updates":[{"id":1,"title":"c"},{"id":2,"title":"d"}]}',
  ]);
  expect(rows.get('1')).toMatchObject({ title: 'c' });
});

test('more calls than `most` become several requests', async () => {
  const { rename, left, world } = await open({ most: 2 } as never);

  const calls = [rename(1, 'a'), rename(2, 'b'), rename(3, 'c')];
  await world.pass(0);
  await Promise.all(calls);

  expect(left).toEqual([
    'POST /bulk {"updates":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}',
    'PATCH /todos/3 {"title":"c"}',
  ]);
});

test('changes of rows that are not loaded end with null after an empty response, merged or not', async () => {
  const { todos, server, world } = await start();
  const { partialUpdate } = todos();
  server.on('POST', '/bulk', () => ({ status: 204 }));
  server.on('PATCH', '/todos/:id', () => ({ status: 204 }));
  const batches = new BatchManager({
    each: partialUpdate,
    as: bulkOf(server.url),
    args: (calls) => [{ updates: calls.map(([{ id }, body]) => ({ id, ...body })) }],
    results: (_reply, calls) => calls.map(() => success()),
  });
  const rename = async (ids: readonly number[]): Promise<unknown> => {
    const controller = new Controller({ ...world.options, managers: [batches] });
    const calls = ids.map((id) => controller.fetch(partialUpdate, { id }, { title: 'new' }));
    await world.pass(0);
    return Promise.all(calls);
  };

  expect(await rename([1])).toEqual([null]);
  expect(await rename([1, 2])).toEqual([null, null]);
});

test('a wrong number of results leaves every outcome unknown, and the rows are read again', async () => {
  const { rename, world, reads } = await open({ results: () => [success({})] } as never);

  const calls = [rename(1, 'a'), rename(2, 'b')];
  const ends = Promise.allSettled(calls);
  await world.pass(0);

  for (const end of await ends)
    expect(end).toMatchObject({
      reason: { code: 'BATCH_RESULTS_INVALID', params: { calls: 2, found: 1 } },
    });
  expect(reads()).toContain('GET /todos');
});

test('a result that neither success nor failure made leaves every outcome unknown', async () => {
  const results = (_reply: unknown, calls: readonly unknown[]): unknown => calls.map(() => ({ id: 1 }));
  const { rename, world } = await open({ results } as never);

  const ends = Promise.allSettled([rename(1, 'a'), rename(2, 'b')]);
  await world.pass(0);

  for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'BATCH_RESULTS_INVALID' } });
});

test('when `results` throws, every call fails with its error', async () => {
  const broken = new Error('not what was expected');
  const results = (): never => {
    throw broken;
  };
  const { rename, world, reads } = await open({ results } as never);

  const ends = Promise.allSettled([rename(1, 'a'), rename(2, 'b')]);
  await world.pass(0);

  for (const end of await ends) expect(end).toMatchObject({ reason: broken });
  expect(reads()).toContain('GET /todos');
});

test('a failure of the one request is the failure of every call', async () => {
  const { rename, world, server, shown } = await open();
  server.on('POST', '/bulk', () => ({ status: 403 }));

  const ends = Promise.allSettled([rename(1, 'a'), rename(2, 'b')]);
  await world.pass(0);

  for (const end of await ends) expect(end).toMatchObject({ reason: { status: 403 } });
  expect(shown.at(-1)).toBe('t1 t2 t3');
});

test('a reset ends calls that wait for the end of the task, and nothing is sent', async () => {
  const { rename, left, world, controller } = await open();

  const ends = Promise.allSettled([rename(1, 'a'), rename(2, 'b')]);
  controller.resetEntireStore();
  await world.pass(0);

  for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'STORE_RESET' } });
  expect(left.filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test.each([false, 'known'] as const)(
  'calls are merged beside HttpSemantics; preconditions: %s',
  async (preconditions) => {
    const { todos, server, world } = await start({ managers: [] });
    const { partialUpdate, get } = todos();
    const lines: string[] = [];
    server.on('POST', '/bulk', ({ headers, body }) => {
      lines.push(`${String(headers['if-match'])} ${(body as { updates: Row[] }).updates.length}`);
      return { status: 204 };
    });
    server.on('GET', '/todos/:id', ({ params }) => ({
      body: { id: params['id'] },
      headers: { etag: '"1"' },
    }));
    const batches = new BatchManager({
      each: partialUpdate,
      as: bulkOf(server.url),
      args: (calls) => [{ updates: calls.map(([{ id }, body]) => ({ id, ...body })) }],
      results: (_reply, calls) => calls.map(() => success()),
    });
    const http = new HttpSemantics({ expiry: false, preconditions });
    const controller = new Controller({ ...world.options, managers: [batches, http] });
    await Promise.all([1, 2].map((id) => controller.fetch(get, { id })));

    const calls = [1, 2].map((id) => controller.fetch(partialUpdate, { id }, { title: 'new' }));
    await world.pass(0);
    await Promise.all(calls);

    expect(lines).toEqual(['undefined 2']);
  },
);

test('a call whose signal is aborted before it is made ends at once', async () => {
  const { todos, server, world } = await start({ managers: [] });
  const partialUpdate = todos().partialUpdate.extend({ signal: AbortSignal.abort() });
  const batches = new BatchManager({
    each: partialUpdate,
    as: bulkOf(server.url),
    args: (calls) => [{ updates: calls.map(([{ id }]) => ({ id })) }],
    results: (_reply, calls) => calls.map(() => success()),
  });
  const controller = new Controller({ ...world.options, managers: [batches] });

  const calls = [1, 2].map((id) => controller.fetch(partialUpdate, { id }, { title: 'new' }));
  const ends = Promise.allSettled(calls);
  await world.pass(0);

  for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'REQUEST_ABORTED' } });
});

test('two edits that are saved in one task share a request', async () => {
  const { controller, partialUpdate, left, world } = await open();
  const edits = [1, 2].map((id) => edit(controller, partialUpdate, { id }));

  for (const [at, todo] of edits.entries()) todo.set({ title: `typed ${at}` });
  await world.pass(800);
  await until(() => edits.every((todo) => todo.read().state === 'clean'));

  expect(left).toEqual(['POST /bulk {"updates":[{"id":1,"title":"typed 0"},{"id":2,"title":"typed 1"}]}']);
});

test('a RetryManager behind the BatchManager repeats the one request, with one idempotency key', async () => {
  const server = await open({ retries: true });
  const { rename, bulk, world } = server;
  const keys: unknown[] = [];
  let isDown = true;
  server.server.on('POST', '/bulk', ({ headers, body }) => {
    keys.push(headers['idempotency-key']);
    if (isDown) {
      isDown = false;
      return { status: 503 };
    }
    const { updates } = body as { updates: Row[] };
    return { body: { rows: Object.fromEntries(updates.map((row) => [row['id'], row])), failed: {} } };
  });
  Object.assign(bulk, { idempotencyKey: true });

  const calls = [rename(1, 'a'), rename(2, 'b')];
  await world.pass(10_000);
  await Promise.all(calls);

  expect(keys).toHaveLength(2);
  expect(keys[0]).toEqual(expect.any(String));
  expect(new Set(keys).size).toBe(1);
});

test('a call that a repeated request refuses may have been applied by the first one: its row is read again', async () => {
  const { rename, bulk, world, rows, server, shown } = await open({ retries: true });
  let attempt = 0;
  server.on('POST', '/bulk', ({ body }) => {
    const { updates } = body as { updates: Row[] };
    attempt += 1;
    if (attempt === 1) {
      for (const { id, ...fields } of updates) rows.set(String(id), { ...rows.get(String(id)), ...fields });
      return { status: 503 };
    }
    return { body: { rows: { 1: rows.get('1') }, failed: { 2: { title: 'was changed meanwhile' } } } };
  });
  Object.assign(bulk, { idempotencyKey: true });

  const calls = [rename(1, 'a'), rename(2, 'b')];
  await world.pass(10_000);
  const ends = await Promise.allSettled(calls);
  await until(() => shown.at(-1) === 'a b t3');

  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(attempt).toBe(2);
});

test('calls with other headers are other requests', async () => {
  const { todos, server, world, rows } = await start({ managers: [] });
  const { partialUpdate } = todos();
  const batches = new BatchManager({
    each: partialUpdate,
    as: bulkOf(server.url),
    args: (calls) => [{ updates: calls.map(([{ id }, body]) => ({ id, ...body })) }],
    results: (_reply, calls) => calls.map(() => success()),
  });
  const tenants: unknown[] = [];
  server.on('POST', '/bulk', ({ headers, body }) => {
    tenants.push([headers['tenant'], (body as { updates: Row[] }).updates.map(({ id }) => id)]);
    return { status: 204 };
  });
  let count = 0;
  const tenantOf: Manager = {
    request: (request, next) =>
      next({ ...request, headers: { ...request.headers, tenant: (count += 1) > 2 ? 'b' : 'a' } }),
  };
  const controller = new Controller({ ...world.options, managers: [tenantOf, batches] });
  rows.set('4', { id: 4 });

  const calls = [1, 2, 3, 4].map((id) => controller.fetch(partialUpdate, { id }, { title: 'new' }));
  await world.pass(0);
  await Promise.all(calls);

  expect(tenants).toEqual([
    ['a', [1, 2]],
    ['b', [3, 4]],
  ]);
});

/** A client whose reads of one todo are merged into one read of several. */
async function openReads() {
  const all = await start({ managers: [] });
  const { get } = all.todos();
  const asked: string[] = [];
  all.server.on('GET', '/many', ({ query }) => {
    asked.push(query.get('ids') ?? '');
    return { body: (query.get('ids') ?? '').split(',').map((id) => all.rows.get(id) ?? null) };
  });
  const getMany = new RestEndpoint({
    urlPrefix: all.server.url,
    path: '/many',
    searchParams: {} as { ids: string },
    process: (value: unknown) => value as (Row | null)[], // cast: what the server of the test sends
  });
  const batches = new BatchManager({
    each: get,
    as: getMany,
    args: (calls) => [{ ids: calls.map(([{ id }]) => id).join(',') }],
    results: (found) => found.map((row) => (row ? success(row) : failure(404))),
  });
  const controller = new Controller({ ...all.world.options, managers: [batches] });
  return { ...all, get, asked, controller };
}

test('reads are merged too, each is stored under its own call, and one that is missing fails alone', async () => {
  const { get, asked, controller, world } = await openReads();

  const reads = [1, 2, 9].map((id) => controller.fetch(get, { id }));
  await world.pass(0);
  const [first, second, third] = await Promise.allSettled(reads);

  expect(asked).toEqual(['1,2,9']);
  expect([first, second]).toMatchObject([{ value: { title: 't1' } }, { value: { title: 't2' } }]);
  expect(third).toMatchObject({ reason: { status: 404, method: 'GET' } });
  expect(controller.getResponse(get, { id: 2 })).toMatchObject({ data: { title: 't2' } });
  expect(controller.getError(get, { id: 9 })).toMatchObject({ status: 404 });
});

test('when one reader leaves, the others get their rows; when the last has left, the request is aborted', async () => {
  const { get, controller, world, server } = await openReads();
  const held = server.hold('GET', '/many');
  const watch = (id: number) => controller.watch(get, { id });
  const [first, second] = [watch(1), watch(2)];
  const [leaveFirst, leaveSecond] = [first, second].map((observer) => observer.subscribe(() => undefined));
  await world.pass(0);
  const { request } = await held.next();

  leaveFirst?.();
  await world.pass(0);
  expect(request.aborted).toBe(false);
  leaveSecond?.();
  await world.pass(0);
  await until(() => request.aborted);
});

test('a BatchManager that is given no size of at least one is refused, and so is a failure with another status', async () => {
  const { todos, server } = await start();
  const { partialUpdate } = todos();
  const make = (most: number): unknown =>
    new BatchManager({
      each: partialUpdate,
      as: bulkOf(server.url),
      most,
      args: () => [{ updates: [] }],
      results: () => [],
    });

  for (const most of [0, -1, Number.NaN])
    expect(() => make(most)).toThrow(expect.objectContaining({ code: 'BATCH_MOST_INVALID' }));
  for (const status of [0, 200, 600])
    expect(() => failure(status)).toThrow(expect.objectContaining({ code: 'BATCH_STATUS_INVALID' }));
});

test('the calls of a group of a history are one request, and so is its undo', async () => {
  const { rename, left, world, controller, partialUpdate, todos } = await open();
  const past = history(controller, { resources: [{ get: todos().get, partialUpdate }] });
  const paths = (): unknown[] => left.map((line) => line.split(' ')[1]);

  const calls = past.group('Rename', () => [rename(1, 'a'), rename(2, 'b'), rename(3, 'c')]);
  await world.pass(0);
  await Promise.all(calls);
  expect(paths()).toEqual(['/bulk']);

  const undoing = past.undo();
  // the stale rows are compared first, then the inverses are called in one task
  for (let turn = 0; turn < 100 && left.length === 1; turn += 1) {
    await world.pass(1);
    await breathe();
  }
  await undoing;
  expect(paths()).toEqual(['/bulk', '/bulk']);
});
