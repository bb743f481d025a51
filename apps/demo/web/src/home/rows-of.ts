// The data of the first screen: a project, and the list of the table beside its board.
import type { IssueFilter } from '../resources/issue.ts';
import type { Status } from '../resources/vocabulary.ts';

/** A constant, so that the first screen requests its board without waiting for a list of projects. */
export const HOME_PROJECT = 'LTH';

/** As many columns as fit beside the table. */
export const HOME_STATUSES = ['todo', 'doing', 'review', 'done'] as const satisfies readonly Status[];

/** The rows that the table shows at first: those at the top of a column. */
export const HOME_STATUS: Status = 'todo';

export const rowsOf = (projectId: string, status: Status | null): IssueFilter => ({
  projectId,
  ...(status ? { status } : {}),
  orderBy: 'priority',
});
