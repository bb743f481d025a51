// Which lists the views read. Written once: what is asked for ahead must be what a view reads later.
import type { IssueFilter } from './issue.ts';
import type { Status } from './vocabulary.ts';

export function columnOf(projectId: string, status: Status): IssueFilter {
  return { projectId, status, orderBy: 'rank' };
}
