// One issue on the board. It can be dragged, moved with Shift and an arrow key, or moved with the
// status menu that its icon opens. It renders when its own row changes, and at no other time.
import { isDraft } from 'holdfast';
import { useQuery } from 'holdfast/react';
import { memo, useContext, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from '../navigation/navigation.tsx';
import type { Issue } from '../resources/issue.ts';
import { User } from '../resources/user.ts';
import { SaveMarker, useSaveState } from '../saving/save-state.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { LineIcon, PriorityIcon } from '../ui/icons.tsx';
import { DueDay, Labels } from '../ui/labels.tsx';
import { StatusPicker } from '../ui/pickers.tsx';
import { useRenderMark } from '../xray/render-count.ts';
import { FocusAfterMove } from './focus-after-move.ts';
import { MoveCardContext } from './use-move-card.ts';

export const Card = memo(function Card({ issue }: { issue: Issue }): ReactNode {
  const { id, title, status, rank } = issue;
  const assignee = useQuery(User, { id: issue.assigneeId ?? '' });
  const state = useSaveState(id);
  const move = useContext(MoveCardContext);
  const moved = useContext(FocusAfterMove);
  const card = useRenderMark<HTMLLIElement>('card');
  const link = useRef<HTMLAnchorElement>(null);

  // a move to another column creates a new element, and a move within the column keeps the element
  useEffect(() => {
    if (!moved.take(id)) return;
    link.current?.focus();
    link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [id, rank, moved]);

  return (
    <li ref={card} className={`card ${state.className}`} data-card={id}>
      <div className="card-head">
        <StatusPicker isCompact value={status} label={`Status of ${id}`} onPick={(next) => move(id, next)} />
        <span className="issue-id">{formatId(issue)}</span>
        <SaveMarker state={state} />
        <Avatar user={assignee} />
      </div>
      <Link
        ref={link}
        to={`/issues/${id}`}
        target="beside"
        className="card-title"
        draggable={false}
        aria-keyshortcuts="Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight Delete"
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
});

/** The id of an issue, once the server has given it one. */
export function formatId(issue: Issue): string {
  return isDraft(issue) ? 'new' : issue.id;
}
