// What an engine scenario leaves behind for the report.
import type { Spread } from '../support/statistics.ts';
import type { DepthResult } from './depth.ts';
import type { Counts } from './scenario.ts';

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
