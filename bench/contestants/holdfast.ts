// The library itself, through its public face, from the production build.
import { Cache, Controller, createResource, Entity, schema } from 'holdfast';

import { selectActiveByPrice } from '../payloads/flat.ts';
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
  static override key = 'Item';
}
class Author extends Entity {
  id = '';
  name = '';
  email = '';
  avatar = '';
  static override key = 'Author';
}
class Tag extends Entity {
  id = '';
  label = '';
  static override key = 'Tag';
}
class Comment extends Entity {
  id = '';
  body = '';
  createdAt = '';
  author = new Author();
  static override key = 'Comment';
  static override schema = { author: Author };
}
class Post extends Entity {
  id = '';
  title = '';
  body = '';
  createdAt = '';
  author = new Author();
  tags: Tag[] = [];
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = { author: Author, tags: [Tag], comments: [Comment] };
}
class Link extends Entity {
  id = '';
  next: unknown = undefined;
  static override key = 'Link';
}
Object.assign(Link, { schema: { next: Link } });

const ItemList = new schema.Collection([Item]);
const PostList = new schema.Collection([Post]);
const Selected = new schema.Query(new schema.All(Item), (rows: Item[]) => selectActiveByPrice(rows));

function createFlat(): FlatStore {
  const cache = new Cache();
  return {
    write: (rows) => void cache.write(ItemList, rows),
    read: () => cache.read(ItemList) as unknown[],
    writeOne: (row) => void cache.write(Item, row),
    push: (row) => void cache.write(ItemList.push, row),
    watch(ids, onWake) {
      for (const id of ids) cache.subscribe(Item, [{ id }], () => onWake(id));
    },
    retainAndRelease: () => cache.subscribe(ItemList, [], () => {})(),
    readSelected: () => cache.read(Selected) as unknown[],
  };
}

function createNested(): NestedStore {
  const cache = new Cache();
  return {
    write: (posts) => void cache.write(PostList, posts),
    read: () => cache.read(PostList) as unknown[],
    writeAuthor: (author) => void cache.write(Author, author),
  };
}

function createLists(): ListsStore {
  const cache = new Cache();
  return {
    write: (owner, rows) => void cache.write(ItemList, rows, [{ owner }]),
    read: (owner) => cache.read(ItemList, [{ owner }]) as unknown[],
    push: (row) => void cache.write(ItemList.push, row, [{ owner: row.owner }, row]),
  };
}

const ItemResource = createResource({ path: '/items/:id', schema: Item, optimistic: true });

function createOptimistic(): OptimisticStore {
  const controller = new Controller({ fetch: () => new Promise<never>(() => {}) });
  return {
    write: (rows) => void controller.setResponse(ItemResource.getList, rows),
    read: () => controller.getResponse(ItemResource.getList).data as unknown[],
    writeOne: (row) => void controller.setResponse(ItemResource.get, { id: row.id }, row),
    begin(rows) {
      for (const row of rows) void controller.fetch(ItemResource.update, { id: row.id }, row);
    },
  };
}

function createChain(): ChainStore {
  const cache = new Cache();
  return {
    writeNested: (first) => void cache.write(Link, first),
    writeList: (rows) => void cache.write([Link], rows),
    read: () => cache.read(Link, [{ id: '0' }]),
  };
}

export const holdfast: Contestant = {
  name: 'holdfast',
  packageName: 'holdfast',
  flat: createFlat,
  nested: createNested,
  lists: createLists,
  optimistic: createOptimistic,
  chain: createChain,
  createKey: () => (id) => ItemResource.get.key({ id }),
};
