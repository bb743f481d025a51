// Requests of components that wait for their first data, and what happens to them when the components unmount.
import { act, render, screen } from '@testing-library/react';
import { Fragment, StrictMode, Suspense } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { AsyncBoundary, DataProvider, useDLE, useSuspense, useSuspenseAll } from 'holdfast/react';
import type { Controller } from 'holdfast';
import { pause, setup, Todo, until } from './harness.tsx';

/** An application that shows its parts by name. */
async function present(Mode: typeof Fragment | typeof StrictMode, controller: Controller, node: ReactNode) {
  const Root = ({ children }: { children: ReactNode }): ReactElement => (
    <Mode>
      <DataProvider controller={controller}>{children}</DataProvider>
    </Mode>
  );
  const { rerender } = await act(async () => render(<Root>{node}</Root>));
  return (next: ReactNode) => act(async () => rerender(<Root>{next}</Root>));
}

describe.each([
  ['plain', Fragment],
  ['StrictMode', StrictMode],
])('%s', (_name, Mode) => {
  test('requests that wait below an AsyncBoundary are cancelled when the boundary unmounts', async () => {
    const { controller, gate, TodoResource } = await setup();
    gate.close();
    const One = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
    const Many = () => {
      const [first] = useSuspenseAll([
        [TodoResource.get, { id: '2' }],
        [TodoResource.getList, {}],
      ] as const);
      return <p>{first.title}</p>;
    };
    const change = await present(
      Mode,
      controller,
      <>
        <AsyncBoundary fallback="waiting">
          <One />
        </AsyncBoundary>
        <AsyncBoundary fallback="waiting too">
          <Many />
        </AsyncBoundary>
      </>,
    );
    await pause(30);
    expect(gate.aborted).toEqual([]);
    expect([...gate.sent].sort()).toEqual(['GET /todos', 'GET /todos/1', 'GET /todos/2']);

    await change(<p>elsewhere</p>);
    await pause(30);

    expect([...gate.aborted].sort()).toEqual(['GET /todos', 'GET /todos/1', 'GET /todos/2']);
    gate.open();
  });

  test('a boundary that stays keeps its requests, however often its parents render', async () => {
    const { controller, gate, TodoResource } = await setup();
    gate.close();
    const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
    const boundary = (note: string) => (
      <AsyncBoundary fallback={note}>
        <Title />
      </AsyncBoundary>
    );
    const change = await present(Mode, controller, boundary('one'));
    await change(boundary('two'));
    await pause(30);

    gate.open();

    expect(await screen.findByText('milk')).toBeTruthy();
    expect(gate.aborted).toEqual([]);
    expect(gate.sent).toEqual(['GET /todos/1']);
  });
});

test.each(['another boundary', 'a plain Suspense', 'a mounted reader', 'a caller'])(
  'a request for which %s waits too continues when the boundary unmounts',
  async (who) => {
    const { controller, gate, TodoResource } = await setup();
    gate.close();
    const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
    const Mounted = () => <p>{useDLE(TodoResource.get, { id: '1' }).data?.title ?? 'loading'}</p>;
    const others: Readonly<Record<string, ReactNode>> = {
      'another boundary': (
        <AsyncBoundary fallback="waiting">
          <Title />
        </AsyncBoundary>
      ),
      'a plain Suspense': (
        <Suspense fallback="waiting">
          <Title />
        </Suspense>
      ),
      'a mounted reader': <Mounted />,
      'a caller': null,
    };
    const change = await present(
      Fragment,
      controller,
      <>
        <div key="other">{others[who]}</div>
        <AsyncBoundary key="boundary" fallback="waiting">
          <Title />
        </AsyncBoundary>
      </>,
    );
    const called = who === 'a caller' ? controller.fetch(TodoResource.get, { id: '1' }) : null;

    await change(<div key="other">{others[who]}</div>);
    await pause(30);
    gate.open();

    expect(gate.aborted).toEqual([]);
    if (called)
      await until(() => controller.get(Todo, { id: '1' })?.title === 'milk', 'the caller is answered');
    else expect(await screen.findByText('milk')).toBeTruthy();
    expect(gate.sent).toEqual(['GET /todos/1']);
  },
);

test('a cancelled request is sent again for the next reader', async () => {
  const { controller, gate, TodoResource } = await setup();
  gate.close();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  const boundary = (
    <AsyncBoundary fallback="waiting">
      <Title />
    </AsyncBoundary>
  );
  const change = await present(Fragment, controller, boundary);
  await change(null);
  await pause(30);
  gate.open();

  await change(boundary);

  expect(await screen.findByText('milk')).toBeTruthy();
  expect(gate.sent).toEqual(['GET /todos/1', 'GET /todos/1']);
});

test('below a plain Suspense the request continues, and its response is stored', async () => {
  const { controller, gate, TodoResource } = await setup();
  gate.close();
  const Title = () => <p>{useSuspense(TodoResource.get, { id: '1' }).title}</p>;
  const change = await present(
    Fragment,
    controller,
    <Suspense fallback="waiting">
      <Title />
    </Suspense>,
  );
  await change(null);
  await pause(30);
  gate.open();

  await until(() => controller.get(Todo, { id: '1' })?.title === 'milk', 'the answer is stored');
  expect(gate.aborted).toEqual([]);
});
