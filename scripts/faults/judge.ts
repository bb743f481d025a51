// Judges a copy of the library that may hold a fault, in a process of its own: a fault may never end. The parent sends orders, one
// at a time. Models of test/simulation judge it, or the tests of some folders; Vitest and the compiled files stay between orders.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Vitest } from 'vitest/node';
import { library } from '../declarations.ts';
import { MODELS } from './list.ts';
import type { Model } from './list.ts';

export interface Order {
  /** The copy: a folder with `src`. */
  readonly copy: string;
  /** What has changed in it since the last order. */
  readonly changed: readonly string[];
  /** A model, or folders and files of tests that run one after the other until a test fails: `lists`, `memory/retention`. */
  readonly by: Model | readonly string[];
  /** How many schedules a model plays. */
  readonly schedules: number;
}

export interface Verdict {
  /** What is wrong with the copy; undefined where nothing was noticed. */
  readonly message?: string | undefined;
  /** Why it could not be judged. */
  readonly error?: string;
  /** How many schedules it took. */
  readonly schedules: number;
}

/** Tests that count calls in the sources, and would count none in a copy; and those of depth, which take longer than all others. */
const LEFT_OUT = /\/(linear[^/]*|depth|cycles|patches)\.test\.ts$/;
/** A test that hangs is one that noticed. */
const TEST_LIMIT_MS = 30_000;

let bundles = 0;
let vitest: Vitest | undefined;
/** The first test that has failed in this run. */
let killer: string | undefined;

// a library with a fault warns at every schedule; what matters is the verdict
console.warn = () => {};

process.on('message', (order: Order) => {
  const { by } = order;
  const verdict = typeof by === 'string' ? judgeByModel(order, by) : judgeByTests(order, by);
  void verdict
    .catch((error: unknown) => ({ error: String(error), schedules: 0 }))
    .then((answer: Verdict) => process.send?.(answer));
});
process.on('disconnect', () => (vitest ? void vitest.exit(true) : process.exit()));

/** The model and the copy become one file, so that each state of the copy is a module of its own. */
async function judgeByModel({ copy, schedules }: Order, model: Model): Promise<Verdict> {
  const outfile = join(copy, `judge-${++bundles}.mjs`);
  await build({
    entryPoints: [join(library, 'test/simulation/judge.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    logLevel: 'error',
    alias: {
      ...Object.fromEntries(
        globSync(join(copy, 'src/*.ts')).map((file) => [`holdfast/${basename(file, '.ts')}`, file]),
      ),
      holdfast: join(copy, 'src/index.ts'),
      '#env': join(copy, 'src/env.development.ts'),
    },
  });
  const judges = await import(pathToFileURL(outfile).href);
  const named =
    model === 'simulator'
      ? globSync(join(library, 'test/simulation/regressions/*.json')).map(
          (file) => JSON.parse(readFileSync(file, 'utf8')).schedule,
        )
      : undefined;
  return judges[MODELS[model]](schedules, named);
}

async function judgeByTests({ copy, changed }: Order, folders: readonly string[]): Promise<Verdict> {
  vitest ??= await startVitest(copy);
  for (const file of changed) vitest.invalidateFile(join(copy, 'src', file));
  for (const folder of folders) {
    const specifications = await vitest.globTestSpecifications([
      `packages/holdfast/test/${folder}${folder.includes('/') ? '.' : '/'}`,
    ]);
    killer = undefined;
    const { unhandledErrors } = await vitest.runTestSpecifications(
      specifications.filter(({ moduleId }) => !LEFT_OUT.test(moduleId)),
    );
    if (unhandledErrors.length > 0) killer ??= 'an error that nobody caught';
    if (killer !== undefined) return { message: killer, schedules: 0 };
  }
  return { schedules: 0 };
}

async function startVitest(copy: string): Promise<Vitest> {
  process.env['HOLDFAST_SOURCES'] = join(copy, 'src/');
  const { createVitest } = await import('vitest/node');
  const started = await createVitest({
    root: join(library, '../..'),
    watch: false,
    project: ['node', 'process'],
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
  await started.standalone();
  return started;
}
