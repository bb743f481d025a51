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
  /** What warm-up may take, and all samples together: a slow trial takes part in fewer rounds. */
  readonly budgetMs: number;
  /** Rounds that the slowest trial still takes part in. */
  readonly minRounds: number;
  /** Trials by name that no budget holds: what the targets are judged by. */
  readonly unlimited: readonly string[];
}

/** One contestant's samples. */
export interface Samples {
  /** A hole where a slow one sat the round out. */
  readonly byRound: readonly (number | undefined)[];
  /** How long the first state and the first run took together. */
  readonly firstMs: number;
}

interface Lane {
  readonly name: string;
  readonly trial: Trial;
  readonly budgetMs: number;
  readonly byRound: (number | undefined)[];
  state: unknown;
  /** Runs that `state` can still serve. */
  runsLeft: number;
  /** How long the last state took to make. */
  prepareMs: number;
  /** The last value, alive until the next: see `timeRuns`. */
  kept: unknown;
  turn: number;
  firstMs: number;
  runsPerSample: number;
  /** In how many of the rounds it takes part. */
  rounds: number;
}

/** Limits how many states a sample makes where each serves few runs. */
const MAX_FRESH_STATES = 16;
const MAX_RUNS = 20_000_000;

// Written by every run, so that no optimizer may decide the work is unused.
let sink: unknown;

/** The state for the next runs: the last one while it can serve, or a new one. */
function nextState(lane: Lane): unknown {
  if (lane.runsLeft === 0) {
    const startMs = performance.now();
    lane.state = lane.trial.prepare();
    lane.prepareMs = performance.now() - startMs;
    lane.runsLeft = lane.trial.runsPerState;
  }
  return lane.state;
}

/**
 * Each state is made just before its runs, as a list is read just after it has arrived. What the last run made stays
 * alive, as an application's store does. Where nothing of a class is alive, the next full collection forgets the shape of
 * its objects and with it all code compiled for them: a lane would then be timed cold because of its neighbours' garbage.
 */
function timeRuns(lane: Lane, runs: number): number {
  const { trial } = lane;
  let elapsedMs = 0;
  for (let wanted = runs; wanted > 0;) {
    const state = nextState(lane);
    const served = Math.min(wanted, lane.runsLeft);
    collectGarbage();
    const startMs = performance.now();
    for (let run = 0; run < served; run += 1) sink = trial.run(state, lane.turn++);
    elapsedMs += performance.now() - startMs;
    lane.runsLeft -= served;
    wanted -= served;
  }
  lane.kept = [lane.state, sink];
  return elapsedMs;
}

/** Before the clock starts: what was left by others, or by making the states, is not this run's to clear away. */
function collectGarbage(): void {
  globalThis.gc?.({ type: 'minor' });
}

/** Warm the lane up, then settle how many runs make a sample and how many rounds its budget gives. */
function calibrate(lane: Lane, options: RaceOptions): void {
  const { budgetMs, trial } = lane;
  const startMs = performance.now();
  let runs = 1;
  let elapsedMs = timeRuns(lane, runs);
  lane.firstMs = performance.now() - startMs;
  const firstRunMs = performance.now() - elapsedMs;
  const isCold = (): boolean => {
    const patienceMs = lane.turn < options.warmupRuns ? options.warmupMs * 10 : options.warmupMs;
    return performance.now() < firstRunMs + Math.min(patienceMs, budgetMs);
  };
  const affordable = Math.floor(budgetMs / options.minRounds / lane.prepareMs);
  const states = Math.max(1, Math.min(MAX_FRESH_STATES, affordable));
  const limit = Math.min(MAX_RUNS, trial.runsPerState * states);
  while (isCold() || (elapsedMs < options.sampleMs / 2 && runs < limit)) {
    const wanted = elapsedMs > 0 ? Math.ceil((runs * options.sampleMs) / elapsedMs) : runs * 10;
    runs = Math.max(1, Math.min(limit, runs * 10, wanted));
    elapsedMs = timeRuns(lane, runs);
    if (runs === limit && !isCold()) break;
  }
  lane.runsPerSample = runs;
  const costMs = elapsedMs + (lane.prepareMs * runs) / trial.runsPerState;
  lane.rounds = Math.max(options.minRounds, Math.min(options.rounds, Math.floor(budgetMs / costMs)));
}

/** Whether a lane that takes part in `taking` of `rounds` does so in this one: they are spread evenly. */
function takesPart(round: number, taking: number, rounds: number): boolean {
  return Math.floor(((round + 1) * taking) / rounds) > Math.floor((round * taking) / rounds);
}

/** Race the trials and give each one's samples in nanoseconds per run, by round. */
export function race(trials: ReadonlyMap<string, Trial>, options: RaceOptions): Map<string, Samples> {
  const lanes = Array.from(trials, ([name, trial]): Lane => ({
    name,
    trial,
    budgetMs: options.unlimited.includes(name) ? Infinity : options.budgetMs,
    byRound: [],
    state: undefined,
    runsLeft: 0,
    prepareMs: 0,
    kept: undefined,
    turn: 0,
    firstMs: 0,
    runsPerSample: 1,
    rounds: options.rounds,
  }));
  for (const lane of lanes) calibrate(lane, options);
  globalThis.gc?.();
  for (let round = 0; round < options.rounds; round += 1) {
    for (let position = 0; position < lanes.length; position += 1) {
      const lane = lanes[(position + round) % lanes.length] as Lane; // cast: index is below the length
      if (!takesPart(round, lane.rounds, options.rounds)) {
        lane.byRound.push(undefined);
        continue;
      }
      const elapsedMs = timeRuns(lane, lane.runsPerSample);
      lane.byRound.push((elapsedMs * 1e6) / lane.runsPerSample);
    }
  }
  return new Map(lanes.map(({ name, byRound, firstMs }) => [name, { byRound, firstMs }]));
}

/** The value of the last run: exported so that it counts as used. */
export function readSink(): unknown {
  return sink;
}
