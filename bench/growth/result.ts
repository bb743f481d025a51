// What the growth run leaves behind for the report.

export interface GrowthPoint {
  readonly size: number;
  /** Nanoseconds per run, median. */
  readonly time: number;
}

export interface GrowthResult {
  readonly operation: string;
  readonly contestant: string;
  readonly points: readonly GrowthPoint[];
  /** time ≈ size^exponent over all points. */
  readonly exponent: number;
  /** What the work itself asks for: 0 when one row changes, 1 when all rows do or a list of them is copied. */
  readonly expected: number;
}

/** An exponent above the expected one by more than this is called out: cache misses alone give about 0.2. */
export const TOLERANCE = 0.3;
