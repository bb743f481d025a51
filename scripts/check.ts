// Runs every check in order, each as its own process, goes on after a failure, and closes with one line
// `N passed, N failed` that sums the tests of all runs and counts each other check as one. `npm test` ends here;
// `npm run check -- lint types` runs only the steps named, which are also npm scripts of their own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Step {
  readonly name: string;
  /** A step whose output needs another's; it fails without running when that one failed. */
  readonly needs?: string;
  /** A step made of tests reports its own counts. */
  readonly tests?: boolean;
  /** A step that runs only when it is named: it installs browsers. What it skips, with its reason, is no failure. */
  readonly whenNamed?: boolean;
}

const steps: readonly Step[] = [
  { name: 'lint' },
  { name: 'format' },
  { name: 'types' },
  { name: 'unused' },
  { name: 'repository' },
  { name: 'build:library' },
  { name: 'build:demo', needs: 'build:library' },
  { name: 'build:examples', needs: 'build:library' },
  { name: 'build:docs', needs: 'build:library' },
  { name: 'names', needs: 'build:library' },
  { name: 'api', needs: 'build:library' },
  { name: 'package', needs: 'build:library' },
  { name: 'size', needs: 'build:library' },
  { name: 'unit', tests: true },
  { name: 'browser', tests: true },
  { name: 'variants', tests: true },
  { name: 'tarball', tests: true, needs: 'build:library' },
  { name: 'e2e', tests: true, needs: 'build:demo' },
  { name: 'engines', tests: true, whenNamed: true },
];

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-check-'));
const tally = join(scratch, 'tally');

function readTally(): { passed: number; failed: number; skipped: number } {
  const count = { passed: 0, failed: 0, skipped: 0 };
  let text = '';
  try {
    text = readFileSync(tally, 'utf8');
  } catch {
    return count;
  }
  for (const [, number = '0', kind] of text.matchAll(/(\d+) (passed|failed|skipped)/g)) {
    count[kind as keyof typeof count] += Number(number);
  }
  return count;
}

function run(step: Step): boolean {
  const result = spawnSync('npm', ['run', '--silent', step.name], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, HOLDFAST_TALLY: tally, NEXT_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
  });
  return result.status === 0;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) throw new Error(`no such check: ${unknown.join(', ')}`);

const failedSteps: string[] = [];
let passed = 0;
let failed = 0;
let notRun = 0;
const times: string[] = [];
for (const step of steps) {
  if (wanted.length > 0 ? !wanted.includes(step.name) : step.whenNamed) continue;
  console.log(`\n=== ${step.name}`);
  const before = readTally();
  const started = performance.now();
  const blocked = step.needs !== undefined && failedSteps.includes(step.needs);
  if (blocked) console.log(`not run: ${step.needs} failed`);
  const good = !blocked && run(step);
  times.push(`${step.name} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (!good) failedSteps.push(step.name);
  if (!step.tests) {
    if (good) passed += 1;
    else failed += 1;
    continue;
  }
  const after = readTally();
  passed += after.passed - before.passed;
  const failures = after.failed - before.failed;
  // a run that broke before it could count, or that skipped tests, has not passed
  if (step.whenNamed) notRun += after.skipped - before.skipped;
  const skipped = step.whenNamed ? 0 : after.skipped - before.skipped;
  if (skipped > 0) console.log(`${step.name}: ${skipped} skipped tests count as failed`);
  failed += failures + skipped + (good || failures + skipped > 0 ? 0 : 1);
}
rmSync(scratch, { recursive: true, force: true });

console.log(`\n=== summary\n${times.join(', ')}`);
if (failedSteps.length > 0) console.log(`failed: ${failedSteps.join(', ')}`);
console.log(`${passed} passed, ${failed} failed${notRun > 0 ? `, ${notRun} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
