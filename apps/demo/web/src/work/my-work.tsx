// The issues of the signed-in user. Three lists of the same resource; an issue that is moved, reassigned or created anywhere
// enters and leaves them by itself.
import { BigNumber } from 'bignumber.js';
import { viewKey } from 'holdfast';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { useKeptScroll } from '../navigation/kept-scroll.tsx';
import { Link } from '../navigation/navigation.tsx';
import type { Issue } from '../resources/issue.ts';
import { OPEN_STATUSES } from '../resources/lists.ts';
import type { User } from '../resources/user.ts';
import type { Status } from '../resources/vocabulary.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';
import { SaveMarker, useSaveState } from '../saving/save-state.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { PriorityIcon, StatusIcon } from '../ui/icons.tsx';
import { DueDay } from '../ui/labels.tsx';
import { StatusPicker } from '../ui/pickers.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useMyIssues } from './use-my-issues.ts';

export function MyWork({ user }: { user: User }): ReactNode {
  const scroller = useRef<HTMLElement>(null);
  useKeptScroll(scroller, 'my work');
  return (
    <section className="my-work" aria-label="My work" ref={scroller}>
      <header>
        <h1>My work</h1>
        <p>Everything assigned to {user.name}, most pressing first.</p>
      </header>
      {OPEN_STATUSES.map((status) => (
        <Boundary
          key={status}
          name={`what you have in ${STATUS_NAMES[status]}`}
          fallback={<Skeleton label={STATUS_NAMES[status]} kind="row" count={4} />}
        >
          <WorkList user={user} status={status} />
        </Boundary>
      ))}
    </section>
  );
}

function WorkList({ user, status }: { user: User; status: Status }): ReactNode {
  const { results: issues, total } = useMyIssues(user, status);
  const days = issues.reduce((sum, issue) => sum.plus(issue.estimate ?? 0), new BigNumber(0));
  return (
    <section className="work-list" aria-label={STATUS_NAMES[status]}>
      <header>
        <StatusIcon status={status} />
        <h2>{STATUS_NAMES[status]}</h2>
        <span className="count">{total}</span>
        <span className="spacer" />
        <span className="fact">
          {days.toString()} days estimated{total > issues.length ? ` in the first ${issues.length}` : ''}
        </span>
      </header>
      <ul>
        {issues.map((issue) => (
          <WorkItem key={viewKey(issue)} issue={issue} />
        ))}
      </ul>
      {total === 0 && <p className="empty-note">Nothing here right now.</p>}
    </section>
  );
}

function WorkItem({ issue }: { issue: Issue }): ReactNode {
  const { id } = issue;
  const { change } = useIssueActions();
  const state = useSaveState(id);
  return (
    <li className={`work-item ${state.className}`} data-work={id}>
      <StatusPicker
        isCompact
        value={issue.status}
        label={`Status of ${id}`}
        onPick={(status) => change(id, { status })}
      />
      <span className="issue-id">{id}</span>
      <Link to={`/issues/${id}`} target="beside">
        {issue.title}
      </Link>
      <SaveMarker state={state} />
      <span className="spacer" />
      <DueDay day={issue.dueDate} isDone={false} />
      <PriorityIcon priority={issue.priority} />
    </li>
  );
}
