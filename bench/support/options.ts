// The command line that all bench scripts share.
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Small sizes and few rounds: says that everything runs, not how fast. */
  readonly quick: boolean;
  /** Scenario ids; empty means all. */
  readonly only: readonly string[];
  /** Engine contestants by name; empty means all. For a closer look at one ratio. */
  readonly contestants: readonly string[];
  /** Take the library's dist as it is: for a run beside others that use it. */
  readonly built: boolean;
}

/** `--quick`, `--only=W1,N2`, `--contestants=holdfast,normalizr`, `--built`. */
export function readOptions(args: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      contestants: { type: 'string', default: '' },
      built: { type: 'boolean', default: false },
    },
  });
  return {
    quick: values.quick,
    only: values.only.split(',').filter(Boolean),
    contestants: values.contestants.split(',').filter(Boolean),
    built: values.built,
  };
}
