// TanStack Query: the list under one key, rows under their own keys where rows have hooks.
import { QueryClient, QueryClientProvider, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import { withAuthor, withRow } from '../client.ts';
import type { Reading, RenderClient, RenderContestant } from '../client.ts';

const listKey = ['issues'];
const none: readonly IssueRow[] = [];

function createClient(reading: Reading): RenderClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
  const hasList = reading !== 'rows';
  const hasRows = reading === 'rows' || reading === 'both';
  const useList = () =>
    useQuery({ queryKey: listKey, queryFn: skipToken }).data as readonly IssueRow[] | undefined;
  const setList = (update: (rows: readonly IssueRow[]) => readonly IssueRow[]) => {
    if (hasList) client.setQueryData<readonly IssueRow[]>(listKey, (rows = none) => update(rows));
  };
  const setRow = (row: IssueRow) => {
    if (hasRows) client.setQueryData(['issue', row.id], row);
  };
  return {
    Provider: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    useList: () => useList() ?? none,
    useOne: (id) => useQuery({ queryKey: ['issue', id], queryFn: skipToken }).data as IssueRow | undefined,
    useSorted() {
      const rows = useList();
      return useMemo(() => sortByVotes(rows ?? none), [rows]);
    },
    ingest(rows) {
      setList(() => rows);
      rows.forEach(setRow);
    },
    updateOne(row) {
      setList((rows) => withRow(rows, row));
      setRow(row);
    },
    updateAuthor(author) {
      setList((rows) => withAuthor(rows, author));
      if (!hasRows) return;
      // nobody knows which entries hold the author, so all are looked through
      for (const [, row] of client.getQueriesData<IssueRow>({ queryKey: ['issue'] })) {
        if (row?.author.id === author.id) setRow({ ...row, author });
      }
    },
    unshift: (row) => setList((rows) => [row, ...rows]),
    remove: (id) => setList((rows) => rows.filter((row) => row.id !== id)),
  };
}

export const tanstackQuery: RenderContestant = {
  name: 'TanStack Query',
  packageName: '@tanstack/react-query',
  createClient,
};
