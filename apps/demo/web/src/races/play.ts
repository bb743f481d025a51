// Plays one race at a time and reports its progress. It runs outside React: a race in which the visitor signs out continues while
// the page is unmounted and mounted again.
import { ExternalValue } from '../external-value.ts';
import { chooseConditions, GOOD } from '../network/conditions.ts';
import { forgetScripted } from '../network/scripted.ts';
import type { Ending, Race } from './race.ts';
import { Stage } from './stage.ts';
import type { Surroundings } from './stage.ts';

export interface Play {
  readonly race: Race;
  readonly steps: readonly string[];
  /** The card of the race, once there is one. */
  readonly card: string | null;
  readonly typing: { readonly id: string; readonly text: string } | null;
  /** Null while it is played. */
  readonly ending: Ending | null;
}

/** The race that is being played; null for none. */
export const play = new ExternalValue<Play | null>(null);

/** How long one step takes, in milliseconds. */
export const PACES = { slow: 1_100, quick: 250 } as const;
export type Pace = keyof typeof PACES;
export const pace = new ExternalValue<Pace>('slow');

/** The cards of the race before, which are still on the board. */
let last: Stage | null = null;
window.addEventListener('pagehide', () => last?.abandon());

const isPlaying = (): boolean => play.read()?.ending === null;

export async function playRace(race: Race, surroundings: Surroundings): Promise<void> {
  if (isPlaying()) return;
  const change = (changes: Partial<Play>): void => {
    const now = play.read();
    if (now) play.write({ ...now, ...changes });
  };
  play.write({ race, steps: [], card: null, typing: null, ending: null });
  chooseConditions(GOOD);
  forgetScripted();
  await last?.tidy();
  const stage = new Stage(
    surroundings,
    {
      say: (text) => change({ steps: [...(play.read()?.steps ?? []), text] }),
      type: (typing) => change({ typing }),
      own: (card) => change({ card }),
    },
    PACES[pace.read()],
  );
  last = stage;
  change({ ending: await playOn(race, stage) });
}

async function playOn(race: Race, stage: Stage): Promise<Ending> {
  try {
    return await race.play(stage);
  } catch (error) {
    return { checks: [{ text: `It broke off: ${String(error)}`, isRight: false }], why: [] };
  }
}

/** Back to the list of races. The cards of the last one are removed. */
export async function leaveRace(): Promise<void> {
  if (isPlaying()) return;
  play.write(null);
  await last?.tidy();
  last = null;
}

export const endedRight = ({ checks }: Ending): boolean => checks.every(({ isRight }) => isRight);
