// What a rendering scenario leaves behind for the report.
import type { Spread } from '../support/statistics.ts';

export interface RenderEntry {
  readonly contestant: string;
  /** Wall time in milliseconds from the write to the DOM mutation. */
  readonly milliseconds: Spread;
  /** This contestant's time over the library's, round by round. */
  readonly timesReference: Spread;
  /** Rows that rendered, and components with an own hook that ran, per change (median). */
  readonly rows: number;
  readonly hooks: number;
}

export interface RenderResult {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly RenderEntry[];
}
