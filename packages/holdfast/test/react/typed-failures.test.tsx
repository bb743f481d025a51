// The errors of hooks and boundaries, distinguished by the `errors` of the endpoint, against a real server.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Controller, createResource, Entity } from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useDLE,
  useError,
  useLoading,
  useSuspense,
} from 'holdfast/react';
import type { ErrorFallbackProps } from 'holdfast/react';
import { failureOf } from 'holdfast/validate';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createSpace } from '../support/space.ts';

afterEach(cleanup);

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}
const todos = createResource({
  path: '/todos/:id',
  schema: Todo,
  errors: { 422: z.object({ fields: z.record(z.string(), z.string()) }) },
});
const problem = encodeURIComponent(JSON.stringify({ fields: { title: 'is taken' } }));

async function open(app: ReactNode, search: string) {
  const space = createSpace();
  await space.seed('todos', [{ id: '1', title: 'milk' }]);
  const controller = new Controller({ fetch: (path, init) => fetch(`${space.url}${path}${search}`, init) });
  await act(async () => {
    render(<DataProvider controller={controller}>{app}</DataProvider>);
  });
}

test('useDLE, useError and a boundary give errors that failureOf distinguishes', async () => {
  function Read() {
    const failure = failureOf(todos.get, useDLE(todos.get, { id: '1' }).error);
    const same = failureOf(todos.get, useError(todos.get, { id: '1' }));
    if (failure?.kind !== 422 || same?.kind !== 422) return <p>waiting</p>;
    return <p>{`hook: ${failure.body.fields['title']} ${failure.body === same.body}`}</p>;
  }
  function Failed({ error }: ErrorFallbackProps) {
    const failure = failureOf(todos.getList, error);
    return (
      <p>{failure.kind === 422 ? `boundary: ${failure.body.fields['title']}` : failure.error.message}</p>
    );
  }
  function List() {
    return <p>{useSuspense(todos.getList).length}</p>;
  }
  await open(
    <>
      <Read />
      <AsyncBoundary fallback="loading" errorComponent={Failed}>
        <List />
      </AsyncBoundary>
    </>,
    `?fail=422&problem=${problem}`,
  );

  expect(await screen.findByText('hook: is taken true')).toBeDefined();
  expect(await screen.findByText('boundary: is taken')).toBeDefined();
});

test('a form shows the messages of its fields by type, and any other failure below', async () => {
  function Form() {
    const controller = useController();
    const [save, isSaving, error] = useLoading(
      () => controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'tea' }),
      [controller],
    );
    const failure = failureOf(todos.partialUpdate, error);
    return (
      <form
        aria-busy={isSaving}
        aria-label="todo"
        onSubmit={(event) => (event.preventDefault(), void save())}
      >
        <button>Save</button>
        {failure && <p role="alert">{failure.kind === 422 ? failure.body.fields['title'] : failure.kind}</p>}
      </form>
    );
  }
  for (const [search, text] of [
    [`?fail=422&problem=${problem}`, 'is taken'],
    ['?fail=422', 'http'],
    ['?fail=403', 'http'],
  ] as const) {
    await open(<Form />, search);
    await act(async () => fireEvent.click(screen.getByText('Save')));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text));
    cleanup();
  }
});
