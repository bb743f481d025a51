import { expect, test } from 'vitest';
import { Controller, RestEndpoint } from 'holdfast';
import type { AnyReadEndpoint } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';
import { createInspected, settle } from './held-network.ts';
import { Todo, TodoResource } from './parts.ts';

function rowOf(inspector: Inspector, id: string): Inspector.ExplainedRow {
  const explained = inspector.explain(Todo, { id });
  if (explained.found !== 'entity') throw new Error(JSON.stringify(explained));
  return explained;
}

function answerOf(
  inspector: Inspector,
  endpoint: AnyReadEndpoint,
  ...args: unknown[]
): Inspector.ExplainedAnswer {
  const explained = inspector.explain(endpoint, ...args);
  if (explained.found !== 'answer') throw new Error(JSON.stringify(explained));
  return explained;
}

test('a read that was sent before a write was acknowledged loses to it, field by field', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
  await settle();
  await network.answer('PATCH /todos/5', { id: '5', title: 'mine' });
  await network.answer('GET /todos/5', { id: '5', title: 'theirs', done: true });
  await Promise.all([read, write]);

  const [reading, writing] = inspector.requests();
  const { title, done } = rowOf(inspector, '5').fields;
  expect(title).toMatchObject({ value: 'mine', server: 'mine', from: writing?.id, how: 'answered' });
  expect(title?.lost).toEqual([
    { value: 'theirs', from: reading?.id, to: writing?.id, rule: 'read-sent-before-write-was-answered' },
  ]);
  expect(done).toMatchObject({ value: true, from: reading?.id, lost: [] });
});

test('a sent value is kept where the response omits the field, and the explanation contains that', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old', done: false });
  await read;
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'sent' });
  await settle();
  await network.answer('PATCH /todos/5', { id: '5', done: true });
  await write;

  const { title, done } = rowOf(inspector, '5').fields;
  const id = inspector.requests().at(-1)?.id;
  expect(title).toMatchObject({ server: 'sent', from: id, how: 'sent-and-accepted' });
  expect(done).toMatchObject({ server: true, from: id, how: 'answered' });
});

test('a pending mutation is an optimistic update over the field, with its status', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old' });
  await read;
  void controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'one' });
  void controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'two' });
  await settle();

  const { title } = rowOf(inspector, '5').fields;
  expect(title).toMatchObject({ value: 'two', server: 'old' });
  expect(title?.guesses.map(({ value, status }) => [value, status])).toEqual([
    ['one', 'sent'],
    ['two', 'waiting'],
  ]);
  const [first, second] = inspector.writes();
  expect(first).toMatchObject({ status: 'sent', standsIn: ['Todo 5'], waitsFor: undefined });
  expect(second).toMatchObject({ status: 'waiting', waitsFor: first?.endpoint, over: ['Todo 5'] });
  expect(network.waiting).toEqual(['PATCH /todos/5']);
});

test('a message about a field that is being written is ignored, and an echo confirms the value', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old' });
  await read;
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
  await settle();
  await controller.set(Todo, { id: '5' }, { title: 'older' });
  await network.answer('PATCH /todos/5', { id: '5', title: 'mine' });
  await write;
  await controller.set(Todo, { id: '5' }, { title: 'mine' });

  const { title } = rowOf(inspector, '5').fields;
  const [, patch, older, echo] = inspector.requests();
  expect(title).toMatchObject({ value: 'mine', from: patch?.id, confirmed: [echo?.id] });
  expect(title?.lost).toEqual([
    { value: 'older', from: older?.id, to: patch?.id, rule: 'own-write-under-way' },
  ]);
});

test('a message that repeats a field of a stale row confirms the field, and a read in flight loses to it', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old', done: false });
  await read;
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { done: true });
  await network.answer('PATCH /todos/5', undefined, { status: 204 });
  await write;
  expect(rowOf(inspector, '5').stale).toHaveLength(1);
  const late = controller.fetch(TodoResource.get, { id: '5' });
  await settle();
  await controller.set(Todo, { id: '5' }, { title: 'old' });
  const message = inspector.requests().at(-1)?.id;
  const first = inspector.requests()[0]?.id;
  expect(rowOf(inspector, '5').fields['title']).toMatchObject({ from: first, confirmed: [message] });
  await network.answer('GET /todos/5', { id: '5', title: 'other', done: true });
  await late;

  const { title } = rowOf(inspector, '5').fields;
  expect(title).toMatchObject({ server: 'old', from: first, confirmed: [message] });
  expect(title?.lost).toMatchObject([
    { value: 'other', to: message, rule: 'read-sent-before-write-was-answered' },
  ]);
});

test('a value that a later one replaces is history, a response that repeats the value confirms it, and neither has lost', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old' });
  await read;
  const late = controller.fetch(TodoResource.get, { id: '5' });
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'new' });
  await settle();
  await network.answer('PATCH /todos/5', { id: '5', title: 'new' });
  await network.answer('GET /todos/5', { id: '5', title: 'new' });
  await Promise.all([late, write]);
  const again = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'new' });
  await again;

  const [first, second, patch, last] = inspector.requests().map(({ id }) => id);
  expect(rowOf(inspector, '5').fields['title']).toEqual({
    value: 'new',
    server: 'new',
    from: patch,
    how: 'answered',
    confirmed: [last, second],
    history: [{ value: 'old', from: first, how: 'answered' }],
    lost: [],
    guesses: [],
  });
});

