// SWR: the list under one key, rows under their own keys where rows have hooks. Its cache is global here, with
// keys of their own for every client, because a provider's mutate exists only once it has mounted.
import { useMemo } from 'react';
import useSWR, { mutate } from 'swr';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import { withAuthor, withRow } from '../client.ts';
import type { Reading, RenderClient, RenderContestant } from '../client.ts';

const none: readonly IssueRow[] = [];
const settings = { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false };
let clients = 0;

function createClient(reading: Reading): RenderClient {
  const name = `client-${clients++}`;
  const hasList = reading !== 'rows';
  const hasRows = reading === 'rows' || reading === 'both';
  const rowsById = new Map<string, IssueRow>();
  const listKey = `${name}/issues`;
  const rowKey = (id: string) => `${name}/issue/${id}`;
  const setList = (update: (rows: readonly IssueRow[]) => readonly IssueRow[]) => {
    if (hasList)
      void mutate<readonly IssueRow[]>(listKey, (rows = none) => update(rows), { revalidate: false });
  };
  const setRow = (row: IssueRow) => {
    rowsById.set(row.id, row);
    if (hasRows) void mutate(rowKey(row.id), row, { revalidate: false });
  };
  const useList = () => useSWR<readonly IssueRow[]>(listKey, null, settings).data;
  return {
    Provider: ({ children }) => children,
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
      for (const row of rowsById.values()) if (row.author.id === author.id) setRow({ ...row, author });
    },
    unshift: (row) => setList((rows) => [row, ...rows]),
    remove: (id) => setList((rows) => rows.filter((row) => row.id !== id)),
  };
}

export const swr: RenderContestant = { name: 'SWR', packageName: 'swr', createClient };
