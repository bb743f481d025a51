// The names of the races, as buttons. They are disabled while no race can be played.
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { RACES } from './all-races.ts';
import type { Race } from './race.ts';

interface RaceListProps {
  onStart?: (race: Race) => void;
  children?: ReactNode;
}

export function RaceList({ onStart, children }: RaceListProps): ReactNode {
  return (
    <section className="races" aria-label="Races">
      <ol>
        {RACES.map((race) => (
          <li key={race.id}>
            <button
              type="button"
              className="race"
              title={race.happens}
              disabled={!onStart}
              onClick={() => onStart?.(race)}
            >
              <LineIcon name="play" /> {race.name}
            </button>
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
