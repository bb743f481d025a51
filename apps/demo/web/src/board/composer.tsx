// The line at the top of a column that adds an issue to it. The card is shown before the server has responded, on top; the line
// is then empty for the next one.
import { useController } from 'holdfast/react';
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { IssueResource } from '../resources/issue.ts';
import { columnOf } from '../resources/lists.ts';
import type { Status } from '../resources/vocabulary.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';
import { LineIcon } from '../ui/icons.tsx';
import { rankAt } from './rank-at.ts';

interface ComposerProps {
  projectId: string;
  status: Status;
  onAdd: () => void;
}

export function Composer({ projectId, status, onAdd }: ComposerProps): ReactNode {
  const controller = useController();
  const { create } = useIssueActions();
  const add = (form: FormData): void => {
    const title = String(form.get('title')).trim();
    if (title === '') return;
    const { data } = controller.getResponse(IssueResource.getList, columnOf(projectId, status));
    create({ projectId, status, title, rank: rankAt(data?.results ?? [], 0) });
    onAdd();
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
