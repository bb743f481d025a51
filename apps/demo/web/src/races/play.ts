// The race that is on screen: one at a time. It runs outside React, so that it is left in one place: by its button, by another race, and
// when the page is closed.
import { ExternalValue } from '../external-value.ts';
import type { RaceName } from './race-names.ts';
import type { RaceView, Run } from './run-race.ts';

export interface Play {
  readonly race: RaceName;
  readonly view: RaceView;
}

const EMPTY: RaceView = { steps: [], cardId: '', boards: [], isOver: false, problem: null };

/** Null where no race is on screen. */
export const play = new ExternalValue<Play | null>(null);

/** How long each step stays before the next one, in milliseconds. */
export const PACES = { slow: 1_500, quick: 0 } as const;
export type Pace = keyof typeof PACES;
export const pace = new ExternalValue<Pace>('slow');

let run: Run | null = null;

export async function playRace(race: RaceName): Promise<void> {
  leaveRace();
  play.write({ race, view: EMPTY });
  const [{ runRace }, { RACES }] = await Promise.all([import('./run-race.ts'), import('./all-races.ts')]);
  const played = RACES.find(({ id }) => id === race.id);
  // the visitor may have left, or started another one
  if (!played || play.read()?.race !== race || run !== null) return;
  run = runRace(played, {
    origin: '',
    fetch: (...args) => fetch(...args),
    pause: () => new Promise((done) => void setTimeout(done, PACES[pace.read()])),
    onChange: (view) => play.write({ race, view }),
  });
}

/** Ends the race, wherever it is. Its boards are removed on the server. */
export function leaveRace(): void {
  run?.leave();
  run = null;
  play.write(null);
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', leaveRace);
