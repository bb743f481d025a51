// Mistakes in components that only the development build sees: each has a code and a sentence, and is printed or thrown where it is
// made.
import { act, render } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import type { ReactNode } from 'react';
import { Controller } from 'holdfast';
import { expect, test, vi } from 'vitest';
import { AsyncBoundary, DataProvider, useDLE, useQuery, useSuspense } from 'holdfast/react';
import { Handle, setup, show, until, useHandle } from './harness.tsx';
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

/** A component that a test renders again. */
function Again({ handle, children }: { handle: Handle<[number]>; children: (count: number) => ReactNode }) {
  'use no memo'; // what is made at each render is the subject
  const [count, setCount] = useState(0);
  useHandle(handle, setCount);
  return children(count);
}

async function renderAgain(handle: Handle<[number]>, times: number): Promise<void> {
  for (let count = 1; count <= times; count += 1) await act(async () => handle.call(count));
}

test('an endpoint that is made anew at each render is reported once; other arguments, and one new endpoint, are not', async () => {
  const { controller, TodoResource } = await setup();
  const codes = warnings();
  const again = new Handle<[number]>();
  const short = { dataExpiryLength: 5_000 } as const;
  const [one, other] = [TodoResource.getList.extend(short), TodoResource.getList.extend(short)];
  const Rows = ({ endpoint }: { endpoint: typeof one }) => <i>{useDLE(endpoint).data?.length}</i>;
  const Title = ({ count }: { count: number }) => (
    <b>{useDLE(TodoResource.get, { id: `${1 + (count % 2)}` }).data?.title}</b>
  );
  const Unstable = () => {
    'use no memo';
    return <p>{useDLE(TodoResource.getList.extend({ dataExpiryLength: 5_000 })).data?.length}</p>;
  };
  const steady = (count: number) => (
    <>
      <Rows endpoint={count < 2 ? one : other} />
      <Title count={count} />
    </>
  );
  const shown = await show(controller, <Again handle={again}>{steady}</Again>);
  await renderAgain(again, 5);
  expect(codes()).toEqual([]);
  shown.unmount();

  await show(
    controller,
    <StrictMode>
      <Again handle={again}>{() => <Unstable />}</Again>
    </StrictMode>,
  );
  await until(() => document.querySelector('p')?.textContent === '2', 'the rows are shown');
  await renderAgain(again, 5);

  expect(codes()).toEqual(['ENDPOINT_UNSTABLE']);
});

test('a provider that gets another controller at each render is reported; one that gets another controller once is not', async () => {
  const { gate } = await setup();
  const codes = warnings();
  const again = new Handle<[number]>();
  const create = () => new Controller({ fetch: gate.fetch });
  const [first, second] = [create(), create()];
  const shown = await act(async () =>
    render(
      <Again handle={again}>
        {(count) => <DataProvider controller={count < 2 ? first : second}>{count}</DataProvider>}
      </Again>,
    ),
  );
  await renderAgain(again, 5);
  expect(codes()).toEqual([]);
  shown.unmount();

  await act(async () =>
    render(
      <Again handle={again}>{(count) => <DataProvider controller={create()}>{count}</DataProvider>}</Again>,
    ),
  );
  await renderAgain(again, 5);

  expect(codes()).toEqual(['CONTROLLER_UNSTABLE']);
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
