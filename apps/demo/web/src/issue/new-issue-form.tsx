// The form of a new issue. It waits for the server and shows its error for each field; typed text stays until it is saved.
import { useMutation, useSuspense } from 'holdfast/react';
import { failureOf } from 'holdfast/validate';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { messageFor } from '../resources/field-errors.ts';
import { IssueResource } from '../resources/issue.ts';
import type { IssueInput } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import { UserResource } from '../resources/user.ts';
import { PRIORITIES, PRIORITY_NAMES, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { explain } from '../saving/describe-failure.ts';
import { forgetFailure } from '../saving/failures.ts';
import { FieldError } from '../ui/field-error.tsx';

/** Without an optimistic update: the form itself shows the typed values. */
const createIssue = IssueResource.getList.push.extend({ optimistic: false });

/** The fields that were typed or chosen. */
export type Draft = Partial<IssueInput>;

interface NewIssueFormProps {
  projectId: string | undefined;
  /** What was typed before, when the dialog was left without a word. */
  draft: Draft;
  onType: (draft: Draft) => void;
  onDone: () => void;
}

export function NewIssueForm({ projectId, draft, onType, onDone }: NewIssueFormProps): ReactNode {
  const projects = useSuspense(ProjectResource.getList);
  const users = useSuspense(UserResource.getList);
  const typed: IssueInput = {
    title: '',
    projectId: projectId ?? projects[0]?.id ?? '',
    status: 'todo',
    priority: 'medium',
    ...draft,
  };
  // fields that were changed after the server has refused them
  const [corrected, setCorrected] = useState<readonly string[]>([]);
  const { mutate, isPending, error, retry } = useMutation(createIssue, {
    onSuccess() {
      onType({});
      onDone();
    },
    // the form shows the failure, so it need not be in the list of failed changes
    onError: forgetFailure,
  });
  const failure = failureOf(createIssue, error);
  const refused = failure?.kind === 422 ? failure.body : undefined;
  const messageOf = (name: keyof IssueInput): string | undefined =>
    corrected.includes(name) ? undefined : messageFor(refused, name);

  const field = (name: keyof IssueInput) => ({
    name,
    value: String(typed[name] ?? ''),
    'aria-invalid': messageOf(name) !== undefined,
    onChange: ({ target }: { target: { value: string } }) => {
      setCorrected((before) => [...before, name]);
      onType({ ...draft, [name]: target.value || (name === 'title' ? '' : null) });
    },
  });
  const options = (entries: readonly (readonly [string, string])[]): ReactNode =>
    entries.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setCorrected([]);
        mutate(typed);
      }}
    >
      <h2 id="new-issue-title">New issue</h2>
      <label>
        Title
        <input {...field('title')} required autoComplete="off" />
        <FieldError name="Title" message={messageOf('title')} />
      </label>
      <label>
        Description
        <textarea {...field('description')} rows={4} />
        <FieldError name="Description" message={messageOf('description')} />
      </label>
      <div className="form-grid">
        <label>
          Project
          <select {...field('projectId')}>{options(projects.map(({ id, name }) => [id, name]))}</select>
          <FieldError name="Project" message={messageOf('projectId')} />
        </label>
        <label>
          Status
          <select {...field('status')}>{options(STATUSES.map((each) => [each, STATUS_NAMES[each]]))}</select>
        </label>
        <label>
          Priority
          <select {...field('priority')}>
            {options(PRIORITIES.map((each) => [each, PRIORITY_NAMES[each]]))}
          </select>
        </label>
        <label>
          Assignee
          <select {...field('assigneeId')}>
            <option value="">Unassigned</option>
            {options(users.map(({ id, name }) => [id, name]))}
          </select>
        </label>
        <label>
          Estimate in days
          <input {...field('estimate')} inputMode="decimal" autoComplete="off" placeholder="None" />
          <FieldError name="Estimate" message={messageOf('estimate')} />
        </label>
      </div>
      {failure && !refused && (
        <p className="form-error" role="alert">
          It was not created: {explain(failure.error)}{' '}
          <button type="button" className="button small" onClick={retry}>
            Try again
          </button>
        </p>
      )}
      <div className="dialog-buttons">
        <button
          type="button"
          className="button"
          onClick={() => {
            onType({});
            onDone();
          }}
        >
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Creating…' : 'Create issue'}
        </button>
      </div>
    </form>
  );
}
