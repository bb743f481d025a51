// The part of the library's contestant that needs endpoints and a controller: optimism in flight, bulk deletions, and keys.
import { Controller, createResource, Entity, inPages, loadMore, RestEndpoint, schema } from 'holdfast';

import { edit, transaction } from 'holdfast/edit';

import { readPage } from '../payloads/pages.ts';
import type {
  ObservedStore,
  OptimisticStore,
  PagedStore,
  TransactedStore,
  TypedStore,
} from './contestant.ts';

class Item extends Entity {
  id = '';
  title = '';
  summary = '';
  category = '';
  price = 0;
  quantity = 0;
  active = false;
  owner = '';
  createdAt = '';
  updatedAt = '';
  static override key = 'Item';
}

const ItemResource = createResource({ path: '/items/:id', schema: Item, optimistic: true });
const removeItems = new RestEndpoint({
  path: '/items',
  method: 'DELETE',
  body: [] as readonly { readonly id: string }[],
  schema: [new schema.Invalidate(Item)],
});

export function createOptimistic(): OptimisticStore {
  // until it is opened no request ends; then each is answered with what it sent
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const controller = new Controller({
    async fetch(_address, { body } = {}) {
      await opened;
      return new Response(body ?? null, { headers: { 'content-type': 'application/json' } });
    },
  });
  const calls: Promise<unknown>[] = [];
  const read = () => controller.getResponse(ItemResource.getList, {}).data as unknown[];
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, {}, rows),
    read,
    writeOne: (row) => void controller.setResponse(ItemResource.get, { id: row.id }, row),
    begin(rows) {
      for (const row of rows) calls.push(controller.fetch(ItemResource.update, { id: row.id }, row));
    },
    async settle() {
      open();
      await Promise.all(calls.map((call) => call.then(read)));
    },
    async remove(rows) {
      open();
      await controller.fetch(removeItems, rows);
    },
  };
}

const getPages = new RestEndpoint({
  urlPrefix: 'http://pages.bench',
  path: '/items',
  schema: { items: new schema.Collection([Item]), next: 0 },
  paginationField: 'from',
  pages: inPages({ next: 'next' }),
});

export function createPaged(): PagedStore {
  const counts = { requests: 0, wakes: 0 };
  const controller = new Controller({
    async fetch(address) {
      counts.requests += 1;
      return Response.json(readPage(Number(new URL(address).searchParams.get('from') ?? 0)));
    },
  });
  const observer = controller.watch(getPages);
  return {
    async load(pages) {
      await controller.fetch(getPages);
      let shown = observer.readShown();
      observer.subscribe(() => {
        if (observer.readShown() !== shown) counts.wakes += 1;
        shown = observer.readShown();
      });
      for (let page = 1; page < pages; page += 1) await loadMore(controller, getPages);
    },
    reread: async () => void (await controller.fetch(getPages)),
    read: () => controller.getResponse(getPages).data?.items ?? [],
    get requests() {
      return counts.requests;
    },
    get wakes() {
      return counts.wakes;
    },
  };
}

export function createObserved(): ObservedStore {
  const controller = new Controller({ fetch: () => new Promise<never>(() => {}) });
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, {}, rows),
    observe(id, onWake) {
      const observer = controller.watch(ItemResource.get, { id });
      observer.read();
      observer.subscribe(onWake);
    },
    writeOne: (row) => void controller.setResponse(ItemResource.get, { id: row.id }, row),
  };
}

export function createTyped(): TypedStore {
  const timers = { set: () => undefined, clear: () => {} };
  const controller = new Controller({ fetch: () => new Promise<never>(() => {}), timers });
  let item: edit.Edit<typeof ItemResource.partialUpdate> | undefined;
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, {}, rows),
    watch(ids, onWake) {
      for (const id of ids) {
        const observer = controller.watch(ItemResource.get, { id });
        observer.read();
        observer.subscribe(() => onWake(id));
      }
    },
    type(id, title) {
      item ??= edit(controller, ItemResource.partialUpdate, { id });
      item.set({ title });
    },
    read: (id) => controller.get(Item, { id })?.title,
  };
}

export function createTransacted(): TransactedStore {
  const controller = new Controller({ fetch: () => new Promise<never>(() => {}) });
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, {}, rows),
    read: () => controller.getResponse(ItemResource.getList, {}).data as unknown[],
    change(rows) {
      transaction(controller, (tx) => {
        for (const row of rows) tx.fetch(ItemResource.update, { id: row.id }, row);
      });
    },
  };
}

export function createItemKey(): (id: string) => unknown {
  return (id) => ItemResource.get.key({ id });
}
