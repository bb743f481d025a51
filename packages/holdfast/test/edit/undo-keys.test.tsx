// Undo in a browser: a component shows the next step with `useWatched`, and Ctrl+Z takes it.
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, test } from 'vitest';
import { history, transaction } from 'holdfast/edit';
import { useSuspense, useWatched } from 'holdfast/react';
import { setup, show } from '../react/harness.tsx';

test('Ctrl+Z takes back what was done, and the names of the steps follow', async () => {
  const { TodoResource, controller } = await setup();
  const past = history(controller, { resources: [TodoResource] });
  const rendered: string[] = [];
  function Page() {
    const todos = useSuspense(TodoResource.getList);
    const { undo = '-', redo = '-' } = useWatched(past);
    useEffect(() => {
      const onKeyDown = ({ ctrlKey, shiftKey, key }: KeyboardEvent): void => {
        if (ctrlKey && key.toLowerCase() === 'z') void (shiftKey ? past.redo() : past.undo());
      };
      document.addEventListener('keydown', onKeyDown);
      return () => document.removeEventListener('keydown', onKeyDown);
    }, []);
    const titles = todos.map(({ title }) => title).join(' ');
    if (titles !== rendered.at(-1)) rendered.push(titles);
    return (
      <>
        <output aria-label="titles">{titles}</output>
        <output aria-label="steps">{`${undo} ${redo}`}</output>
      </>
    );
  }
  await controller.fetch(TodoResource.getList);
  await show(controller, <Page />);
  const text = (label: string) => screen.getByLabelText(label).textContent;
  const first = text('titles')!; // shown above
  const ids = controller.getResponse(TodoResource.getList).data!.map(({ id }) => id); // fetched above
  const press = (shiftKey: boolean) =>
    act(async () => void fireEvent.keyDown(document, { key: 'z', ctrlKey: true, shiftKey }));

  await act(async () => {
    await transaction(
      controller,
      (tx) => {
        for (const id of ids) tx.fetch(TodoResource.partialUpdate, { id }, { title: 'same' });
      },
      { label: 'Rename' },
    ).done;
  });
  const renamed = ids.map(() => 'same').join(' ');
  expect([text('titles'), text('steps')]).toEqual([renamed, 'Rename -']);

  await press(false);
  await waitFor(() => expect([text('titles'), text('steps')]).toEqual([first, '- Rename']));
  await press(true);
  await waitFor(() => expect([text('titles'), text('steps')]).toEqual([renamed, 'Rename -']));
  expect(rendered, 'each step is one render').toEqual([first, renamed, first, renamed]);
});
