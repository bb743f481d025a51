// Types of lists in pages: the path of the tokens, the functions that load pages, and the result of the hook.
import {
  Controller,
  createResource,
  Entity,
  inPages,
  loadMore,
  loadPrevious,
  RestEndpoint,
  schema,
} from 'holdfast';
import type { RestOptions } from 'holdfast';
import { usePages } from 'holdfast/react';
import { expectTypeOf, test } from 'vitest';

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

const getFeed = new RestEndpoint({
  path: '/feed/:tag',
  schema: { posts: new schema.Collection([Post]), next: '' },
  paginationField: 'cursor',
  pages: inPages({ next: (answer, response) => answer.next ?? response?.headers.get('next') }),
});
const controller = new Controller();

test('inPages accepts a path, a function without annotations, or a way of counting', () => {
  inPages({ next: 'meta.next', most: 3 });
  inPages({ by: 'offset', total: (answer) => answer.total });
  inPages({ next: 'before', by: 'cursor' });
  inPages({ previous: (answer) => answer.older });
  inPages({ next: 'newer', previous: 'older', previousField: 'before' });
  // @ts-expect-error -- a parameter has a name
  inPages({ previous: 'older', previousField: 5 });
  // @ts-expect-error -- no token is there
  inPages({ next: 5 });
  // @ts-expect-error -- no such way
  inPages({ by: 'token' });
  // @ts-expect-error -- pages are a rule, not its options
  new RestEndpoint({ path: '/feed', schema: [Post], pages: { next: 'next' } });
});

test('loadMore and loadPrevious take the arguments of the list', () => {
  expectTypeOf(() => loadMore(controller, getFeed, { tag: 'news' })).returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf(() => loadPrevious(controller, getFeed, { tag: 'news' })).returns.toEqualTypeOf<
    Promise<void>
  >();
  // @ts-expect-error -- the tag is missing
  void (() => loadPrevious(controller, getFeed));
  // @ts-expect-error -- the tag is missing
  void (() => loadMore(controller, getFeed));
  // @ts-expect-error -- a mutation has no pages
  void (() => loadMore(controller, getFeed.push, { tag: 'news' }, { title: '' }));
});

test('usePages returns the items of the list in the response', () => {
  const useFeed = () => usePages(getFeed, { tag: 'news' });
  expectTypeOf<ReturnType<typeof useFeed>['items'][number]>().toEqualTypeOf<Post>();
  expectTypeOf<ReturnType<typeof useFeed>['loadMore']>().toEqualTypeOf<() => Promise<void>>();
  expectTypeOf<ReturnType<typeof useFeed>['loadPrevious']>().toEqualTypeOf<() => Promise<void>>();
  expectTypeOf<ReturnType<typeof useFeed>['previousError']>().toEqualTypeOf<Error | undefined>();
  expectTypeOf<ReturnType<typeof useFeed>['hasPrevious' | 'isLoadingPrevious']>().toEqualTypeOf<boolean>();
  const useMaybe = () => usePages(getFeed, null);
  expectTypeOf<ReturnType<typeof useMaybe>['items'][number]>().toEqualTypeOf<Post>();
  // @ts-expect-error -- no such parameter
  const useWrong = () => usePages(getFeed, { label: 'news' });
  void useWrong;
});

test('usePages refuses an endpoint without pages, and says how to give it some', () => {
  const getPosts = new RestEndpoint({
    path: '/posts',
    schema: new schema.Collection([Post]),
    paginationField: 'page',
  });
  // @ts-expect-error -- no pages
  const useUnpaged = () => usePages(getPosts);
  type Parameter = Parameters<typeof usePages<typeof getPosts>>[0];
  expectTypeOf<Parameter>().toEqualTypeOf<'This endpoint has no pages. Add paginationField and pages: inPages({ … }) to its options.'>();

  const getPages = getPosts.extend({ pages: inPages({ by: 'number' }) });
  const useExtended = () => usePages(getPages.extend({ timeoutMs: 5_000 }));
  expectTypeOf<ReturnType<typeof useExtended>['items'][number]>().toEqualTypeOf<Post>();

  const options = { path: '/posts/:id', schema: Post, paginationField: 'page' } as const;
  const posts = createResource({ ...options, pages: inPages({ by: 'number' }) });
  const useList = () => usePages(posts.getList);
  const useChanged = () => usePages(posts.getList.extend({ timeoutMs: 5_000 }));
  const useLater = () =>
    usePages(createResource(options).extend('getList', { pages: inPages({ by: 'number' }) }).getList, null);
  // @ts-expect-error -- no pages
  void (() => loadMore(controller, getPosts));
  // @ts-expect-error -- no pages
  void (() => loadPrevious(controller, getPosts));
  // @ts-expect-error -- no pages
  const useNone = () => usePages(createResource(options).getList);

  class OwnEndpoint<O extends RestOptions = RestOptions> extends RestEndpoint<O> {
    override readonly pages = inPages({ by: 'number' });
  }
  const useOwn = () => usePages(new OwnEndpoint({ path: '/posts', schema: new schema.Collection([Post]) }));
  void [useUnpaged, useList, useChanged, useLater, useNone, useOwn];
});
