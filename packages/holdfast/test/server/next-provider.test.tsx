import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { DataProvider } from 'holdfast/next';
import { useController, useSuspense } from 'holdfast/react';
import { settle, TodoResource } from './browser-page.tsx';

// outside of Next there is no stream to insert into; its module is CommonJS, which may be read through `default`
vi.mock('next/navigation.js', () => {
  const useServerInsertedHTML = (): void => undefined;
  return { useServerInsertedHTML, default: { useServerInsertedHTML } };
});

function Title() {
  return <b>{useSuspense(TodoResource.get, { id: '1' }).title}</b>;
}

async function show(root: Root, place: Element, name: string): Promise<number> {
  let requests = 0;
  const fetch = async (): Promise<Response> => {
    requests += 1;
    await settle(30);
    return Response.json({ id: '1', title: name });
  };
  startTransition(() =>
    root.render(
      <DataProvider key={name} fetch={fetch}>
        <Title />
      </DataProvider>,
    ),
  );
  await expect.poll(() => place.textContent).toBe(name);
  return requests;
}

test('a reader that waits outside of every boundary sends one request, though React restarts the page', async () => {
  const place = document.createElement('div');
  const root = createRoot(place);

  expect(await show(root, place, 'first')).toBe(1);

  // a provider that mounts later starts empty
  expect(await show(root, place, 'second')).toBe(1);
  root.unmount();
});

test('two names on one page give two controllers', async () => {
  const place = document.createElement('div');
  const root = createRoot(place);
  const seen: unknown[] = [];
  const Look = () => {
    seen.push(useController());
    return null;
  };

  root.render(
    <>
      <DataProvider name="shop">
        <Look />
      </DataProvider>
      <DataProvider name="chat">
        <Look />
      </DataProvider>
    </>,
  );
  await settle(50);

  expect(new Set(seen).size).toBe(2);
  root.unmount();
});
