// `useEdit` and `useWatched` in a browser: inputs that save themselves.
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, useEffect } from 'react';
import { expect, test, vi } from 'vitest';
import { FailedManager, getDefaultManagers } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { edit } from 'holdfast/edit';
import { useEdit } from 'holdfast/edit/react';
import { useSuspense, useWatched } from 'holdfast/react';
import { Page, setup, show, Todo } from '../react/harness.tsx';

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const typeInto = (label: string, text: string) => {
  for (let end = 1; end <= text.length; end += 1)
    fireEvent.change(input(label), { target: { value: text.slice(0, end) } });
};
const list = () => screen.getByRole('list').textContent;

async function open(options: ControllerOptions = {}) {
  const all = await setup(options);
  const { TodoResource, space, controller } = all;
  // long enough for a busy machine: nothing is saved because of the time
  const times = { afterMs: 60_000, atMostMs: 60_000 };
  function Editor() {
    const { field, state, error, fieldErrors } = useEdit(TodoResource.partialUpdate, { id: '1' }, times);
    return (
      <form aria-label="editor">
        <input aria-label="Title" {...field('title')} />
        <input aria-label="Done" type="checkbox" {...field('done')} />
        <output aria-label="state">{state}</output>
        <p>{error?.message}</p>
        <p>{fieldErrors.title}</p>
      </form>
    );
  }
  function List() {
    const todos = useSuspense(TodoResource.getList);
    return (
      <ul>
        {todos.map(({ id, title }) => (
          <li key={id}>{title}.</li>
        ))}
      </ul>
    );
  }
  await controller.fetch(TodoResource.getList);
  const bodies = async () =>
    (await space.requests()).filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  return { ...all, Editor, List, bodies };
}

test('what is typed stands in the input and in the list at once, and is saved on blur by one request', async () => {
  const { controller, Editor, List, bodies, gate } = await open();
  await show(
    controller,
    <StrictMode>
      <Editor />
      <List />
    </StrictMode>,
  );

  await act(async () => typeInto('Title', 'oat milk'));
  expect([input('Title').value, list()]).toEqual(['oat milk', 'oat milk.bread.']);
  expect(gate.sent.filter((line) => line.startsWith('PATCH'))).toEqual([]);
  await act(async () => fireEvent.blur(input('Title')));
  await waitFor(() => expect(screen.getByLabelText('state').textContent).toBe('clean'));

  expect(await bodies()).toEqual([{ title: 'oat milk' }]);
});

test('a checkbox is spread with checked, and saves a boolean', async () => {
  const { controller, Editor, bodies } = await open();
  await show(controller, <Editor />);

  await act(async () => fireEvent.click(input('Done')));
  expect(input('Done').checked).toBe(true);
  await act(async () => fireEvent.blur(input('Done')));

  await waitFor(async () => expect(await bodies()).toEqual([{ done: true }]));
});

test('the caret stays where it is while letters are typed in the middle', async () => {
  const { controller, Editor } = await open();
  await show(controller, <Editor />);
  const field = input('Title');

  await act(async () => {
    field.focus();
    field.setRangeText('XY', 2, 2, 'end');
    fireEvent.input(field);
  });

  expect([field.value, field.selectionStart]).toEqual(['miXYlk', 4]);
});

test('a composition is saved when it has ended', async () => {
  const { controller, Editor, gate } = await open();
  await show(controller, <Editor />);

  await act(async () => {
    fireEvent.compositionStart(input('Title'));
    typeInto('Title', 'にほん');
  });
  expect(input('Title').value).toBe('にほん');
  await act(async () => {
    fireEvent.compositionEnd(input('Title'));
    fireEvent.blur(input('Title'));
  });

  await waitFor(() => expect(gate.sent.at(-1)).toBe('PATCH /todos/1'));
});

