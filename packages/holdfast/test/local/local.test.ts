// Local queries: which list covers a query, what is shown without one, and what is requested.
import type { Controller } from 'holdfast';
import {
  byRole,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  inPages,
  orderBy,
  schema,
  totalOf,
} from 'holdfast';
import { local, watchLocal } from 'holdfast/local';
import { EntityOf } from 'holdfast/validate';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { breathe, failureOf } from '../support/fake-world.ts';
import { start, Todo } from './harness.ts';
import type { ListOptions } from './harness.ts';

const titles = (todos: readonly Todo[] | undefined): string =>
  (todos ?? []).map(({ title }) => title).join(' ');

/** A message that adds a row, as a stream sends it; the row may lack fields. */
function pushBy(controller: Controller, push: unknown, ...rest: readonly object[]): Promise<unknown> {
  return Promise.resolve(Reflect.apply(controller.set, controller, [push, ...rest] as never));
}

/** A mounted reader of the open todos of a user, in the order of their titles. */
async function open(list?: ListOptions, where: object = { done: false }) {
  const all = await start(list);
  const { controller, TodoResource } = all;
  const query = local(TodoResource.getList, { where, orderBy: 'title' });
  const observer = watchLocal(controller, query, { userId: '1' });
  const shown: string[] = [];
  const textOf = (): string => titles(observer.read().data) + (observer.isComplete() ? '' : '+');
  const mount = (): (() => void) => observer.subscribe(() => shown.push(textOf()));
  return { ...all, observer, textOf, shown, mount };
}

test('a whole list of all todos is enough for one user and one filter, and no request is sent', async () => {
  const { controller, TodoResource, lists, mount, textOf } = await open();
  await controller.fetch(TodoResource.getList);

  mount();
  await breathe();

  expect(textOf()).toBe('apples milk');
  expect(lists()).toEqual(['/todos']);
});

test('without a whole list the stored rows are shown at once, and the endpoint is requested with the arguments', async () => {
  const { controller, TodoResource, lists, mount, textOf, shown, until } = await open();
  await controller.fetch(TodoResource.get, { id: '1' });

  mount();

  expect(textOf()).toBe('milk+');
  await until(() => textOf() === 'apples milk');
  expect(lists()).toEqual(['/todos?userId=1']);
  expect(shown.at(-1)).toBe('apples milk');
});

test('a filter that contradicts an argument selects no row', async () => {
  const { controller, TodoResource, mount, textOf, until } = await open(undefined, { userId: '2' });
  await controller.fetch(TodoResource.getList);

  mount();
  expect(textOf()).toBe('+');
  await until(() => !textOf().includes('+'));

  expect(textOf()).toBe('');
});

test('a list that declares nothing is never known to be whole', async () => {
  const { mount, textOf, until, lists } = await open({});

  mount();
  await until(() => textOf() === 'apples milk+');
  await breathe();

  expect(lists()).toEqual(['/todos?userId=1']);
});

test('a function of the response tells whether the list is whole', async () => {
  const { controller, TodoResource, limits, mount, textOf, until, observer } = await open({
    complete: (response: unknown[]) => response.length < 4,
  });
  await controller.fetch(TodoResource.getList);
  mount();
  expect(textOf()).toBe('apples milk+');

  await until(() => observer.isComplete());
  limits.most = 3;
  await controller.fetch(TodoResource.getList);

  expect(textOf()).toBe('apples milk');
});

test.each([
  ['throws', () => JSON.parse('{') as boolean],
  ['gives no boolean', () => 1 as unknown as boolean],
])('a function that %s is reported once, and the list shows what it has', async (_, complete) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { controller, TodoResource, mount, textOf } = await open({ complete });
  await controller.fetch(TodoResource.getList, { userId: '1' });
  await controller.fetch(TodoResource.getList);

  mount();

  expect(textOf()).toBe('apples milk+');
  expect(warn.mock.calls.map(([text]) => String(text).slice(0, 18))).toEqual(['[COMPLETE_UNKNOWN]']);
  warn.mockRestore();
});