test('a response about a row that was deleted meanwhile is late', async () => {
  const { controller, network, inspector } = createInspected();
  const first = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old' });
  await first;
  const late = controller.fetch(TodoResource.get, { id: '5' });
  const removal = controller.fetch(TodoResource.delete, { id: '5' });
  await settle();
  await network.answer('DELETE /todos/5');
  await network.answer('GET /todos/5', { id: '5', title: 'again' });
  await Promise.all([removal, late]);

  const row = rowOf(inspector, '5');
  expect(row.isDeleted).toBe(true);
  expect(row.late).toEqual([{ rule: 'row-was-deleted', from: inspector.requests()[1]?.id }]);
});

test('a list contains the reason for each row in it, and which rows have left', async () => {
  const { controller, network, inspector } = createInspected();
  const { getList } = TodoResource;
  const reading = controller.fetch(getList, { userId: '1' });
  await network.answer('GET /todos?userId=1', [
    { id: '1', title: 'a', userId: '1' },
    { id: '2', title: 'b', userId: '1' },
  ]);
  await reading;
  const creation = controller.fetch(getList.push, { userId: '1' }, { title: 'c', userId: '1' });
  await settle();
  expect(answerOf(inspector, getList, { userId: '1' }).collections[0]?.items.map(({ how }) => how)).toEqual([
    'answered',
    'answered',
    'guessed',
  ]);
  await network.answer(network.waiting[0]!, { id: '3', title: 'c', userId: '1' });
  await creation;
  const move = controller.fetch(TodoResource.partialUpdate, { id: '2' }, { userId: '2' });
  await settle();
  await network.answer('PATCH /todos/2', { id: '2', title: 'b', userId: '2' });
  await move;

  const [first, second, third] = inspector.requests();
  const { collections, from } = answerOf(inspector, getList, { userId: '1' });
  expect(from).toBe(first?.id);
  expect(collections).toMatchObject([
    {
      entity: 'Todo',
      arguments: { userId: '1' },
      pages: [first?.id],
      order: 'as-answered',
      membership: 'by-fields',
      items: [
        { pk: '1', how: 'answered', by: first?.id },
        { pk: '3', how: 'put-by-the-call', by: second?.id },
      ],
      gone: [{ pk: '2', how: 'field-changed', by: third?.id }],
    },
  ]);
});

test('an older response to the same call is listed as a loser', async () => {
  const { controller, network, inspector } = createInspected();
  const older = controller.fetch(TodoResource.get, { id: '5' });
  controller.invalidate(TodoResource.get, { id: '5' });
  const newer = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'new' }, { place: 1 });
  await network.answer('GET /todos/5', { id: '5', title: 'old' });
  await Promise.all([older, newer]);

  expect(answerOf(inspector, TodoResource.get, { id: '5' })).toMatchObject({
    from: inspector.requests()[1]?.id,
    lost: [{ rule: 'read-sent-before-later-read' }],
  });
  expect(rowOf(inspector, '5').fields['title']).toMatchObject({
    value: 'new',
    lost: [{ value: 'old', rule: 'read-sent-before-later-read' }],
  });
});

test('the explanation of an unknown row contains that it is unknown', () => {
  const { inspector } = createInspected();
  const ping = new RestEndpoint({ urlPrefix: 'http://held.test', path: '/ping/:id' });

  expect(inspector.explain(Todo, { id: '7' })).toEqual({
    found: 'nothing',
    why: 'No Todo 7 is stored: it was never seen, or it is forgotten.',
  });
  expect(inspector.explain(Todo, {})).toMatchObject({
    found: 'nothing',
    why: 'These arguments name no Todo.',
  });
  expect(inspector.explain(ping, { id: '1' })).toMatchObject({ found: 'nothing' });
  expect(inspector.explain(ping)).toMatchObject({ found: 'nothing' });
  expect(inspector.whyRendered(ping, { id: '1' })).toMatchObject({ found: 'nothing' });
  expect(inspector.whyFetched(17)).toMatchObject({ found: 'nothing' });
  expect(inspector.whyStale(ping, { id: '1' })).toEqual([{ rule: 'never-fetched' }]);
  for (const odd of [null, undefined, 5, 'Todo', {}, () => undefined, Symbol('odd')]) {
    expect(inspector.explain(odd)).toMatchObject({ found: 'nothing' });
    expect(inspector.whyStale(odd)).toMatchObject({ found: 'nothing' });
  }
});

test('an inspector that was given to no controller reports that', () => {
  const inspector = inspect({ keep: -1 });

  expect(inspector.explain(Todo, { id: '1' })).toEqual({
    found: 'nothing',
    why: 'The inspector is no manager of a controller yet.',
  });
  expect(inspector.trace()).toMatchObject({ requests: [], entities: [] });
});

test('an inspector survives a reset, and knows nothing of the former store', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old' });
  await read;
  controller.resetEntireStore();

  expect(inspector.explain(Todo, { id: '5' })).toMatchObject({ found: 'nothing' });
  const again = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'new' });
  await again;
  expect(rowOf(inspector, '5').fields['title']).toMatchObject({
    value: 'new',
    from: inspector.requests()[1]?.id,
  });
});

test('two controllers each have an inspector', async () => {
  const one = createInspected();
  const other = new Controller({ managers: [inspect()] });
  const read = one.controller.fetch(TodoResource.get, { id: '5' });
  await one.network.answer('GET /todos/5', { id: '5', title: 'old' });
  await read;

  expect(one.inspector.requests()).toHaveLength(1);
  expect(other.get(Todo, { id: '5' })).toBeUndefined();
});
