// Fetches everything that a page will read, at once and before it renders: no request waits for the response to another.
import type { Controller } from 'holdfast';
import { HOME_PROJECT, HOME_STATUS, HOME_STATUSES, rowsOf } from '../home/rows-of.ts';
import { readIssueActivity } from '../resources/activity.ts';
import { CommentResource } from '../resources/comment.ts';
import { Issue, IssueResource } from '../resources/issue.ts';
import { columnOf, OPEN_STATUSES, readFilter, windowOf, workOf } from '../resources/lists.ts';
import { ProjectResource } from '../resources/project.ts';
import { UserResource } from '../resources/user.ts';
import { STATUSES } from '../resources/vocabulary.ts';
import { readAddress } from './read-address.ts';

/** The data around the views of every page: the people, the projects and my work. */
export function prefetchShell({ fetchIfStale }: Controller, userId: string): void {
  void fetchIfStale(UserResource.getList);
  void fetchIfStale(ProjectResource.getList);
  for (const status of OPEN_STATUSES) void fetchIfStale(IssueResource.getList, workOf(userId, status));
}

/** The data of one view. A failure is kept for its readers. `isFirst`: the page has just been opened, and nothing is stored. */
export function prefetchView({ fetchIfStale, get }: Controller, address: string, isFirst = false): void {
  const { view, id: named, search, projectId } = readAddress(address);
  const id = view === '' ? HOME_PROJECT : named;
  if (view === '') void fetchIfStale(IssueResource.getList, rowsOf(id, HOME_STATUS));
  if (view === 'table') void fetchIfStale(IssueResource.getList, windowOf(readFilter(search), 0));
  if (view === '' || (view === 'board' && id)) {
    void fetchIfStale(ProjectResource.get, { id });
    const statuses = view === '' ? HOME_STATUSES : STATUSES;
    for (const status of statuses) void fetchIfStale(IssueResource.getList, columnOf(id, status));
  }
  // for an issue that has no server id yet, all of this waits for the id
  if (view === 'issues') {
    void fetchIfStale(IssueResource.get, { id });
    void fetchIfStale(CommentResource.getList, { issueId: id });
    // the response with an issue that is not stored contains its activity; of a page that has just been opened, a list may bring it first
    if (isFirst || get(Issue, { id })) void fetchIfStale(readIssueActivity, { issueId: id });
    if (projectId) void fetchIfStale(ProjectResource.get, { id: projectId });
  }
}