test('a row moves in and out with its fields, and with an optimistic update before the response', async () => {
  const { controller, TodoResource, mount, textOf, shown, server } = await open();
  await controller.fetch(TodoResource.getList);
  mount();
  server.on('PATCH', '/todos/:id', { status: 400, body: {} });

  const saving = controller.fetch(TodoResource.partialUpdate, { id: '2' }, { done: false });
  expect(textOf()).toBe('apples bread milk');
  await saving.catch(() => undefined);

  expect(textOf()).toBe('apples milk');
  expect(shown).toEqual(['apples bread milk', 'apples milk']);
});

test('rows that are created and deleted enter and leave, also while their requests are in flight', async () => {
  const { controller, TodoResource, mount, textOf, lists } = await open();
  await controller.fetch(TodoResource.getList);
  mount();

  const creating = controller.fetch(TodoResource.getList.push, { userId: '1', title: 'cheese', done: false });
  expect(textOf()).toBe('apples cheese milk');
  await creating;
  const deleting = controller.fetch(TodoResource.delete, { id: '1' });
  expect(textOf()).toBe('apples cheese');
  await deleting;

  expect(textOf()).toBe('apples cheese');
  expect(lists()).toEqual(['/todos']);
});

test('a stale list covers nothing, and the endpoint is requested with the arguments of the query', async () => {
  const { controller, TodoResource, mount, textOf, lists, until } = await open();
  await controller.fetch(TodoResource.getList);
  mount();

  controller.expireAll(TodoResource.getList);

  expect(textOf()).toBe('apples milk+');
  await until(() => textOf() === 'apples milk');
  expect(lists()).toEqual(['/todos', '/todos?userId=1']);
});

test('a list whose response was marked stale is not whole, whatever other lists there are', async () => {
  const { controller, TodoResource, observer } = await open({
    complete: (response: unknown[]) => response.length < 4,
  });
  await controller.fetch(TodoResource.getList);
  await controller.fetch(TodoResource.getList, { userId: '1' });
  expect(observer.isComplete()).toBe(true);
  controller.expireAll({ testKey: (key: string) => key.includes('userId=1') });
  expect(observer.isComplete()).toBe(false);

  await controller.set(Todo, { id: '4' }, { votes: 6 });
  expect(observer.isComplete()).toBe(false);
});

test('a list that expires is replaced by a request', async () => {
  const { controller, TodoResource, mount, textOf, lists, world, until } = await open();
  await controller.fetch(TodoResource.getList);
  mount();

  await world.pass(59_000);
  expect(textOf()).toBe('apples milk');
  expect(lists()).toEqual(['/todos']);
  await world.pass(1_500);

  await until(() => lists().length === 2);
  await until(() => textOf() === 'apples milk');
  expect(lists()).toEqual(['/todos', '/todos?userId=1']);
});

test('a failed request leaves what is there, with the error', async () => {
  const { controller, TodoResource, server, mount, observer, until } = await open();
  await controller.fetch(TodoResource.get, { id: '1' });
  server.on('GET', '/todos', { status: 404, body: {} });

  mount();
  await until(() => observer.read().error !== undefined);

  expect([titles(observer.read().data), observer.isComplete()]).toEqual(['milk', false]);
  expect(observer.read().error).toMatchObject({ status: 404 });
});

test('a restored list is not known to be whole until it is read', async () => {
  const first = await open();
  await first.controller.fetch(first.TodoResource.getList);
  const saved = JSON.parse(JSON.stringify(dehydrate(first.controller))) as ReturnType<typeof dehydrate>;
  const { controller, mount, textOf, lists, until } = await open();
  hydrate(controller, saved);

  expect(textOf()).toBe('apples milk+');
  mount();
  await until(() => textOf() === 'apples milk');

  expect(lists()).toEqual(['/todos?userId=1']);
});

