// One row of the table: every value can be changed in place. Memoized, so that other rows can change without rendering it.
import { useQuery } from 'holdfast/react';
import { memo } from 'react';
import type { ReactNode } from 'react';
import { formatId } from '../board/card.tsx';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { Link } from '../navigation/navigation.tsx';
import type { Issue } from '../resources/issue.ts';
import { User } from '../resources/user.ts';
import { SaveMarker, useSaveState } from '../saving/save-state.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { formatAgo } from '../ui/dates.ts';
import { DueDay, Labels } from '../ui/labels.tsx';
import { PriorityPicker, StatusPicker } from '../ui/pickers.tsx';

interface TableRowProps {
  issue: Issue;
  position: number;
  height: number;
  isSelected: boolean;
  onSelect: (id: string) => void;
}

export const TableRow = memo(function TableRow(props: TableRowProps): ReactNode {
  const { issue, position, height, isSelected, onSelect } = props;
  const { id } = issue;
  const assignee = useQuery(User, { id: issue.assigneeId ?? '' });
  const state = useSaveState(id);
  const { change } = useIssueActions();
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      className={`table-row ${state.className} ${isSelected ? 'is-selected' : ''}`}
      data-row={id}
      style={{ transform: `translateY(${position * height}px)`, height }}
    >
      <div role="cell" className="cell-select">
        <input
          type="checkbox"
          aria-label={`Select ${id}`}
          checked={isSelected}
          onChange={() => onSelect(id)}
        />
      </div>
      <div role="cell" className="cell-id issue-id">
        {formatId(issue)}
      </div>
      <div role="cell" className="cell-title">
        <Link to={`/issues/${id}`} target="beside" className="row-title">
          {issue.title}
        </Link>
        <Labels labels={issue.labels} />
        <SaveMarker state={state} />
      </div>
      <div role="cell" className="cell-status">
        <StatusPicker
          value={issue.status}
          label={`Status of ${id}`}
          onPick={(status) => change(id, { status })}
        />
      </div>
      <div role="cell" className="cell-priority">
        <PriorityPicker
          value={issue.priority}
          label={`Priority of ${id}`}
          onPick={(priority) => change(id, { priority })}
        />
      </div>
      <div role="cell" className="cell-assigneeId">
        <Avatar user={assignee} isDecorative />
        <span className="cell-text">{assignee?.name ?? 'Unassigned'}</span>
      </div>
      <div role="cell" className="cell-dueDate">
        <DueDay day={issue.dueDate} isDone={issue.status === 'done'} />
      </div>
      <div role="cell" className="cell-estimate">
        {issue.estimate?.toString() ?? ''}
      </div>
      <div role="cell" className="cell-updatedAt">
        {formatAgo(issue.updatedAt)}
      </div>
    </div>
  );
});
