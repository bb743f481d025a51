// The command line that all bench scripts share.
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Small sizes and few rounds: says that everything runs, not how fast. */
  readonly quick: boolean;
  /** Scenario ids; empty means all. */
  readonly only: readonly string[];
  /** Engine contestants by name; empty means all. For a closer look at one ratio. */
  readonly contestants: readonly string[];
}

/** `--quick`, `--only=W1,N2`, `--contestants=holdfast,normalizr`. */
export function readOptions(args: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      contestants: { type: 'string', default: '' },
    },
  });
  return {
    quick: values.quick,
    only: values.only.split(',').filter(Boolean),
    contestants: values.contestants.split(',').filter(Boolean),
  };
}
