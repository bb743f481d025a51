// Times trials side by side: interleaved rounds in one process, in an order that rotates, so that a slow phase
// of the machine or a collection of garbage falls on every contestant alike. Gives nanoseconds per run.
import type { Trial } from './trial.ts';

export interface RaceOptions {
  readonly rounds: number;
  /** A sample repeats its run until it lasts about this long. */
  readonly sampleMs: number;
  readonly warmupMs: number;
  /** Warm-up goes on for as many runs, up to ten times as long: a busy machine compiles late. */
  readonly warmupRuns: number;
}

/** One contestant's samples; `byRound` has a hole where a very slow one sat the round out. */
export interface Samples {
  readonly byRound: readonly (number | undefined)[];
}

interface Lane {
  readonly name: string;
  readonly trial: Trial;
  readonly byRound: (number | undefined)[];
  state: unknown;
  /** The last value, alive until the next: see `timeRuns`. */
  kept: unknown;
  turn: number;
  runsPerSample: number;
  stride: number;
}

/** A run slower than this takes part in every third round only: its own noise is small beside its length. */
const SLOW_RUN_MS = 150;
const SLOW_STRIDE = 3;
/** A store that must be made anew for every run limits how many are kept at once. */
const MAX_FRESH_STATES = 16;
const MAX_RUNS = 20_000_000;

// Written by every run, so that no optimizer may decide the work is unused.
let sink: unknown;

/**
 * What the last run made stays alive, as an application's store does. Where nothing of a class is alive, the next full
 * collection forgets the shape of its objects and with it all code compiled for them: a lane would then be timed cold
 * because of its neighbours' garbage.
 */
function timeRuns(lane: Lane, runs: number): number {
  const { trial } = lane;
  if (trial.fresh === 'run') {
    const states = Array.from({ length: runs }, () => trial.prepare());
    const startMs = performance.now();
    for (const state of states) sink = trial.run(state, lane.turn++);
    const elapsedMs = performance.now() - startMs;
    lane.kept = [states.at(-1), sink];
    return elapsedMs;
  }
  if (trial.fresh === 'sample') lane.state = trial.prepare();
  const { state } = lane;
  const startMs = performance.now();
  for (let run = 0; run < runs; run += 1) sink = trial.run(state, lane.turn++);
  const elapsedMs = performance.now() - startMs;
  lane.kept = sink;
  return elapsedMs;
}

function collectGarbage(): void {
  globalThis.gc?.({ type: 'minor' });
}

function calibrate(lane: Lane, options: RaceOptions): void {
  if (lane.trial.fresh === 'once') lane.state = lane.trial.prepare();
  const limit = lane.trial.fresh === 'run' ? MAX_FRESH_STATES : MAX_RUNS;
  const startMs = performance.now();
  const isCold = (): boolean => {
    const patienceMs = lane.turn < options.warmupRuns ? options.warmupMs * 10 : options.warmupMs;
    return performance.now() < startMs + patienceMs;
  };
  let runs = 1;
  let elapsedMs = timeRuns(lane, runs);
  while (isCold() || (elapsedMs < options.sampleMs / 2 && runs < limit)) {
    const wanted = elapsedMs > 0 ? Math.ceil((runs * options.sampleMs) / elapsedMs) : runs * 10;
    runs = Math.max(1, Math.min(limit, runs * 10, wanted));
    elapsedMs = timeRuns(lane, runs);
    if (runs === limit && !isCold()) break;
  }
  lane.runsPerSample = runs;
  lane.stride = elapsedMs / runs > SLOW_RUN_MS ? SLOW_STRIDE : 1;
}

/** Race the trials and give each one's samples in nanoseconds per run, by round. */
export function race(trials: ReadonlyMap<string, Trial>, options: RaceOptions): Map<string, Samples> {
  const lanes = Array.from(trials, ([name, trial]): Lane => ({
    name,
    trial,
    byRound: [],
    state: undefined,
    kept: undefined,
    turn: 0,
    runsPerSample: 1,
    stride: 1,
  }));
  for (const lane of lanes) calibrate(lane, options);
  globalThis.gc?.();
  for (let round = 0; round < options.rounds; round += 1) {
    for (let position = 0; position < lanes.length; position += 1) {
      const lane = lanes[(position + round) % lanes.length] as Lane; // cast: index is below the length
      if (round % lane.stride !== 0) {
        lane.byRound.push(undefined);
        continue;
      }
      collectGarbage();
      const elapsedMs = timeRuns(lane, lane.runsPerSample);
      lane.byRound.push((elapsedMs * 1e6) / lane.runsPerSample);
    }
  }
  return new Map(lanes.map((lane) => [lane.name, { byRound: lane.byRound }]));
}

/** The value of the last run: exported so that it counts as used. */
export function readSink(): unknown {
  return sink;
}
