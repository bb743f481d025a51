// The form of an engine scenario: what is timed for a contestant, and the check that comes first.
import type { Contestant } from '../contestants/contestant.ts';
import type { Trial } from '../support/trial.ts';

/** One column of a scenario: most have one, growth within a scenario has two. */
export interface Variant {
  /** Empty when the scenario has only one. */
  readonly label: string;
  readonly size: number;
  /** The same scenario at the size of a smoke test. */
  readonly quickSize: number;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly Variant[];
  /** Undefined when the contestant cannot do this at all. */
  readonly createTrial: (contestant: Contestant, size: number, variant: string) => Trial | undefined;
  /** Throws when the contestant's answer is wrong; gives exact counts worth reporting. Runs at a small size. */
  readonly check: (contestant: Contestant, size: number, variant: string) => Counts | Promise<Counts>;
  /** Plain code on the same payload, timed beside the contestants. */
  readonly createFloors?: (size: number) => ReadonlyMap<string, Trial>;
  /** Contestants named here sit out: their figure would take minutes and is known from a smaller scenario. */
  readonly tooSlow?: readonly string[];
}

export type Counts = Readonly<Record<string, number>>;

/** How many members of two lists are not the same object. */
export function countChangedReferences(before: readonly unknown[], after: readonly unknown[]): number {
  const changed = after.filter((value, index) => value !== before[index]).length;
  return changed + Math.max(0, before.length - after.length);
}
