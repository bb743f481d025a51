// The library through its public entries, from the production build.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';

import { sortByVotes } from '../../payloads/issues.ts';
import type { IssueRow } from '../../payloads/issues.ts';
import type { RenderClient, RenderContestant } from '../client.ts';

class Person extends Entity {
  id = '';
  name = '';
  static override key = 'Person';
}
class Label extends Entity {
  id = '';
  name = '';
  static override key = 'Label';
}
class Issue extends Entity {
  id = '';
  title = '';
  state = '';
  votes = 0;
  author = new Person();
  labels: Label[] = [];
  static override key = 'Issue';
  static override schema = { author: Person, labels: [Label] };
}

const dataExpiryLength = 1e9;
const IssueResource = createResource({ path: '/issues/:id', schema: Issue, dataExpiryLength });
const PersonResource = createResource({ path: '/people/:id', schema: Person, dataExpiryLength });
const sorted = new schema.Query(new schema.All(Issue), (rows: readonly Issue[]) => sortByVotes(rows));
const none: readonly IssueRow[] = [];

function createClient(): RenderClient {
  const controller = new Controller();
  return {
    Provider: ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>,
    useList: () => useSuspense(IssueResource.getList, {}) as readonly IssueRow[],
    useOne: (id) => useSuspense(IssueResource.get, { id }) as IssueRow,
    useSorted: () => (useQuery(sorted) as readonly IssueRow[] | undefined) ?? none,
    ingest: (rows) => void controller.setResponse(IssueResource.getList, {}, rows),
    updateOne: (row) => void controller.setResponse(IssueResource.get, { id: row.id }, row),
    updateAuthor: (author) => void controller.setResponse(PersonResource.get, { id: author.id }, author),
    unshift: (row) => void controller.setResponse(IssueResource.getList.unshift, {}, row as never, row),
    remove: (id) => void controller.setResponse(IssueResource.delete, { id }, { id }),
  };
}

export const holdfast: RenderContestant = { name: 'holdfast', packageName: 'holdfast', createClient };
