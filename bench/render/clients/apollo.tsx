// Apollo Client: a query for the list, a fragment per row.
import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { ApolloProvider, useFragment, useQuery } from '@apollo/client/react';
import { useMemo } from 'react';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow, PersonRow } from '../../payloads/issues.ts';
import type { RenderClient, RenderContestant } from '../client.ts';

const fields = 'id title state votes author { id name } labels { id name }';
const listQuery = gql`query Issues { issues { ${fields} } }`;
const issueFragment = gql`fragment IssueFields on Issue { ${fields} }`;
const personFragment = gql`
  fragment PersonFields on Person {
    id
    name
  }
`;
const none: readonly IssueRow[] = [];

const namePerson = (row: PersonRow) => ({ __typename: 'Person', ...row });
const nameIssue = (row: IssueRow) => ({
  __typename: 'Issue',
  ...row,
  author: namePerson(row.author),
  labels: row.labels.map((label) => ({ __typename: 'Label', ...label })),
});

function createClient(): RenderClient {
  const cache = new InMemoryCache();
  const client = new ApolloClient({ cache, link: ApolloLink.empty() });
  const useList = () =>
    useQuery<{ issues: readonly IssueRow[] }>(listQuery, { fetchPolicy: 'cache-only' }).data?.issues;
  const setList = (update: (rows: readonly unknown[]) => readonly unknown[]) =>
    cache.modify<Record<string, readonly unknown[]>>({
      fields: { issues: (rows) => update(rows as readonly unknown[]) as never }, // cast: a list of references
    });
  const writeIssue = (row: IssueRow) =>
    cache.writeFragment({ id: `Issue:${row.id}`, fragment: issueFragment, data: nameIssue(row) });
  return {
    Provider: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
    useList: () => useList() ?? none,
    useOne(id) {
      const { data, complete } = useFragment<IssueRow>({
        fragment: issueFragment,
        from: { __typename: 'Issue', id } as never, // cast: its type wants generated names
      });
      return complete ? (data as unknown as IssueRow) : undefined;
    },
    useSorted() {
      const rows = useList();
      return useMemo(() => sortByVotes(rows ?? none), [rows]);
    },
    ingest: (rows) => void cache.writeQuery({ query: listQuery, data: { issues: rows.map(nameIssue) } }),
    updateOne: (row) => void writeIssue(row),
    updateAuthor(author) {
      cache.writeFragment({ id: `Person:${author.id}`, fragment: personFragment, data: namePerson(author) });
    },
    unshift(row) {
      const reference = writeIssue(row);
      setList((rows) => [reference, ...rows]);
    },
    remove(id) {
      setList((rows) => rows.filter((row) => (row as { __ref: string }).__ref !== `Issue:${id}`)); // cast: references
    },
  };
}

export const apollo: RenderContestant = {
  name: 'Apollo Client',
  packageName: '@apollo/client',
  createClient,
};
