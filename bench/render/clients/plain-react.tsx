// Plain React: one useState at the top and a context. The floor for lists; every reader runs on every change.
import { createContext, useContext, useMemo, useState } from 'react';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import { withAuthor, withRow } from '../client.ts';
import type { RenderClient, RenderContestant } from '../client.ts';

function createClient(): RenderClient {
  const Rows = createContext<readonly IssueRow[]>([]);
  const ById = createContext<ReadonlyMap<string, IssueRow>>(new Map());
  let setRows: (update: (rows: readonly IssueRow[]) => readonly IssueRow[]) => void = () => {};
  const useList = () => useContext(Rows);
  return {
    Provider({ children }) {
      const [rows, set] = useState<readonly IssueRow[]>([]);
      setRows = set;
      const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
      return (
        <Rows value={rows}>
          <ById value={byId}>{children}</ById>
        </Rows>
      );
    },
    useList,
    useOne: (id) => useContext(ById).get(id),
    useSorted() {
      const rows = useList();
      return useMemo(() => sortByVotes(rows), [rows]);
    },
    ingest: (rows) => setRows(() => rows),
    updateOne: (row) => setRows((rows) => withRow(rows, row)),
    updateAuthor: (author) => setRows((rows) => withAuthor(rows, author)),
    unshift: (row) => setRows((rows) => [row, ...rows]),
    remove: (id) => setRows((rows) => rows.filter((row) => row.id !== id)),
  };
}

export const plainReact: RenderContestant = { name: 'plain React', packageName: 'react', createClient };
