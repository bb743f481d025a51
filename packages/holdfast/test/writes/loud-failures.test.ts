// Failures are loud: an optimistic update that throws is reported and its mutation sent, and a failed mutation that no caller
// handles is an unhandled rejection. Reads keep their failure in the store, and an aborted call is no failure.
import type { Snapshot } from 'holdfast';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { breathe, failureOf } from '../support/fake-world.ts';
import type { Reply } from '../support/server.ts';
import { start, Todo } from './harness.ts';
import { unhandledIn } from './unhandled.ts';

describe('optimistic updates', () => {
  const reported: unknown[] = [];
  beforeEach(() => {
    reported.length = 0;
    vi.stubGlobal('reportError', (error: unknown) => void reported.push(error));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** A vote whose optimistic update needs a row that may not be stored. */
  async function startVote() {
    const started = await start();
    const { get, partialUpdate, delete: remove } = started.todos();
    const vote = partialUpdate.extend({
      path: '/todos/:id/vote',
      method: 'POST',
      body: undefined,
      getOptimisticResponse: (snapshot: Snapshot, { id }: { id: number | string }) => ({
        id,
        votes: snapshot.get(Todo, { id })!.votes + 1,
      }),
    });
    return { ...started, get, partialUpdate, remove, vote };
  }

  test('an optimistic update that throws is reported, and its mutation is sent and gets its response', async () => {
    const { controller, writes, vote } = await startVote();

    const voted = await controller.fetch(vote, { id: 1 });

    expect(writes()).toEqual(['POST /todos/1/vote']);
    expect(voted.votes).toBe(1);
    expect(reported).toEqual([expect.any(TypeError)]);
  });

  test('where the platform has no reportError, an optimistic update that throws is printed to the console', async () => {
    vi.stubGlobal('reportError', undefined);
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { controller, vote } = await startVote();

    await controller.fetch(vote, { id: 1 });

    expect(printed.mock.calls.flat()).toContainEqual(expect.any(TypeError));
  });

  test('an optimistic update that the schema refuses is reported, with its path, and its mutation is sent', async () => {
    const { controller, writes, partialUpdate } = await startVote();
    const change = partialUpdate.extend({ getOptimisticResponse: async () => ({ id: 1 }) });

    await controller.fetch(change, { id: 1 }, { title: 'x' });

    expect(writes()).toHaveLength(1);
    expect(reported).toEqual([
      expect.objectContaining({
        code: 'ENTITY_WITHOUT_PK',
        params: expect.objectContaining({ path: 'Todo.partialUpdate.getOptimisticResponse()' }),
      }),
    ]);
    expect(controller.get(Todo, { id: 1 })?.title).toBe('x');
  });

  test('an optimistic update that throws when it is computed again is reported, and its mutation continues', async () => {
    const { server, controller, send, get, remove, vote } = await startVote();
    await controller.fetch(get, { id: 1 });
    const held = server.hold('POST', '/todos/1/vote');
    const voting = send(vote, { id: 1 });
    const request = await held.next();
    expect(controller.get(Todo, { id: 1 })?.votes).toBe(1);
    expect(reported).toEqual([]);

    await controller.setResponse(remove, { id: 1 }, { id: 1 });
    request.release();

    expect((await voting).votes).toBe(1);
    expect(reported).toEqual([expect.any(TypeError)]);
  });

  test('an optimistic update that aborts itself is not reported', async () => {
    const { controller, partialUpdate } = await startVote();
    const change = partialUpdate.extend({
      getOptimisticResponse(snapshot: Snapshot): unknown {
        throw snapshot.abort;
      },
    });

    await controller.fetch(change, { id: 1 }, { title: 'x' });

    expect(reported).toEqual([]);
  });
});

describe('rejections', () => {
  test.each<[string, Reply]>([
    ['refused', { status: 409 }],
    ['refused with "not found"', { status: 404 }],
    ['failed by the server', { status: 500 }],
    ['lost', { drop: true }],
    ['confirmed with an HTML page', { body: '<html>' }],
  ])('a mutation that is %s, and that no caller handles, is an unhandled rejection', async (_name, reply) => {
    const { server, controller, todos } = await start();
    const { partialUpdate } = todos();
    server.on('PATCH', '/todos/1', reply);

    const found = await unhandledIn(() => void controller.fetch(partialUpdate, { id: 1 }, { title: 'x' }));

    expect(found).toEqual([expect.any(Error)]);
  });

  test('a mutation that reaches its time limit, and that no caller handles, is an unhandled rejection', async () => {
    const { server, world, controller, todos } = await start();
    const { partialUpdate } = todos();
    const held = server.hold('PATCH', '/todos/1');

    const found = await unhandledIn(async () => {
      void controller.fetch(partialUpdate, { id: 1 }, { title: 'x' });
      await held.next();
      await world.pass(30_000);
    });

    expect(found).toMatchObject([{ code: 'REQUEST_TIMEOUT' }]);
  });

  test('a failed mutation that the caller handles is no unhandled rejection, nor are the calls that waited for it', async () => {
    const { server, controller, todos } = await start();
    const { getList, partialUpdate } = todos();
    await controller.fetch(getList, {});
    server.on('POST', '/todos', { status: 422 });

    const found = await unhandledIn(async () => {
      const creating = failureOf(controller.fetch(getList.push, { title: 'new' }));
      const id = controller.getResponse(getList, {}).data?.[3]?.id ?? '';
      const editing = failureOf(controller.fetch(partialUpdate, { id }, { title: 'edited' }));
      await Promise.all([creating, editing]);
    });

    expect(found).toEqual([]);
  });

  test('an edit that fails because its row was not created is a separate unhandled rejection', async () => {
    const { server, controller, todos } = await start();
    const { getList, partialUpdate } = todos();
    await controller.fetch(getList, {});
    server.on('POST', '/todos', { status: 422 });

    const found = await unhandledIn(async () => {
      const creating = failureOf(controller.fetch(getList.push, { title: 'new' }));
      const id = controller.getResponse(getList, {}).data?.[3]?.id ?? '';
      void controller.fetch(partialUpdate, { id }, { title: 'edited' });
      await creating;
    });

    expect(found).toMatchObject([{ code: 'DRAFT_NOT_CREATED' }]);
  });

  test('a failed read is kept in the store, and is no unhandled rejection', async () => {
    const { server, controller, todos } = await start();
    const { get, getList } = todos();
    server.on('GET', '/todos*', { status: 500 });

    const found = await unhandledIn(async () => {
      void controller.fetch(get, { id: 1 });
      void controller.fetchIfStale(get, { id: 2 });
      const stop = controller.watch(getList, {}).subscribe(() => undefined);
      await breathe();
      stop();
    });

    expect(found).toEqual([]);
    expect(controller.getError(get, { id: 1 })).toMatchObject({ status: 500 });
  });

  test('a mutation that the signal of its caller ends, sent or waiting, is no unhandled rejection', async () => {
    const { server, controller, todos } = await start();
    const aborter = new AbortController();
    const { partialUpdate } = todos({ signal: aborter.signal });
    const held = server.hold('PATCH', '/todos/1');

    const found = await unhandledIn(async () => {
      void controller.fetch(partialUpdate, { id: 1 }, { title: 'a' });
      void controller.fetch(partialUpdate, { id: 1 }, { title: 'b' });
      await held.next();
      aborter.abort();
    });

    expect(found).toEqual([]);
  });

  test('mutations that a reset ends, sent or waiting, are no unhandled rejections', async () => {
    const { server, controller, todos } = await start();
    const { partialUpdate } = todos();
    const held = server.hold('PATCH', '/todos/1');

    const found = await unhandledIn(async () => {
      void controller.fetch(partialUpdate, { id: 1 }, { title: 'a' });
      void controller.fetch(partialUpdate, { id: 1 }, { title: 'b' });
      await held.next();
      controller.resetEntireStore();
    });

    expect(found).toEqual([]);
  });
});
