// The choice between two values of a field, or about a deletion of an issue that somebody else has changed. The issue is saved when
// each of its conflicts is decided.
import type { OpenConflict } from 'holdfast/http';
import { useController } from 'holdfast/react';
import type { ReactNode } from 'react';
import { User } from '../resources/user.ts';
import type { Priority, Status } from '../resources/vocabulary.ts';
import { PRIORITY_NAMES, STATUS_NAMES } from '../resources/vocabulary.ts';
import '../styles/choice.css';

const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  status: 'status',
  priority: 'priority',
  assigneeId: 'assignee',
  dueDate: 'due day',
  estimate: 'estimate',
};

export function Choice({ conflict }: { conflict: OpenConflict }): ReactNode {
  const { pk, field, mine, theirs, take, cancel } = conflict;
  const controller = useController();
  const inWords = (value: unknown): string => {
    if (value === null || value === '') return 'none';
    const text = String(value);
    if (field === 'status') return STATUS_NAMES[text as Status]; // cast: the page reads and sends only such values
    if (field === 'priority') return PRIORITY_NAMES[text as Priority]; // cast: as above
    return field === 'assigneeId' ? (controller.get(User, { id: text })?.name ?? text) : text;
  };
  const isWhole = field === '';
  return (
    <div
      className="choice"
      role="group"
      aria-label={isWhole ? `Deletion of ${pk}` : `Conflict: ${NAMES[field]}`}
    >
      <p role="alert">
        {isWhole
          ? `Somebody else has changed ${pk} meanwhile.`
          : `Somebody else has changed the ${NAMES[field]} too.`}
      </p>
      {isWhole ? (
        <>
          <button type="button" className="button small" onClick={cancel}>
            Keep it
          </button>
          <button type="button" className="button small" onClick={() => take(mine)}>
            Delete it
          </button>
        </>
      ) : (
        <>
          <button type="button" className="button small" onClick={() => take(theirs)}>
            <b>Theirs</b> {inWords(theirs)}
          </button>
          <button type="button" className="button small" onClick={() => take(mine)}>
            <b>Mine</b> {inWords(mine)}
          </button>
        </>
      )}
    </div>
  );
}
