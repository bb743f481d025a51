// The value that the server compares for each name that a list may be sorted by, so that a row that was just renamed, or moved to
// another column, is in its place at once.
import type { Issue } from './issue.ts';
import { PRIORITIES, STATUSES } from './vocabulary.ts';

/** A missing value sorts after every present one, as on the server. */
export const SORT_VALUES: Readonly<Record<string, (issue: Issue) => string | number>> = {
  title: (issue) => issue.title.toLowerCase(),
  status: (issue) => STATUSES.indexOf(issue.status),
  priority: (issue) => PRIORITIES.indexOf(issue.priority),
  assigneeId: (issue) => issue.assigneeId ?? '~',
  dueDate: (issue) => issue.dueDate ?? '9999-12-31',
  estimate: (issue) => issue.estimate?.toNumber() ?? Infinity,
  // a new card has no rank until the server responds: it is on top, where the server puts it
  rank: (issue) => issue.rank,
  createdAt: (issue) => issue.createdAt.getTime(),
  updatedAt: (issue) => issue.updatedAt.getTime(),
};
