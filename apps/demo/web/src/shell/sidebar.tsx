// The left side: my work with its counts, the projects, and the signed-in user.
import { viewKey } from 'holdfast';
import { useMutation, useSuspense } from 'holdfast/react';
import type { CSSProperties, ReactNode } from 'react';
import { Link, useNavigation } from '../navigation/navigation.tsx';
import { OPEN_STATUSES } from '../resources/lists.ts';
import { ProjectResource } from '../resources/project.ts';
import { leaveSession, signOut } from '../resources/session.ts';
import type { User } from '../resources/user.ts';
import type { Status } from '../resources/vocabulary.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { LineIcon, PriorityIcon, StatusIcon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Brand } from './brand.tsx';
import { useMyIssues } from '../work/use-my-issues.ts';

export function Sidebar({ user, onNavigate }: { user: User; onNavigate: () => void }): ReactNode {
  const { main } = useNavigation();
  // only the server can end the cookies
  const leave = useMutation(signOut, { onSuccess: leaveSession });
  const current = (to: string): { 'aria-current'?: 'page' } =>
    main.split('?')[0] === to ? { 'aria-current': 'page' } : {};
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <Brand />
      <nav aria-label="Views" onClick={onNavigate}>
        <Link to="/" target="main" {...current('/')}>
          <LineIcon name="anchor" /> First look
        </Link>
        <Link to="/mine" target="main" aria-keyshortcuts="W" {...current('/mine')}>
          <LineIcon name="home" /> My work
        </Link>
        <Link to="/table" target="main" aria-keyshortcuts="T" {...current('/table')}>
          <LineIcon name="table" /> All issues
        </Link>
      </nav>
      <MyCounts user={user} />
      <h2 id="projects-title">Projects</h2>
      <nav aria-labelledby="projects-title" onClick={onNavigate}>
        <Boundary name="the projects" fallback={<Skeleton label="projects" count={5} />}>
          <Projects current={current} />
        </Boundary>
      </nav>
      <footer className="signed-in">
        <Avatar user={user} isDecorative />
        <span>
          <strong>{user.name}</strong>
          <small>{user.role}</small>
        </span>
        <button
          type="button"
          className="button small"
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          Sign out
        </button>
      </footer>
    </aside>
  );
}

function Projects({ current }: { current: (to: string) => { 'aria-current'?: 'page' } }): ReactNode {
  const projects = useSuspense(ProjectResource.getList);
  return projects.map(({ id, name, hue, counts }) => (
    <Link key={id} to={`/board/${id}`} target="main" {...current(`/board/${id}`)}>
      <span className="project-mark" style={{ '--hue': hue } as CSSProperties} aria-hidden="true" />
      {name}
      <span className="count" title="Issues in progress">
        {(counts['doing'] ?? 0) + (counts['review'] ?? 0)}
      </span>
    </Link>
  ));
}

function MyCounts({ user }: { user: User }): ReactNode {
  return (
    <section className="my-counts" aria-label="My work in numbers">
      {OPEN_STATUSES.map((status) => (
        <Boundary
          key={status}
          name={STATUS_NAMES[status]}
          fallback={<Skeleton label={STATUS_NAMES[status]} count={2} />}
        >
          <MyCount user={user} status={status} />
        </Boundary>
      ))}
    </section>
  );
}

function MyCount({ user, status }: { user: User; status: Status }): ReactNode {
  const { results: issues, total } = useMyIssues(user, status);
  return (
    <details className="my-count" data-my={status} open={status === 'doing'}>
      <summary>
        <StatusIcon status={status} /> {STATUS_NAMES[status]}
        <span className="count">{total}</span>
      </summary>
      <ul>
        {issues.slice(0, 5).map((issue) => (
          <li key={viewKey(issue)} data-issue={issue.id}>
            <PriorityIcon priority={issue.priority} />
            <Link to={`/issues/${issue.id}`} target="beside" title={issue.title}>
              {issue.title}
            </Link>
          </li>
        ))}
        {total === 0 && <li className="empty-note">Nothing</li>}
      </ul>
    </details>
  );
}
