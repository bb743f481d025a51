// The library itself, through its public face, from the production build.
import { Cache, Entity, orderBy, schema } from 'holdfast';

import { selectActiveByPrice } from '../payloads/flat.ts';
import type { ChainStore, Contestant, FlatStore, ListsStore, NestedStore } from './contestant.ts';
import { createJudged } from './holdfast-conflicts.ts';
import { createChecked } from './holdfast-checked.ts';
import { createQueries, createSummaries } from './holdfast-queries.ts';
import {
  createItemKey,
  createObserved,
  createOptimistic,
  createPaged,
  createTransacted,
  createTyped,
} from './holdfast-requests.ts';

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
const PricedList = new schema.Collection([Item], {
  order: orderBy((left, right) => left.price - right.price),
});
const PostList = new schema.Collection([Post]);
const Selected = new schema.Query(new schema.All(Item), (rows: Item[]) => selectActiveByPrice(rows));

function createFlat(): FlatStore {
  const cache = new Cache();
  return {
    write: (rows) => cache.write(ItemList, rows),
    take: (rows) => cache.write(ItemList, rows, [], { isOwned: true }),
    read: () => cache.read(ItemList) as unknown[],
    writeOne: (row) => cache.write(Item, row),
    push: (row) => cache.write(ItemList.push, row),
    watch(ids, onWake) {
      for (const id of ids) cache.subscribe(Item, [{ id }], () => onWake(id));
    },
    retainAndRelease: () => cache.subscribe(ItemList, [], () => {})(),
    readSelected: () => cache.read(Selected) as unknown[],
  };
}

function createOrdered(): ReturnType<NonNullable<Contestant['ordered']>> {
  const cache = new Cache();
  return {
    write: (rows) => cache.write(PricedList, rows),
    read: () => cache.read(PricedList) as unknown[],
    writeOne: (row) => cache.write(Item, row),
    push: (row) => cache.write(PricedList.push, row),
  };
}

function createNested(): NestedStore {
  const cache = new Cache();
  return {
    write: (posts) => cache.write(PostList, posts),
    take: (posts) => cache.write(PostList, posts, [], { isOwned: true }),
    read: () => cache.read(PostList) as unknown[],
    writeAuthor: (author) => cache.write(Author, author),
  };
}

function createLists(): ListsStore {
  const cache = new Cache();
  return {
    write: (owner, rows) => cache.write(ItemList, rows, [{ owner }]),
    read: (owner) => cache.read(ItemList, [{ owner }]) as unknown[],
    push: (row) => cache.write(ItemList.push, row, [{ owner: row.owner }, row]),
  };
}

function createChain(): ChainStore {
  const cache = new Cache();
  return {
    writeNested: (first) => cache.write(Link, first),
    writeList: (rows) => cache.write([Link], rows),
    read: () => cache.read(Link, [{ id: '0' }]),
  };
}

export const holdfast: Contestant = {
  name: 'holdfast',
  packageName: 'holdfast',
  flat: createFlat,
  checked: createChecked,
  ordered: createOrdered,
  nested: createNested,
  lists: createLists,
  optimistic: createOptimistic,
  paged: createPaged,
  observed: createObserved,
  typed: createTyped,
  queries: createQueries,
  summaries: createSummaries,
  transacted: createTransacted,
  judged: createJudged,
  chain: createChain,
  createKey: createItemKey,
};
