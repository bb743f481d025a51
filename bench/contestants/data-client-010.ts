// The newest matching set of data-client packages that installs: normalizr 0.10.0, endpoint and rest 0.9.9,
// core 0.10.0. Used the way its provider uses them: one immutable state, one memo, a reducer for optimism.
import { actionTypes, Controller, createReducer, initialState } from '@data-client/core';
import { Entity, Query, schema } from '@data-client/endpoint';
import { denormalizeCached, inferResults, normalize, WeakEntityMap } from '@data-client/normalizr';
import { createResource, RestEndpoint } from '@data-client/rest';

import { selectActiveByPrice } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import type {
  ChainStore,
  Contestant,
  FlatStore,
  ListsStore,
  NestedStore,
  OptimisticStore,
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
  pk(): string {
    return this.id;
  }
  static override key = 'Item';
}
class Author extends Entity {
  id = '';
  name = '';
  email = '';
  avatar = '';
  pk(): string {
    return this.id;
  }
  static override key = 'Author';
}
class Tag extends Entity {
  id = '';
  label = '';
  pk(): string {
    return this.id;
  }
  static override key = 'Tag';
}
class Comment extends Entity {
  id = '';
  body = '';
  createdAt = '';
  author = Author.fromJS();
  pk(): string {
    return this.id;
  }
  static override key = 'Comment';
  static override schema = { author: Author };
}
class Post extends Entity {
  id = '';
  title = '';
  body = '';
  createdAt = '';
  author = Author.fromJS();
  tags: Tag[] = [];
  comments: Comment[] = [];
  pk(): string {
    return this.id;
  }
  static override key = 'Post';
  static override schema = { author: Author, tags: [Tag], comments: [Comment] };
}
class Link extends Entity {
  id = '';
  next: unknown = undefined;
  pk(): string {
    return this.id;
  }
  static override key = 'Link';
}
Object.assign(Link, { schema: { next: Link } });

const ItemList = new schema.Collection([Item]);
const selected = new Query(new schema.All(Item), (rows: Item[]) => selectActiveByPrice(rows));
const ItemResource = createResource({ path: '/items/:id', schema: Item, optimistic: true });
const pendingUpdate = ItemResource.update.extend({ fetch: () => new Promise<never>(() => {}) });
const removeItems = new RestEndpoint({
  path: '/items',
  method: 'DELETE',
  schema: [new schema.Invalidate(Item)],
});

type Table = Record<string, Record<string, never>>;

/** One immutable state in a holder, and the memos that a controller keeps. */
class Holder {
  entities: Table = {};
  indexes: Table = {};
  entityMeta: Table = {};
  fetchedAt = 1;
  readonly entityMemo = {};
  readonly resultMemos = new Map<unknown, WeakEntityMap<object, never>>();

  write(shape: unknown, value: unknown, args: readonly unknown[] = []): unknown {
    this.fetchedAt += 1;
    const meta = { fetchedAt: this.fetchedAt, date: this.fetchedAt, expiresAt: Infinity };
    const next = normalize(
      value,
      shape as never, // cast: its Schema type is wider than what strict settings infer for these classes
      args as never,
      this.entities,
      this.indexes,
      this.entityMeta,
      meta,
    );
    this.entities = next.entities as Table; // cast: the same tables, typed loosely by the package
    this.indexes = next.indexes as Table;
    this.entityMeta = next.entityMeta as Table;
    return next.result;
  }

  read(shape: unknown, result: unknown, memoKey: unknown = shape, args: readonly unknown[] = []): unknown {
    let memo = this.resultMemos.get(memoKey);
    if (!memo) this.resultMemos.set(memoKey, (memo = new WeakEntityMap()));
    const { data } = denormalizeCached(
      result,
      shape as never,
      this.entities,
      this.entityMemo,
      memo as never, // cast: the package's memo types are internal
      args as never,
    );
    return data;
  }

  infer(shape: unknown, args: readonly unknown[]): unknown {
    return inferResults(shape as never, args as never, this.indexes as never, this.entities as never);
  }
}

