// Plays one race at a time and tells how far it is. It runs beside React: a race in which the visitor signs out goes on while the
// page is taken down and put up again.
import { ExternalValue } from '../external-value.ts';
import { chooseConditions, GOOD } from '../network/conditions.ts';
import { forgetScripted } from '../network/scripted.ts';
import type { Ending, Race } from './race.ts';
import { Stage } from './stage.ts';
import type { Surroundings } from './stage.ts';

export interface Play {
  readonly race: Race;
  readonly steps: readonly string[];
  /** The card that it is about, once there is one. */
  readonly card: string | null;
  readonly typing: { readonly id: string; readonly text: string } | null;
  /** Null while it is played. */
  readonly ending: Ending | null;
}

/** The race that is on; null for none. */
export const play = new ExternalValue<Play | null>(null);

/** How long one step takes, in milliseconds. */
export const PACES = { slow: 1_100, quick: 250 } as const;
export type Pace = keyof typeof PACES;
export const pace = new ExternalValue<Pace>('slow');

/** Of the race before, whose cards are still on the board. */
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

/** Back to the list of races. The cards of the last one go. */
export async function leaveRace(): Promise<void> {
  if (isPlaying()) return;
  play.write(null);
  await last?.tidy();
  last = null;
}

export const endedRight = ({ checks }: Ending): boolean => checks.every(({ isRight }) => isRight);
