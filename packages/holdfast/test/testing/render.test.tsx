import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createResource, Entity, isHttpError } from 'holdfast';
import { AsyncBoundary, useController, useDLE, useQuery, useSuspense } from 'holdfast/react';
import { MockResolver, renderDataHook } from 'holdfast/testing/react';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const milk = { id: '1', title: 'milk' };

afterEach(cleanup);

test('renderDataHook returns the value of a hook, with data from the start', () => {
  const { result } = renderDataHook(() => useSuspense(TodoResource.getList), {
    initialFixtures: [{ endpoint: TodoResource.getList, args: [], response: [milk] }],
  });

  expect(result.current?.map((todo) => todo.title)).toEqual(['milk']);
  expect(result.error).toBeUndefined();
});

test('a hook that waits returns undefined until its response has arrived, and follows its props', async () => {
  const { result, rerender, waitForNextUpdate, unmount, network } = renderDataHook(
    ({ id }: { id: string }) => useSuspense(TodoResource.get, { id }).title,
    {
      initialProps: { id: '1' },
      resolverFixtures: [
        {
          endpoint: TodoResource.get,
          response: ({ id }: { id: string }) => ({ id, title: `todo ${id}` }),
          delay: 10,
        },
      ],
    },
  );
  expect(result.current).toBeUndefined();

  await waitForNextUpdate();
  expect(result.current).toBe('todo 1');
  rerender({ id: '2' });
  await waitForNextUpdate();
  expect(result.current).toBe('todo 2');

  unmount();
  expect(network.size).toBe(0);
});

test('an error that a hook throws is its error, and a new render starts without it', async () => {
  const { result, rerender, waitFor, allSettled } = renderDataHook(
    ({ id }: { id: string }) => useSuspense(TodoResource.get, { id }).title,
    {
      initialProps: { id: '404' },
      resolverFixtures: [
        { endpoint: TodoResource.get, args: [{ id: '404' }], response: { status: 404 }, error: true },
        { endpoint: TodoResource.get, args: [{ id: '1' }], response: milk },
      ],
    },
  );

  await waitFor(() => expect(isHttpError(result.error, 404)).toBe(true));
  rerender({ id: '1' });
  await allSettled();

  await waitFor(() => expect(result.current).toBe('milk'));
  expect(result.error).toBeUndefined();
});

test('a hook whose call has no fixture throws an error that names both', async () => {
  const { result, waitFor } = renderDataHook(() => useSuspense(TodoResource.get, { id: '2' }), {
    resolverFixtures: [{ endpoint: TodoResource.get, args: [{ id: '1' }], response: milk }],
  });

  await waitFor(() => expect(result.error).toBeDefined());
  expect(result.error).toMatchObject({
    code: 'FIXTURE_MISSING',
    params: { call: 'Todo.get({"id":"2"})', nearest: 'Todo.get({"id":"1"})' },
  });
});

test('a MockResolver rejects calls without a fixture, and sends them where `unmatched` says so', async () => {
  const Title = () => <h1>{useSuspense(TodoResource.get, { id: '3' }).title}</h1>;
  const fetch = async () => Response.json({ id: '3', title: 'from the network' });
  const page = (unmatched?: 'network') => (
    <MockResolver fixtures={[]} fetch={fetch} {...(unmatched && { unmatched })}>
      <AsyncBoundary fallback="loading">
        <Title />
      </AsyncBoundary>
    </MockResolver>
  );

  render(page());
  expect((await screen.findByRole('alert')).textContent).toContain('Todo.get({"id":"3"})');
  cleanup();

  render(page('network'));
  expect((await screen.findByRole('heading')).textContent).toBe('from the network');
});

test('the controller of the rendered hook changes its value', async () => {
  const { result, controller } = renderDataHook(() => useQuery(Todo, { id: '1' })?.title, {
    initialFixtures: [{ endpoint: TodoResource.get, args: [{ id: '1' }], response: milk }],
  });
  expect(result.current).toBe('milk');

  await act(async () => controller.set(Todo, { id: '1' }, { id: '1', title: 'tea' }));

  expect(result.current).toBe('tea');
});

// ── a story, as Storybook writes it: a component, and objects that say how to show it ─────────────

function TodoList() {
  const controller = useController();
  const { data, loading, error } = useDLE(TodoResource.getList);
  if (error) return <p role="alert">{error.name}</p>;
  if (loading) return <p>loading</p>;
  return (
    <ul>
      {data.map((todo) => (
        <li key={todo.id}>
          {todo.title}
          <button onClick={() => void controller.fetch(TodoResource.delete, { id: todo.id })}>remove</button>
        </li>
      ))}
    </ul>
  );
}

const meta = {
  title: 'Todo list',
  component: TodoList,
  render: ({ fixtures }: { fixtures: React.ComponentProps<typeof MockResolver>['fixtures'] }) => (
    <MockResolver fixtures={fixtures ?? []}>
      <AsyncBoundary fallback="loading">
        <TodoList />
      </AsyncBoundary>
    </MockResolver>
  ),
};
const Loading = {
  args: { fixtures: [{ endpoint: TodoResource.getList, response: () => [], delay: 60_000 }] },
};
const Failed = {
  args: {
    fixtures: [{ endpoint: TodoResource.getList, args: [], response: { status: 403 }, error: true as const }],
  },
};
const Full = {
  args: {
    fixtures: [
      { endpoint: TodoResource.getList, args: [], response: [milk, { id: '2', title: 'bread' }] },
      { endpoint: TodoResource.delete, response: ({ id }: { id: string }) => ({ id }) },
    ],
  },
};

test('stories show a component in each of its states, and the component works in them', async () => {
  const story = render(meta.render(Loading.args as never));
  expect(screen.getByText('loading')).toBeTruthy();
  story.unmount();

  render(meta.render(Failed.args as never));
  expect((await screen.findByRole('alert')).textContent).toBe('HttpError');
  cleanup();

  render(meta.render(Full.args as never));
  await screen.findByText('bread');
  await act(async () => screen.getAllByRole('button')[0]?.click());
  await screen.findByText('bread');
  expect(screen.queryByText('milk')).toBeNull();
});
