// Summaries and details in many schedules: see test/simulation/coverage-model.ts.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { CoveredObserver } from '../../src/addons/local/watch-covered.ts';
import { checkCoverage, COVERAGE_STEPS, coverageSetting } from '../simulation/coverage-model.ts';
import type { MakeCovered } from '../simulation/coverage-model.ts';

const cover: MakeCovered = (controller, endpoint, args) =>
  new CoveredObserver(controller, endpoint as never, args);

const runs = Number(process.env['RUNS'] ?? 300);
// the same runs every time; the nightly gives other seeds
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

test('no reader shows a field that no response has brought, or calls one fresh for longer than the response that brought it', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const played = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(coverageSetting, (given) => checkCoverage(given, played, cover)),
    { numRuns: runs, seed },
  );
  warn.mockRestore();
  if (process.env['RUNS']) console.log(JSON.stringify([...played]));

  expect(COVERAGE_STEPS.filter((step) => !played.has(step))).toEqual([]);
}, 3_600_000);
