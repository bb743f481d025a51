// The board of a project: one column per status. It reads nothing itself, so that a change renders the card and the lists that
// changed, and nothing above them.
import { useSuspense } from 'holdfast/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { ProjectResource } from '../resources/project.ts';
import type { Status } from '../resources/vocabulary.ts';
import { pickValue, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { Boundary } from '../ui/boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Column } from './column.tsx';
import { FocusAfterMove, MovedCard } from './focus-after-move.ts';
import { followDrags } from './follow-drags.ts';
import { MoveCardContext, useMoveCard } from './use-move-card.ts';

interface BoardProps {
  projectId: string;
  /** The columns. Default: all of them. */
  statuses?: readonly Status[];
}

export function Board({ projectId, statuses = STATUSES }: BoardProps): ReactNode {
  const { remove } = useIssueActions();
  const move = useMoveCard(projectId);
  const [moved] = useState(() => new MovedCard());
  const board = useRef<HTMLElement>(null);
  const titleId = useId();

  useEffect(() => {
    const drop = (id: string, text: string, before: string | null): void => {
      const status = pickValue(STATUSES, text);
      if (status) move(id, status, before);
    };
    return board.current ? followDrags(board.current, drop) : undefined;
  }, [move]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const card =
      event.target instanceof HTMLAnchorElement ? event.target.closest<HTMLElement>('[data-card]') : null;
    const column = card?.closest<HTMLElement>('[data-status]');
    if (!card || !column) return;
    const id = card.dataset['card'] ?? '';
    if (event.key === 'Delete') {
      (findNeighbour(card, column, 'ArrowDown') ?? findNeighbour(card, column, 'ArrowUp'))
        ?.querySelector('a')
        ?.focus();
      remove(id);
    }
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    if (!event.shiftKey) {
      findNeighbour(card, column, event.key)?.querySelector('a')?.focus();
      return;
    }
    const at = statuses.findIndex((name) => name === column.dataset['status']);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const status = statuses[at + step];
    const before = step === 0 ? findPlace(card, column, event.key) : undefined;
    // already at the top, or in the last column
    if (!status || before === card) return;
    moved.remember(id);
    move(id, status, before && before.dataset['card']);
  };

  return (
    <section ref={board} className="board" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <Boundary name="the project" fallback={<span className="visually-hidden" />}>
        <BoardTitle id={titleId} projectId={projectId} />
      </Boundary>
      <MoveCardContext value={move}>
        <FocusAfterMove value={moved}>
          {statuses.map((status) => (
            <Boundary
              key={status}
              name={`the column ${STATUS_NAMES[status]}`}
              fallback={
                <div className="column">
                  <Skeleton label={STATUS_NAMES[status]} kind="card" count={4} />
                </div>
              }
            >
              <Column projectId={projectId} status={status} />
            </Boundary>
          ))}
        </FocusAfterMove>
      </MoveCardContext>
    </section>
  );
}

function BoardTitle({ id, projectId }: { id: string; projectId: string }): ReactNode {
  const { name } = useSuspense(ProjectResource.get, { id: projectId });
  return (
    <h1 id={id} className="visually-hidden">
      Board of {name}
    </h1>
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

/** The card before which a card is inserted that moves up or down by one; null for the end, the card itself where it stays. */
function findPlace(card: HTMLElement, column: HTMLElement, key: string): HTMLElement | null {
  const next = findNeighbour(card, column, key);
  if (!next) return card;
  return key === 'ArrowUp' ? next : findNeighbour(next, column, 'ArrowDown');
}