function createFlat(): FlatStore {
  const holder = new Holder();
  const listArgs = [{}];
  let result: unknown;
  let readers: { id: string; value: unknown }[] = [];
  let wake: (id: string) => void = () => {};
  // one context for the whole state: every reader hears of every change, and asks the memo again
  const notify = () => {
    for (const reader of readers) {
      wake(reader.id);
      reader.value = holder.read(Item, reader.id, reader.id);
    }
  };
  return {
    write(rows) {
      result = holder.write(ItemList, rows, listArgs);
      notify();
    },
    read: () => holder.read(ItemList, result, ItemList, listArgs) as unknown[],
    writeOne(row) {
      holder.write(Item, row);
      notify();
    },
    push(row) {
      holder.write(ItemList.push, row, [{}, row]);
      notify();
    },
    watch(ids, onWake) {
      wake = onWake;
      readers = ids.map((id) => ({ id, value: holder.read(Item, id, id) }));
    },
    readSelected() {
      return holder.read(selected.schema, holder.infer(selected.schema, []), selected) as unknown[];
    },
  };
}

function createNested(): NestedStore {
  const holder = new Holder();
  const list = [Post];
  let result: unknown;
  return {
    write(posts) {
      result = holder.write(list, posts);
    },
    read: () => holder.read(list, result) as unknown[],
    writeAuthor(author) {
      holder.write(Author, author);
    },
  };
}

function createLists(): ListsStore {
  const holder = new Holder();
  return {
    write(owner, rows) {
      holder.write(ItemList, rows, [{ owner }]);
    },
    read(owner) {
      const args = [{ owner }];
      return holder.read(ItemList, holder.infer(ItemList, args), owner, args) as unknown[];
    },
    push(row: ItemRow) {
      holder.write(ItemList.push, row, [{ owner: row.owner }, row]);
    },
  };
}

function createOptimistic(): OptimisticStore {
  let state = initialState;
  // it tells the pending calls of one row apart by their millisecond: each gets one of its own
  let callTime = 0;
  const calls: { readonly row: ItemRow; readonly fetchedAt: number }[] = [];
  const controller: Controller = new Controller({
    dispatch: (action) => {
      if (action.type === actionTypes.FETCH_TYPE) action.meta.createdAt = callTime;
      state = reduce(state, action);
      return Promise.resolve();
    },
    getState: () => state,
  });
  const reduce = createReducer(controller);
  // what the provider renders: the state with every pending action reduced again
  const fold = () => state.optimistic.reduce(reduce as never, state);
  let shown = state;
  const read = () =>
    controller.getResponse(ItemResource.getList, shown as never).data as unknown as unknown[];
  return {
    write(rows) {
      void controller.setResponse(ItemResource.getList, rows as never);
      shown = fold();
    },
    read,
    writeOne(row) {
      void controller.setResponse(ItemResource.get, { id: row.id }, row);
      shown = fold();
    },
    begin(rows) {
      for (const row of rows) {
        callTime = Math.max(callTime + 1, Date.now());
        calls.push({ row, fetchedAt: callTime });
        void controller.fetch(pendingUpdate, { id: row.id }, row);
      }
      shown = fold();
    },
    async settle() {
      for (const { row, fetchedAt } of calls) {
        const args = [{ id: row.id }, row] as const;
        await controller.resolve(pendingUpdate, { args, response: row, fetchedAt } as never); // cast: the row is one
        shown = fold();
        read();
      }
    },
    async remove(rows) {
      await controller.setResponse(removeItems, rows as never); // cast: it asks for instances
      shown = fold();
    },
  };
}

function createChain(): ChainStore {
  const holder = new Holder();
  return {
    writeNested(first) {
      holder.write(Link, first);
    },
    writeList(rows) {
      holder.write([Link], rows);
    },
    read: () => holder.read(Link, '0'),
  };
}

export const dataClient010: Contestant = {
  name: 'data-client 0.10',
  packageName: '@data-client/core',
  flat: createFlat,
  nested: createNested,
  lists: createLists,
  optimistic: createOptimistic,
  chain: createChain,
  createKey: () => (id) => ItemResource.get.key({ id }),
};
