import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToStaticMarkup, renderToString } from 'react-dom/server';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Controller } from 'holdfast';
import { createResource, Entity, schema } from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useError,
  useLoading,
  useMutation,
  usePending,
  useQuery,
  useSuspense,
} from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';
import { createMockController } from 'holdfast/testing';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const all = new schema.All(Todo);
const list = {
  endpoint: TodoResource.getList,
  args: [],
  response: [
    { id: '1', title: 'milk' },
    { id: '2', title: 'bread' },
  ],
};
const never = { timers: { set: () => expect.unreachable('a timer on the server'), clear: () => undefined } };

async function stream(page: ReactNode): Promise<string> {
  const out = new PassThrough();
  const { pipe } = renderToPipeableStream(page, {
    onAllReady: () => void pipe(out),
    onError: () => undefined,
  });
  return text(out);
}

test('stored data renders on a server, through every reading hook, and starts no timer', () => {
  const { controller } = createMockController({ initialFixtures: [list], ...never });
  const Page = () => {
    const [, isLoading] = useLoading(async () => 1, []);
    const { status } = useMutation(TodoResource.delete);
    return (
      <p>
        {[
          useSuspense(TodoResource.getList).length,
          useSuspense(TodoResource.get, { id: '1' }).title,
          useDLE(TodoResource.get, { id: '2' }).data?.title,
          useCache(TodoResource.get, { id: '1' })?.title,
          useQuery(all)?.length,
          useError(TodoResource.getList)?.message ?? 'no error',
          usePending(Todo, { id: '1' }).length,
          String(isLoading),
          status,
        ].join()}
      </p>
    );
  };

  const html = renderToStaticMarkup(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  );

  expect(html).toBe('<p>2,milk,bread,milk,2,no error,0,false,idle</p>');
});

test('missing data is awaited while the page streams, once for all its readers', async () => {
  let calls = 0;
  const { controller } = createMockController({
    fixtures: [
      {
        endpoint: TodoResource.getList,
        response: () => {
          calls += 1;
          return list.response;
        },
        delay: 5,
      },
    ],
  });
  const Count = () => <b>{useSuspense(TodoResource.getList).length}</b>;
  const First = () => <i>{useSuspense(TodoResource.get, { id: '1' }).title}</i>;
  const Late = () => {
    useSuspense(TodoResource.getList);
    return <First />;
  };

  const html = await stream(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="waiting">
        <Count />
        <Late />
      </AsyncBoundary>
    </DataProvider>,
  );

  expect(html).toContain('<b>2</b><i>milk</i>');
  expect(calls).toBe(1);
});

test('hooks that do not suspend do not fetch on a server', () => {
  const { controller, network } = createMockController({ fixtures: [list] });
  const Telling = () => <p>{useDLE(TodoResource.getList).loading ? 'loading' : 'loaded'}</p>;

  const html = renderToString(
    <DataProvider controller={controller}>
      <Telling />
    </DataProvider>,
  );

  expect(html).toBe('<p>loading</p>');
  expect(network.size).toBe(0);
});

test('a failed load leaves its boundary to the browser', async () => {
  const { controller } = createMockController({
    fixtures: [{ ...list, response: { status: 500 }, error: true as const }],
  });
  const Count = () => <b>{useSuspense(TodoResource.getList).length}</b>;

  const html = await stream(
    <DataProvider controller={controller}>
      <Suspense fallback={<i>waiting</i>}>
        <Count />
      </Suspense>
    </DataProvider>,
  );

  expect(html).toContain('<i>waiting</i>');
  expect(html).not.toContain('<b>');
});

test('two requests on one server share nothing', () => {
  const first = createServerRender({ origins: [] }).controller;
  const second = createServerRender({ origins: [] }).controller;
  void first.setResponse(TodoResource.getList, list.response);
  const Title = () => <p>{useQuery(Todo, { id: '1' })?.title ?? 'nothing'}</p>;
  const render = (controller: Controller): string =>
    renderToStaticMarkup(
      <DataProvider controller={controller}>
        <Title />
      </DataProvider>,
    );

  expect(render(first)).toBe('<p>milk</p>');
  expect(render(second)).toBe('<p>nothing</p>');
});
