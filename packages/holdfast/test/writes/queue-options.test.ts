// `queue` on an endpoint: another queue than that of the row, or none. Without one, the shown data still follows the order of
// calls.
import { getPending, HoldfastError } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe, failureOf } from '../support/fake-world.ts';
import { start, Todo, withQueue } from './harness.ts';
import type { Queue } from './harness.ts';

test('with `queue: null` calls of one row are sent at once, and delay no other call', async () => {
  const { server, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  const free = withQueue(partialUpdate, null);
  server.hold('PATCH', '/todos/1');

  void send(free, { id: 1 }, { title: 'a' });
  void send(free, { id: 1 }, { title: 'b' });
  void send(partialUpdate, { id: 1 }, { title: 'c' });
  await breathe();

  expect(writes()).toHaveLength(3);
});

test('calls of several rows share the queue that their endpoint computes from the arguments', async () => {
  const { server, rows, controller, writes, send, todos } = await start();
  const { getList, partialUpdate } = todos();
  await controller.fetch(getList, {});
  const seen: unknown[][] = [];
  const ranked = withQueue(partialUpdate, (...args: unknown[]) => {
    seen.push(args);
    return `board ${(args[1] as Todo).status}`; // cast: what is sent below
  });
  const held = server.hold('PATCH', '/todos/:id');

  const first = send(ranked, { id: 1 }, { status: 'x' });
  const second = send(ranked, { id: 2 }, { status: 'x' });
  void send(ranked, { id: 3 }, { status: 'y' });
  await breathe();
  expect(writes()).toEqual(['PATCH /todos/1 {"status":"x"}', 'PATCH /todos/3 {"status":"y"}']);
  expect(seen[1]).toEqual([{ id: 2 }, { status: 'x' }]);

  held.releaseAll();
  await Promise.all([first, second]);
  expect(rows.get('2')).toMatchObject({ status: 'x' });
});

test('an endpoint with another queue does not wait in the queue of the row', async () => {
  const { server, writes, send, todos } = await start();
  const { partialUpdate } = todos();
  server.hold('PATCH', '/todos/1');

  void send(partialUpdate, { id: 1 }, { title: 'a' });
  void send(
    withQueue(partialUpdate, () => 'elsewhere'),
    { id: 1 },
    { title: 'b' },
  );
  void send(
    withQueue(partialUpdate, () => null),
    { id: 1 },
    { title: 'c' },
  );
  await breathe();

  expect(writes()).toHaveLength(3);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new TypeError('a fault in the application');
    },
  ],
  ['gives a number', () => 5],
  ['gives undefined', () => undefined],
  ['gives a promise', () => Promise.resolve('x')],
])(
  'a queue that %s rejects the call with a code; nothing is sent and nothing shown',
  async (_name, queue) => {
    const { controller, writes, send, todos } = await start();
    const { get, partialUpdate } = todos();
    await controller.fetch(get, { id: 1 });

    const failure = await failureOf(
      send(withQueue(partialUpdate, queue as Queue), { id: 1 }, { title: 'a' }),
    ); // cast: what users get wrong
    await breathe();

    expect(failure).toBeInstanceOf(HoldfastError);
    expect(failure).toMatchObject({ code: 'QUEUE_INVALID' });
    expect(writes()).toEqual([]);
    expect(controller.get(Todo, { id: 1 })?.title).toBe('t1');
    expect(getPending(controller, Todo, { id: 1 })).toEqual([]);
  },
);

/** Two calls of one row in no queue, sent together: the test chooses which response arrives first. */
async function startTwo(first: Partial<Todo>, second: Partial<Todo>) {
  const started = await start();
  const { get, partialUpdate } = started.todos();
  const free = withQueue(partialUpdate, null);
  await started.controller.fetch(get, { id: 1 });
  const shown = started.show(({ title, votes }) => `${title} ${votes}`, get, { id: 1 });
  const held = started.server.hold('PATCH', '/todos/1');
  const a = started.send(free, { id: 1 }, first);
  const patchA = await held.next();
  const b = started.send(free, { id: 1 }, second);
  const patchB = await held.next();
  return { ...started, shown, a, b, patchA, patchB };
}

test('the optimistic update of an earlier call does not hide the response to a later call', async () => {
  const { shown, a, b, patchA, patchB } = await startTwo({ title: 'A' }, { title: 'B' });

  patchB.release();
  await b;
  patchA.release();
  await a;
  await breathe();

  expect(shown).toEqual(['t1 0', 'A 0', 'B 0']);
});

test('the fields of a later response are shown, also where the server sent other values than it got', async () => {
  const { shown, a, b, patchA, patchB } = await startTwo({ title: 'A' }, { title: 'B' });

  patchB.release({ body: { id: 1, title: 'B!', status: 'open', votes: 0 } });
  await b;
  patchA.release();
  await a;
  await breathe();

  expect(shown).toEqual(['t1 0', 'A 0', 'B 0', 'B! 0']);
});

test('an earlier call that fails after the response to a later one rolls nothing back', async () => {
  const { shown, a, b, patchA, patchB } = await startTwo({ title: 'A' }, { title: 'B' });

  patchB.release();
  await b;
  patchA.release({ status: 409 });
  await failureOf(a);
  await breathe();

  expect(shown).toEqual(['t1 0', 'A 0', 'B 0']);
});

test('the fields of an earlier optimistic update that no later response contained stay on screen', async () => {
  const { shown, a, b, patchA, patchB } = await startTwo({ title: 'A', votes: 5 }, { title: 'B' });

  patchB.release({ body: { id: 1, title: 'B' } });
  await b;
  patchA.release();
  await a;
  await breathe();

  expect(shown).toEqual(['t1 0', 'A 5', 'B 5']);
});
