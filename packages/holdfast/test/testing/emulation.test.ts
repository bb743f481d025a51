// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createResource, Entity } from 'holdfast';
import { AsyncBoundary, useSuspense } from 'holdfast/react';
import { MockResolver, renderDataHook } from 'holdfast/testing/react';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const answer = {
  endpoint: TodoResource.get,
  response: ({ id }: { id: string }) => ({ id, title: `todo ${id}` }),
};

afterEach(cleanup);

test('a hook renders in an emulated document', async () => {
  const { result, rerender, waitForNextUpdate } = renderDataHook(
    ({ id }: { id: string }) => useSuspense(TodoResource.get, { id }).title,
    { initialProps: { id: '1' }, resolverFixtures: [answer] },
  );
  await waitForNextUpdate();
  expect(result.current).toBe('todo 1');

  rerender({ id: '2' });
  await waitForNextUpdate();

  expect(result.current).toBe('todo 2');
});

test('a component renders in an emulated document below a MockResolver', async () => {
  const Title = () => createElement('h1', null, useSuspense(TodoResource.get, { id: '7' }).title);
  const inner = createElement(AsyncBoundary, { fallback: 'waiting' }, createElement(Title));

  render(createElement(MockResolver, { fixtures: [answer] }, inner));

  expect((await screen.findByRole('heading')).textContent).toBe('todo 7');
});
