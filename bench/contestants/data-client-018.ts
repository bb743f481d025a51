// @data-client/normalizr 0.18.1 alone. Its published `endpoint` package of that line does not run with it, so
// the entity below is written by hand after the documented entity protocol, with the default life cycle.
import { MemoCache, normalize } from 'data-client-normalizr-018';

import type { ItemRow } from '../payloads/flat.ts';
import type { AuthorRow, PostRow } from '../payloads/nested.ts';
import type { ChainStore, Contestant, FlatStore, NestedStore } from './contestant.ts';

type Fields = Record<string, unknown>;
interface Meta {
  readonly fetchedAt: number;
}
interface Delegate {
  visit(schema: unknown, value: unknown, parent: unknown, key: string): unknown;
  checkLoop(key: string, pk: string, input: object): boolean;
  mergeEntity(schema: unknown, pk: string, incoming: unknown): void;
}
interface Reader {
  unvisit(schema: unknown, input: unknown): unknown;
}

/** The default entity: copy, key, nested fields, merge by spreading, an instance per row on reading. */
function createEntity(key: string, nested: () => Record<string, unknown>, Row: new () => object): unknown {
  let schema: Record<string, unknown> | undefined;
  const entity = {
    key,
    get schema() {
      return (schema ??= nested());
    },
    pk: (value: { id?: string }) => value.id,
    normalize(input: object, parent: unknown, name: string, delegate: Delegate) {
      const row: Fields = { ...input };
      const pk = entity.pk(row);
      if (pk === undefined) throw new Error(`${key} without id in ${name}`);
      if (delegate.checkLoop(key, pk, input)) return pk;
      for (const field of Object.keys(entity.schema)) {
        if (Object.hasOwn(row, field)) {
          row[field] = delegate.visit(entity.schema[field], row[field], row, field);
        }
      }
      delegate.mergeEntity(entity, pk, row);
      return pk;
    },
    merge: (existing: object, incoming: object) => ({ ...existing, ...incoming }),
    shouldReorder: (existing: Meta, incoming: Meta) => incoming.fetchedAt < existing.fetchedAt,
    mergeWithStore: (existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object) =>
      entity.shouldReorder(existingMeta, incomingMeta)
        ? entity.merge(incoming, existing)
        : entity.merge(existing, incoming),
    mergeMetaWithStore: (existing: Meta, incoming: Meta) =>
      entity.shouldReorder(existing, incoming) ? existing : incoming,
    createIfValid: (row: object) => Object.assign(new Row(), row),
    denormalize(row: Fields, reader: Reader) {
      for (const field of Object.keys(entity.schema)) {
        row[field] = reader.unvisit(entity.schema[field], row[field]);
      }
      return row;
    },
    queryKey: () => undefined,
  };
  return entity;
}

class ItemInstance {
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
}
class AuthorInstance {
  id = '';
  name = '';
  email = '';
  avatar = '';
}
class TagInstance {
  id = '';
  label = '';
}
class CommentInstance {
  id = '';
  body = '';
  createdAt = '';
  author: unknown = undefined;
}
class PostInstance {
  id = '';
  title = '';
  body = '';
  createdAt = '';
  author: unknown = undefined;
  tags: unknown[] = [];
  comments: unknown[] = [];
}
class LinkInstance {
  id = '';
  next: unknown = undefined;
}

const noFields = () => ({});
const Item = createEntity('Item', noFields, ItemInstance);
const Author = createEntity('Author', noFields, AuthorInstance);
const Tag = createEntity('Tag', noFields, TagInstance);
const Comment = createEntity('Comment', () => ({ author: Author }), CommentInstance);
const Post = createEntity('Post', () => ({ author: Author, tags: [Tag], comments: [Comment] }), PostInstance);
const Link: unknown = createEntity('Link', () => ({ next: Link }), LinkInstance);

interface State {
  readonly entities: object;
  readonly indexes: object;
  readonly entitiesMeta: object;
}

/** One immutable state in a holder, and the memo that a provider would keep. */
class Holder {
  state: State = { entities: {}, indexes: {}, entitiesMeta: {} };
  result: unknown;
  readonly memo = new MemoCache();
  fetchedAt = 1;

  write(schema: unknown, value: unknown): unknown {
    this.fetchedAt += 1;
    const meta = { fetchedAt: this.fetchedAt, date: this.fetchedAt, expiresAt: Infinity };
    const { result, ...state } = normalize(schema as never, value, [], this.state as never, meta);
    this.state = state;
    return result;
  }

  read(schema: unknown, result: unknown): unknown {
    return this.memo.denormalize(schema as never, result, this.state.entities).data;
  }
}

function createFlat(): FlatStore {
  const holder = new Holder();
  const list = [Item];
  let readers: { id: string; value: unknown }[] = [];
  let wake: (id: string) => void = () => {};
  // one context for the whole state: every reader hears of every change, and asks the memo again
  const notify = () => {
    for (const reader of readers) {
      wake(reader.id);
      reader.value = holder.read(Item, reader.id);
    }
  };
  return {
    write(rows: readonly ItemRow[]) {
      holder.result = holder.write(list, rows);
      notify();
    },
    read: () => holder.read(list, holder.result) as unknown[],
    writeOne(row: ItemRow) {
      holder.write(Item, row);
      notify();
    },
    watch(ids, onWake) {
      wake = onWake;
      readers = ids.map((id) => ({ id, value: holder.read(Item, id) }));
    },
  };
}

function createNested(): NestedStore {
  const holder = new Holder();
  const list = [Post];
  return {
    write(posts: readonly PostRow[]) {
      holder.result = holder.write(list, posts);
    },
    read: () => holder.read(list, holder.result) as unknown[],
    writeAuthor(author: AuthorRow) {
      holder.write(Author, author);
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

export const dataClient018: Contestant = {
  name: 'data-client 0.18',
  packageName: 'data-client-normalizr-018',
  flat: createFlat,
  nested: createNested,
  chain: createChain,
};
