// The part of the library's contestant that has rules for conflicts: changes that wait are compared with their rows before they are sent.
import { Controller, createResource, Entity } from 'holdfast';
import { count, HttpSemantics } from 'holdfast/http';

import type { ItemRow } from '../payloads/flat.ts';
import type { JudgedStore } from './contestant.ts';

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
const queue = (): string => 'items';
const change = ItemResource.partialUpdate.extend({ queue });
/** Stands first in the queue and names no row, so that all changes wait. */
const goFirst = change.extend({ method: 'POST', path: '/first', body: undefined, schema: undefined });

export function createJudged(): JudgedStore {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  /** The rows of the server. */
  const server = new Map<string, ItemRow>();
  const controller = new Controller({
    managers: [new HttpSemantics({ conflicts: { merge: [[Item, { quantity: count }]] } })],
    async fetch(address, { body, method } = {}) {
      if (address.endsWith('/first')) {
        await opened;
        return new Response(null, { status: 204 });
      }
      if (method === 'GET') return Response.json([...server.values()]);
      const id = address.slice(address.lastIndexOf('/') + 1);
      const row = { ...server.get(id), ...JSON.parse(String(body)) } as ItemRow; // cast: the body has fields of a row
      server.set(id, row);
      return Response.json(row);
    },
  });
  const calls: Promise<unknown>[] = [];
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, {}, rows),
    read: () => controller.getResponse(ItemResource.getList, {}).data as unknown[],
    begin(rows) {
      calls.push(controller.fetch(goFirst));
      for (const { id, title, quantity } of rows)
        calls.push(controller.fetch(change, { id }, { title, quantity }));
    },
    async settle(theirs) {
      for (const row of theirs) server.set(row.id, row);
      await controller.fetch(ItemResource.getList, {});
      open();
      await Promise.all(calls);
    },
  };
}
