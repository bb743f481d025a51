// The server's sort orders, once more for the rows on screen: a row that was just renamed stands
// in its new place at once, whichever way the list is sorted.
import type { Issue } from './issue.ts';
import { PRIORITIES, STATUSES } from './vocabulary.ts';

type SortValue = string | number;

/** What is missing sorts after everything that is there, as on the server. */
const SORT_VALUES: Record<string, (issue: Issue) => SortValue> = {
  title: (issue) => issue.title.toLowerCase(),
  status: (issue) => STATUSES.indexOf(issue.status),
  priority: (issue) => PRIORITIES.indexOf(issue.priority),
  assigneeId: (issue) => issue.assigneeId ?? '~',
  dueDate: (issue) => issue.dueDate ?? '9999-12-31',
  estimate: (issue) => issue.estimate?.toNumber() ?? Infinity,
  createdAt: (issue) => issue.createdAt.getTime(),
  updatedAt: (issue) => issue.updatedAt.getTime(),
};

/** Rows that compare equal keep the order in which the server sent them. */
export function sortIssues(issues: readonly Issue[], orderBy: string): Issue[] {
  const isDown = orderBy.startsWith('-');
  const readValue = SORT_VALUES[isDown ? orderBy.slice(1) : orderBy];
  if (!readValue) return [...issues];
  const sign = isDown ? -1 : 1;
  return issues.toSorted((first, second) => {
    const [a, b] = [readValue(first), readValue(second)];
    return a < b ? -sign : a > b ? sign : 0;
  });
}
