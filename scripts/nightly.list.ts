// The parts of the nightly run: what takes too long for every change. scripts/nightly.ts runs them; the table of CONTRIBUTING.md
// names them.

export interface Part {
  readonly name: string;
  /** What it finds, for CONTRIBUTING.md. */
  readonly does: string;
  /** Its share of the time, beside the weights of the others. */
  readonly weight: number;
  /** The fewest seconds that are of use to it on two quiet cores; a part that is run whole takes about this long. */
  readonly leastSeconds: number;
  /** Steps of scripts/check.list.ts whose output it needs. */
  readonly needs?: readonly string[];
  /** The command of a slice; `{count}`, `{seed}` and `{slice}` stand for its numbers, in the environment too. */
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A part that can be had by the piece. The others are run whole or not at all. */
  readonly counted?: {
    /** How many are tried while nothing is known of their pace. */
    readonly first: number;
    /** How many a run without a limit of time makes. */
    readonly whole: number;
    /** How many a slice has at most, where its tests have limits of time. */
    readonly most?: number;
    /** The environment that repeats one failure alone, made of what the slice has printed. */
    repeat?(output: string): Readonly<Record<string, string>> | undefined;
  };
  /** A part that is a list of so many slices: each is `k/n`, and the next run goes on behind the last one. */
  readonly slices?: number;
}

const models = 'vitest run --project node packages/holdfast/test';

const laws =
  'checked-rows damaged-states few-readers handed-over layers lists memo order overlay round-trip states-in-parts versions'
    .split(' ')
    .map((name) => `packages/holdfast/test/property/${name}.test.ts`)
    .join(' ');

/** For a model whose message names the seed: that one alone. */
const bySeed =
  (count: string, seed = 'SIM_BASE') =>
  (output: string): Record<string, string> | undefined => {
    const found = /seed (\d+)/.exec(output)?.[1];
    return found === undefined ? undefined : { [count]: '1', [seed]: found };
  };

