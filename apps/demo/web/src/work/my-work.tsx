// The issues of the signed-in user. Three lists of the same resource; an issue that is moved, reassigned or created anywhere
// enters and leaves them by itself. The lists are whole, so a filter by project is computed from them without a request.
import { BigNumber } from 'bignumber.js';
import { viewKey } from 'holdfast';
import { local } from 'holdfast/local';
import { useLocal } from 'holdfast/local/react';
import { useSuspense } from 'holdfast/react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { useKeptScroll } from '../navigation/kept-scroll.tsx';
import { Link } from '../navigation/navigation.tsx';
import { IssueResource } from '../resources/issue.ts';
import type { Issue } from '../resources/issue.ts';
import { OPEN_STATUSES, workOf } from '../resources/lists.ts';
import { ProjectResource } from '../resources/project.ts';
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

const work = local(IssueResource.getList);

export function MyWork({ user }: { user: User }): ReactNode {
  const scroller = useRef<HTMLElement>(null);
  const [projectId, setProjectId] = useState('');
  useKeptScroll(scroller, 'my work');
  return (
    <section className="my-work" aria-label="My work" ref={scroller}>
      <header>
        <h1>My work</h1>
        <p>Everything assigned to {user.name}, most pressing first.</p>
        <Boundary name="the projects" fallback={<span />}>
          <ProjectFilter projectId={projectId} onChange={setProjectId} />
        </Boundary>
      </header>
      {OPEN_STATUSES.map((status) => (
        <Boundary
          key={status}
          name={`what you have in ${STATUS_NAMES[status]}`}
          fallback={<Skeleton label={STATUS_NAMES[status]} kind="row" count={4} />}
        >
          {projectId === '' ? (
            <WorkInAll user={user} status={status} />
          ) : (
            <WorkInOne user={user} status={status} projectId={projectId} />
          )}
        </Boundary>
      ))}
    </section>
  );
}

interface ProjectFilterProps {
  /** Empty for all projects. */
  projectId: string;
  onChange: (projectId: string) => void;
}

function ProjectFilter({ projectId, onChange }: ProjectFilterProps): ReactNode {
  const projects = useSuspense(ProjectResource.getList);
  return (
    <select
      className={projectId ? 'filter is-set' : 'filter'}
      aria-label="Project of my work"
      value={projectId}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">Any project</option>
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface WorkProps {
  user: User;
  status: Status;
}

function WorkInAll({ user, status }: WorkProps): ReactNode {
  const { results: issues, total } = useMyIssues(user, status);
  return <WorkList status={status} issues={issues} count={String(total)} isWhole={total === issues.length} />;
}

/** A request is sent only where the list of all projects is too long to be loaded at once. */
function WorkInOne({ user, status, projectId }: WorkProps & { projectId: string }): ReactNode {
  const { data: issues, isComplete } = useLocal(work, { ...workOf(user.id, status), projectId });
  const count = `${issues.length}${isComplete ? '' : '+'}`;
  return <WorkList status={status} issues={issues} count={count} isWhole={isComplete} />;
}

interface WorkListProps {
  status: Status;
  issues: readonly Issue[];
  count: string;
  /** Whether there are no further issues on the server. */
  isWhole: boolean;
}

function WorkList({ status, issues, count, isWhole }: WorkListProps): ReactNode {
  const days = issues.reduce((sum, issue) => sum.plus(issue.estimate ?? 0), new BigNumber(0));
  return (
    <section className="work-list" aria-label={STATUS_NAMES[status]}>
      <header>
        <StatusIcon status={status} />
        <h2>{STATUS_NAMES[status]}</h2>
        <span className="count">{count}</span>
        <span className="spacer" />
        <span className="fact">
          {days.toString()} days estimated{isWhole ? '' : ` in the first ${issues.length}`}
        </span>
      </header>
      <ul>
        {issues.map((issue) => (
          <WorkItem key={viewKey(issue)} issue={issue} />
        ))}
      </ul>
      {issues.length === 0 && isWhole && <p className="empty-note">Nothing here right now.</p>}
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
