// Runs the checks of scripts/check.list.ts, each as its own process, goes on after a failure, and closes with one line
// `N passed, N failed` that sums the tests of all runs and counts each other check as one. Without a name it runs those of
// `npm test`, with `--all` every one, else those named: `npm run check -- lint types`. `--write` writes what the named ones would
// only compare, and `--list` tells what would run.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { STEPS, stepsOf } from './check.list.ts';
import type { Step } from './check.list.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
// `npm test --all`, without the two dashes between, gives npm the option, which hands it on in the environment
const isAll = values.all || process.env['npm_config_all'] === 'true';

/** The steps of this run, in order. */
function chooseSteps(): readonly Step[] {
  const unknown = positionals.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) throw new Error(`no such check: ${unknown.join(', ')}`);
  if (positionals.length === 0 && values.write) throw new Error('name what --write may write');
  const named = STEPS.filter(({ name }) => positionals.includes(name));
  const still = values.write ? named.filter((step) => !step.write) : [];
  if (still.length > 0) throw new Error(`nothing to write: ${still.map(({ name }) => name).join(', ')}`);
  return named.length > 0 ? named : stepsOf(isAll ? 'all' : 'test');
}

interface Result {
  readonly isGood: boolean;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  /** A line for each failed test. */
  readonly failures: readonly string[];
}

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-check-'));

/** What the test runs of a step have counted. */
function readTally(file: string): {
  passed: number;
  failed: number;
  skipped: number;
  failures: readonly string[];
} {
  const count = { passed: 0, failed: 0, skipped: 0, failures: [] as readonly string[] };
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return count;
  }
  const isFailure = (line: string): boolean => /^(FAIL|SECOND ATTEMPT) /.test(line);
  const lines = text.split('\n');
  const counts = lines.filter((line) => !isFailure(line)).join('\n');
  for (const [, number = '0', kind] of counts.matchAll(/(\d+) (passed|failed|skipped)/g)) {
    count[kind as 'passed' | 'failed' | 'skipped'] += Number(number);
  }
  return { ...count, failures: lines.filter(isFailure) };
}

/** Whether a command ended with 0. With `say` its output is collected, else it goes where ours goes. */
function runCommand(
  command: string,
  env: Record<string, string>,
  say?: (text: Buffer) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd: root,
      shell: true,
      stdio: say ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PATH: join(root, 'node_modules/.bin') + delimiter + process.env['PATH'],
        NEXT_TELEMETRY_DISABLED: '1',
        ...env,
      },
    });
    if (say) {
      child.stdout?.on('data', say);
      child.stderr?.on('data', say);
    }
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}

async function runStep(step: Step, isQuick: boolean, say?: (text: Buffer) => void): Promise<Result> {
  const tally = join(scratch, step.name.replace(':', '-'));
  const env = { HOLDFAST_TALLY: tally, ...(isQuick ? step.quick : {}) };
  const started = performance.now();
  let isGood = true;
  for (const command of (values.write && step.write) || step.commands)
    isGood = isGood && (await runCommand(command, env, say));
  const seconds = (performance.now() - started) / 1000;
  if (!step.tests) return { isGood, seconds, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, failures: [] };
  // a run that broke before it could count, or that skipped tests, has not passed
  const { passed, failed, failures, ...counted } = readTally(tally);
  const skipped = step.maySkip ? 0 : counted.skipped;
  if (counted.skipped > 0)
    (say ?? process.stdout.write.bind(process.stdout))(
      Buffer.from(
        `${step.name}: ${counted.skipped} skipped tests${step.maySkip ? '' : ' count as failed'}\n`,
      ),
    );
  const wrong = failed + skipped;
  return {
    isGood: isGood && skipped === 0,
    seconds,
    passed,
    failed: wrong + (isGood || wrong > 0 ? 0 : 1),
    failures,
  };
}

/** Runs the steps, side by side where cores are free, and gives what came of each. */
async function runAll(steps: readonly Step[], isQuick: boolean): Promise<ReadonlyMap<Step, Result>> {
  const cores = Math.max(1, availableParallelism());
  const results = new Map<Step, Result>();
  const waiting = [...steps];
  const running = new Map<Step, Promise<void>>();
  const costOf = ({ cores: wanted }: Step): number => Math.min(wanted, cores);

  const start = async (step: Step): Promise<void> => {
    const lost = steps.filter(({ name }) => step.needs?.includes(name) && !results.get(stepOf(name))!.isGood);
    if (lost.length > 0) {
      console.log(`\n=== ${step.name}\nnot run: ${lost.map(({ name }) => name).join(', ')} failed`);
      results.set(step, { isGood: false, seconds: 0, passed: 0, failed: 1, failures: [] });
      return;
    }
    // a step that has all the cores can speak for itself; the words of others must not mix
    const isAlone = costOf(step) === cores || steps.length === 1;
    const said: Buffer[] = [];
    if (isAlone) console.log(`\n=== ${step.name}`);
    const result = await runStep(step, isQuick, isAlone ? undefined : (text) => said.push(text));
    if (!isAlone) console.log(`\n=== ${step.name}\n${Buffer.concat(said).toString().trimEnd()}`);
    results.set(step, result);
  };
  const stepOf = (name: string): Step => steps.find((step) => step.name === name)!;
  const isReady = (step: Step): boolean =>
    (step.needs ?? []).every(
      (name) => !steps.some((other) => other.name === name) || results.has(stepOf(name)),
    );

  while (waiting.length > 0 || running.size > 0) {
    const busy = [...running.keys()].reduce((sum, step) => sum + costOf(step), 0);
    const next = waiting.findIndex((step) => isReady(step) && busy + costOf(step) <= cores);
    // one that needs every core waits for them: later ones that need fewer would keep it waiting for ever
    const first = waiting.findIndex(isReady);
    if (next !== -1 && (next === first || costOf(waiting[first]!) < cores)) {
      const [step] = waiting.splice(next, 1);
      running.set(
        step!,
        start(step!).finally(() => running.delete(step!)),
      );
    } else await Promise.race(running.values());
  }
  return results;
}

const steps = chooseSteps();
if (values.list) {
  for (const { name } of steps) console.log(name);
} else {
  const started = performance.now();
  const results = await runAll(steps, positionals.length === 0 && !isAll);
  const all = [...results];
  const total = ((performance.now() - started) / 1000).toFixed(0);
  const times = all.map(([{ name }, { seconds }]) => `${name} ${seconds.toFixed(1)} s`);
  console.log(`\n=== summary\n${times.join(', ')}; together ${total} s`);
  const bad = all.filter(([, { isGood }]) => !isGood).map(([{ name }]) => name);
  for (const [{ name }, { failures }] of all) for (const line of failures) console.log(`${name}: ${line}`);
  if (bad.length > 0) console.log(`failed: ${bad.join(', ')}`);
  const sum = (what: 'passed' | 'failed'): number =>
    all.reduce((count, [, result]) => count + result[what], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}
rmSync(scratch, { recursive: true, force: true });
