// Mistakes in components that only the development build sees: each has a code and a sentence, and is printed or thrown where it is
// made.
import { act, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AsyncBoundary, DataProvider, useQuery, useSuspense } from 'holdfast/react';
import { setup, show, until } from './harness.tsx';
import type { Todo } from './harness.tsx';

const warnings = () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  return () => warned.mock.calls.map(([text]) => /^\[(\w+)\]/.exec(String(text))?.[1]);
};

test('a provider without a controller inside a provider is reported', async () => {
  const { controller } = await setup();
  const codes = warnings();

  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <DataProvider controller={controller}>
          <DataProvider>
            <p>inside</p>
          </DataProvider>
        </DataProvider>
      </DataProvider>,
    ),
  );

  expect(new Set(codes())).toEqual(new Set(['PROVIDER_NESTED']));
});

test('a reader that waits up to the provider itself is reported; one below a boundary is not', async () => {
  const { gate, TodoResource } = await setup();
  const codes = warnings();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  gate.close();

  const bounded = await act(async () =>
    render(
      <DataProvider fetch={gate.fetch}>
        <AsyncBoundary fallback={<i>waiting</i>}>
          <Title />
        </AsyncBoundary>
      </DataProvider>,
    ),
  );
  expect(codes()).toEqual([]);
  bounded.unmount();
  await act(async () =>
    render(
      <DataProvider fetch={gate.fetch}>
        <Title />
      </DataProvider>,
    ),
  );

  expect(new Set(codes())).toEqual(new Set(['BOUNDARY_MISSING']));
  await act(async () => gate.open());
  await until(() => document.querySelector('p')?.textContent === 'milk', 'the page is shown');
});

test.each([
  [
    'an endpoint',
    (get: unknown) => get,
    /\[NOT_A_SCHEMA\] useQuery\(\) was given an endpoint.*useSuspense\(endpoint, …\)/,
  ],
  [
    'a queryKey',
    () => ({ queryKey: ['todos'] }),
    /\[NOT_A_SCHEMA\] useQuery\(\) was given options with a queryKey/,
  ],
])('useQuery refuses %s and names the hook that is meant', async (_, given, message) => {
  const { controller, TodoResource } = await setup();
  const Wrong = () => {
    useQuery(given(TodoResource.get) as typeof Todo, { id: '1' }); // cast: what JavaScript would pass
    return null;
  };

  await show(controller, <Wrong />);

  expect(document.body.textContent).toMatch(message);
});
