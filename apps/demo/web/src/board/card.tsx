// One issue on the board. It can be dragged, moved with Shift and an arrow key, or moved with the
// status menu that its icon opens.
import { useQuery } from 'holdfast/react';
import { useContext, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { Link } from '../navigation/navigation.tsx';
import type { Issue } from '../resources/issue.ts';
import { User } from '../resources/user.ts';
import { SaveMarker, useSaveState } from '../saving/save-state.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { LineIcon, PriorityIcon } from '../ui/icons.tsx';
import { DueDay, Labels } from '../ui/labels.tsx';
import { StatusPicker } from '../ui/pickers.tsx';
import { FocusAfterMove } from './focus-after-move.ts';

export function Card({ issue }: { issue: Issue }): ReactNode {
  const { id, title, status } = issue;
  const assignee = useQuery(User, { id: issue.assigneeId ?? '' });
  const state = useSaveState(id);
  const { change } = useIssueActions();
  const [isDragged, setIsDragged] = useState(false);
  const moved = useContext(FocusAfterMove);
  const link = useRef<HTMLAnchorElement>(null);

  useEffect(() => {
    if (moved.take(id)) link.current?.focus();
  }, [id, moved]);

  return (
    <li
      className={`card ${state.className} ${isDragged ? 'is-dragged' : ''}`}
      data-card={id}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', id);
        event.dataTransfer.effectAllowed = 'move';
        setIsDragged(true);
      }}
      onDragEnd={() => setIsDragged(false)}
    >
      <div className="card-head">
        <StatusPicker
          isCompact
          value={status}
          label={`Status of ${id}`}
          onPick={(next) => change(id, { status: next })}
        />
        <span className="issue-id">{formatId(id)}</span>
        <SaveMarker state={state} />
        <Avatar user={assignee} />
      </div>
      <Link
        ref={link}
        to={`/issues/${id}`}
        target="beside"
        className="card-title"
        draggable={false}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Delete"
      >
        {title}
      </Link>
      <div className="card-foot">
        <PriorityIcon priority={issue.priority} />
        <Labels labels={issue.labels} />
        <span className="spacer" />
        {issue.commentCount > 0 && (
          <span className="fact">
            <LineIcon name="comment" /> {issue.commentCount}
            <span className="visually-hidden"> comments</span>
          </span>
        )}
        {issue.estimate && <span className="fact">{issue.estimate.toString()} d</span>}
        <DueDay day={issue.dueDate} isDone={status === 'done'} />
      </div>
    </li>
  );
}

/** An issue that the server has not named yet. */
export function formatId(id: string): string {
  return id.startsWith('local:') ? 'new' : id;
}
