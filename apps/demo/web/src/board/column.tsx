// One column of the board: a list of issues with that status, its count, and a line to add one.
import { viewKey } from 'holdfast';
import { usePages, useSuspense } from 'holdfast/react';
import { useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { IssueResource } from '../resources/issue.ts';
import type { Project } from '../resources/project.ts';
import type { Status } from '../resources/vocabulary.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';
import { StatusIcon } from '../ui/icons.tsx';
import { Card } from './card.tsx';
import { Composer } from './composer.tsx';

interface ColumnProps {
  project: Project;
  status: Status;
  onDropCard: (id: string) => void;
}

const ORDER = 'priority';

export function Column({ project, status, onDropCard }: ColumnProps): ReactNode {
  const filter = { projectId: project.id, status, orderBy: ORDER };
  const { results: issues } = useSuspense(IssueResource.getList, filter);
  const { hasMore, isLoadingMore, loadMore } = usePages(IssueResource.getList, filter);
  const [isTarget, setIsTarget] = useState(false);
  // a complete list counts itself; of a longer one the server knows the number
  const count = hasMore ? (project.counts[status] ?? 0) : issues.length;

  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsTarget(false);
    const id = event.dataTransfer.getData('text/plain');
    if (id && !issues.some((issue) => issue.id === id)) onDropCard(id);
  };
  return (
    <section
      className={isTarget ? 'column is-target' : 'column'}
      data-status={status}
      aria-label={`${STATUS_NAMES[status]}, ${count} issues`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsTarget(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsTarget(false);
      }}
      onDrop={onDrop}
    >
      <header className="column-head">
        <StatusIcon status={status} />
        <h2>{STATUS_NAMES[status]}</h2>
        <span className="count">{count}</span>
      </header>
      <Composer projectId={project.id} status={status} />
      <ul className="cards">
        {issues.map((issue) => (
          <Card key={viewKey(issue)} issue={issue} />
        ))}
      </ul>
      {issues.length === 0 && <p className="empty-note">Nothing here. Drop a card to change that.</p>}
      {hasMore && (
        <button
          type="button"
          className="button quiet"
          disabled={isLoadingMore}
          onClick={() => void loadMore()}
        >
          {isLoadingMore ? 'Loading…' : `Show more of ${count}`}
        </button>
      )}
    </section>
  );
}
