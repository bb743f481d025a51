// RTK Query: endpoints for the list and for one row, patched in place through its cache utilities.
import { configureStore } from '@reduxjs/toolkit';
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query/react';
import { useMemo } from 'react';
import { Provider } from 'react-redux';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import { withAuthor, withRow } from '../client.ts';
import type { Reading, RenderClient, RenderContestant } from '../client.ts';

const none: readonly IssueRow[] = [];

function createClient(reading: Reading): RenderClient {
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    keepUnusedDataFor: 1e6,
    endpoints: (build) => ({
      list: build.query<readonly IssueRow[], void>({ queryFn: () => new Promise<never>(() => {}) }),
      one: build.query<IssueRow, string>({ queryFn: () => new Promise<never>(() => {}) }),
    }),
  });
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
  const hasList = reading !== 'rows';
  const hasRows = reading === 'rows' || reading === 'both';
  const setList = (update: (rows: readonly IssueRow[]) => readonly IssueRow[]) => {
    if (!hasList) return;
    const rows = api.endpoints.list.select()(store.getState()).data ?? none;
    store.dispatch(
      api.util.upsertQueryEntries([{ endpointName: 'list', arg: undefined, value: update(rows) }]),
    );
  };
  const setRows = (rows: readonly IssueRow[]) => {
    if (!hasRows) return;
    store.dispatch(
      api.util.upsertQueryEntries(rows.map((value) => ({ endpointName: 'one', arg: value.id, value }))),
    );
  };
  return {
    Provider: ({ children }) => <Provider store={store}>{children}</Provider>,
    useList: () => api.useListQuery().data ?? none,
    useOne: (id) => api.useOneQuery(id).data,
    useSorted() {
      const { data } = api.useListQuery();
      return useMemo(() => sortByVotes(data ?? none), [data]);
    },
    ingest(rows) {
      setList(() => rows);
      setRows(rows);
    },
    updateOne(row) {
      setList((rows) => withRow(rows, row));
      setRows([row]);
    },
    updateAuthor(author) {
      setList((rows) => withAuthor(rows, author));
      if (!hasRows) return;
      // nobody knows which entries hold the author, so all are looked through
      const entries = Object.values(store.getState()[api.reducerPath].queries);
      setRows(
        entries
          .filter((entry) => entry?.endpointName === 'one')
          .map((entry) => entry?.data as IssueRow) // cast: what that endpoint keeps
          .filter((row) => row.author.id === author.id)
          .map((row) => ({ ...row, author })),
      );
    },
    unshift: (row) => setList((rows) => [row, ...rows]),
    remove: (id) => setList((rows) => rows.filter((row) => row.id !== id)),
  };
}

export const reduxToolkit: RenderContestant = {
  name: 'RTK Query',
  packageName: '@reduxjs/toolkit',
  createClient,
};
