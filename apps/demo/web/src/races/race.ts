// What a race is: a few calls whose answers come in a bad order, and the end that they must have. Each is a file of its own
// beside this one, and an end-to-end test of the same name.
import type { Stage } from './stage.ts';

export interface Race {
  /** The name of its file. */
  readonly id: string;
  /** Also the name of its end-to-end test. */
  readonly name: string;
  readonly happens: string;
  /** What happens in an application that keeps copies of answers. */
  readonly others: string;
  /** The page of the documentation that says more. */
  readonly docs: { readonly page: string; readonly title: string };
  play(stage: Stage): Promise<Ending>;
}

export interface Ending {
  /** What must hold at the end, and whether it does. */
  readonly checks: readonly Check[];
  /** Why, in the inspector's words. */
  readonly why: readonly string[];
}

export interface Check {
  readonly text: string;
  readonly isRight: boolean;
}