test('a list whose rows do not equal its key covers nothing', async () => {
  const { controller, TodoResource, rows, server, textOf } = await open();
  server.on('GET', '/todos', () => ({ body: [...rows.values()] }));
  await controller.fetch(TodoResource.getList, { userId: '1' });

  expect(textOf()).toBe('apples milk tea+');
});

test('a field that the response of the list left out is not taken from an older response', async () => {
  const { controller, TodoResource, rows, server, mount, textOf, until } = await open();
  await controller.fetch(TodoResource.get, { id: '1' });
  await controller.fetch(TodoResource.get, { id: '4' });
  rows.set('1', { ...rows.get('1'), done: true });
  server.on('GET', '/todos', () => ({
    body: [...rows.values()].map(({ id, userId, title }) => ({ id, userId, title })),
  }));
  await controller.fetch(TodoResource.getList);

  expect(textOf()).toBe('apples milk+');
  mount();
  server.on('GET', '/todos', () => ({ body: [...rows.values()].filter(({ userId }) => userId === '1') }));
  await controller.fetch(TodoResource.getList, { userId: '1' });

  await until(() => textOf() === 'apples');
});

test('a summary that moves a row into a list, but omits another filter of the list, makes the list incomplete', async () => {
  const { controller, TodoResource, rows, server, until, lists } = await open();
  const { getList } = TodoResource;
  await controller.fetch(TodoResource.get, { id: '3' });
  await controller.fetch(getList, { userId: '1', done: false });
  const observer = watchLocal(controller, local(getList, { orderBy: 'title' }), { userId: '1', done: false });
  observer.subscribe(() => undefined);
  expect([titles(observer.read().data), observer.isComplete()]).toEqual(['apples milk', true]);

  // Another client has changed both fields.
  rows.set('3', { ...rows.get('3'), userId: '1', done: true });
  server.on('GET', '/summaries', () => ({
    body: [...rows.values()].map(({ id, userId, title }) => ({ id, userId, title })),
  }));
  const shown: string[] = [];
  observer.subscribe(() => shown.push(titles(observer.read().data) + (observer.isComplete() ? '' : '+')));
  await controller.fetch(getList.extend({ path: '/summaries' }));

  expect(shown).not.toContain('apples milk tea');
  await until(() => observer.isComplete());
  expect(titles(observer.read().data)).toBe('apples milk');
  expect(lists()).toHaveLength(2);
});

/** What a query over a whole list shows, before and after a response brings these fields of a row that another client has changed. */
async function afterRead(row: Partial<Todo> & { readonly id: string }, change: Partial<Todo>, list = {}) {
  const { controller, TodoResource, rows } = await start();
  const { getList, get } = TodoResource;
  await controller.fetch(get, { id: row.id });
  await controller.fetch(getList, list);
  const observer = watchLocal(controller, local(getList, { where: { done: false }, orderBy: 'title' }), {
    userId: '1',
  });
  const textOf = (): string => titles(observer.read().data) + (observer.isComplete() ? '' : '+');
  expect(textOf()).toBe('apples milk');
  rows.set(row.id, { ...rows.get(row.id), ...change });
  await controller.setResponse(getList.extend({ path: '/summaries' }), [row as Todo]);
  const before = textOf();
  observer.subscribe(() => undefined);
  await breathe();
  return [before, textOf()];
}

test('a whole list covers no two filters by which a read has changed a row in part', async () => {
  const both = { userId: '1', done: true };
  // The summary omits `done`.
  expect(await afterRead({ id: '3', userId: '1' }, both)).toEqual(['apples milk tea+', 'apples milk']);
  expect(await afterRead({ id: '3', ...both }, both)).toEqual(['apples milk', 'apples milk']);
  expect(await afterRead({ id: '4', userId: '1', votes: 9 }, { votes: 9 })).toEqual([
    'apples milk',
    'apples milk',
  ]);
});

test('a whole list covers no two filters of a row that a read has moved into the list in part', async () => {
  // The summary omits `userId`.
  expect(await afterRead({ id: '2', done: false }, { userId: '2', done: false }, { done: false })).toEqual([
    'apples bread milk+',
    'apples milk',
  ]);
});

