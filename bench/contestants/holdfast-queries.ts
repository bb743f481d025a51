// Queries over a list that is known to be whole, by the library's local queries.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { local, watchLocal } from 'holdfast/local';
import type { QueriesStore } from './contestant.ts';

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
  static override key = 'QueriedItem';
}
const { getList } = createResource({ path: '/items/:id', schema: Item }).extend({
  getList: { schema: new schema.Collection([Item], { complete: true }) },
});
const active = local(getList, { where: { active: true } });
const counts = local(getList).groupBy('category').count();

export function createQueries(): QueriesStore {
  const timers = { set: () => undefined, clear: () => {} };
  const controller = new Controller({ fetch: () => new Promise<never>(() => {}), timers });
  const readers = { active: watchLocal(controller, active), counts: watchLocal(controller, counts) };
  return {
    write: (rows) => void controller.setResponse(getList, rows),
    writeOne: (row) => void controller.set(Item, { id: row.id }, row),
    readActive: () => readers.active.read().data ?? [],
    readCounts: () => readers.counts.read().data ?? new Map<string, number>(),
    readFirst: (owner) => watchLocal(controller, local(getList, { where: { owner } })).read().data ?? [],
  };
}
