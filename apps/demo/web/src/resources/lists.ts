// The lists that the views read. Declared once, because a prefetched list must be the one that a view reads later.
import type { IssueFilter } from './issue.ts';
import { LABELS, pickValue, PRIORITIES, STATUSES } from './vocabulary.ts';
import type { Status } from './vocabulary.ts';

/** The open work of a person, most urgent status first. */
export const OPEN_STATUSES = ['doing', 'review', 'todo'] as const satisfies readonly Status[];

export function workOf(userId: string, status: Status): IssueFilter {
  return { assigneeId: userId, status, orderBy: 'priority' };
}

export function columnOf(projectId: string, status: Status): IssueFilter {
  return { projectId, status, orderBy: 'rank' };
}

/** Rows in a window of the table. */
export const WINDOW_ROWS = 100;

/** The window that begins at a row: a separate list, so that any part of a long table can be requested at once. */
export function windowOf(filter: IssueFilter, offset: number): IssueFilter {
  return { ...filter, offset, limit: WINDOW_ROWS };
}

const DEFAULT_ORDER = '-updatedAt';

/** The filter and the order in an address. */
export function readFilter(search: URLSearchParams): IssueFilter {
  const filter: IssueFilter = { orderBy: search.get('orderBy') ?? DEFAULT_ORDER };
  const [projectId, assigneeId, q] = ['projectId', 'assigneeId', 'q'].map((name) => search.get(name));
  const status = pickValue(STATUSES, search.get('status'));
  const priority = pickValue(PRIORITIES, search.get('priority'));
  const label = pickValue(LABELS, search.get('label'));
  if (projectId) filter.projectId = projectId;
  if (status) filter.status = status;
  if (priority) filter.priority = priority;
  if (assigneeId) filter.assigneeId = assigneeId;
  if (label) filter.label = label;
  if (q) filter.q = q;
  return filter;
}
