// The list that the table of the first screen shows.
import type { IssueFilter } from '../resources/issue.ts';
import type { Status } from '../resources/vocabulary.ts';

export const rowsOf = (projectId: string, status: Status | null): IssueFilter => ({
  projectId,
  ...(status ? { status } : {}),
  orderBy: '-updatedAt',
});
