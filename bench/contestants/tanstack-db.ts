// TanStack DB: collections with incremental live queries. Rows enter through the collection's sync channel,
// which is how a server's answer does. Relations are joins there, so it takes part in the flat scenarios only.
import {
  count,
  createCollection,
  createLiveQueryCollection,
  createPacedMutations,
  debounceStrategy,
  eq,
} from '@tanstack/db';

import type { ItemRow } from '../payloads/flat.ts';
import type { Contestant } from './contestant.ts';

/** Longer than any run. */
const PAUSE_MS = 600_000;

type Message = { readonly type: 'insert' | 'update'; readonly value: ItemRow };

function createItems() {
  let apply: (messages: readonly Message[]) => void = () => {};
  const collection = createCollection<ItemRow, string>({
    id: `items-${Math.random()}`,
    getKey: (row) => row.id,
    startSync: true,
    gcTime: Infinity,
    sync: {
      sync({ begin, write, commit, markReady }) {
        apply = (messages) => {
          begin();
          for (const message of messages) write(message);
          void commit(); // visible at once: nothing optimistic is pending
        };
        markReady();
      },
    },
  });
  return { collection, apply: (messages: readonly Message[]) => apply(messages) };
}

export const tanstackDb: Contestant = {
  name: 'TanStack DB',
  packageName: '@tanstack/db',
  remark: 'the list is an array made at each read; the sorted view is kept up incrementally',
  flat() {
    const { collection, apply } = createItems();
    let isFilled = false;
    let selected: { readonly toArray: readonly unknown[] } | undefined;
    return {
      write(rows) {
        const type = isFilled ? 'update' : 'insert';
        apply(rows.map((value) => ({ type, value })));
        isFilled = true;
      },
      read: () => collection.toArray,
      writeOne: (value) => apply([{ type: 'update', value }]),
      push: (value) => apply([{ type: 'insert', value }]),
      watch(ids, onWake) {
        for (const id of ids) {
          collection.subscribeChanges(() => onWake(id), { where: (row) => eq(row.id, id) });
        }
      },
      readSelected() {
        selected ??= createLiveQueryCollection({
          startSync: true,
          query: (query) =>
            query
              .from({ item: collection })
              .where(({ item }) => eq(item.active, true))
              .orderBy(({ item }) => item.price),
        });
        return selected.toArray;
      },
    };
  },
  queries() {
    const { collection, apply } = createItems();
    let active: { readonly toArray: readonly unknown[] } | undefined;
    let counts: { readonly toArray: readonly { category: string; size: number }[] } | undefined;
    return {
      write: (rows) => apply(rows.map((value) => ({ type: 'insert', value }))),
      writeOne: (value) => apply([{ type: 'update', value }]),
      readActive() {
        active ??= createLiveQueryCollection({
          startSync: true,
          query: (query) => query.from({ item: collection }).where(({ item }) => eq(item.active, true)),
        });
        return active.toArray;
      },
      readCounts() {
        counts ??= createLiveQueryCollection({
          startSync: true,
          query: (query) =>
            query
              .from({ item: collection })
              .groupBy(({ item }) => item.category)
              .select(({ item }) => ({ category: item.category, size: count(item.id) })),
        });
        return new Map(counts.toArray.map(({ category, size }) => [category, size]));
      },
      readFirst: (owner) =>
        createLiveQueryCollection({
          startSync: true,
          query: (query) => query.from({ item: collection }).where(({ item }) => eq(item.owner, owner)),
        }).toArray,
    };
  },
  typed() {
    const { collection, apply } = createItems();
    const type = createPacedMutations<Pick<ItemRow, 'id' | 'title'>>({
      onMutate({ id, title }) {
        collection.update(id, (row) => {
          row.title = title;
        });
      },
      mutationFn: () => new Promise<never>(() => {}),
      strategy: debounceStrategy({ wait: PAUSE_MS }),
    });
    return {
      write: (rows) => apply(rows.map((value) => ({ type: 'insert', value }))),
      watch(ids, onWake) {
        for (const id of ids)
          collection.subscribeChanges(() => onWake(id), { where: (row) => eq(row.id, id) });
      },
      type: (id, title) => void type({ id, title }),
      read: (id) => collection.get(id)?.title,
    };
  },
};
