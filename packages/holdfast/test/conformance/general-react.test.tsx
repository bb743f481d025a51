import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Controller, createResource, Entity } from 'holdfast';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { createSpace } from '../support/space.ts';

afterEach(cleanup);

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

async function setup() {
  const space = createSpace();
  await space.seed('todos', [
    { id: '1', title: 'milk' },
    { id: '2', title: 'bread' },
  ]);
  const TodoResource = createResource({ urlPrefix: space.url, path: '/todos/:id', schema: Todo });
  const controller = new Controller();
  function One() {
    return <h1>{useSuspense(TodoResource.get, { id: '1' }).title}</h1>;
  }
  function All() {
    const titles = useSuspense(TodoResource.getList).map((todo) => todo.title);
    return <p>{titles.join()}</p>;
  }
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback={<i>waiting for one</i>}>
          <One />
        </AsyncBoundary>
        <AsyncBoundary fallback={<i>waiting for all</i>}>
          <All />
        </AsyncBoundary>
      </DataProvider>,
    ),
  );
  await screen.findByText('milk');
  await screen.findByText('milk,bread');
  return { space, controller, TodoResource };
}

test('G-5 useSuspense reads an endpoint, and controller.fetch(endpoint, urlParams, body) changes the shown data', async () => {
  const { controller, TodoResource, space } = await setup();

  await act(async () => controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'oat milk' }));

  expect(screen.getByRole('heading').textContent).toBe('oat milk');
  expect(screen.getByText('oat milk,bread')).toBeTruthy();
  expect((await space.requests()).map(({ method }) => method).sort()).toEqual(['GET', 'GET', 'PATCH']);
});

test('G-5 controller.invalidate of get makes its readers suspend and fetch again', async () => {
  const { controller, TodoResource, space } = await setup();
  await fetch(`${space.url}/todos/1`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"tea"}',
  });
  const before = (await space.requests()).length;

  act(() => controller.invalidate(TodoResource.get, { id: '1' }));

  expect(screen.getByText('waiting for one')).toBeTruthy();
  expect(screen.queryByText('waiting for all')).toBeNull();
  expect((await screen.findByText('tea')).tagName).toBe('H1');
  expect(await space.requests()).toHaveLength(before + 1);
});

test('G-5 controller.invalidate of getList makes its readers suspend and fetch again', async () => {
  const { controller, TodoResource, space } = await setup();
  await space.seed('todos', [{ id: '3', title: 'salt' }]);

  act(() => controller.invalidate(TodoResource.getList));

  expect(screen.getByText('waiting for all')).toBeTruthy();
  expect(screen.queryByText('waiting for one')).toBeNull();
  expect(await screen.findByText('milk,bread,salt')).toBeTruthy();
});