test('an unmounted editor saves what was typed', async () => {
  const { controller, Editor, List, bodies } = await open();
  const { rerender } = await show(controller, <Editor />);
  await act(async () => typeInto('Title', 'tea'));

  await act(async () =>
    rerender(
      <Page controller={controller}>
        <List />
      </Page>,
    ),
  );

  await waitFor(async () => expect(await bodies()).toEqual([{ title: 'tea' }]));
  expect(list()).toBe('tea.bread.');
});

test('the failure of an unmounted editor is the failure of a mutation, and its text is taken back', async () => {
  const failed = new FailedManager();
  const { controller, Editor, List, gate } = await open({ managers: [failed, ...getDefaultManagers()] });
  const { rerender } = await show(controller, <Editor />);
  await act(async () => typeInto('Title', 'tea'));
  gate.failure = 409;

  await act(async () =>
    rerender(
      <Page controller={controller}>
        <List />
      </Page>,
    ),
  );

  await waitFor(() => expect(failed.get()).toHaveLength(1));
  gate.failure = null;
  await waitFor(() => expect(list()).toBe('milk.bread.'));
});

test('a page that is left sends everything that is not acknowledged, with keepalive', async () => {
  const inits: (RequestInit | undefined)[] = [];
  const { controller, Editor, gate } = await open({
    fetch: (path, init) => {
      inits.push(init);
      return fetch(path, init);
    },
  });
  await show(controller, <Editor />);
  await act(async () => typeInto('Title', 'tea'));

  await act(async () => void window.dispatchEvent(new PageTransitionEvent('pagehide')));

  expect(inits.at(-1)).toMatchObject({ method: 'PATCH', keepalive: true, body: '{"title":"tea"}' });
  expect(gate.sent).toEqual([]);
  await waitFor(() => expect(screen.getByLabelText('state').textContent).toBe('clean'));
});

test('a save that fails keeps the text, shows the error, and is repeated on the next blur', async () => {
  const { controller, Editor, List, gate, bodies } = await open();
  await show(
    controller,
    <>
      <Editor />
      <List />
    </>,
  );
  gate.failure = 503;

  await act(async () => typeInto('Title', 'tea'));
  await act(async () => fireEvent.blur(input('Title')));
  await waitFor(() => expect(screen.getByLabelText('state').textContent).toBe('failed'));
  expect([input('Title').value, list()]).toEqual(['tea', 'tea.bread.']);
  gate.failure = null;
  await act(async () => fireEvent.blur(input('Title')));

  await waitFor(() => expect(screen.getByLabelText('state').textContent).toBe('clean'));
  expect((await bodies()).at(-1)).toEqual({ title: 'tea' });
});

test('useWatched renders again when what it watches has changed', async () => {
  const { controller, TodoResource } = await open();
  const todo = edit(controller, TodoResource.partialUpdate, { id: '1' });
  const rendered: string[] = [];
  function Mark() {
    const { values, state } = useWatched(todo);
    const text = `${values.title} ${state}`;
    useEffect(() => void rendered.push(text));
    return <output>{text}</output>;
  }
  await act(async () => render(<Mark />));
  expect(rendered).toEqual(['milk clean']);

  await act(async () => todo.set({ title: 'tea' }));

  expect(rendered).toEqual(['milk clean', 'tea dirty']);
  await act(() => todo.flush());
  expect(screen.getByRole('status').textContent).toBe('tea clean');
  expect(controller.get(Todo, { id: '1' })?.title).toBe('tea');
});

test('a page that is left with more than a browser keeps warns with EDIT_TOO_LARGE, and sends all the same', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { controller, Editor, gate } = await open();
  await show(controller, <Editor />);
  await act(async () => fireEvent.change(input('Title'), { target: { value: 'a'.repeat(70_000) } }));

  await act(async () => void window.dispatchEvent(new PageTransitionEvent('pagehide')));

  expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('EDIT_TOO_LARGE'));
  expect(gate.sent.at(-1)).toBe('PATCH /todos/1');
});
