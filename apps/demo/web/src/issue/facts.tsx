// The issue's fields as a list of names and controls.
import type { ReactNode } from 'react';
import { FieldChoice } from '../conflicts/field-choice.tsx';
import type { Issue } from '../resources/issue.ts';
import type { Label } from '../resources/vocabulary.ts';
import { LABELS } from '../resources/vocabulary.ts';
import { DateField } from '../ui/date-field.tsx';
import { EditableText } from '../ui/editable-text.tsx';
import { FieldError } from '../ui/field-error.tsx';
import { AssigneePicker, PriorityPicker, StatusPicker } from '../ui/pickers.tsx';
import { useFieldErrors } from './use-field-errors.ts';
import { useIssueActions } from './use-issue-actions.ts';

export function Facts({ issue }: { issue: Issue }): ReactNode {
  const { id } = issue;
  const { change } = useIssueActions();
  const errorOf = useFieldErrors(id);
  const toggle = (label: Label): void => {
    const labels = issue.labels.includes(label)
      ? issue.labels.filter((other) => other !== label)
      : [...issue.labels, label];
    change(id, { labels });
  };
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <StatusPicker value={issue.status} label="Status" onPick={(status) => change(id, { status })} />
        <FieldChoice id={id} field="status" />
      </dd>
      <dt>Priority</dt>
      <dd>
        <PriorityPicker
          value={issue.priority}
          label="Priority"
          onPick={(priority) => change(id, { priority })}
        />
        <FieldChoice id={id} field="priority" />
      </dd>
      <dt>Assignee</dt>
      <dd>
        <AssigneePicker
          value={issue.assigneeId}
          label="Assignee"
          onPick={(assigneeId) => change(id, { assigneeId })}
        />
        <FieldChoice id={id} field="assigneeId" />
      </dd>
      <dt>Due</dt>
      <dd>
        <DateField label="Due day" value={issue.dueDate} onSave={(dueDate) => change(id, { dueDate })} />
        <FieldChoice id={id} field="dueDate" />
        <FieldError name="Due day" message={errorOf('dueDate')} />
      </dd>
      <dt>Estimate</dt>
      <dd>
        <EditableText
          className="plain-field"
          label="Estimate in days"
          placeholder="None"
          value={issue.estimate?.toString() ?? ''}
          onSave={(text) => change(id, { estimate: text === '' ? null : text })}
        />
        <FieldChoice id={id} field="estimate" />
        <FieldError name="Estimate" message={errorOf('estimate')} />
      </dd>
      <dt>Labels</dt>
      <dd className="label-picker">
        {LABELS.map((label) => (
          <button
            key={label}
            type="button"
            aria-pressed={issue.labels.includes(label)}
            className={`label label-${label}`}
            onClick={() => toggle(label)}
          >
            {label}
          </button>
        ))}
      </dd>
    </dl>
  );
}
