// `withOptions`: options of one reader. All readers of an endpoint share its key, its request and its stored response.
import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Entity, RestEndpoint, withOptions } from 'holdfast';
import { useDLE, useSuspense } from 'holdfast/react';
import { Handle, Log, setup, show, Todo, until, useHandle } from './harness.tsx';

const countOpen = (todos: Todo[]): { open: number } => ({ open: todos.filter(({ done }) => !done).length });
const titleOf = ({ title }: Todo): string => title;

test('equal options give the same endpoint, with the key of the endpoint; other options give another one', async () => {
  const { TodoResource } = await setup();
  const { getList } = TodoResource;
  const quick = withOptions(getList, { dataExpiryLength: 5, retry: { count: 2, when: titleOf as never } });

  expect(withOptions(getList, { retry: { count: 2, when: titleOf as never }, dataExpiryLength: 5 })).toBe(
    quick,
  );
  expect(withOptions(getList, { dataExpiryLength: 5, retry: { count: 2, when: () => true } })).not.toBe(
    quick,
  );
  expect(withOptions(getList, { select: countOpen })).toBe(withOptions(getList, { select: countOpen }));
  expect(withOptions(getList, { select: countOpen })).not.toBe(withOptions(getList, { select: () => 1 }));
  for (const each of [quick, withOptions(getList, { select: countOpen })])
    expect([each.key(), each.name]).toEqual([getList.key(), getList.name]);
});

test('readers with options and one without share one request and show the same rows; an equal part renders nothing', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const { getList } = TodoResource;
  const counts = new Log();
  const Count = () => {
    const { open } = useSuspense(withOptions(getList, { select: countOpen }));
    counts.add(`${open}`);
    return <b>{open}</b>;
  };
  const Inline = () => <i>{useSuspense(withOptions(getList, { select: (todos) => todos.length }))}</i>;
  const List = () => <p>{useSuspense(getList).map(titleOf).join()}</p>;
  const text = () => ['b', 'i', 'p'].map((name) => document.querySelector(name)?.textContent).join(' ');
  await show(
    controller,
    <>
      <Count />
      <Inline />
      <List />
    </>,
  );
  await until(() => text() === '2 2 milk,bread', 'all readers show the list');
  expect(gate.sent).toEqual(['GET /todos']);

  await changeElsewhere('1', { title: 'tea' });
  await act(async () => controller.expireAll(getList));
  await until(() => text() === '2 2 tea,bread', 'the new title is shown');
  expect(new Set(counts.take())).toEqual(new Set(['2']));
  await act(async () => void controller.fetch(TodoResource.partialUpdate, { id: '1' }, { done: true }));
  await until(() => text() === '1 2 tea,bread', 'the mutation is shown');

  expect(counts.lines).toEqual(['1']);
  expect(gate.sent).toEqual(['GET /todos', 'GET /todos', 'PATCH /todos/1']);
});

test('a row that only a list has brought is fetched by a reader with `select` too', async () => {
  const { controller, gate, space } = await setup();
  class Item extends Entity {
    id = '';
    title = '';
    note: string | undefined = undefined;
    static override key = 'Item';
  }
  await space.seed('items', [{ id: '1', title: 'milk', note: 'fresh' }]);
  const get = new RestEndpoint({ urlPrefix: space.url, path: '/items/:id', schema: Item });
  await controller.set(Item, { id: '1', title: 'milk' });
  const noteOf = ({ note = 'none' }: Item): string => note;
  const Note = () => <p>{useSuspense(withOptions(get, { select: noteOf }), { id: '1' })}</p>;

  await show(controller, <Note />);
  await until(() => document.querySelector('p')?.textContent === 'fresh', 'the note is fetched');

  expect(gate.sent).toEqual(['GET /items/1']);
});

test('placeholderData is shown until the first response, and stored nowhere', async () => {
  const { controller, gate, TodoResource } = await setup();
  const seen = new Log();
  const other = new Handle<[string]>();
  const placeholder = Todo.fromJS({ id: '0', title: 'a title' });
  const Title = () => {
    const [id, setId] = useState('1');
    useHandle(other, setId);
    const { data, loading, isPlaceholderData } = useDLE(
      withOptions(TodoResource.get, { placeholderData: placeholder }),
      { id },
    );
    seen.add(
      [loading ? 'loading' : data?.title, isPlaceholderData && 'placeholder'].filter(Boolean).join(' '),
    );
    return null;
  };
  gate.close();
  await show(controller, <Title />);
  expect(controller.get(Todo, { id: '0' })).toBeUndefined();
  gate.open();
  await until(() => seen.lines.at(-1) === 'milk', 'the data is shown');

  expect([...new Set(seen.lines)]).toEqual(['a title placeholder', 'milk']);
});
