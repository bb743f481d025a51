// Restores a deleted issue. For the page it is a creation: the row enters every list that it belongs to.
import { IssueResource } from './issue.ts';

export const restoreIssue = IssueResource.getList.push.extend({
  path: '/issues/:id/restore',
  schema: IssueResource.getList.push.schema,
  body: undefined,
  optimistic: false,
});
