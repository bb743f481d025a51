import { act, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { AsyncBoundary, useSuspenseAll } from 'holdfast/react';
import { Handle, Log, setup, show, Todo, until, useHandle } from './harness.tsx';

test('a list of endpoints of changing length is read at once, and each row is kept up to date', async () => {
  const { controller, gate, TodoResource, changeElsewhere } = await setup();
  const seen = new Log();
  const arrays = new Set<unknown>();
  const go = new Handle<[readonly string[]]>();
  const again = new Handle<[number]>();
  const readingOf = (id: string) => [TodoResource.get, { id }] as const;
  const Titles = () => {
    const [ids, setIds] = useState<readonly string[]>(['1', '2']);
    const [, setCount] = useState(0);
    useHandle(go, setIds);
    useHandle(again, setCount);
    const todos = useSuspenseAll(ids.map(readingOf));
    useEffect(() => {
      arrays.add(todos);
      seen.add(todos.map((todo) => todo.title).join());
    });
    return <p>{todos.length}</p>;
  };
  gate.close();
  await show(controller, <Titles />);
  await until(() => gate.waiting === 2, 'both requests leave before either is answered');
  gate.open();
  await until(() => seen.lines.at(-1) === 'milk,bread', 'both are shown');

  // the same array while nothing changes
  await act(async () => again.call(1));
  expect(arrays.size).toBe(1);

  await act(async () => go.call(['2']));
  expect(seen.lines.at(-1)).toBe('bread');
  await act(async () => go.call([]));
  expect(seen.lines.at(-1)).toBe('');
  await act(async () => go.call(['2', '1', '2']));
  expect(seen.lines.at(-1)).toBe('bread,milk,bread');

  await changeElsewhere('1', { title: 'tea' });
  await act(async () => controller.fetch(TodoResource.get, { id: '1' }));
  await until(() => seen.lines.at(-1) === 'bread,tea,bread', 'a change is shown');
  expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/1']);
});

test('endpoints of several kinds keep their types, and a failure reaches the boundary, which can retry', async () => {
  const { controller, gate, TodoResource } = await setup();
  const Both = () => {
    const [todo, todos] = useSuspenseAll([[TodoResource.get, { id: '1' }], [TodoResource.getList]]);
    return <p>{`${todo instanceof Todo && todo.title} of ${todos.length}`}</p>;
  };
  gate.failure = 404;
  await show(
    controller,
    <AsyncBoundary
      errorComponent={({ resetErrorBoundary }) => <button onClick={resetErrorBoundary}>again</button>}
    >
      <Both />
    </AsyncBoundary>,
  );
  await until(() => screen.queryByText('again') !== null, 'the failure is shown');

  gate.failure = null;
  await act(async () => screen.getByText('again').click());
  await until(() => screen.queryByText('milk of 2') !== null, 'the data is shown');
  expect(screen.queryByText('again')).toBeNull();
});
