// The part of the library's contestant that needs endpoints and a controller: optimism in flight, and keys.
import { Controller, createResource, Entity } from 'holdfast';

import type { ObservedStore, OptimisticStore } from './contestant.ts';

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

export function createOptimistic(): OptimisticStore {
  // requests that never end: every update stays in flight
  const controller = new Controller({ fetch: () => new Promise<never>(() => {}) });
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, {}, rows),
    read: () => controller.getResponse(ItemResource.getList, {}).data as unknown[],
    writeOne: (row) => void controller.setResponse(ItemResource.get, { id: row.id }, row),
    begin(rows) {
      for (const row of rows) void controller.fetch(ItemResource.update, { id: row.id }, row);
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

export function createItemKey(): (id: string) => unknown {
  return (id) => ItemResource.get.key({ id });
}
