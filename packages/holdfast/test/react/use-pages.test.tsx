// usePages in a real browser: pages are loaded behind and in front, a failed page can be loaded again, and other arguments start
// from nothing.
import { act, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { Controller, inPages, RestEndpoint, schema } from 'holdfast';
import { DataProvider, usePages } from 'holdfast/react';
import { Handle, Log, Todo, until, useHandle } from './harness.tsx';

/** A local server behind `fetch`: rows in pages of two, by cursor. */
function setup() {
  const sent: string[] = [];
  let failure = 0;
  let wait: Promise<void> | undefined;
  const controller = new Controller({
    fetch: async (input) => {
      const url = new URL(String(input));
      const from = Number(url.searchParams.get('cursor') ?? 0);
      sent.push(`${url.searchParams.get('list')}${from}`);
      await wait;
      if (failure > 0) return new Response('{}', { status: failure });
      const todos = [from, from + 1].map((id) => ({ id: `${url.searchParams.get('list')}${id}`, title: '' }));
      return Response.json({ todos, next: from < 4 ? from + 2 : null, previous: from === 0 ? -2 : null });
    },
  });
  const getList = new RestEndpoint({
    urlPrefix: 'http://pages.test',
    path: '/todos',
    searchParams: {} as { list: string },
    schema: { todos: new schema.Collection([Todo]), next: 0 },
    paginationField: 'cursor',
    pages: inPages({ next: 'next' }),
  });
  return {
    controller,
    getList,
    sent,
    fail: (status: number) => (failure = status),
    hold: () => {
      let go = () => {};
      wait = new Promise((resolve) => (go = resolve));
      return go;
    },
  };
}

type List = ReturnType<typeof setup>['getList'];

function Todos({ getList, list, more, seen }: { getList: List; list: string; more: Handle<[]>; seen?: Log }) {
  const { items, loading, hasMore, isLoadingMore, moreError, loadMore } = usePages(getList, { list });
  useHandle(more, loadMore);
  seen?.add(isLoadingMore ? 'loading more' : items.map(({ id }) => id).join(' '));
  if (loading) return <p>loading</p>;
  const marks = [isLoadingMore && 'loading more', moreError?.name, hasMore && 'more'].filter(Boolean);
  return <p>{[items.map(({ id }) => id).join(' '), ...marks].join(' | ')}</p>;
}

const text = () => screen.getByText(/./, { selector: 'p' }).textContent;

test('pages are loaded one behind the other, to the end', async () => {
  const { controller, getList, sent } = setup();
  const more = new Handle<[]>();
  await act(async () =>
    render(
      <StrictMode>
        <DataProvider controller={controller}>
          <Todos getList={getList} list="a" more={more} />
        </DataProvider>
      </StrictMode>,
    ),
  );
  await until(() => text() === 'a0 a1 | more', 'the first page is there');
  // both join one request
  await act(async () => Promise.all([more.call(), more.call()]));
  expect(text()).toBe('a0 a1 a2 a3 | more');
  await act(async () => more.call());
  expect(text()).toBe('a0 a1 a2 a3 a4 a5');
  await act(async () => more.call());

  expect(sent).toEqual(['a0', 'a2', 'a4']);
});

test('a page that is being loaded is shown as loading, and a failed one with its error until it is loaded again', async () => {
  const { controller, getList, sent, fail, hold } = setup();
  const more = new Handle<[]>();
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <Todos getList={getList} list="a" more={more} />
      </DataProvider>,
    ),
  );
  await until(() => text() === 'a0 a1 | more', 'the first page is there');
  const go = hold();
  fail(404);
  let loading: unknown;
  await act(async () => void (loading = more.call()));
  expect(text()).toBe('a0 a1 | loading more | more');
  go();
  await act(async () => loading);
  expect(text()).toBe('a0 a1 | HttpError | more');
  fail(0);
  await act(async () => more.call());

  expect([text(), sent]).toEqual(['a0 a1 a2 a3 | more', ['a0', 'a2', 'a2']]);
});

test('other arguments give another list, without pages of the first one', async () => {
  const { controller, getList, fail } = setup();
  const more = new Handle<[]>();
  const page = (list: string) => (
    <DataProvider controller={controller}>
      <Todos getList={getList} list={list} more={more} />
    </DataProvider>
  );
  const { rerender } = await act(async () => render(page('a')));
  await until(() => text() === 'a0 a1 | more', 'the first page is there');
  fail(404);
  await act(async () => more.call());
  expect(text()).toBe('a0 a1 | HttpError | more');
  fail(0);
  await act(async () => rerender(page('b')));
  await until(() => text() === 'b0 b1 | more', 'the other list is there');
  await act(async () => more.call());

  expect(text()).toBe('b0 b1 b2 b3 | more');
});

