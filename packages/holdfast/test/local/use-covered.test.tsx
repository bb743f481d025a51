// `useCovered` in a browser: what is there is painted at once, and the rest is requested once.
import { act, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { expect, test } from 'vitest';
import { Controller, dehydrate, hydrate, schema } from 'holdfast';
import { pick } from 'holdfast/local';
import { useCovered } from 'holdfast/local/react';
import { useSuspense } from 'holdfast/react';
import { setup, show, Todo } from '../react/harness.tsx';

const TodoRow = pick(Todo, ['id', 'title']);

async function open() {
  const all = await setup();
  const { TodoResource } = all;
  const getList = TodoResource.getList.extend({ schema: new schema.Collection([TodoRow]) });
  const painted: string[] = [];
  function Detail({ id }: { id: string }) {
    const { data, missing, loading, error } = useCovered(TodoResource.get, { id });
    const text = [
      data?.title,
      missing.includes('done') ? '…' : String(data?.done),
      loading && 'loading',
      error?.message.slice(0, 3),
    ].filter(Boolean);
    painted.push(text.join(' '));
    return <output aria-label="detail">{text.join(' ')}</output>;
  }
  function Board() {
    const todos = useSuspense(getList);
    const [chosen, choose] = useState('');
    return (
      <>
        {todos.map(({ id, title }) => (
          <button key={id} onClick={() => choose(id)}>
            {title}
          </button>
        ))}
        {chosen && <Detail id={chosen} />}
      </>
    );
  }
  const reads = (): readonly string[] => all.gate.sent.filter((line) => line.startsWith('GET'));
  return { ...all, getList, Board, Detail, painted, reads };
}
const detail = () => screen.getByLabelText('detail').textContent;

test('a click paints the summary in its render, and one request brings the rest, in StrictMode too', async () => {
  const { controller, Board, reads, gate } = await open();
  await show(
    controller,
    <StrictMode>
      <Board />
    </StrictMode>,
  );
  const button = await screen.findByRole('button', { name: 'milk' });
  const before = reads().length;
  gate.close();

  act(() => button.click());
  expect(detail()).toBe('milk … loading');
  await act(async () => gate.open());
  await waitFor(() => expect(detail()).toBe('milk false'));

  expect(reads().slice(before)).toEqual(['GET /todos/1']);
});

test('a component that suspends waits for the whole row, and never shows a default of a field that no response had', async () => {
  const { controller, getList, TodoResource, gate, reads } = await open();
  await controller.fetch(getList);
  const shown: boolean[] = [];
  function Whole() {
    const { title, done } = useSuspense(TodoResource.get, { id: '1' });
    shown.push(done);
    return <output aria-label="detail">{`${title} ${done}`}</output>;
  }
  await controller.fetch(TodoResource.partialUpdate, { id: '1' }, { done: true });
  controller.resetEntireStore();
  await controller.fetch(getList);
  const before = reads().length;
  gate.close();
  await show(controller, <Whole />);
  expect(screen.queryByLabelText('detail')).toBeNull();
  await act(async () => gate.open());
  await waitFor(() => expect(detail()).toBe('milk true'));

  expect(shown).not.toContain(false);
  expect(reads().slice(before)).toEqual(['GET /todos/1']);
});

test('without anything of the row there is no data, and the row comes with one request', async () => {
  const { controller, Detail, reads } = await open();
  await show(controller, <Detail id="2" />);
  await waitFor(() => expect(detail()).toBe('bread false'));

  expect(reads()).toEqual(['GET /todos/2']);
});

test('when the request fails, the summary stays beside the error', async () => {
  const { controller, Board, gate } = await open();
  await show(controller, <Board />);
  const button = await screen.findByRole('button', { name: 'bread' });
  gate.failure = 500;

  await act(async () => button.click());
  await waitFor(() => expect(detail()).toContain('GET'));

  expect(detail()).toContain('bread …');
});

test('other arguments show another row in the same render', async () => {
  const { controller, Board } = await open();
  await show(controller, <Board />);
  const [milk, bread] = await screen.findAllByRole('button');
  await act(async () => milk!.click());
  await waitFor(() => expect(detail()).toBe('milk false'));

  act(() => bread!.click());
  expect(detail()).toContain('bread');
  await waitFor(() => expect(detail()).toBe('bread false'));
});

test('a change of the row is shown before the rest has come', async () => {
  const { controller, Board, gate, TodoResource } = await open();
  await show(controller, <Board />);
  const button = await screen.findByRole('button', { name: 'milk' });
  gate.close();
  await act(async () => button.click());
  await act(async () => {
    void controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'tea' }).catch(() => undefined);
  });

  expect(detail()).toContain('tea …');
  await act(async () => gate.open());
  await waitFor(() => expect(detail()).toBe('tea false'));
});

test.each(['here', 'in a saved state'])(
  'a component that reads a list in the whole class requests it, when its rows came with some fields %s',
  async (where) => {
    const { controller, getList, TodoResource, gate, reads } = await open();
    await controller.fetch(getList);
    const restored = new Controller({ fetch: gate.fetch });
    hydrate(restored, JSON.stringify(dehydrate(controller)));
    const shown: string[] = [];
    function Whole() {
      const todos = useSuspense(TodoResource.getList);
      shown.push(todos.map(({ title, done }) => `${title} ${done}`).join());
      return <output aria-label="detail">{shown.at(-1)}</output>;
    }
    await show(
      where === 'here' ? controller : restored,
      <StrictMode>
        <Whole />
      </StrictMode>,
    );
    await waitFor(() => expect(detail()).toBe('milk false,bread false'));

    expect(new Set(shown)).toEqual(new Set(['', 'milk false,bread false']));
    expect(reads()).toEqual(['GET /todos', 'GET /todos']);
  },
);

test('after hydrate a component that reads a row in the whole class waits for it', async () => {
  const { controller, getList, TodoResource, gate, reads } = await open();
  await controller.fetch(getList);
  const restored = new Controller({ fetch: gate.fetch });
  hydrate(restored, JSON.stringify(dehydrate(controller)));
  const shown: string[] = [];
  function Whole() {
    const { title, done } = useSuspense(TodoResource.get, { id: '1' });
    shown.push(`${title} ${done}`);
    return <output aria-label="detail">{shown.at(-1)}</output>;
  }
  await show(restored, <Whole />);
  await waitFor(() => expect(detail()).toBe('milk false'));

  expect(new Set(shown)).toEqual(new Set(['milk false']));
  expect(reads()).toEqual(['GET /todos', 'GET /todos/1']);
});
