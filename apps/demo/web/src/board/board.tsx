// The board of a project: one column per status. Moving a card is one PATCH of its status; which
// columns it leaves and joins, and what the counts become, follows from the data.
import { useSuspense } from 'holdfast/react';
import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { ProjectResource } from '../resources/project.ts';
import { pickValue, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { Boundary } from '../ui/boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Column } from './column.tsx';
import { FocusAfterMove, MovedCard } from './focus-after-move.ts';

export function Board({ projectId }: { projectId: string }): ReactNode {
  const project = useSuspense(ProjectResource.get, { id: projectId });
  const { change, remove } = useIssueActions();
  const [moved] = useState(() => new MovedCard());

  const move = (id: string, status: string): void => {
    const next = pickValue(STATUSES, status);
    if (next) change(id, { status: next });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const card =
      event.target instanceof HTMLAnchorElement ? event.target.closest<HTMLElement>('[data-card]') : null;
    const column = card?.closest<HTMLElement>('[data-status]');
    if (!card || !column) return;
    if (event.key === 'Delete') {
      (findNeighbour(card, column, 'ArrowDown') ?? findNeighbour(card, column, 'ArrowUp'))
        ?.querySelector('a')
        ?.focus();
      remove(card.dataset['card'] ?? '');
    }
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    if (event.shiftKey) {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      const status = STATUSES[STATUSES.findIndex((name) => name === column.dataset['status']) + step];
      if (step === 0 || !status) return;
      moved.remember(card.dataset['card'] ?? '');
      move(card.dataset['card'] ?? '', status);
    } else {
      findNeighbour(card, column, event.key)?.querySelector('a')?.focus();
    }
  };

  return (
    <section className="board" aria-label={`Board of ${project.name}`} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden">{project.name}</h1>
      <FocusAfterMove value={moved}>
        {STATUSES.map((status) => (
          <Boundary
            key={status}
            name={`the column ${STATUS_NAMES[status]}`}
            fallback={
              <div className="column">
                <Skeleton label={STATUS_NAMES[status]} kind="card" count={4} />
              </div>
            }
          >
            <Column project={project} status={status} onDropCard={(id) => move(id, status)} />
          </Boundary>
        ))}
      </FocusAfterMove>
    </section>
  );
}

/** The card above, below, or at the same height in the next column that has cards. */
function findNeighbour(card: HTMLElement, column: HTMLElement, key: string): HTMLElement | null {
  const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')];
  const index = cards.indexOf(card);
  if (key === 'ArrowDown') return cards[index + 1] ?? null;
  if (key === 'ArrowUp') return cards[index - 1] ?? null;
  const columns = [...(column.parentElement?.querySelectorAll<HTMLElement>('[data-status]') ?? [])];
  const rest = key === 'ArrowRight' ? columns : columns.toReversed();
  for (const other of rest.slice(rest.indexOf(column) + 1)) {
    const others = other.querySelectorAll<HTMLElement>('[data-card]');
    if (others.length > 0) return others[Math.min(index, others.length - 1)] ?? null;
  }
  return null;
}
