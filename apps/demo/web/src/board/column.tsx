// One column of the board: the issues with that status in the order of their ranks, their count, and a line to add one. A long
// column shows its first cards, and more of them while the user scrolls.
import { viewKey } from 'holdfast';
import { usePages, useSuspense } from 'holdfast/react';
import { memo, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { KeptPlace } from '../navigation/kept-scroll.tsx';
import { IssueResource } from '../resources/issue.ts';
import { columnOf } from '../resources/lists.ts';
import type { Status } from '../resources/vocabulary.ts';
import { STATUS_NAMES } from '../resources/vocabulary.ts';
import { StatusIcon } from '../ui/icons.tsx';
import { useRenderMark } from '../xray/render-count.ts';
import { Card } from './card.tsx';
import { Composer } from './composer.tsx';

interface ColumnProps {
  projectId: string;
  status: Status;
}

/** Cards that are shown at first: more than a screen has room for. */
const FIRST_CARDS = 12;
/** How many are added when the end is visible. */
const MORE_CARDS = 30;

export const Column = memo(function Column({ projectId, status }: ColumnProps): ReactNode {
  const filter = columnOf(projectId, status);
  const { results: issues, total } = useSuspense(IssueResource.getList, filter);
  const { hasMore, isLoadingMore, moreError, loadMore } = usePages(IssueResource.getList, filter);
  const [limit, setLimit] = useState(FIRST_CARDS);
  const section = useRenderMark<HTMLElement>('list');
  const cards = useRef<HTMLUListElement>(null);

  const showMore = (): void => {
    setLimit(limit + MORE_CARDS);
    if (hasMore && limit + MORE_CARDS > issues.length) void loadMore();
  };
  return (
    <section
      ref={section}
      className="column"
      data-status={status}
      aria-label={`${STATUS_NAMES[status]}, ${total} issues`}
    >
      <header className="column-head">
        <StatusIcon status={status} />
        <h2>{STATUS_NAMES[status]}</h2>
        <span className="count">{total}</span>
      </header>
      <Composer
        projectId={projectId}
        status={status}
        // the new card is on top
        onAdd={() => cards.current?.scrollTo({ top: 0 })}
      />
      <ul className="cards" ref={cards}>
        {issues.slice(0, limit).map((issue) => (
          <Card key={viewKey(issue)} issue={issue} />
        ))}
        {issues.length === 0 && <li className="empty-note">Nothing here. Drop a card to change that.</li>}
        {(hasMore || issues.length > limit) && (
          <ColumnEnd isLoading={isLoadingMore} hasFailed={moreError !== undefined} onReach={showMore} />
        )}
      </ul>
      <KeptPlace scroller={cards} name={`${projectId} ${status}`} shown={limit} onReturn={setLimit} />
    </section>
  );
});

interface ColumnEndProps {
  isLoading: boolean;
  hasFailed: boolean;
  onReach: () => void;
}

/**
 * The last line of a long column: more cards are loaded when it is visible, or pressed. A failed load is repeated when it is
 * pressed.
 */
function ColumnEnd({ isLoading, hasFailed, onReach }: ColumnEndProps): ReactNode {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!line.current || isLoading || hasFailed) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReach());
    observer.observe(line.current);
    return () => observer.disconnect();
  }, [isLoading, hasFailed, onReach]);
  return (
    <li ref={line} className="column-end">
      <button type="button" className="button quiet" disabled={isLoading} onClick={onReach}>
        {isLoading ? 'Loading…' : hasFailed ? 'Not loaded. Try again' : 'Show more'}
      </button>
    </li>
  );
}
