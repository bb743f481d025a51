// TanStack Query's core: a cache by key, without normalizing. One-row writes map the list by hand, and put the
// row under its own key too when there are readers of single rows.
import {
  hashKey,
  InfiniteQueryObserver,
  notifyManager,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core';

import type { ItemRow } from '../payloads/flat.ts';
import { readPage } from '../payloads/pages.ts';
import type { ItemPage } from '../payloads/pages.ts';
import type { PostRow } from '../payloads/nested.ts';
import { replaceAuthor } from '../payloads/nested.ts';
import type { Contestant } from './contestant.ts';

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity, retry: false } },
  });
}

export const tanstackQuery: Contestant = {
  name: 'TanStack Query',
  packageName: '@tanstack/query-core',
  remark: 'does not normalize: stores what it is given, lists are mapped by hand',
  flat() {
    const client = createClient();
    const key = ['items'];
    let watched = false;
    return {
      write(rows) {
        client.setQueryData(key, rows);
      },
      read: () => client.getQueryData(key) as unknown[],
      writeOne(row) {
        client.setQueryData<ItemRow[]>(key, (list) =>
          list?.map((current) => (current.id === row.id ? row : current)),
        );
        if (watched) client.setQueryData(['item', row.id], row);
      },
      push(row) {
        client.setQueryData<ItemRow[]>(key, (list = []) => [...list, row]);
      },
      watch(ids, onWake) {
        watched = true;
        const rows = new Map((client.getQueryData<ItemRow[]>(key) ?? []).map((row) => [row.id, row]));
        for (const id of ids) {
          client.setQueryData(['item', id], rows.get(id));
          const observer = new QueryObserver(client, { queryKey: ['item', id], enabled: false });
          observer.subscribe(() => onWake(id));
        }
      },
      retainAndRelease() {
        new QueryObserver(client, { queryKey: key, enabled: false }).subscribe(() => {})();
      },
    };
  },
  paged() {
    const client = createClient();
    const counts = { requests: 0, wakes: 0 };
    const observer = new InfiniteQueryObserver(client, {
      queryKey: ['pages'],
      initialPageParam: 0,
      queryFn: async ({ pageParam }) => {
        counts.requests += 1;
        return readPage(pageParam);
      },
      getNextPageParam: ({ next }: ItemPage) => next,
    });
    const read = () => observer.getCurrentResult().data;
    let shown = read();
    observer.subscribe(() => {
      if (read() !== shown) counts.wakes += 1;
      shown = read();
    });
    return {
      async load(pages) {
        await observer.refetch();
        for (let page = 1; page < pages; page += 1) await observer.fetchNextPage();
      },
      reread: async () => void (await observer.refetch()),
      read: () => read()?.pages.flatMap(({ items }) => items) ?? [],
      get requests() {
        return counts.requests;
      },
      get wakes() {
        return counts.wakes;
      },
    };
  },
  nested() {
    const client = createClient();
    const key = ['posts'];
    return {
      write(posts) {
        client.setQueryData(key, posts);
      },
      read: () => client.getQueryData(key) as unknown[],
      writeAuthor(author) {
        client.setQueryData<PostRow[]>(key, (posts = []) => replaceAuthor(posts, author));
      },
    };
  },
  observed() {
    // by default observers are told by a timer of at least a millisecond, which is waiting and no work
    notifyManager.setScheduler(queueMicrotask);
    const client = createClient();
    return {
      write(rows) {
        for (const row of rows) client.setQueryData(['item', row.id], row);
      },
      observe(id, onWake) {
        new QueryObserver(client, { queryKey: ['item', id], enabled: false }).subscribe(onWake);
      },
      writeOne: (row) => client.setQueryData(['item', row.id], row),
    };
  },
  createKey: () => (id) => hashKey(['item', { id }]),
};
