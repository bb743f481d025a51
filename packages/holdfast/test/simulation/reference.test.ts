// Proves the simulator before it judges the library: a client that keeps the rules passes, one that breaks a rule is caught, and
// a run depends on nothing but its seed.
import { describe, expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { createReference } from './reference-client.ts';
import { DEFECTS } from './reference-defects.ts';
import type { Defect } from './reference-defects.ts';
import { createSchedule, MODES } from './schedule.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

/** `npm run nightly` plays more, and others. */
const COUNT = Number(process.env['SIM_REFERENCE'] ?? 300);
const SEED = Number(process.env['SIM_BASE'] ?? 1);

test('a client that keeps the rules breaks no invariant in any mode', async () => {
  const tally = await runCampaign({ createSubject: createReference(), seed: SEED, count: COUNT, steps: 50 });

  const messages = tally.failures.map(
    ({ schedule, violation }) => `seed ${schedule.seed}: ${violation.message}`,
  );
  expect(messages).toEqual([]);
  expect(tally.paired).toBeGreaterThan(COUNT / 10);
});

/** Where the search starts for a defect that a schedule seldom meets. It goes on from there until the defect is caught. */
const STARTS: Partial<Record<Defect, number>> = {
  'an older response ends an invalidation': 500_040,
  'a write of a row that was never read leaves no mark': 500_112,
  'calls of one row leave together': 500_128,
  'an older list replaces a newer one': 500_344,
  'edits of a draft are sent with its local id': 500_372,
  'an empty response rolls the intent back': 500_380,
  'one fresh page makes all pages fresh': 500_620,
};

describe('a client with one defect is caught', () => {
  test.each(DEFECTS)('%s', async (defect) => {
    const tally = await runCampaign({
      createSubject: createReference(defect),
      seed: STARTS[defect] ?? 500_000,
      count: 3_000,
      steps: 50,
      maxFailures: 1,
    });

    expect(tally.failures).toHaveLength(1);
  });
});

test('the same seed gives the same trace', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const schedule = createSchedule(seed, MODES[seed % MODES.length]!, 50);

    const first = await simulate(schedule, createReference());
    const second = await simulate(schedule, createReference());

    expect(first.violation).toBeUndefined();
    expect(second.hash).toBe(first.hash);
  }
});

test('a failing schedule shrinks to the steps that matter', async () => {
  const broken = createReference('no tombstones');
  const fails = async (candidate: ReturnType<typeof createSchedule>): Promise<boolean> =>
    (await simulate(candidate, broken)).violation?.invariant === 'I4';
  let seed = 777_000;
  while (!(await fails(createSchedule(seed, 'plain', 50)))) seed++;

  const small = await shrink(createSchedule(seed, 'plain', 50), fails);

  expect(await fails(small)).toBe(true);
  expect(small.steps.length).toBeLessThan(25);
  expect(small.steps.every((step) => step.ms === 0)).toBe(true);
});
