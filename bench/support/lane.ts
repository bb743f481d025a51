// Times one trial in this process: warms it up, settles how many runs make a sample, takes samples on demand.
// support/race.ts decides when.
import type { Trial } from './trial.ts';

export interface LaneOptions {
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
}

/** What a lane knows of itself once it is warm. */
export interface Calibration {
  /** In how many of the rounds it takes part. */
  readonly rounds: number;
  /** How long the first state and the first run took together. */
  readonly firstMs: number;
}

/** Limits how many states a sample makes where each serves few runs. */
const MAX_FRESH_STATES = 16;
const MAX_RUNS = 20_000_000;

// Written by every run, so that no optimizer may decide the work is unused.
let sink: unknown;

/** The value of the last run: exported so that it counts as used. */
export function readSink(): unknown {
  return sink;
}

export class Lane {
  readonly #trial: Trial;
  readonly #options: LaneOptions;
  #state: unknown = undefined;
  /** Runs that the state can still serve. */
  #runsLeft = 0;
  /** How long the last state took to make. */
  #prepareMs = 0;
  /** The last value, alive until the next: see `#timeRuns`. */
  kept: unknown = undefined;
  #turn = 0;
  #runsPerSample = 1;

  constructor(trial: Trial, options: LaneOptions) {
    this.#trial = trial;
    this.#options = options;
  }

  /** Warms up, then settles how many runs make a sample and how many rounds the budget gives. */
  async calibrate(): Promise<Calibration> {
    const { budgetMs, minRounds, rounds, sampleMs, warmupMs, warmupRuns } = this.#options;
    const { runsPerState } = this.#trial;
    const startMs = performance.now();
    let runs = 1;
    let elapsedMs = await this.#timeRuns(runs);
    const firstMs = performance.now() - startMs;
    const firstRunMs = performance.now() - elapsedMs;
    const isCold = (): boolean => {
      const patienceMs = this.#turn < warmupRuns ? warmupMs * 10 : warmupMs;
      return performance.now() < firstRunMs + Math.min(patienceMs, budgetMs);
    };
    const affordable = Math.floor(budgetMs / minRounds / this.#prepareMs);
    const states = Math.max(1, Math.min(MAX_FRESH_STATES, affordable));
    const limit = Math.min(MAX_RUNS, runsPerState * states);
    while (isCold() || (elapsedMs < sampleMs / 2 && runs < limit)) {
      const wanted = elapsedMs > 0 ? Math.ceil((runs * sampleMs) / elapsedMs) : runs * 10;
      runs = Math.max(1, Math.min(limit, runs * 10, wanted));
      elapsedMs = await this.#timeRuns(runs);
      if (runs === limit && !isCold()) break;
    }
    this.#runsPerSample = runs;
    const costMs = elapsedMs + (this.#prepareMs * runs) / runsPerState;
    globalThis.gc?.();
    return { rounds: Math.max(minRounds, Math.min(rounds, Math.floor(budgetMs / costMs))), firstMs };
  }

  /** Nanoseconds per run. */
  async sample(): Promise<number> {
    return ((await this.#timeRuns(this.#runsPerSample)) * 1e6) / this.#runsPerSample;
  }

  /**
   * Each state is made just before its runs, as a list is read just after it has arrived. What the last run made stays
   * alive, as an application's store does. Where nothing of a class is alive, the next full collection forgets the shape of
   * its objects and with it all code compiled for them.
   */
  async #timeRuns(runs: number): Promise<number> {
    let elapsedMs = 0;
    for (let wanted = runs; wanted > 0;) {
      const state = this.#nextState();
      const served = Math.min(wanted, this.#runsLeft);
      // before the clock starts: what making the state left behind is not this run's to clear away
      globalThis.gc?.({ type: 'minor' });
      const startMs = performance.now();
      if (this.#trial.isAwaited) await this.#awaitAll(state, served);
      else this.#runAll(state, served);
      elapsedMs += performance.now() - startMs;
      this.#runsLeft -= served;
      wanted -= served;
    }
    this.kept = [this.#state, sink];
    return elapsedMs;
  }

  #runAll(state: unknown, runs: number): void {
    for (let run = 0; run < runs; run += 1) sink = this.#trial.run(state, this.#turn++);
  }

  async #awaitAll(state: unknown, runs: number): Promise<void> {
    for (let run = 0; run < runs; run += 1) sink = await this.#trial.run(state, this.#turn++);
  }

  /** The state for the next runs: the last one while it can serve, or a new one. */
  #nextState(): unknown {
    if (this.#runsLeft === 0) {
      const startMs = performance.now();
      this.#state = this.#trial.prepare();
      this.#prepareMs = performance.now() - startMs;
      this.#runsLeft = this.#trial.runsPerState;
    }
    return this.#state;
  }
}
