// Every check of the repository, in the order in which they start. scripts/check.ts runs them; the table of CONTRIBUTING.md is made
// of them.

/** `test`: part of both runs. `all`: of `npm test -- --all` alone. `quick`: of `npm test` alone, because --all runs more of the same.
 * `name`: of neither, it runs when it is named. */
export type When = 'test' | 'all' | 'quick' | 'name';

export interface Step {
  readonly name: string;
  readonly when: When;
  /** What it finds, for CONTRIBUTING.md. */
  readonly does: string;
  /** One after the other; the first that fails ends the step. */
  readonly commands: readonly string[];
  /** The commands of `npm run check -- NAME --write`. */
  readonly write?: readonly string[];
  /** Set for `npm test`, which is content with less of the same. */
  readonly quick?: Readonly<Record<string, string>>;
  /** Steps whose output it needs; it fails without running when one of them failed. */
  readonly needs?: readonly string[];
  /** A step made of tests reports its own counts. */
  readonly tests?: boolean;
  /** What it skips, with its reason, is no failure: an engine that cannot be installed here. */
  readonly maySkip?: boolean;
  /** How many cores it keeps busy: steps run side by side while there are cores for them. */
  readonly cores: number;
}

/** For tools that start a thread or a worker for each core. */
const ALL = Infinity;
const LIBRARY = ['build:library'];

export const STEPS: readonly Step[] = [
  {
    name: 'lint',
    when: 'test',
    does: 'oxlint with type information; in `packages/holdfast/src` only `support/environment.ts` may use the clock, timers, chance and network',
    commands: ['oxlint --deny-warnings'],
    cores: ALL,
  },
  {
    name: 'format',
    when: 'test',
    does: 'oxfmt; the code of the documentation at 76 columns; `--write` writes',
    commands: ['oxfmt --check .', 'node scripts/docs/format-blocks.ts --check'],
    write: ['oxfmt .', 'node scripts/docs/format-blocks.ts'],
    cores: ALL,
  },
  {
    name: 'types',
    when: 'test',
    does: 'the compiler over everything, then over the library with `isolatedDeclarations` and what every supported engine has',
    commands: ['tsc -p .', 'tsc -p packages/holdfast'],
    cores: ALL,
  },
  {
    name: 'build:library',
    when: 'test',
    does: '`dist` of the library, file per file',
    commands: ['node scripts/build-library.ts'],
    cores: 1,
  },
  {
    name: 'unused',
    when: 'all',
    does: 'knip: unused files, exports and dependencies',
    commands: ['knip'],
    cores: 1,
  },
  {
    name: 'repository',
    when: 'test',
    does: 'the lock has the packages of every platform and no address, and no file has a path of one machine',
    commands: ['node scripts/check-lock.mjs', 'node scripts/check-repository.ts'],
    cores: 1,
  },
  {
    name: 'build:demo',
    when: 'test',
    does: 'the page of the demo',
    commands: ['npm run --silent build -w demo'],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'build:docs',
    when: 'all',
    does: 'the site: a sentence and an example for each export, every link and anchor',
    commands: ['node scripts/docs/build.ts'],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'build:examples',
    when: 'all',
    does: 'the examples',
    commands: ['npm run --silent build -w example-node-streaming -w example-next'],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'names',
    when: 'all',
    does: 'the members that the build shortens are met by no user; `--write` writes their list',
    commands: ['node scripts/internal-names.ts'],
    write: ['node scripts/internal-names.ts --write'],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'api',
    when: 'all',
    does: '`packages/holdfast/api` is what each entry exports; `--write` writes it',
    commands: ['node scripts/api-report.ts --check'],
    write: ['node scripts/api-report.ts'],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'size',
    when: 'all',
    does: 'what each entry costs an application stays below the limits of `scripts/size-cases.ts`',
    commands: ['node scripts/size.ts'],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'package',
    when: 'all',
    does: 'publint and are-the-types-wrong on the packed tarball',
    commands: [
      'publint --strict packages/holdfast',
      'attw --pack packages/holdfast --profile esm-only --format ascii --quiet',
    ],
    needs: LIBRARY,
    cores: 1,
  },
  {
    name: 'unit',
    when: 'test',
    does: 'tests in Node and of types; `npm test` leaves out depth, memory and the proof of the simulator, and has fewer schedules',
    commands: ['vitest run --project node --project process --project types --maxWorkers=100%'],
    quick: { HOLDFAST_QUICK: '1', SIM_SCHEDULES: '300' },
    tests: true,
    cores: ALL,
  },
  {
    name: 'browser',
    when: 'test',
    does: 'tests in Chromium',
    commands: ['vitest run --project browser --maxWorkers=100%'],
    tests: true,
    cores: ALL,
  },
  {
    name: 'visit',
    when: 'quick',
    does: 'the packed tarball in one scratch application, and one visit of the demo; part of `e2e`',
    commands: [
      'vitest run --project e2e packages/holdfast/test/package/readme.test.ts e2e/first-visit.test.ts',
    ],
    needs: ['build:library', 'build:demo'],
    tests: true,
    cores: 2,
  },
  {
    name: 'variants',
    when: 'all',
    does: 'the tests of the hooks once more on React 18.3; the main ones of them also compiled with the React Compiler',
    commands: ['vitest run --config vitest.variants.config.ts --maxWorkers=100%'],
    tests: true,
    cores: ALL,
  },
  {
    name: 'tarball',
    when: 'all',
    does: 'the tests that import by package name once more, on the packed and installed package',
    commands: ['node scripts/pack.ts', 'vitest run --config vitest.tarball.config.ts --maxWorkers=100%'],
    needs: LIBRARY,
    tests: true,
    cores: ALL,
  },
  {
    name: 'e2e',
    when: 'all',
    does: 'the demo, the examples, some pages of the site, the packed package in scratch applications, the harness of the bench',
    commands: ['vitest run --project e2e'],
    needs: ['build:demo', 'build:examples', 'build:docs'],
    tests: true,
    cores: 2,
  },
  {
    name: 'engines',
    when: 'name',
    does: 'the browser tests, the sessions in tabs and a visit of the demo, in Firefox and in WebKit, which it installs if it is allowed to',
    commands: ['node scripts/engines.ts'],
    needs: ['build:library', 'build:demo'],
    tests: true,
    maySkip: true,
    cores: ALL,
  },
  {
    name: 'planned',
    when: 'name',
    does: 'tests of features that are promised and not built yet. They fail on purpose; when a file passes, it moves to its folder as `*.test.ts`',
    commands: ['vitest run --project planned --passWithNoTests'],
    tests: true,
    cores: ALL,
  },
  {
    name: 'coverage',
    when: 'name',
    does: 'what the tests in Node and in Chromium reach, merged',
    commands: ['vitest run --coverage --project node --project process --project browser'],
    tests: true,
    cores: ALL,
  },
  {
    name: 'shape',
    when: 'name',
    does: 'lines of code that an application reaches, and files from `controller.fetch` to a hook’s value',
    commands: ['node scripts/shape.ts'],
    needs: LIBRARY,
    cores: 1,
  },
];

/** The steps of one of the two runs, in order. */
export function stepsOf(run: 'test' | 'all'): readonly Step[] {
  const left = run === 'all' ? ['quick', 'name'] : ['all', 'name'];
  return STEPS.filter(({ when }) => !left.includes(when));
}
