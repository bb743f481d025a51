// `useLocal` in a browser: no request while a whole list covers the query.
import { act, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { expect, test } from 'vitest';
import { schema } from 'holdfast';
import { local } from 'holdfast/local';
import { useLocal } from 'holdfast/local/react';
import { useSuspense } from 'holdfast/react';
import { setup, show, Todo } from '../react/harness.tsx';

async function open() {
  const all = await setup();
  const getList = all.TodoResource.getList.extend({
    schema: new schema.Collection([Todo], { complete: true }),
  });
  const openTodos = local(getList, { where: { done: false }, orderBy: 'title' });
  const count = local(getList).count();
  function Open() {
    const { data, isComplete, error } = useLocal(openTodos);
    return (
      <output aria-label="open">
        {data.map(({ title }) => title).join(' ')}
        {!isComplete && '+'}
        {error?.message}
      </output>
    );
  }
  function Count() {
    const { data } = useLocal(count);
    return <output aria-label="count">{data}</output>;
  }
  function Board() {
    const todos = useSuspense(getList);
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(!isOpen)}>{todos.length}</button>
        {isOpen && <Open />}
        {isOpen && <Count />}
      </>
    );
  }
  const reads = (): readonly string[] => all.gate.sent.filter((line) => line.startsWith('GET'));
  return { ...all, getList, Open, Count, Board, reads };
}
const text = (label: string) => screen.getByLabelText(label).textContent;

test('a filter of a loaded board is shown in the render of the click, and sends nothing', async () => {
  const { controller, Board, reads, TodoResource } = await open();
  await show(
    controller,
    <StrictMode>
      <Board />
    </StrictMode>,
  );
  const button = await screen.findByRole('button');
  const before = reads().length;

  act(() => button.click());

  expect(text('open')).not.toContain('+');
  expect(text('count')).toBe(button.textContent);
  const first = text('open')!.split(' ')[0]!;
  const todo = controller.getResponse(TodoResource.getList).data!.find(({ title }) => title === first)!;
  await act(async () => {
    await controller.fetch(TodoResource.partialUpdate, { id: todo.id }, { done: true });
  });
  expect(text('open')).not.toContain(first);
  expect(reads().length).toBe(before);
});

test('without a loaded list the query requests it once, in StrictMode too, and is complete then', async () => {
  const { controller, Open, reads } = await open();

  await show(
    controller,
    <StrictMode>
      <Open />
    </StrictMode>,
  );
  await waitFor(() => expect(text('open')).toMatch(/[a-z]$/));

  expect(reads().length).toBe(1);
});
