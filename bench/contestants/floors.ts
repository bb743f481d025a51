// What plain code costs: the floors that no store can go below. They show how much of a figure is the data.
import { selectActiveByPrice, sortByPrice } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import type { AuthorRow, PostRow } from '../payloads/nested.ts';
import { replaceAuthor } from '../payloads/nested.ts';
import type { Contestant, ItemSummary, QueriesStore, SummariesStore } from './contestant.ts';

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

/** Selects and counts anew at each read. */
export function createQueryLoop(): QueriesStore {
  let rows: readonly ItemRow[] = [];
  return {
    write: (given) => void (rows = given),
    writeOne: (row) => void (rows = rows.map((one) => (one.id === row.id ? row : one))),
    readActive: () => rows.filter(({ active }) => active),
    readCounts() {
      const counts = new Map<string, number>();
      for (const { category } of rows) counts.set(category, (counts.get(category) ?? 0) + 1);
      return counts;
    },
    readFirst: (owner) => rows.filter((row) => row.owner === owner),
  };
}

/** A row that a list has brought is replaced by the whole row. */
function createSummaryMaps(): SummariesStore {
  const known = new Map<string, ItemSummary>();
  const whole = new Map<string, ItemRow>();
  return {
    write: (rows) => rows.forEach((row) => known.set(row.id, row)),
    read: () => [...known.values()],
    readKnown: (id) => whole.get(id) ?? known.get(id),
    writeWhole(row) {
      whole.set(row.id, row);
      known.set(row.id, { id: row.id, title: row.title, price: row.price });
    },
    readWhole: (id) => whole.get(id),
  };
}

/** One Map by id and a list of ids; one-row writes copy the list and patch one place. */
export const handWritten: Contestant = {
  name: 'hand-written loop',
  isFloor: true,
  remark: 'a Map, a copy per row, slice() and a patch',
  queries: createQueryLoop,
  summaries: createSummaryMaps,
  flat() {
    const byId = new Map<string, ItemRow>();
    const positions = new Map<string, number>();
    let ids: string[] = [];
    let list: readonly unknown[] | undefined;
    let selected: unknown[] | undefined;
    let source: readonly unknown[] | undefined;
    const read = () => (list ??= ids.map((id) => Object.assign(new ItemInstance(), byId.get(id))));
    return {
      write(rows) {
        ids = [];
        for (const row of rows) {
          byId.set(row.id, { ...row });
          ids.push(row.id);
        }
        list = undefined;
      },
      read,
      writeOne(row) {
        byId.set(row.id, row);
        if (positions.size === 0) ids.forEach((id, index) => positions.set(id, index));
        const next = read().slice();
        next[positions.get(row.id) as number] = Object.assign(new ItemInstance(), row); // cast: the row is known
        list = next;
      },
      push(row) {
        byId.set(row.id, row);
        ids.push(row.id);
        const next = read().slice();
        next.push(Object.assign(new ItemInstance(), row));
        list = next;
      },
      readSelected() {
        if (source !== read()) {
          source = read();
          selected = selectActiveByPrice(source as ItemRow[]); // cast: made by read
        }
        return selected as unknown[]; // cast: assigned above on the first call
      },
    };
  },
  ordered() {
    const places = new Map<string, number>();
    let list: ItemRow[] = [];
    return {
      write(rows) {
        list = rows.map((row) => Object.assign(new ItemInstance(), row));
      },
      read: () => list,
      writeOne(row) {
        list.forEach(({ id }, place) => places.set(id, place));
        const next = list.slice();
        next[places.get(row.id) as number] = Object.assign(new ItemInstance(), row); // cast: the row is known
        list = sortByPrice(next);
      },
      push(row) {
        list = sortByPrice([...list, Object.assign(new ItemInstance(), row)]);
      },
    };
  },
  nested() {
    const tables = { posts: new Map(), authors: new Map(), tags: new Map(), comments: new Map() };
    let posts: readonly PostRow[] = [];
    const store = (author: AuthorRow) => {
      tables.authors.set(author.id, { ...author });
      return author.id;
    };
    return {
      write(rows) {
        posts = rows;
        for (const post of rows) {
          tables.posts.set(post.id, {
            ...post,
            author: store(post.author),
            tags: post.tags.map((tag) => {
              tables.tags.set(tag.id, { ...tag });
              return tag.id;
            }),
            comments: post.comments.map((comment) => {
              tables.comments.set(comment.id, { ...comment, author: store(comment.author) });
              return comment.id;
            }),
          });
        }
      },
      read: () => posts,
      writeAuthor(author) {
        posts = replaceAuthor(posts, author);
      },
    };
  },
};