test.each(['before', 'after'] as const)(
  'a whole list covers no two filters of a row that a read has moved into the list in part, if this client wrote the row %s reading the list',
  async (when) => {
    const { controller, TodoResource, rows, server, textOf } = await open();
    const { getList, partialUpdate } = TodoResource;
    const write = () => controller.fetch(partialUpdate, { id: '3' }, { votes: 9 });
    if (when === 'before') await write();
    await controller.fetch(getList, { userId: '1' });
    if (when === 'after') await write();
    expect(textOf()).toBe('apples milk');
    rows.set('3', { ...rows.get('3'), userId: '1', done: true });
    server.on('GET', '/summaries', () => ({
      body: [...rows.values()].map(({ id, userId, title }) => ({ id, userId, title })),
    }));

    await controller.fetch(getList.extend({ path: '/summaries' }));

    expect(textOf()).toBe('apples milk tea+');
  },
);

test('a row that lacks a field of the filter is left out, and the list is not known to be whole', async () => {
  const { controller, TodoResource, textOf } = await open();
  await controller.fetch(TodoResource.getList, { userId: '1' });
  await pushBy(
    controller,
    TodoResource.getList.schema.push,
    { userId: '1' },
    { id: '9', userId: '1', title: 'nuts' },
  );

  expect(textOf()).toBe('apples milk+');
});

test('a row whose response brings the default of a missing field is selected, although its item stays the same', async () => {
  class Dated extends Entity {
    static override key = 'LocalDated';
    static override schema = { at: (value: string) => new Date(value) };
    id = '';
    lane = '';
    at = new Date(0);
  }
  const { controller } = await start();
  const { get, getList } = createResource({ path: '/dated/:id', schema: Dated }).extend({
    getList: { schema: new schema.Collection([Dated], { complete: true }) },
  });
  const observer = watchLocal(controller, local(getList, { where: { lane: '' } }));
  await controller.setResponse(getList, [{ id: '1', at: '2026-01-01' }]);
  expect([observer.read().data, observer.isComplete()]).toEqual([[], false]);
  const before = controller.get(Dated, { id: '1' });
  await controller.setResponse(get, { id: '1' }, { id: '1', at: '2026-01-01', lane: '' });

  expect(controller.get(Dated, { id: '1' })).toBe(before);
  expect(observer.read().data).toEqual([before]);
});

test('for an argument that names no field of the rows no other list is used', async () => {
  const { controller, TodoResource, lists, until } = await start();
  await controller.fetch(TodoResource.getList);
  const found = watchLocal(controller, local(TodoResource.getList, { orderBy: 'title' }), { q: 'e' });

  expect([titles(found.read().data), found.isComplete()]).toEqual(['', false]);
  found.subscribe(() => {});
  await until(() => found.isComplete());

  expect(titles(found.read().data)).toBe('apples bread tea');
  expect(lists()).toEqual(['/todos', '/todos?q=e']);
});

test('for a search, a page and a limit no other list is used, not even an empty one', async () => {
  const { controller, TodoResource, rows, lists, until } = await start({
    complete: true,
    argumentRoles: byRole({ q: 'search', page: 'page' }),
  });
  const all = [...rows];
  rows.clear();
  await controller.fetch(TodoResource.getList);
  for (const [id, row] of all) rows.set(id, row);
  const query = local(TodoResource.getList);
  for (const args of [{ q: 'e' }, { page: '2' }]) {
    const found = watchLocal(controller, query, args);
    expect(found.isComplete()).toBe(false);
    found.subscribe(() => {});
  }

  await until(() => lists().length === 3);
  expect(lists()).toEqual(['/todos', '/todos?q=e', '/todos?page=2']);
});

test('a list with another order does not cover, because the order of the result would be that of the list', async () => {
  const { controller, TodoResource } = await start({ complete: true, nonFilterArgumentKeys: ['sort'] });
  await controller.fetch(TodoResource.getList, { userId: '1' });
  const query = local(TodoResource.getList);

  expect(watchLocal(controller, query, { userId: '1' }).isComplete()).toBe(true);
  expect(watchLocal(controller, query, { userId: '1', sort: 'title' }).isComplete()).toBe(false);
});

