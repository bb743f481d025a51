// What the first screen shows: a project, and the list of the table beside its board.
import type { IssueFilter } from '../resources/issue.ts';
import type { Status } from '../resources/vocabulary.ts';

/** Known ahead: the first screen asks for its board without waiting for a list of projects. */
export const HOME_PROJECT = 'LTH';

/** So many columns as fit beside the table. */
export const HOME_STATUSES = ['todo', 'doing', 'review', 'done'] as const satisfies readonly Status[];

export const rowsOf = (projectId: string, status: Status | null): IssueFilter => ({
  projectId,
  ...(status ? { status } : {}),
  orderBy: '-updatedAt',
});
