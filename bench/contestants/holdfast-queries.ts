// Queries over a list that is known to be whole, by the library's local queries; a list with some fields of each row, by a picked class.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { local, pick, watchLocal } from 'holdfast/local';
import type { QueriesStore, SummariesStore } from './contestant.ts';

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
const ItemSummary = pick(Item, ['id', 'title', 'price']);
const { get, getList } = createResource({ path: '/items/:id', schema: Item }).extend({
  getList: { schema: new schema.Collection([Item], { complete: true }) },
});
const getSummaries = getList.extend({ schema: new schema.Collection([ItemSummary]) });
const active = local(getList, { where: { active: true } });
const counts = local(getList).groupBy('category').count();

function createController(): Controller {
  const timers = { set: () => undefined, clear: () => {} };
  return new Controller({ fetch: () => new Promise<never>(() => {}), timers });
}

export function createQueries(): QueriesStore {
  const controller = createController();
  const readers = { active: watchLocal(controller, active), counts: watchLocal(controller, counts) };
  return {
    write: (rows) => void controller.setResponse(getList, rows),
    writeOne: (row) => void controller.set(Item, { id: row.id }, row),
    readActive: () => readers.active.read().data ?? [],
    readCounts: () => readers.counts.read().data ?? new Map<string, number>(),
    readFirst: (owner) => watchLocal(controller, local(getList, { where: { owner } })).read().data ?? [],
  };
}

export function createSummaries(): SummariesStore {
  const controller = createController();
  return {
    write: (rows) => void controller.setResponse(getSummaries, rows),
    read: () => controller.watch(getSummaries).read().data ?? [],
    readKnown: (id) => controller.get(ItemSummary, { id }),
    writeWhole: (row) => void controller.setResponse(get, { id: row.id }, row),
    readWhole: (id) => controller.get(Item, { id }),
  };
}
