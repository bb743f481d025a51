// urql with graphcache. The cache has no door of its own, so rows go through a client whose network is a
// function that answers at once. After a mutation the client re-reads active queries in a later microtask; the
// harness is synchronous, so the contestant asks for that read itself.
import { Client, gql } from '@urql/core';
import type { Exchange, Operation } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { filter, map, pipe } from 'wonka';

import type { ItemRow } from '../payloads/flat.ts';
import type { AuthorRow, PostRow } from '../payloads/nested.ts';
import type { Contestant } from './contestant.ts';

const itemFields = '__typename id title summary category price quantity active owner createdAt updatedAt';
const authorFields = '__typename id name email avatar';
const itemsQuery = gql`query { items { ${itemFields} } }`;
const itemMutation = gql`mutation { updateItem { ${itemFields} } }`;
const postsQuery = gql`query { posts {
  __typename id title body createdAt author { ${authorFields} } tags { __typename id label }
  comments { __typename id body createdAt author { ${authorFields} } }
} }`;
const authorMutation = gql`mutation { updateAuthor { ${authorFields} } }`;

const nameItem = (row: ItemRow) => ({ __typename: 'Item', ...row });
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

/** A client whose network answers every operation with the value set last. */
function createStore(query: ReturnType<typeof gql>, field: string) {
  let answer: unknown;
  const answerAtOnce: Exchange = () => (operations) =>
    pipe(
      operations,
      filter((operation: Operation) => operation.kind !== 'teardown'),
      map((operation: Operation) => ({
        operation,
        data: answer,
        stale: false,
        hasNext: false,
      })),
    );
  const client = new Client({
    url: 'http://localhost/unused',
    exchanges: [cacheExchange({}), answerAtOnce],
    preferGetMethod: false,
  });
  let list: readonly unknown[] = [];
  let isSubscribed = false;
  let isDirty = false;
  const readField = (result: unknown) => (result as Record<string, unknown[]> | undefined)?.[field] ?? []; // cast: the query's own shape
  return {
    write(rows: unknown) {
      answer = { __typename: 'Query', [field]: rows };
      if (isSubscribed) {
        client
          .query(query, {}, { requestPolicy: 'network-only' })
          .subscribe(() => {})
          .unsubscribe();
        return;
      }
      isSubscribed = true;
      client.query(query, {}).subscribe((result) => {
        list = readField(result.data);
      });
    },
    read() {
      if (isDirty) list = readField(client.readQuery(query, {})?.data);
      isDirty = false;
      return list;
    },
    mutate(mutation: ReturnType<typeof gql>, name: string, row: unknown) {
      answer = { __typename: 'Mutation', [name]: row };
      client
        .mutation(mutation, {})
        .subscribe(() => {})
        .unsubscribe();
      isDirty = true;
    },
  };
}

export const urql: Contestant = {
  name: 'urql graphcache',
  packageName: '@urql/exchange-graphcache',
  remark: 'a write includes the first read of what it emits',
  flat() {
    const store = createStore(itemsQuery, 'items');
    return {
      write: (rows) => store.write(rows.map(nameItem)),
      read: store.read,
      writeOne: (row) => store.mutate(itemMutation, 'updateItem', nameItem(row)),
    };
  },
  nested() {
    const store = createStore(postsQuery, 'posts');
    return {
      write: (posts) => store.write(posts.map(namePost)),
      read: store.read,
      writeAuthor: (author) => store.mutate(authorMutation, 'updateAuthor', nameAuthor(author)),
    };
  },
};
