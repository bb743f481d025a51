// No library at all: every reader has a useState of its own, and whoever changes something calls exactly those that show
// it. The floor for changes: what React itself takes. Nobody could write an application like this.
import { useLayoutEffect, useMemo, useState } from 'react';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import { withAuthor, withRow } from '../client.ts';
import type { Reading, RenderClient, RenderContestant } from '../client.ts';

type SetRow = (row: IssueRow) => void;

function createClient(reading: Reading): RenderClient {
  const hasList = reading !== 'rows';
  const rowsById = new Map<string, IssueRow>();
  const idsByAuthor = new Map<string, string[]>();
  const settersById = new Map<string, Set<SetRow>>();
  let list: readonly IssueRow[] = [];
  let showList: (rows: readonly IssueRow[]) => void = () => {};
  const setList = (rows: readonly IssueRow[]) => {
    list = rows;
    showList(rows);
  };
  const setRow = (row: IssueRow) => {
    rowsById.set(row.id, row);
    settersById.get(row.id)?.forEach((set) => set(row));
  };
  const useList = () => {
    const [rows, set] = useState(list);
    useLayoutEffect(() => {
      showList = set;
    }, []);
    return rows;
  };
  return {
    Provider: ({ children }) => children,
    useList,
    useOne(id) {
      const [row, set] = useState(() => rowsById.get(id));
      useLayoutEffect(() => {
        const setters = settersById.get(id) ?? new Set<SetRow>();
        settersById.set(id, setters.add(set));
        return () => void setters.delete(set);
      }, [id]);
      return row;
    },
    useSorted() {
      const rows = useList();
      return useMemo(() => sortByVotes(rows), [rows]);
    },
    ingest(rows) {
      list = rows;
      for (const row of rows) {
        rowsById.set(row.id, row);
        const ids = idsByAuthor.get(row.author.id);
        if (ids) ids.push(row.id);
        else idsByAuthor.set(row.author.id, [row.id]);
      }
    },
    updateOne(row) {
      if (hasList) setList(withRow(list, row));
      setRow(row);
    },
    updateAuthor(author) {
      if (hasList) setList(withAuthor(list, author));
      for (const id of idsByAuthor.get(author.id) ?? []) {
        const row = rowsById.get(id);
        if (row) setRow({ ...row, author });
      }
    },
    unshift: (row) => setList([row, ...list]),
    remove: (id) => setList(list.filter((row) => row.id !== id)),
  };
}

export const setState: RenderContestant = { name: 'setState alone', packageName: 'react', createClient };
