import { expect, test } from 'vitest';
import { createInspected, settle } from './held-network.ts';
import { Todo, TodoResource } from './parts.ts';

const todo = { id: '5', title: 'old', done: false, userId: '1', ssn: '' };

test('a request has its cause: a reader that mounted, a page that got the focus, or a call', async () => {
  const { controller, network, inspector, world } = createInspected({}, { dataExpiryLength: 5_000 });
  controller.start();
  const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
  await network.answer('GET /todos/5', todo);
  world.show(false);
  await world.pass(60_000);
  world.show(true);
  await settle();
  await network.answer('GET /todos/5', todo);
  const call = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', todo);
  await call;
  stop();
  controller.stop();

  expect(
    inspector.requests().map(({ cause, reasons }) => [cause, ...reasons.map(({ rule }) => rule)]),
  ).toEqual([['mount', 'never-fetched'], ['focus', 'lifetime-over'], ['call']]);
});

test('a mounted reader fetches because of age, a stale mark, an invalidation, or a failure whose pause is over', async () => {
  const { controller, network, inspector, world } = createInspected({}, { dataExpiryLength: 5_000 });
  controller.start();
  const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
  await network.answer('GET /todos/5', todo);
  await world.pass(5_001);
  await network.answer('GET /todos/5', todo);
  const write = controller
    .fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'x' })
    .catch(() => undefined);
  await settle();
  await network.answer('PATCH /todos/5', {}, { status: 500 });
  await write;
  expect(inspector.whyStale(TodoResource.get, { id: '5' })).toMatchObject([
    { rule: 'write-ended-unknown', what: 'Todo 5', by: inspector.requests()[2]?.id },
  ]);
  await network.answer('GET /todos/5', todo);
  expect(inspector.whyStale(TodoResource.get, { id: '5' })).toEqual([]);
  controller.invalidate(TodoResource.get, { id: '5' });
  await settle();
  await network.answer('GET /todos/5', {}, { status: 503 });
  await world.pass(1_100);
  await network.answer('GET /todos/5', todo);
  stop();
  controller.stop();

  expect(inspector.requests().map(({ kind, cause }) => `${kind} ${cause}`)).toEqual([
    'read mount',
    'read expiry',
    'mutation call',
    'read doubt',
    'read invalid',
    'read retry',
  ]);
});

test('data that was expired by hand has no request as its cause', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.getList, { userId: '1' });
  await network.answer('GET /todos?userId=1', [todo]);
  await read;
  controller.expireAll(TodoResource.getList);

  expect(inspector.whyStale(TodoResource.getList, { userId: '1' })).toEqual([
    { rule: 'expired-by-hand', what: 'the answer', by: undefined },
  ]);
});

test('a row that came only with a list is reported as a summary to a reader that needs all fields', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.getList, { userId: '1' });
  await network.answer('GET /todos?userId=1', [{ id: '5', title: 'old', userId: '1' }]);
  await read;
  const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
  await settle();

  expect(inspector.requests().at(-1)).toMatchObject({
    cause: 'mount',
    reasons: [{ rule: 'summary-only', absent: ['done', 'ssn'] }],
  });
  stop();
});

test('a row of a list that was stored before the clock was set back is read again, and the request has that reason', async () => {
  const { controller, network, inspector, world } = createInspected();
  const read = controller.fetch(TodoResource.getList, { userId: '1' });
  await network.answer('GET /todos?userId=1', [todo]);
  await read;
  world.time.stepBack(3_600_000);
  const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
  await settle();

  expect(inspector.requests().at(-1)).toMatchObject({
    endpoint: 'Todo.get',
    reasons: [{ rule: 'clock-was-set-back' }],
  });
  stop();
});

test('a notification has its cause: a nested row that changed, the source of the change, or an optimistic update', async () => {
  const { controller, network, inspector } = createInspected();
  controller.start();
  const stop = controller.watch(TodoResource.getList, { userId: '1' }).subscribe(() => undefined);
  await network.answer('GET /todos?userId=1', [todo]);
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
  await settle();
  await network.answer('PATCH /todos/5', { ...todo, title: 'theirs' });
  await write;
  await controller.set(Todo, { id: '5' }, { done: true });
  stop();
  controller.stop();

  const told = inspector.whyRendered(TodoResource.getList, { userId: '1' });
  if ('found' in told) throw new Error(told.why);
  const [first, second, third] = inspector.requests();
  expect(told.map(({ reasons }) => reasons.find(({ rule }) => /change/.test(rule)))).toMatchObject([
    { rule: 'changed', what: 'Todo 5', by: third?.id },
    { rule: 'changed', what: 'Todo 5', by: second?.id },
    { rule: 'guess-changed', what: 'Todo 5' },
    { by: first?.id },
  ]);
  expect(told.every(({ reasons }) => reasons.length > 0)).toBe(true);
});

test('a mounted reader is listed with the response that it shows, its freshness, and the number of its notifications', async () => {
  const { controller, network, inspector } = createInspected();
  controller.start();
  const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
  await settle();
  expect(inspector.mounted()).toMatchObject([
    { listenerCount: 1, from: undefined, stale: [{ rule: 'never-fetched' }] },
  ]);
  await network.answer('GET /todos/5', todo);
  expect(inspector.mounted()).toMatchObject([{ from: inspector.requests()[0]?.id, stale: [], wakeCount: 1 }]);
  stop();
  controller.stop();

  expect(inspector.mounted()).toEqual([]);
  expect(inspector.history().map(({ what }) => what)).toEqual([
    'mount',
    'request',
    'answer',
    'wake-up',
    'unmount',
  ]);
});

test('the latest requests, events and notifications are kept, as many as `keep` allows', async () => {
  const { controller, network, inspector } = createInspected({ keep: 3 });
  for (let at = 1; at <= 5; at += 1) {
    const read = controller.fetch(TodoResource.get, { id: String(at) });
    await network.answer(`GET /todos/${at}`, { ...todo, id: String(at) });
    await read;
  }

  expect(inspector.requests().map(({ args }) => args)).toEqual([[{ id: '3' }], [{ id: '4' }], [{ id: '5' }]]);
  expect(inspector.history()).toHaveLength(3);
  // the row still has the number of the request that it came with
  const first = inspector.explain(Todo, { id: '1' });
  if (first.found !== 'entity') throw new Error(first.found);
  expect(inspector.whyFetched(first.fields['title']!.from!)).toMatchObject({ found: 'nothing' });
});

test('a trace contains the rows that an event was about, not those that were only read', async () => {
  const { controller, network, inspector } = createInspected();
  const stop = controller.watch(TodoResource.get, { id: '404' }).subscribe(() => undefined);
  expect(inspector.findRows()).toEqual([]);
  const call = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', todo);
  await call;

  expect(inspector.findRows()).toEqual([{ entity: 'Todo', pk: '5' }]);
  stop();
});

test('rows are found by their type, their key and their values, in any case', async () => {
  const { controller, inspector } = createInspected();
  void controller.set(Todo, { id: '5' }, { ...todo, title: 'Paint the hull' });
  void controller.set(Todo, { id: '6' }, { ...todo, id: '6', title: 'Mend the net' });
  const find = (text: string): string[] => inspector.findRows(text).map(({ pk }) => pk);

  expect(find('todo')).toEqual(['5', '6']);
  expect(find('6')).toEqual(['6']);
  expect(find(' HULL')).toEqual(['5']);
  expect(find('hulls')).toEqual([]);
});
