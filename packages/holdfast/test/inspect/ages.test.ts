// What the inspector says of rows whose fields came with different responses: those of a picked class and those of the whole one.
import { schema } from 'holdfast';
import { describeField } from 'holdfast/inspect';
import { pick } from 'holdfast/local';
import { expect, test } from 'vitest';
import { createInspected } from './held-network.ts';
import { Todo, TodoResource } from './parts.ts';

const TodoRow = pick(Todo, ['id', 'title', 'userId']);
const todo = { id: '5', title: 'old', userId: '1', done: false, ssn: '1' };
const getRows = TodoResource.getList.extend({
  schema: new schema.Collection([TodoRow]),
  dataExpiryLength: 100_000,
});
const getTodo = TodoResource.get.extend({ dataExpiryLength: 5_000 });
const getRow = TodoResource.get.extend({ schema: TodoRow, path: '/rows/:id' });

test('each field names the responses that contained it, in the explanation and in its sentences', async () => {
  const { controller, network, inspector } = createInspected();
  const detail = controller.fetch(getTodo, { id: '5' });
  await network.answer('GET /todos/5', todo);
  await detail;
  const list = controller.fetch(getRows, { userId: '1' });
  await network.answer('GET /todos?userId=1', [{ id: '5', title: 'new', userId: '1' }]);
  await list;
  const row = inspector.explain(Todo, { id: '5' });
  if (row.found !== 'entity') throw new Error('it is not stored');
  const [first, second] = inspector.requests().map(({ id }) => id);

  expect(row.fields['title']).toMatchObject({ value: 'new', from: second });
  expect(row.fields['userId']).toMatchObject({ from: first, confirmed: [second] });
  expect(row.fields['done']).toMatchObject({ from: first, confirmed: [] });
  const say = (name: string): string =>
    describeField(inspector, row, name)
      .map(({ text }) => text)
      .join(' ');
  expect(say('userId')).not.toBe(say('done'));
});

test('a reader of some fields is fresh while a reader of the whole row has expired', async () => {
  const { controller, network, inspector, world } = createInspected();
  const detail = controller.fetch(getTodo, { id: '5' });
  await network.answer('GET /todos/5', todo);
  await detail;
  await world.pass(4_000);
  const list = controller.fetch(getRows, { userId: '1' });
  await network.answer('GET /todos?userId=1', [{ id: '5', title: 'new', userId: '1' }]);
  await list;
  await world.pass(4_000);
  controller.getResponse(getRow, { id: '5' });

  expect(inspector.whyStale(getTodo, { id: '5' })).toMatchObject([{ rule: 'lifetime-over' }]);
  const stop = controller.watch(getRow, { id: '5' }).subscribe(() => undefined);
  expect(inspector.whyStale(getRow, { id: '5' })).toEqual([]);
  stop();
});

test('a list whose rows came with some fields names the fields that its reader lacks', async () => {
  const { controller, network, inspector } = createInspected();
  const list = controller.fetch(getRows, { userId: '1' });
  await network.answer('GET /todos?userId=1', [{ id: '5', title: 'new', userId: '1' }]);
  await list;

  expect(inspector.whyStale(getRows, { userId: '1' })).toEqual([]);
  expect(inspector.whyStale(TodoResource.getList, { userId: '1' })).toEqual([
    { rule: 'summary-only', absent: ['done', 'ssn'] },
  ]);
});
