// The type of a race: a few calls whose responses arrive in a bad order, and the end that they must have. Each race has a file
// beside this one, and an end-to-end test of the same name.
import type { Stage } from './stage.ts';

export interface Race {
  /** The name of its file. */
  readonly id: string;
  /** Also the name of its end-to-end test. */
  readonly name: string;
  readonly happens: string;
  /** What happens in an application that keeps copies of responses. */
  readonly others: string;
  /** The page of the documentation with more about it. */
  readonly docs: { readonly page: string; readonly title: string };
  play(stage: Stage): Promise<Ending>;
}

export interface Ending {
  /** The conditions at the end, and whether they hold. */
  readonly checks: readonly Check[];
  /** The reason, as the inspector explains it. */
  readonly why: readonly string[];
}

export interface Check {
  readonly text: string;
  readonly isRight: boolean;
}