export const PARTS: readonly Part[] = [
  {
    name: 'simulator',
    does: 'random schedules of the shipped code against a model server and an oracle, in every mode',
    weight: 25,
    leastSeconds: 10,
    command: `${models}/simulation/simulation-order.test.ts packages/holdfast/test/simulation/simulation-clock.test.ts`,
    env: { SIM_SCHEDULES: '{count}', SIM_BASE: '{seed}', SIM_TABLE: '1' },
    counted: {
      first: 80,
      whole: 40_000,
      repeat(output) {
        const [, seed, mode] = /failed: SIM_SEED=(\d+) SIM_MODE=([\w-]+)/.exec(output) ?? [];
        return seed === undefined || mode === undefined ? undefined : { SIM_SEED: seed, SIM_MODE: mode };
      },
    },
  },
  {
    name: 'lists',
    does: 'the models of lists, of several lists, of lists with roles, of local queries, of summaries, of inverse relations and of maps; each failure as the smallest that fast-check finds',
    weight: 15,
    leastSeconds: 10,
    command: `${models}/property/list-model.test.ts packages/holdfast/test/property/role-lists.test.ts packages/holdfast/test/local/local-laws.test.ts packages/holdfast/test/local/coverage-laws.test.ts packages/holdfast/test/local/inverse-laws.test.ts`,
    env: { RUNS: '{count}', PROPERTY_SEED: '{seed}' },
    counted: { first: 40, whole: 30_000 },
  },
  {
    name: 'laws',
    does: 'the laws of the store: what is written is what is read, memos, order, layers, saved states, autosave',
    weight: 8,
    leastSeconds: 20,
    command: `vitest run --project node --project process ${laws} packages/holdfast/test/memory/twins.test.ts packages/holdfast/test/edit/autosave-laws.test.ts packages/holdfast/test/edit/undo-laws.test.ts packages/holdfast/test/edit/bulk-laws.test.ts`,
    env: { RUNS: '{count}', PROPERTY_SEED: '{seed}' },
    counted: { first: 50, whole: 2_000, most: 2_000 },
  },
  {
    name: 'second-model',
    does: 'random schedules of the model that shares nothing with the first',
    weight: 15,
    leastSeconds: 10,
    command: `${models}/second-model/schedules.test.ts`,
    env: { SIM_SECOND: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 100, whole: 40_000, repeat: bySeed('SIM_SECOND') },
  },
  {
    name: 'reference',
    does: 'a client that keeps the rules passes the simulator: what fails here is a defect of its oracle',
    weight: 2,
    leastSeconds: 8,
    command: `${models}/simulation/reference.test.ts -t 'keeps the rules'`,
    env: { SIM_REFERENCE: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 300, whole: 40_000, repeat: bySeed('SIM_REFERENCE') },
  },
  {
    name: 'depth',
    does: 'values and rows that nest 100,000 deep',
    weight: 1,
    leastSeconds: 40,
    command: `${models}/engine/depth.test.ts packages/holdfast/test/engine/patches.test.ts`,
    env: { HOLDFAST_DEPTH: '100000' },
  },
  {
    name: 'faults',
    does: 'deliberate faults in copies of the library: each must be noticed',
    weight: 20,
    leastSeconds: 30,
    command: 'npm run --silent faults -- {slice}',
    slices: 60,
  },
  {
    name: 'sources',
    does: 'what an inspector says of each field, in many races',
    weight: 4,
    leastSeconds: 8,
    command: `${models}/property/inspected-sources.test.ts`,
    env: { RUNS: '{count}', PROPERTY_SEED: '{seed}' },
    counted: { first: 200, whole: 20_000 },
  },
  {
    name: 'inspected',
    does: 'nobody can tell that an inspector is there, and everything that happened has a reason',
    weight: 4,
    leastSeconds: 8,
    command: `${models}/simulation/inspected.test.ts`,
    env: { SIM_INSPECTED: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 20, whole: 4_000, repeat: bySeed('SIM_INSPECTED') },
  },
  {
    name: 'unread',
    does: 'an answer that is not read ends as the same answer read',
    weight: 4,
    leastSeconds: 8,
    command: `${models}/simulation/unread.test.ts`,
    env: { SIM_UNREAD: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 20, whole: 4_000, repeat: bySeed('SIM_UNREAD') },
  },
  {
    name: 'sessions',
    does: 'tabs, expiries, refreshes that fail and log-outs',
    weight: 4,
    leastSeconds: 8,
    command: `${models}/simulation/sessions.test.ts`,
    env: { SIM_SESSIONS: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 400, whole: 4_000, repeat: bySeed('SIM_SESSIONS') },
  },
  {
    name: 'headers',
    does: 'what stands in the headers of HTTP, at random',
    weight: 4,
    leastSeconds: 8,
    command: `${models}/simulation/http-laws.test.ts`,
    env: { SIM_HTTP: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 200, whole: 40_000, repeat: bySeed('SIM_HTTP') },
  },
  {
    name: 'conflicts',
    does: 'two clients that change one row, on servers of every kind',
    weight: 4,
    leastSeconds: 8,
    command: `${models}/simulation/conflicts.test.ts`,
    env: { SIM_CONFLICTS: '{count}', SIM_BASE: '{seed}' },
    counted: { first: 60, whole: 4_000, repeat: bySeed('SIM_CONFLICTS') },
  },
  {
    name: 'texts',
    does: 'hostile texts in paths, responses, saved states and traces',
    weight: 2,
    leastSeconds: 10,
    command:
      `${models}/inspect/trace.test.ts packages/holdfast/test/endpoint/path-template.test.ts ` +
      'packages/holdfast/test/endpoint/rest-response.test.ts packages/holdfast/test/controller/dehydrate.test.ts',
    env: { FUZZ_RUNS: '{count}' },
    counted: { first: 500, whole: 10_000 },
  },
  {
    name: 'react',
    does: 'random schedules read through React in Chromium; StrictMode changes nothing',
    weight: 8,
    leastSeconds: 20,
    command: 'vitest run --project browser packages/holdfast/test/react/schedules.test.tsx',
    env: { VITE_SIM_REACT: '{count}', VITE_SIM_SEED: '{seed}' },
    counted: { first: 30, whole: 1_000, repeat: bySeed('VITE_SIM_REACT', 'VITE_SIM_SEED') },
  },
  {
    name: 'races',
    does: 'each race of the demo’s first screen again and again, and visitors on each of its bad networks',
    weight: 8,
    leastSeconds: 90,
    needs: ['build:library', 'build:demo'],
    command: 'npm run --silent races -- --plays={count} --runs={count} --seed={seed}',
    counted: { first: 4, whole: 100 },
  },
  {
    name: 'tarball-schedules',
    does: 'the simulator, and all of React’s schedules, on the packed package',
    weight: 6,
    leastSeconds: 240,
    needs: ['build:library'],
    command: 'node scripts/pack.ts && vitest run --config vitest.tarball.config.ts --mode nightly',
  },
  {
    name: 'other-engines',
    does: 'the browser tests, the sessions in tabs and a visit of the demo in Firefox and in WebKit',
    weight: 6,
    leastSeconds: 240,
    needs: ['build:library', 'build:demo'],
    command: 'node scripts/engines.ts',
  },
  {
    name: 'every-page',
    does: 'every page of the site with axe, at two widths, light and dark',
    weight: 4,
    leastSeconds: 180,
    needs: ['build:library', 'build:docs'],
    command: 'vitest run --project e2e e2e/docs.test.ts',
    env: { NIGHTLY: '1' },
  },
  {
    name: 'every-compiled',
    does: 'all tests of the hooks, compiled with the React Compiler',
    weight: 2,
    leastSeconds: 90,
    command: 'vitest run --config vitest.variants.config.ts --project compiled',
    env: { NIGHTLY: '1' },
  },
  {
    name: 'every-compiler',
    does: 'the packed declarations with each supported version of TypeScript',
    weight: 1,
    leastSeconds: 60,
    needs: ['build:library'],
    command: 'vitest run --project e2e packages/holdfast/test/package/typescript-versions.test.ts',
    env: { NIGHTLY: '1' },
  },
  {
    name: 'every-view',
    does: 'every view of the demo and of the inspector with axe, at three widths, light and dark; its races at three latencies',
    weight: 2,
    leastSeconds: 120,
    needs: ['build:library', 'build:demo'],
    command:
      'vitest run --project e2e e2e/accessibility.test.ts e2e/inspector.test.ts e2e/first-screen.test.ts',
    env: { NIGHTLY: '1' },
  },
  {
    name: 'bench',
    does: 'the whole bench at its smallest size',
    weight: 4,
    leastSeconds: 180,
    needs: ['build:library'],
    command: 'vitest run --project e2e bench/test/quick.test.ts',
    env: { NIGHTLY: '1' },
  },
];
