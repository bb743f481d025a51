// normalizr 3.6.2: pure functions without a store, so one-row writes merge into the tables by hand, the way
// its documentation shows for reducers.
import { denormalize, normalize, schema } from 'normalizr';

import type { Contestant } from './contestant.ts';

const item = new schema.Entity('items');
const author = new schema.Entity('authors');
const tag = new schema.Entity('tags');
const comment = new schema.Entity('comments', { author });
const post = new schema.Entity('posts', { author, tags: [tag], comments: [comment] });
const link = new schema.Entity('links');
link.define({ next: link });

type Tables = Record<string, Record<string, unknown>>;

export const normalizr: Contestant = {
  name: 'normalizr',
  packageName: 'normalizr',
  remark: 'no store and no memo: every read builds every object',
  flat() {
    let tables: Tables = {};
    let result: unknown;
    return {
      write(rows) {
        const next = normalize(rows, [item]);
        tables = next.entities as Tables; // cast: the package types tables as optional
        result = next.result;
      },
      read: () => denormalize(result, [item], tables) as unknown[],
      writeOne(row) {
        const next = normalize(row, item);
        tables = { ...tables, items: { ...tables['items'], ...(next.entities as Tables)['items'] } };
      },
    };
  },
  nested() {
    let tables: Tables = {};
    let result: unknown;
    return {
      write(posts) {
        const next = normalize(posts, [post]);
        tables = next.entities as Tables; // cast: as above
        result = next.result;
      },
      read: () => denormalize(result, [post], tables) as unknown[],
      writeAuthor(row) {
        tables = { ...tables, authors: { ...tables['authors'], [row.id]: row } };
      },
    };
  },
  chain() {
    let tables: Tables = {};
    return {
      writeNested(first) {
        tables = normalize(first, link).entities as Tables; // cast: as above
      },
      writeList(rows) {
        tables = normalize(rows, [link]).entities as Tables; // cast: as above
      },
      read: () => denormalize('0', link, tables) as unknown,
    };
  },
};