test('a list that is read again whole renders once where something changed, and not at all where nothing did', async () => {
  const { controller, getList, sent } = setup();
  const more = new Handle<[]>();
  const seen = new Log();
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <Todos getList={getList} list="a" more={more} seen={seen} />
      </DataProvider>,
    ),
  );
  await until(() => text() === 'a0 a1 | more', 'the first page is there');
  await act(async () => more.call());
  const before = seen.lines.length;
  await act(async () => controller.fetch(getList, { list: 'a' }));

  expect(sent).toEqual(['a0', 'a2', 'a0', 'a2']);
  expect(seen.lines).toHaveLength(before);
});

test('a page before the loaded ones is shown as loading, then with its error, and is added in front', async () => {
  const { controller, getList, sent, fail, hold } = setup();
  const [older, newer] = [new Handle<[]>(), new Handle<[]>()];
  const getMessages = getList.extend({
    pages: inPages({ next: 'next', previous: 'previous', previousField: 'cursor' }),
  });
  const Messages = () => {
    const pages = usePages(getMessages, { list: 'a' });
    useHandle(older, pages.loadPrevious);
    useHandle(newer, pages.loadMore);
    if (pages.loading) return <p>loading</p>;
    const marks = [
      pages.isLoadingPrevious && 'loading older',
      pages.previousError?.name,
      pages.hasPrevious && 'older',
      pages.isLoadingMore && 'loading newer',
      pages.hasMore && 'newer',
    ];
    return <p>{[pages.items.map(({ id }) => id).join(' '), ...marks.filter(Boolean)].join(' | ')}</p>;
  };
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <Messages />
      </DataProvider>,
    ),
  );
  await until(() => text() === 'a0 a1 | older | newer', 'the first page is there');
  const go = hold();
  fail(404);
  let loading: unknown;
  await act(async () => void (loading = older.call()));
  expect(text()).toBe('a0 a1 | loading older | older | newer');
  go();
  await act(async () => loading);
  expect(text()).toBe('a0 a1 | HttpError | older | newer');
  fail(0);
  await act(async () => older.call());
  expect(text()).toBe('a-2 a-1 a0 a1 | newer');
  await act(async () => newer.call());
  await act(async () => older.call());

  expect([text(), sent]).toEqual(['a-2 a-1 a0 a1 a2 a3 | newer', ['a0', 'a-2', 'a-2', 'a2']]);
});

test('null reads nothing', async () => {
  const { controller, getList, sent } = setup();
  const Nothing = () => {
    const { items, hasMore, hasPrevious, isFetching, isPreviousData } = usePages(getList, null);
    return <p>{[items.length, hasMore, hasPrevious, isFetching, isPreviousData].join(' ')}</p>;
  };
  await act(async () =>
    render(
      <DataProvider controller={controller}>
        <Nothing />
      </DataProvider>,
    ),
  );
  expect([text(), sent]).toEqual(['0 false false false false', []]);
});

test('a late page of former arguments does not change the state of the page that is being loaded', async () => {
  const { controller, getList, hold } = setup();
  const more = new Handle<[]>();
  const page = (list: string) => (
    <DataProvider controller={controller}>
      <Todos getList={getList} list={list} more={more} />
    </DataProvider>
  );
  const { rerender } = await act(async () => render(page('b')));
  await until(() => text() === 'b0 b1 | more', 'one list is there');
  await act(async () => rerender(page('a')));
  await until(() => text() === 'a0 a1 | more', 'the other list is there');
  const endFirst = hold();
  await act(async () => void more.call());
  await act(async () => rerender(page('b')));
  const endSecond = hold();
  await act(async () => void more.call());
  expect(text()).toBe('b0 b1 | loading more | more');

  await act(async () => endFirst());
  await until(
    () => controller.getResponse(getList, { list: 'a' }).data?.todos?.length === 4,
    'the page of the former list is there',
  );
  await act(async () => undefined);
  expect(text()).toBe('b0 b1 | loading more | more');
  await act(async () => endSecond());
  await until(() => text() === 'b0 b1 b2 b3 | more', 'its own page is there');
});
