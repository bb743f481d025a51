// Proves the simulator before it judges the library: a client that keeps the rules passes, one that breaks a rule is caught, and
// a run depends on nothing but its seed.
import { describe, expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { createReference } from './reference-client.ts';
import { DEFECTS } from './reference-defects.ts';
import { createSchedule, MODES } from './schedule.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

test('a client that keeps the rules breaks no invariant in any mode', async () => {
  const tally = await runCampaign({ createSubject: createReference(), seed: 1, count: 1_000, steps: 50 });

  expect(tally.failures.map((failure) => failure.violation.message)).toEqual([]);
  expect(tally.paired).toBeGreaterThan(100);
});

describe('a client with one defect is caught', () => {
  test.each(DEFECTS)('%s', async (defect) => {
    const tally = await runCampaign({
      createSubject: createReference(defect),
      seed: 500_000,
      count: 3_000,
      steps: 50,
      maxFailures: 1,
    });

    expect(tally.failures).toHaveLength(1);
  });
});

test('the same seed gives the same trace', async () => {
  for (let seed = 0; seed < 100; seed++) {
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
