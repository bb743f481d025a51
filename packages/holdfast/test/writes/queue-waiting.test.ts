// Information about calls that wait in a queue: `getPending`, and a warning where a call waits for itself.
import { getPending, watchPending } from 'holdfast';
import type { Manager } from 'holdfast';
import { beforeEach, expect, test, vi } from 'vitest';
import { breathe, until } from '../support/fake-world.ts';
import { endOf, start, Todo, withQueue } from './harness.ts';

test.each([true, false])(
  'getPending lists the calls of a row, optimistic: %s, and distinguishes waiting calls from the one that is sent',
  async (optimistic) => {
    const { server, controller, send, todos } = await start();
    const { get, partialUpdate } = todos({ optimistic });
    await controller.fetch(get, { id: 1 });
    const held = server.hold('PATCH', '/todos/1');
    const pending = () =>
      getPending(controller, Todo, { id: 1 }).map(({ args, status }) => [(args[1] as Todo).title, status]); // cast: what is sent
    let changes = 0;
    watchPending(controller, Todo, { id: 1 }).subscribe(() => (changes += 1));

    const first = send(partialUpdate, { id: 1 }, { title: 'a' });
    const second = send(partialUpdate, { id: 1 }, { title: 'b' });
    expect(pending()).toEqual([
      ['a', 'sent'],
      ['b', 'waiting'],
    ]);
    expect(changes).toBeGreaterThan(0);
    expect(getPending(controller, Todo, { id: 2 })).toEqual([]);

    (await held.next()).release();
    await first;
    await held.next();
    expect(pending()).toEqual([['b', 'sent']]);
    held.releaseAll();
    await second;
    await breathe();
    expect(pending()).toEqual([]);
  },
);

let warnings: string[];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  return () => vi.restoreAllMocks();
});

test('a call inside the fetch of a call of the same row causes one warning after ten seconds, with both names', async () => {
  const { world, send, todos, controller } = await start();
  const { partialUpdate } = todos();
  const publish = partialUpdate.extend({
    name: 'Todo.publish',
    async fetch(params: { id: number | string }) {
      return send(partialUpdate, params, { status: 'public' });
    },
  });
  const outer = send(publish, { id: 1 }, {});
  void send(publish, { id: 2 }, {});
  await breathe();

  await world.pass(9_000);
  expect(warnings).toEqual([]);
  await world.pass(2_000);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^\[QUEUE_BLOCKED\]/);
  expect(warnings[0]).toContain('Todo.publish');
  expect(warnings[0]).toContain('Todo.partialUpdate');
  await world.pass(10_000);
  expect(warnings).toHaveLength(1);
  expect(await endOf(outer)).toBe('pending');
  controller.resetEntireStore();
});

test('a call inside a manager, for the row whose request it wraps, causes a warning too', async () => {
  const asking: Manager = {
    async request(request, next) {
      if (request.endpoint.name === 'Todo.update') await send(partialUpdate, { id: 1 }, { status: 'locked' });
      return next(request);
    },
  };
  const { world, send, todos, controller } = await start({ managers: [asking] });
  const { partialUpdate, update } = todos();
  void send(update, { id: 1 }, { title: 'a' });
  await breathe();

  await world.pass(11_000);

  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('Todo.update');
  expect(warnings[0]).toContain('Todo.partialUpdate');
  controller.resetEntireStore();
});

test('with `queue: null` a call inside the fetch of a call of the same row is sent, without a warning', async () => {
  const { world, rows, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  const inner = withQueue(partialUpdate, null);
  const publish = partialUpdate.extend({
    name: 'Todo.publish',
    async fetch(params: { id: number | string }) {
      return send(inner, params, { status: 'public' });
    },
  });

  await send(publish, { id: 1 }, {});
  await world.pass(11_000);

  expect(rows.get('1')).toMatchObject({ status: 'public' });
  expect(writes()).toEqual(['PATCH /todos/1 {"status":"public"}']);
  expect(warnings).toEqual([]);
});

test('a call that waits behind quick calls causes no warning', async () => {
  const { server, world, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  const held = server.hold('PATCH', '/todos/1');
  for (const title of ['a', 'b', 'c']) void send(partialUpdate, { id: 1 }, { title });

  for (let turn = 1; turn <= 3; turn += 1) {
    await until(() => writes().length === turn);
    await world.pass(6_000);
    (await held.next()).release();
    await breathe();
  }

  expect(warnings).toEqual([]);
});
