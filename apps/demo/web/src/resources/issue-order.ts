// What the server compares for each name that a list may be sorted by: a row that was just renamed, or
// moved to another column, stands in its place at once.
import type { Issue } from './issue.ts';
import { PRIORITIES, STATUSES } from './vocabulary.ts';

/** What is missing sorts after everything that is there, as on the server. */
export const SORT_VALUES: Readonly<Record<string, (issue: Issue) => string | number>> = {
  title: (issue) => issue.title.toLowerCase(),
  status: (issue) => STATUSES.indexOf(issue.status),
  priority: (issue) => PRIORITIES.indexOf(issue.priority),
  assigneeId: (issue) => issue.assigneeId ?? '~',
  dueDate: (issue) => issue.dueDate ?? '9999-12-31',
  estimate: (issue) => issue.estimate?.toNumber() ?? Infinity,
  // a new card has none until the server answers: it stands on top, where the server puts it
  rank: (issue) => issue.rank,
  createdAt: (issue) => issue.createdAt.getTime(),
  updatedAt: (issue) => issue.updatedAt.getTime(),
};
