// What the growth run leaves behind for the report.
import { fitExponent } from '../support/statistics.ts';

export interface GrowthPoint {
  readonly size: number;
  /** Nanoseconds per run, lower quartile: what disturbs a sample only adds to it. Absent when it was not measured. */
  readonly time?: number;
  /** How many samples it is of: one where a single run used up the budget. */
  readonly samples: number;
  /** Why there is no figure. */
  readonly leftOut?: string;
}

/** One process of the growth run: an operation by its place in the list, and who does it. */
export interface GrowthLane {
  readonly operation: number;
  readonly contestant: string;
}

/** Takes part at every size and in every round, whatever it takes: it is what the target judges. */
export const JUDGED = 'holdfast';

/**
 * A process that takes longer is stopped: some peers get slower at once where nothing foretold it. A quick run takes a
 * second, so its limit only ends a process that hangs.
 */
export const readLimitMs = (contestant: string, isQuick: boolean): number =>
  isQuick || contestant === JUDGED ? 60_000 : 12_000;

export interface GrowthResult {
  readonly operation: string;
  readonly contestant: string;
  readonly points: readonly GrowthPoint[];
  /** What the work itself asks for: 0 when one row changes, 1 when all rows do or a list of them is copied. */
  readonly expected: number;
}

/** An exponent above the expected one by more than this is called out: cache misses alone give about 0.2. */
const TOLERANCE = 0.3;

export interface Growth {
  /** b of time ≈ size^b over all points; absent with fewer than three. */
  readonly exponent: number | undefined;
  /** The same between the two largest sizes, where fixed costs weigh least. */
  readonly lastStep: number | undefined;
  readonly isSteep: boolean;
}

export function readGrowth({ points, expected }: GrowthResult): Growth {
  const measured = points.flatMap(({ size, time }) => (time === undefined ? [] : [{ size, time }]));
  const exponent = measured.length > 2 ? fitExponent(measured) : undefined;
  const lastStep = measured.length > 1 ? fitExponent(measured.slice(-2)) : undefined;
  return { exponent, lastStep, isSteep: exponent !== undefined && exponent > expected + TOLERANCE };
}
