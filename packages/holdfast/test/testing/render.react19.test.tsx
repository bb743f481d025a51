import { act, cleanup } from '@testing-library/react';
import { use } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createResource, Entity } from 'holdfast';
import { useFetch } from 'holdfast/react';
import { renderDataHook } from 'holdfast/testing/react';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

afterEach(cleanup);

test('a hook that waits with React.use is rendered in an awaited act', async () => {
  const { result, rerender } = await act(async () =>
    renderDataHook(({ id }: { id: string }) => use(useFetch(TodoResource.get, { id })).title, {
      initialProps: { id: '1' },
      resolverFixtures: [
        { endpoint: TodoResource.get, response: ({ id }: { id: string }) => ({ id, title: `todo ${id}` }) },
      ],
    }),
  );
  expect(result.current).toBe('todo 1');

  await act(async () => rerender({ id: '2' }));
  expect(result.current).toBe('todo 2');
});
