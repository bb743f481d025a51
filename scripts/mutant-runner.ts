// The tests of scripts/mutants.ts, in a process of their own that keeps Vitest and the compiled files from mutant to mutant:
// the parent sends the file that it has changed and the folders of tests, and gets the first test that fails.
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

export interface Order {
  /** What has changed since the last order. */
  readonly changed: readonly string[];
  /** Folders of tests, run one after the other until a test fails. */
  readonly folders: readonly string[];
}

export interface Verdict {
  /** The title of a test that fails; undefined where all pass. */
  readonly killer?: string | undefined;
}

const root = join(import.meta.dirname, '..');

/** Tests that count calls in the sources, and would count none in a copy; and those of depth, which take longer than all others. */
const LEFT_OUT = /\/(linear[^/]*|depth|cycles|patches)\.test\.ts$/;
/** A test that hangs is one that noticed. */
const TEST_LIMIT_MS = 30_000;

/** The first test that has failed in this run. */
let killer: string | undefined;

const vitest = await createVitest({
  root,
  watch: false,
  project: 'node',
  bail: 1,
  reporters: [
    {
      onTestCaseResult(test) {
        if (test.result().state === 'failed') killer ??= test.fullName;
      },
      onTestModuleEnd(module) {
        if (module.errors().length > 0) killer ??= `${module.relativeModuleId}, which cannot be run`;
      },
    },
  ],
  silent: true,
  // one worker for all files: what takes long is to load the library, not to test it
  isolate: false,
  maxWorkers: 1,
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
});
await vitest.standalone();

process.on('message', (order: Order) => {
  void judge(order).then((verdict) => process.send?.(verdict));
});
process.on('disconnect', () => void vitest.exit(true));
process.send?.({} satisfies Verdict);

async function judge({ changed, folders }: Order): Promise<Verdict> {
  for (const file of changed) vitest.invalidateFile(file);
  for (const folder of folders) {
    const specifications = await vitest.globTestSpecifications([`packages/holdfast/test/${folder}/`]);
    const chosen = specifications.filter(({ moduleId }) => !LEFT_OUT.test(moduleId));
    killer = undefined;
    const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
    if (unhandledErrors.length > 0) killer ??= 'an error that nobody caught';
    if (killer !== undefined) return { killer };
  }
  return {};
}
