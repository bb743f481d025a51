// SWR: the list under one key, rows under their own keys where rows have hooks; a cache per client, as in a test.
import { useLayoutEffect, useMemo } from 'react';
import useSWR, { mutate as mutateGlobal, SWRConfig, useSWRConfig } from 'swr';
import type { Cache } from 'swr';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import { withAuthor, withRow } from '../client.ts';
import type { Reading, RenderClient, RenderContestant } from '../client.ts';

const none: readonly IssueRow[] = [];
const settings = { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false };

function createClient(reading: Reading): RenderClient {
  const hasList = reading !== 'rows';
  const hasRows = reading === 'rows' || reading === 'both';
  const cache: Cache<IssueRow> = new Map();
  const provider = () => cache;
  let mutate = mutateGlobal;
  // the mutate of a cache exists once its provider has mounted
  function Capture() {
    const config = useSWRConfig();
    useLayoutEffect(() => {
      ({ mutate } = config);
    }, [config]);
    return null;
  }
  const listKey = '/issues';
  const rowKey = (id: string) => `/issues/${id}`;
  const setList = (update: (rows: readonly IssueRow[]) => readonly IssueRow[]) => {
    if (hasList)
      void mutate<readonly IssueRow[]>(listKey, (rows = none) => update(rows), { revalidate: false });
  };
  const setRow = (row: IssueRow) => {
    if (hasRows) void mutate(rowKey(row.id), row, { revalidate: false });
  };
  const useList = () => useSWR<readonly IssueRow[]>(listKey, null, settings).data;
  return {
    Provider: ({ children }) => (
      <SWRConfig value={{ provider }}>
        <Capture />
        {children}
      </SWRConfig>
    ),
    useList: () => useList() ?? none,
    useOne: (id) => useSWR<IssueRow>(rowKey(id), null, settings).data,
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
      void mutate<IssueRow>(
        (key) => cache.get(key as string)?.data?.author?.id === author.id, // cast: no other keys here
        (row) => row && { ...row, author },
        { revalidate: false },
      );
    },
    unshift: (row) => setList((rows) => [row, ...rows]),
    remove: (id) => setList((rows) => rows.filter((row) => row.id !== id)),
  };
}

export const swr: RenderContestant = { name: 'SWR', packageName: 'swr', createClient };
