// data-client, the newest set that installs: react and core 0.10.0, rest 0.9.9.
import { initialState } from '@data-client/core';
import {
  CacheProvider,
  Controller,
  NetworkManager,
  useCache,
  useController,
  useSuspense,
} from '@data-client/react';
import { createResource, Entity, Query, schema } from '@data-client/rest';
import { useLayoutEffect } from 'react';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import type { RenderClient, RenderContestant } from '../client.ts';

class Person extends Entity {
  id = '';
  name = '';
  pk(): string {
    return this.id;
  }
  static override key = 'Person';
}
class Label extends Entity {
  id = '';
  name = '';
  pk(): string {
    return this.id;
  }
  static override key = 'Label';
}
class Issue extends Entity {
  id = '';
  title = '';
  state = '';
  votes = 0;
  author = Person.fromJS();
  labels: Label[] = [];
  pk(): string {
    return this.id;
  }
  static override key = 'Issue';
  static override schema = { author: Person, labels: [Label] };
}

const dataExpiryLength = 1e9;
const IssueResource = createResource({ path: '/issues/:id', schema: Issue, dataExpiryLength });
const PersonResource = createResource({ path: '/people/:id', schema: Person, dataExpiryLength });
const sorted = new Query(new schema.All(Issue), (rows: Issue[]) => sortByVotes(rows));
const none: readonly IssueRow[] = [];

function createClient(): RenderClient {
  let controller = new Controller();
  const managers = [new NetworkManager()];
  function Capture() {
    const current = useController();
    useLayoutEffect(() => {
      controller = current;
    }, [current]);
    return null;
  }
  return {
    Provider: ({ children }) => (
      // its defaultProps, which React 19 ignores
      <CacheProvider Controller={Controller} managers={managers} initialState={initialState}>
        <Capture />
        {children}
      </CacheProvider>
    ),
    useList: () => useSuspense(IssueResource.getList) as readonly IssueRow[],
    useOne: (id) => useSuspense(IssueResource.get, { id }) as IssueRow,
    useSorted: () => (useCache(sorted) as readonly IssueRow[] | undefined) ?? none,
    // one response per row would reduce once per row: a page of rows comes from one list response
    ingest: (rows) => void controller.setResponse(IssueResource.getList, rows as never),
    updateOne: (row) => void controller.setResponse(IssueResource.get, { id: row.id }, row),
    updateAuthor: (author) => void controller.setResponse(PersonResource.get, { id: author.id }, author),
    unshift: (row) => void controller.setResponse(IssueResource.getList.unshift, row as never, row),
    remove: (id) => void controller.setResponse(IssueResource.delete, { id }, { id }),
  };
}

export const dataClient: RenderContestant = {
  name: 'data-client 0.10',
  packageName: '@data-client/react',
  createClient,
};
