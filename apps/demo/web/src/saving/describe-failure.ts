// Says a failed change in words: what was tried, and why it did not get through. The list of them is Holdfast's.
import { isConnectionError, isHttpError } from 'holdfast';
import type { FailedMutation } from 'holdfast';
import { bulkIssues } from '../resources/bulk.ts';
import { CommentResource } from '../resources/comment.ts';
import { IssueResource } from '../resources/issue.ts';
import type { IssueInput } from '../resources/issue.ts';
import { signIn, signOut } from '../resources/user.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';

type Describe = (params: Record<string, string>, fields: Partial<IssueInput>) => string;

const LABELS = new Map<unknown, Describe>([
  [IssueResource.partialUpdate, describeChange],
  [IssueResource.getList.push, ({ title }) => `“${title}”`],
  [IssueResource.delete, ({ id }) => `Delete ${id}`],
  [bulkIssues, describeBulk],
  [CommentResource.getList.push, ({ issueId }) => `Comment on ${issueId}`],
  [CommentResource.partialUpdate, ({ issueId }) => `Edit a comment on ${issueId}`],
  [CommentResource.delete, ({ issueId }) => `Delete a comment on ${issueId}`],
  [signIn, () => 'Sign in'],
  [signOut, () => 'Sign out'],
]);

/** What was tried, for people: "Rename LTH-12". */
export function describeCall({ endpoint, args }: FailedMutation): string {
  const describe = LABELS.get(endpoint);
  return describe ? describe(...(args as Parameters<Describe>)) : endpoint.name; // cast: each line knows its endpoint
}

function describeChange({ id }: Record<string, string>, fields: Partial<IssueInput>): string {
  if (fields.status) return `Move ${id} to ${STATUS_NAMES[fields.status]}`;
  if (fields.title !== undefined) return `Rename ${id}`;
  return `Change ${Object.keys(fields).join(', ')} of ${id}`;
}

function describeBulk({ update, delete: deletes }: { update?: unknown; delete?: unknown }): string {
  return Array.isArray(update)
    ? `Change of ${update.length} issues`
    : `Deletion of ${(deletes as unknown[]).length} issues`; // cast: the page sends one of the two
}

/** The server's own words where it sent some. */
export function explain(error: unknown): string {
  if (isHttpError(error)) {
    const problem = error.problem;
    const fields = problem?.['errors'];
    if (Array.isArray(fields)) {
      return fields
        .map((entry: { field: string; message: string }) => `${entry.field} ${entry.message}`)
        .join(', ');
    }
    return String(problem?.['detail'] ?? `the server answered ${error.status}`);
  }
  return isConnectionError(error) ? 'the connection was lost' : 'it did not reach the server';
}
