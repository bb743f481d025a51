// What the harness can time. A scenario makes one Trial per contestant; support/race times them side by side.

export interface Trial {
  /**
   * When a new state is made, untimed: before every run (a first read can happen once per store), before every
   * sample (pushes make a list longer), or once for all.
   */
  readonly fresh: 'run' | 'sample' | 'once';
  readonly prepare: () => unknown;
  /** The timed part. `turn` counts up over all runs of this trial. */
  readonly run: (state: unknown, turn: number) => unknown;
}

/** A trial with its state typed; the harness only carries it from `prepare` to `run`. */
export function defineTrial<State>(trial: {
  readonly fresh?: Trial['fresh'];
  readonly prepare: () => State;
  readonly run: (state: State, turn: number) => unknown;
}): Trial {
  return {
    fresh: trial.fresh ?? 'once',
    prepare: trial.prepare,
    run: (state, turn) => trial.run(state as State, turn), // cast: the harness passes what prepare returned
  };
}
