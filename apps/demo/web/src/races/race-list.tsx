// The races, as buttons: one to begin with, and the others behind it. They are disabled while no race can be played.
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { RACE_NAMES } from './race-names.ts';
import type { RaceName } from './race-names.ts';

const [FIRST, ...OTHERS] = RACE_NAMES;

export function RaceList({ onStart }: { onStart?: (race: RaceName) => void }): ReactNode {
  return (
    <div className="races" role="group" aria-label="Races">
      {FIRST && (
        <button type="button" className="button primary" disabled={!onStart} onClick={() => onStart?.(FIRST)}>
          <LineIcon name="play" /> Play a race: {FIRST.name.toLowerCase()}
        </button>
      )}
      <button type="button" className="button" disabled={!onStart} popoverTarget="more-races">
        {OTHERS.length} more
      </button>
      <div id="more-races" className="popover" popover="auto" role="dialog" aria-label="More races">
        <h2>Races</h2>
        <ul>
          {OTHERS.map((race) => (
            <li key={race.id}>
              <button type="button" className="race" onClick={() => onStart?.(race)}>
                <LineIcon name="play" />
                <span>
                  <strong>{race.name}</strong>
                  <small>{race.happens}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