test('without an order of its own a query has the declared order of the list', async () => {
  const { controller, TodoResource, rows, server } = await start({
    complete: true,
    order: orderBy((left: Todo, right: Todo) => right.votes - left.votes) as orderBy.Order<Todo>,
  });
  server.on('GET', '/todos', () => ({
    body: [...rows.values()].sort((left, right) => (right.votes ?? 0) - (left.votes ?? 0)),
  }));
  await controller.fetch(TodoResource.getList);
  const found = watchLocal(controller, local(TodoResource.getList, { where: { done: false } }), undefined);

  expect(titles(found.read().data)).toBe('apples milk tea');
  await controller.set(Todo, { id: '3' }, { votes: 9 });
  expect(titles(found.read().data)).toBe('tea apples milk');
});

test('the limit is applied to what is shown, after optimistic updates', async () => {
  const { controller, TodoResource, server } = await start();
  await controller.fetch(TodoResource.getList);
  const query = local(TodoResource.getList, {
    where: { done: false },
    orderBy: 'votes',
    descending: true,
    limit: 2,
  });
  const found = watchLocal(controller, query, undefined);
  found.subscribe(() => {});
  const held = server.hold('PATCH', '/todos/:id');
  expect(titles(found.read().data)).toBe('apples milk');

  const saving = controller.fetch(TodoResource.partialUpdate, { id: '4' }, { done: true });
  expect(titles(found.read().data)).toBe('milk tea');
  (await held.next()).release();
  await saving;

  expect(titles(found.read().data)).toBe('milk tea');
});

test('count, sum, min, max and groups follow the rows, and keep their references where nothing differs', async () => {
  const { controller, TodoResource } = await start();
  await controller.fetch(TodoResource.getList);
  const todos = local(TodoResource.getList);
  const read = <T>(query: local.Value<typeof TodoResource.getList, T>): T | undefined =>
    watchLocal(controller, query, undefined).read().data;
  const counts = todos.groupBy('userId').count();
  const groups = watchLocal(controller, todos.groupBy('userId'), undefined);

  expect([read(todos.count()), read(todos.count({ done: false })), read(todos.sum('votes'))]).toEqual([
    4, 3, 11,
  ]);
  expect([read(todos.min('title')), read(todos.max('votes'))]).toEqual(['apples', 5]);
  expect(read(counts)).toEqual(
    new Map([
      ['1', 3],
      ['2', 1],
    ]),
  );
  const [before, known] = [groups.read().data?.get('2'), read(counts)];
  await controller.set(Todo, { id: '1' }, { title: 'oat milk' });
  expect(titles(groups.read().data?.get('1'))).toBe('oat milk bread apples');
  expect(groups.read().data?.get('2')).toBe(before);
  expect(read(counts)).toBe(known);
  expect(read(local(TodoResource.getList, { where: { userId: '7' } }).min('votes'))).toBeUndefined();
});

test('an optimistic update that is confirmed changes no reference', async () => {
  const { controller, TodoResource, observer, mount } = await open();
  await controller.fetch(TodoResource.getList);
  mount();

  const saving = controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'oat milk' });
  const { data } = observer.read();
  await saving;

  expect(titles(data)).toBe('apples oat milk');
  expect(observer.read().data).toBe(data);
});

test('a list in pages is whole when both ends are loaded', async () => {
  const { controller, TodoResource, rows, server } = await start();
  server.on('GET', '/todos', ({ query }) => {
    const page = Number(query.get('page') ?? 1);
    const all = [...rows.values()];
    return { body: { items: all.slice(page * 3 - 3, page * 3), total: all.length } };
  });
  const items = new schema.Collection([Todo]);
  const getPages = TodoResource.getList.extend({
    schema: { items },
    paginationField: 'page',
    pages: inPages({ by: 'number', total: 'total' }),
  });
  const paged = watchLocal(controller, local(getPages, { where: { done: false } }), undefined);
  await controller.fetch(getPages);
  expect(paged.isComplete()).toBe(false);
  await controller.fetch(getPages.getPage, { page: 2 });
  expect([titles(paged.read().data), paged.isComplete()]).toEqual(['milk tea apples', true]);
});

