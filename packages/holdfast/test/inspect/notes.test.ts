// Notes of other entries: why a list is complete, or incomplete.
import { Controller, createResource, Entity, schema, totalOf } from 'holdfast';
import { describeList, inspect } from 'holdfast/inspect';
import { whyComplete } from 'holdfast/local';
import { EntityOf } from 'holdfast/validate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';

class Todo extends Entity {
  static override key = 'NotedTodo';
  id = '';
  done = false;
}

function start(complete?: true) {
  const inspector = inspect({ notes: [whyComplete] });
  const controller = new Controller({
    managers: [inspector],
    fetch: (url) => Promise.resolve(Response.json([{ id: url.includes('page') ? '2' : '1' }])),
  });
  const { getList } = createResource({
    urlPrefix: 'http://held.test',
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { done?: boolean } | undefined,
    paginationField: 'page',
  }).extend({ getList: { schema: new schema.Collection([Todo], complete && { complete }) } });
  const note = (): string => {
    const explained = inspector.explain(getList);
    const [list] = explained.found === 'answer' ? explained.collections : [];
    return list ? describeList(list).at(-1)!.text : 'none';
  };
  return { controller, getList, note, inspector };
}

test('a list says which option calls it complete', async () => {
  const { controller, getList, note, inspector } = start(true);
  await controller.setResponse(getList, [{ id: '1' }]);

  expect(note()).toBe('It is complete: the option `complete` says so of its response.');
  expect(inspector.lists()[0]!.notes.map(({ text }) => text)).toEqual([note()]);
});

test('a list of which nothing is known names the option', async () => {
  const { controller, getList, note } = start();
  await controller.setResponse(getList, [{ id: '1' }]);

  expect(note()).toMatch(/^It is not known to be complete: nothing says so/);
});

test('a list that is called complete and has a further page is not said to have a refused row', async () => {
  const { controller, getList, inspector } = start(true);
  await controller.fetch(getList);
  await controller.fetch(getList.getPage, { page: '2' } as never); // cast: the token's name is an option

  expect(inspector.lists()[0]!.notes[0]!.text).toBe(
    'It is not known to be complete: it has several pages, and nothing says that there are no more.',
  );
});

test('a list says that a row of its table was refused', async () => {
  class Checked extends EntityOf(
    'NotedChecked',
    { id: z.string(), done: z.boolean() },
    { onInvalid: 'drop' },
  ) {}
  const inspector = inspect({ notes: [whyComplete] });
  const controller = new Controller({ managers: [inspector] });
  const { getList } = createResource({ path: '/checked/:id', schema: Checked }).extend({
    getList: { schema: new schema.Collection([Checked], { complete: true }) },
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  await controller.setResponse(getList, [
    { id: '1', done: true },
    { id: '2', done: 'no' },
  ]);

  expect(inspector.lists()[0]!.notes[0]!.text).toBe(
    'It is not complete: a row of its table was refused by its checks since it was requested.',
  );
});

test('a list that the server fills by a rule of its own is not complete', async () => {
  const inspector = inspect({ notes: [whyComplete] });
  const controller = new Controller({ managers: [inspector] });
  const { getList } = createResource({ path: '/todos/:id', schema: Todo }).extend({
    getList: { schema: new schema.Collection([Todo], { complete: true, membership: 'server' }) },
  });
  await controller.setResponse(getList, [{ id: '1' }]);

  expect(inspector.lists()[0]!.notes[0]!.text).toBe(
    'It is not complete: only the server knows which rows belong to it.',
  );
});

test('a list whose total is larger says how many rows are missing', async () => {
  const inspector = inspect({ notes: [whyComplete] });
  const controller = new Controller({ managers: [inspector] });
  const list = new schema.Collection([Todo]);
  const { getList } = createResource({ path: '/todos/:id', schema: Todo }).extend({
    getList: { schema: { items: list, count: totalOf(list) } },
  });
  await controller.setResponse(getList, { items: [{ id: '1' }], count: 3 });

  expect(inspector.lists()[0]!.notes[0]!.text).toBe('It is not complete: the server has 2 more rows.');
});

test('an inspector without notes says what it said before', async () => {
  const inspector = inspect();
  const controller = new Controller({ managers: [inspector] });
  const { getList } = createResource({ path: '/todos/:id', schema: Todo });
  await controller.setResponse(getList, [{ id: '1' }]);

  expect(inspector.lists()[0]!.notes).toEqual([]);
  expect(describeList(inspector.lists()[0]!).length).toBe(3);
});
