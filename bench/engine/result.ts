// What the engine's lanes are asked, and what a scenario leaves behind for the report.
import type { Spread } from '../support/statistics.ts';
import type { DepthResult } from './depth.ts';
import type { Counts } from './scenario.ts';

/** Ratios are taken against it. */
export const REFERENCE = 'holdfast';

export const ROUNDS = { full: 21, quick: 3 };

/** A scenario, and who can take part in it: contestants and floors. */
export interface CatalogEntry {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly { readonly label: string; readonly size: number }[];
  readonly lanes: readonly { readonly name: string; readonly remark: string }[];
}

/** To calibrate gives a Calibration with Counts, a sample nanoseconds per run, a depth DepthResults. */
export interface LaneQuestion {
  readonly ask: 'calibrate' | 'sample' | 'depth';
  readonly scenario: string;
  readonly variant: number;
}

export interface EngineEntry {
  readonly contestant: string;
  readonly variant: string;
  readonly size: number;
  readonly nanoseconds: Spread;
  /** This contestant's time over the library's, round by round: above 1 the library is faster. */
  readonly timesReference: Spread;
  readonly counts: Counts;
  /** Where the comparison is not like for like. */
  readonly remark: string;
}

export interface EngineResult {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly EngineEntry[];
  /** Scenario S2 only. */
  readonly depths: readonly DepthResult[];
}