test('a counted list is whole when nothing is left beyond its members', async () => {
  const { controller, TodoResource, rows, server } = await start();
  const counted = new schema.Collection([Todo]);
  const getCounted = TodoResource.getList.extend({ schema: { items: counted, total: totalOf(counted) } });
  const total = watchLocal(controller, local(getCounted), { userId: '1' });
  server.on('GET', '/todos', ({ query }) => {
    const all = [...rows.values()].filter(({ userId }) => userId === query.get('userId'));
    return { body: { items: all.slice(0, 3), total: all.length } };
  });
  await controller.fetch(getCounted, { userId: '1' });
  expect(total.isComplete()).toBe(true);
  rows.set('5', { id: '5', userId: '1', title: 'rice', done: false, votes: 0 });
  await controller.fetch(getCounted, { userId: '1' });
  expect(total.isComplete()).toBe(false);
});

class Checked extends EntityOf(
  'LocalChecked',
  { id: v.string(), done: v.boolean() },
  { onInvalid: 'drop' },
) {}

test('a list is not known to be whole while a row of its table was refused', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { controller, TodoResource, server } = await start();
  const getList = TodoResource.getList.extend({
    schema: new schema.Collection([Checked], { complete: true }),
  });
  const found = watchLocal(controller, local(getList, { where: { done: false } }), undefined);
  server.on('GET', '/todos', {
    body: [
      { id: '1', done: false },
      { id: '2', done: 'no' },
    ],
  });
  await controller.fetch(getList);
  expect([found.read().data?.length, found.isComplete()]).toEqual([1, false]);

  server.on('GET', '/todos', {
    body: [
      { id: '1', done: false },
      { id: '2', done: false },
    ],
  });
  await controller.fetch(getList);
  expect([found.read().data?.length, found.isComplete()]).toEqual([2, true]);

  let calls = 0;
  found.subscribe(() => (calls += 1));
  await failureOf(pushBy(controller, getList.schema.push, {}, { id: '3', done: 'no' }));
  await breathe();
  expect([found.isComplete(), calls]).toEqual([false, 1]);
  vi.restoreAllMocks();
});

test('a reset empties the result and requests again', async () => {
  const { controller, TodoResource, mount, textOf, lists, until, world } = await open();
  await controller.fetch(TodoResource.getList);
  mount();

  controller.resetEntireStore();
  expect(textOf()).toBe('+');
  await world.pass(1_500);

  await until(() => textOf() === 'apples milk');
  expect(lists()).toEqual(['/todos', '/todos?userId=1']);
});

test('mistakes in a declaration are coded errors', async () => {
  const { TodoResource } = await start();
  const { getList, get } = TodoResource;
  const failureOf = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  expect(failureOf(() => local(get as unknown as typeof getList))).toBe('LOCAL_WITHOUT_LIST');
  expect(failureOf(() => local(getList, { where: { titel: 'tea' } as object }))).toBe('LOCAL_FIELD_UNKNOWN');
  expect(failureOf(() => local(getList, { orderBy: 'titel' as 'title' }))).toBe('LOCAL_FIELD_UNKNOWN');
  expect(failureOf(() => local(getList).sum('titel' as 'votes'))).toBe('LOCAL_FIELD_UNKNOWN');
  expect(failureOf(() => local(getList).count({ titel: 1 } as object))).toBe('LOCAL_FIELD_UNKNOWN');
  for (const limit of [0, -1, 1.5, Number.NaN, '2' as unknown as number])
    expect(failureOf(() => local(getList, { limit }))).toBe('LOCAL_LIMIT_INVALID');
});
