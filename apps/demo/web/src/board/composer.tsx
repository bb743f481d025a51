// The line at the top of a column that adds an issue to it. The card is there before the server
// has answered; the line is empty again for the next one.
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import type { Status } from '../resources/vocabulary.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';
import { LineIcon } from '../ui/icons.tsx';

export function Composer({ projectId, status }: { projectId: string; status: Status }): ReactNode {
  const { create } = useIssueActions();
  const add = (form: FormData): void => {
    const title = String(form.get('title')).trim();
    if (title !== '') create({ projectId, status, title });
  };
  return (
    <form className="composer" action={add}>
      <LineIcon name="plus" />
      <input
        name="title"
        placeholder="Add an issue"
        aria-label={`Add an issue to ${STATUS_NAMES[status]}`}
        maxLength={200}
        autoComplete="off"
      />
    </form>
  );
}
