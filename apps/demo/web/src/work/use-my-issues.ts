// What one person has to do in one column: for the page of it, and for the count beside its link.
import { useSuspense } from 'holdfast/react';
import type { Issue } from '../resources/issue.ts';
import { IssueResource } from '../resources/issue.ts';
import { workOf } from '../resources/lists.ts';
import type { User } from '../resources/user.ts';
import type { Status } from '../resources/vocabulary.ts';

export function useMyIssues(user: User, status: Status): { results: Issue[]; total: number } {
  return useSuspense(IssueResource.getList, workOf(user.id, status));
}
