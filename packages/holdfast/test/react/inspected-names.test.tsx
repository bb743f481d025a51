// The components that read, as the inspector lists them: in StrictMode, where React makes two controllers and drops one.
import { act, render, screen } from '@testing-library/react';
import { getDefaultManagers } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import { DataProvider, useSuspense } from 'holdfast/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { setup, until } from './harness.tsx';

test('an inspector lists the controller that React has kept, and the components that read', async () => {
  const { gate, TodoResource } = await setup();
  const inspector = inspect();
  const managers = [inspector, ...getDefaultManagers()];
  function useTitle(id: string): string {
    return useSuspense(TodoResource.get, { id }).title;
  }
  function Title() {
    return <p>{useTitle('1')}</p>;
  }
  function Heading() {
    return <h1>{useSuspense(TodoResource.get, { id: '1' }).title}</h1>;
  }
  await act(async () =>
    render(
      <StrictMode>
        <DataProvider managers={managers} fetch={gate.fetch}>
          <Title />
          <Heading />
        </DataProvider>
      </StrictMode>,
    ),
  );
  await screen.findAllByText('milk');
  await until(() => new Set(inspector.mounted()[0]?.components).size > 1, 'both components have subscribed');

  expect(inspector.requests()).toMatchObject([{ kind: 'read', status: 'answered' }]);
  const [reader, ...others] = inspector.mounted();
  expect(others).toEqual([]);
  expect(new Set(reader?.components)).toEqual(new Set(['Title', 'Heading']));
});
