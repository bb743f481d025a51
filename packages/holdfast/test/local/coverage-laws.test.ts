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

const first = { shape: 'get', at: 0, lane: 'x', name: 'a' } as const;

test('a whole list that a row with some fields has entered while the list was in flight is not fresh', async () => {
  await checkCoverage(
    {
      isOptimistic: false,
      isReplyShort: false,
      sparse: 'no',
      isTagged: false,
      steps: [
        { ...first, kind: 'read', shape: 'rows' },
        { ...first, kind: 'newest' },
        { ...first, kind: 'read', shape: 'all', at: 1 },
        { ...first, kind: 'handle' },
        // The server moves row 3 into the lane, and the summary of the lane arrives before the whole list.
        { ...first, kind: 'other', at: 2, name: 'lane' },
        { ...first, kind: 'read', shape: 'rows' },
        { ...first, kind: 'newest' },
        { ...first, kind: 'newest' },
      ],
    },
    new Map(),
    cover,
  );
});
