// One board of a race: columns with small cards. The card of the race is marked, and a card that has just changed its place or its words
// shows that.
import type { ReactNode } from 'react';
import { PRIORITY_NAMES, STATUS_NAMES } from '../resources/vocabulary.ts';
import { PriorityIcon, StatusIcon } from '../ui/icons.tsx';
import type { PlainCard } from './card.ts';
import { COLUMNS } from './card.ts';
import type { BoardView } from './run-race.ts';

export function RaceBoard({ board, cardId }: { board: BoardView | undefined; cardId: string }): ReactNode {
  const columns = board?.columns.length ? board.columns : COLUMNS;
  return (
    <div className="race-board">
      {columns.map((status) => (
        <div key={status} className="race-column" data-column={status}>
          <h3>
            <StatusIcon status={status} /> {STATUS_NAMES[status]}
          </h3>
          <ul>
            {board?.cards
              .filter((card) => card.status === status)
              .map((card) => (
                // a card with other words is another element: its animation plays
                <RaceCard
                  key={`${card.id} ${card.title} ${card.priority}`}
                  card={card}
                  isOfRace={card.id === cardId || /^(NEW|local)/.test(card.id)}
                />
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function RaceCard({ card, isOfRace }: { card: PlainCard; isOfRace: boolean }): ReactNode {
  const { id, title, status, priority } = card;
  return (
    <li
      className={isOfRace ? 'race-card is-of-race' : 'race-card'}
      data-race-card={id}
      data-status={status}
      data-priority={priority}
    >
      <PriorityIcon priority={priority} />
      <span className="visually-hidden">Priority {PRIORITY_NAMES[priority].toLowerCase()}: </span>
      <span className="race-card-title">{title}</span>
    </li>
  );
}
