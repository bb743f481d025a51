// The type of a race: a few calls whose responses arrive in a bad order, and the end that the visitor asked for. Each race has a file
// beside this one, and an end-to-end test of the same name.
import type { Board } from './boards.ts';
import type { CardFields, Column } from './card.ts';
import type { RaceName } from './race-names.ts';

export interface Race extends RaceName {
  /** The page of the documentation with more about it. */
  readonly docs: { readonly page: string; readonly title: string };
  /** The card that the race is about. */
  readonly card: CardFields & { readonly status: Column; readonly title: string };
  /** True when the race itself adds the card. */
  readonly isAdded?: boolean;
  /** The columns that are open at the beginning. Default: all. */
  readonly columns?: readonly Column[];
  /** What the server must have at the end; null where the card must be gone. */
  readonly wants: CardFields | null;
  /** Holdfast's board asks the visitor about what two people have changed: how it ends, and how the board that does not ask ends. */
  readonly asks?: { readonly gain: string; readonly loss: string };
  /** How many steps it has. */
  readonly length: number;
  play(stage: Stage): Promise<void>;
}

/** Calls of both boards whose requests or responses are held. */
export interface Held {
  /** Lets them go on, and resolves when both boards have taken what comes. */
  release(): Promise<void>;
  /** Lets them go on, and resolves when nothing is under way: a call may wait for the visitor then. */
  letGo(): Promise<void>;
}

/** The tools of a race. Whatever it does, it does on both boards. */
export interface Stage {
  /** The id of the card. */
  readonly cardId: string;
  /** Begins the next step, with its text. */
  say(text: string): void;
  /** Gives the visitor time to see what has happened. */
  pause(): Promise<void>;
  /** Calls something on both boards, and resolves when nothing is under way but what is held. */
  both(act: (board: Board) => unknown): Promise<void>;
  /** The same, with the next requests of that method held, one by default: before it leaves, or its response. */
  hold(
    method: string,
    when: 'before' | 'after',
    act: (board: Board) => unknown,
    requests?: number,
  ): Promise<Held>;
  /** Holds the next requests of that method before they leave; the ones before `from` pass. The server refuses the first held one. */
  refuse(method: string, from: number, act: (board: Board) => unknown): Promise<Held>;
  /** A request of somebody else, to both stages. */
  asSomebodyElse(method: string, path: string, body?: CardFields): Promise<void>;
}
