// The errors of the server about the latest changes of an issue, by field.
import { useFailed } from 'holdfast/react';
import { failureOf } from 'holdfast/validate';
import { messageFor } from '../resources/field-errors.ts';
import { Issue, IssueResource } from '../resources/issue.ts';

const changeIssue = IssueResource.partialUpdate;

export function useFieldErrors(id: string): (field: string) => string | undefined {
  const failed = useFailed(Issue, { id });
  const bodies = failed.flatMap(({ endpoint, error }) => {
    const failure = endpoint === changeIssue ? failureOf(changeIssue, error) : undefined;
    return failure?.kind === 422 ? failure.body : [];
  });
  return (field) =>
    messageFor(
      bodies.findLast((body) => messageFor(body, field)),
      field,
    );
}
