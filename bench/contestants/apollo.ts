// Apollo Client's InMemoryCache. It works field by field, as GraphQL asks, so it does more than the others;
// shown for scale. Its payload carries __typename, added here before any timing.
import { gql, InMemoryCache } from '@apollo/client';
import type { FieldReadFunction } from '@apollo/client';

import type { ItemRow } from '../payloads/flat.ts';
import type { AuthorRow, PostRow } from '../payloads/nested.ts';
import type { Contestant } from './contestant.ts';

const itemFields = 'id title summary category price quantity active owner createdAt updatedAt';
const itemsQuery = gql`query Items { items { ${itemFields} } }`;
const itemFragment = gql`fragment ItemFields on Item { ${itemFields} }`;
const summariesQuery = gql`
  query Summaries {
    items {
      id
      title
      price
    }
  }
`;
const itemQuery = gql`query Item($id: ID!) { item(id: $id) { ${itemFields} } }`;
const postsQuery = gql`
  query Posts {
    posts {
      id
      title
      body
      createdAt
      author {
        id
        name
        email
        avatar
      }
      tags {
        id
        label
      }
      comments {
        id
        body
        createdAt
        author {
          id
          name
          email
          avatar
        }
      }
    }
  }
`;
const authorFragment = gql`
  fragment AuthorFields on Author {
    id
    name
    email
    avatar
  }
`;

// A server would have sent the names; remembering the result keeps this copy out of the timed part.
const named = new WeakMap<object, unknown>();
function withNames<T extends object>(rows: T, add: (rows: T) => unknown): unknown {
  let result = named.get(rows);
  if (!result) named.set(rows, (result = add(rows)));
  return result;
}
const nameItem = <Row extends object>(row: Row) => ({ __typename: 'Item', ...row });
const nameAuthor = (row: AuthorRow) => ({ __typename: 'Author', ...row });
const namePost = (post: PostRow) => ({
  __typename: 'Post',
  ...post,
  author: nameAuthor(post.author),
  tags: post.tags.map((tag) => ({ __typename: 'Tag', ...tag })),
  comments: post.comments.map((comment) => ({
    __typename: 'Comment',
    ...comment,
    author: nameAuthor(comment.author),
  })),
});

export const apollo: Contestant = {
  name: 'Apollo Client',
  packageName: '@apollo/client',
  remark: 'works field by field, as GraphQL asks',
  flat() {
    const cache = new InMemoryCache();
    const toReference = (id: string) => ({ __ref: `Item:${id}` });
    return {
      write(rows) {
        cache.writeQuery({
          query: itemsQuery,
          data: { items: withNames(rows, (list) => list.map(nameItem)) },
        });
      },
      read() {
        return cache.readQuery<{ items: unknown[] }>({ query: itemsQuery })?.items ?? [];
      },
      writeOne(row) {
        cache.writeFragment({ id: `Item:${row.id}`, fragment: itemFragment, data: nameItem(row) });
      },
      push(row) {
        cache.writeFragment({ id: `Item:${row.id}`, fragment: itemFragment, data: nameItem(row) });
        cache.modify<Record<string, readonly unknown[]>>({
          fields: { items: (list) => [...(list as readonly unknown[]), toReference(row.id)] }, // cast: a list field
        });
      },
      watch(ids, onWake) {
        for (const id of ids) {
          let isFirst = true;
          cache.watchFragment({ fragment: itemFragment, from: toReference(id) }).subscribe(() => {
            if (!isFirst) onWake(id);
            isFirst = false;
          });
        }
      },
      retainAndRelease() {
        cache.watch({ query: itemsQuery, optimistic: true, callback: () => {} })();
      },
    };
  },
  nested() {
    const cache = new InMemoryCache();
    return {
      write(posts) {
        cache.writeQuery({
          query: postsQuery,
          data: { posts: withNames(posts, (list) => list.map(namePost)) },
        });
      },
      read() {
        return cache.readQuery<{ posts: unknown[] }>({ query: postsQuery })?.posts ?? [];
      },
      writeAuthor(author) {
        cache.writeFragment({
          id: `Author:${author.id}`,
          fragment: authorFragment,
          data: nameAuthor(author),
        });
      },
    };
  },
  optimistic() {
    const cache = new InMemoryCache();
    const write = (row: ItemRow) =>
      cache.writeFragment({ id: `Item:${row.id}`, fragment: itemFragment, data: nameItem(row) });
    return {
      write(rows) {
        cache.writeQuery({ query: itemsQuery, data: { items: rows.map(nameItem) } });
      },
      read() {
        return cache.readQuery<{ items: unknown[] }>({ query: itemsQuery }, true)?.items ?? [];
      },
      writeOne: write,
      begin(rows) {
        for (const row of rows) cache.recordOptimisticTransaction(() => write(row), `update ${row.id}`);
      },
    };
  },
  summaries() {
    // the page of an item finds the row that a list brought
    const toItem: FieldReadFunction = (_stored, { args, toReference }) =>
      toReference({ __typename: 'Item', ...args });
    const cache = new InMemoryCache({ typePolicies: { Query: { fields: { item: { read: toItem } } } } });
    const readItem = (id: string, returnPartialData: boolean): unknown =>
      cache.readQuery<{ item?: unknown }>({ query: itemQuery, variables: { id }, returnPartialData })?.item;
    return {
      write(rows) {
        cache.writeQuery({
          query: summariesQuery,
          data: { items: withNames(rows, (list) => list.map(nameItem)) },
        });
      },
      read: () => cache.readQuery<{ items: unknown[] }>({ query: summariesQuery })?.items ?? [],
      readKnown: (id) => readItem(id, true),
      writeWhole(row) {
        cache.writeQuery({ query: itemQuery, variables: { id: row.id }, data: { item: nameItem(row) } });
      },
      readWhole: (id) => readItem(id, false),
    };
  },
};
