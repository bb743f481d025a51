// One pane: a bar with its title, and the view of its address. The page has one of them, or two side by side.
import { useSuspense } from 'holdfast/react';
import { lazy } from 'react';
import type { ReactNode } from 'react';
import { Board } from '../board/board.tsx';
import { Home } from '../home/home.tsx';
import { IssuePage } from '../issue/issue-page.tsx';
import { Link, SlotProvider, useNavigation, usePane } from '../navigation/navigation.tsx';
import type { Slot } from '../navigation/navigation.tsx';
import { usePageTitle } from '../navigation/page-title.ts';
import { readAddress } from '../navigation/read-address.ts';
import { ProjectResource } from '../resources/project.ts';
import type { Project } from '../resources/project.ts';
import type { User } from '../resources/user.ts';
import { Boundary } from '../ui/boundary.tsx';
import { LineIcon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

// Not the first views: their code is loaded with them.
const MyWork = lazy(async () => ({ default: (await import('../work/my-work.tsx')).MyWork }));
const UnknownPage = lazy(async () => ({ default: (await import('./unknown-page.tsx')).UnknownPage }));
const TablePage = lazy(async () => ({ default: (await import('../table/table-page.tsx')).TablePage }));

export function Pane({ slot, user }: { slot: Slot; user: User }): ReactNode {
  const label = slot === 'main' ? 'Main view' : 'View beside';
  return (
    <SlotProvider slot={slot}>
      <section className={`pane ${slot}`} aria-label={label} tabIndex={-1}>
        <PaneBar />
        <PaneView user={user} />
      </section>
    </SlotProvider>
  );
}

function PaneView({ user }: { user: User }): ReactNode {
  const { path } = usePane();
  const { view, id } = readAddress(path);
  return (
    <Boundary key={path} name="this view" fallback={<Skeleton label="the view" kind="page" count={6} />}>
      {view === 'board' ? (
        <Board projectId={id} />
      ) : view === 'table' ? (
        <TablePage />
      ) : view === 'issues' ? (
        <IssuePage key={id} id={id} />
      ) : view === 'mine' ? (
        <MyWork user={user} />
      ) : view === '' ? (
        <Home />
      ) : (
        <UnknownPage path={path} />
      )}
    </Boundary>
  );
}

function PaneBar(): ReactNode {
  const { slot, address } = usePane();
  const { go, main, side, closeSide } = useNavigation();
  const { view, projectId = '' } = readAddress(address);
  return (
    <header className="pane-bar">
      <Boundary name="the project" fallback={<span />}>
        <ProjectTabs projectId={projectId} view={view} />
      </Boundary>
      <span className="spacer" />
      {slot === 'main' && side === null && (
        <button
          type="button"
          className="button small wide-only"
          onClick={() =>
            go({ side: view === 'table' ? '/mine' : `/table${projectId && `?projectId=${projectId}`}` })
          }
        >
          <LineIcon name="split" /> Split
        </button>
      )}
      {slot === 'side' && (
        <>
          <button
            type="button"
            className="button small"
            onClick={() => go({ main: side ?? main, side: null })}
          >
            Widen
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Close this view"
            aria-keyshortcuts="Escape"
            onClick={closeSide}
          >
            <LineIcon name="close" />
          </button>
        </>
      )}
    </header>
  );
}

function ProjectTabs({ projectId, view }: { projectId: string; view: string }): ReactNode {
  const { slot } = usePane();
  const projects = useSuspense(ProjectResource.getList);
  const project = projects.find((candidate) => candidate.id === projectId);
  usePageTitle(titleOf(view, project));
  const tab = (name: string, to: string, text: string): ReactNode => (
    <Link to={to} className="tab" {...(view === name ? { 'aria-current': 'page' } : {})}>
      {text}
    </Link>
  );
  return (
    <nav aria-label={slot === 'main' ? 'Tabs of the main view' : 'Tabs of the view beside'} className="tabs">
      {project ? <strong className="pane-title">{project.name}</strong> : null}
      {tab('mine', '/mine', 'My work')}
      {project ? tab('board', `/board/${project.id}`, 'Board') : null}
      {tab('table', project ? `/table?projectId=${project.id}` : '/table', 'Table')}
    </nav>
  );
}

/** Undefined for an issue, which sets its own title. */
function titleOf(view: string, project: Project | undefined): string | undefined {
  if (view === 'issues') return undefined;
  if (view === 'board') return project ? `${project.name} board` : 'Board';
  if (view === 'table') return project ? `${project.name} table` : 'All issues';
  if (view === 'mine') return 'My work';
  return view === '' ? 'First look' : 'Not found';
}
