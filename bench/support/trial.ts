// What the harness can time. A scenario makes one Trial per contestant; support/race times them side by side.

export interface Trial {
  /**
   * How many runs one state serves before a new one is made, untimed: one for a first read, as many as leave a list
   * about as long as it was for pushes, any number where a run leaves the state as large as it found it.
   */
  readonly runsPerState: number;
  readonly prepare: () => unknown;
  /** The timed part. `turn` counts up over all runs of this trial. */
  readonly run: (state: unknown, turn: number) => unknown;
  /** Whether `run` gives a promise that is part of what is timed. Others are never awaited: many take less than an await. */
  readonly isAwaited: boolean;
}

/** A trial with its state typed; the harness only carries it from `prepare` to `run`. */
export function defineTrial<State>(trial: {
  readonly runsPerState?: number;
  readonly isAwaited?: boolean;
  readonly prepare: () => State;
  readonly run: (state: State, turn: number) => unknown;
}): Trial {
  return {
    runsPerState: trial.runsPerState ?? Infinity,
    isAwaited: trial.isAwaited ?? false,
    prepare: trial.prepare,
    run: (state, turn) => trial.run(state as State, turn), // cast: the harness passes what prepare returned
  };
}
