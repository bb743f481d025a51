// Describes a failed change in words: what was tried, and why it failed. Holdfast keeps the list of them.
import { isConnectionError, isHttpError } from 'holdfast';
import type { FailedMutation } from 'holdfast';
import { CommentResource } from '../resources/comment.ts';
import { addIssue, IssueResource } from '../resources/issue.ts';
import type { IssueInput } from '../resources/issue.ts';
import { restoreIssue } from '../resources/restore.ts';
import { signIn, signOut } from '../resources/session.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';

type Describe = (params: never, fields: Partial<IssueInput>) => string;

interface Row {
  id?: string;
  issueId?: string;
}

const LABELS = new Map<unknown, Describe>([
  [IssueResource.partialUpdate, describeChange],
  [addIssue, ({ title }: IssueInput) => `“${title}”`],
  [IssueResource.delete, ({ id }: Row) => `Delete ${id}`],
  [restoreIssue, ({ id }: Row) => `Restore ${id}`],
  [CommentResource.getList.push, ({ issueId }: Row) => `Comment on ${issueId}`],
  [CommentResource.partialUpdate, ({ issueId }: Row) => `Edit a comment on ${issueId}`],
  [CommentResource.delete, ({ issueId }: Row) => `Delete a comment on ${issueId}`],
  [signIn, () => 'Sign in'],
  [signOut, () => 'Sign out'],
]);

/** The action, for people: "Rename LTH-12". */
export function describeCall({ endpoint, args }: FailedMutation): string {
  const describe = LABELS.get(endpoint);
  return describe ? describe(...(args as Parameters<Describe>)) : endpoint.name; // cast: each line knows its endpoint
}

function describeChange({ id }: Row, fields: Partial<IssueInput>): string {
  if (fields.status) return `Move ${id} to ${STATUS_NAMES[fields.status]}`;
  if (fields.title !== undefined) return `Rename ${id}`;
  const names = Object.keys(fields).filter((name) => name !== 'id');
  return `Change ${names.join(', ')} of ${id}`;
}

/** The message of the server where it sent one. */
export function explain(error: unknown): string {
  if (isHttpError(error)) {
    const problem = error.problem;
    const fields = problem?.['errors'];
    if (Array.isArray(fields)) {
      return fields
        .map((entry: { field: string; message: string }) => `${entry.field} ${entry.message}`)
        .join(', ');
    }
    return String(problem?.['detail'] ?? `the server responded with ${error.status}`);
  }
  return isConnectionError(error) ? 'the connection was lost' : 'it did not reach the server';
}
