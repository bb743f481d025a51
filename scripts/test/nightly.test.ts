// The nightly run with a clock and processes of the test's own.
import { describe, expect, test } from 'vitest';
import { asTyped, divideTime, emptyMemory, runNight } from '../nightly-run.ts';
import type { Memory, Night, Slice } from '../nightly-run.ts';
import type { Part } from '../nightly.list.ts';

const counted: Part = {
  name: 'counted',
  does: '',
  weight: 3,
  leastSeconds: 10,
  command: 'vitest run a.test.ts',
  env: { COUNT: '{count}', SEED: '{seed}' },
  counted: {
    first: 10,
    whole: 1_000,
    repeat: (output) => (output.includes('seed 7') ? { COUNT: '1', SEED: '7' } : undefined),
  },
};
const sliced: Part = {
  name: 'sliced',
  does: '',
  weight: 1,
  leastSeconds: 10,
  command: 'npm run faults -- {slice}',
  slices: 3,
};
const whole: Part = {
  name: 'whole',
  does: '',
  weight: 1,
  leastSeconds: 60,
  needs: ['build:demo'],
  command: 'vitest run b.test.ts',
};

/** A night in which a piece of `counted` takes a second, a slice 5 and the whole part 60. */
async function play(
  given: Partial<Night>,
): Promise<{ isGood: boolean; ran: string[]; said: string; memory: Memory }> {
  let clock = 0;
  const ran: string[] = [];
  const said: string[] = [];
  const memory = given.memory ?? emptyMemory();
  const isGood = await runNight({
    parts: [counted, sliced, whole],
    memory,
    day: 5,
    async run(slice: Slice) {
      ran.push(asTyped(slice));
      const pieces = Number(slice.env['COUNT'] ?? 0);
      clock += slice.command.includes('faults') ? 5 : pieces > 0 ? pieces : 60;
      return { isGood: true, output: '' };
    },
    build: async () => [],
    now: () => clock,
    say: (text) => said.push(text),
    remember: () => undefined,
    ...given,
  });
  return { isGood, ran, said: said.join('\n'), memory };
}

describe('the time', () => {
  test('is divided by weight, and time that a part cannot use yet is kept for it and used by the others', () => {
    const memory = emptyMemory();

    const shares = divideTime([counted, sliced, whole], 100, memory);

    expect([...shares].map(([{ name }, seconds]) => [name, Math.round(seconds)])).toEqual([
      ['counted', 77],
      ['sliced', 23],
    ]);
    expect(memory.due['whole']).toBe(20);
  });

  test('is given to a part that was skipped, after some nights', () => {
    const memory = emptyMemory();
    const nights = [1, 2, 3].map(() => {
      const shares = divideTime([counted, sliced, whole], 100, memory);
      expect([...shares.values()].reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(100);
      return shares.has(whole);
    });

    expect(nights).toEqual([false, false, true]);
  });

  test('is kept: a run of 100 seconds ends after about 100, in slices as large as their speed allows', async () => {
    const { ran, said } = await play({ seconds: 100 });

    expect(ran[0]).toBe('COUNT=10 SEED=5000000 npx vitest run a.test.ts');
    expect(ran.length).toBeGreaterThan(4);
    expect(said).toMatch(/^counted +\d\d s .* passed$/m);
    expect(said).toMatch(/^whole +not run$/m);
  });
});

test('a part that takes longer than its share takes time of the others, and the lost time is kept for them', async () => {
  let clock = 0;
  const { said, memory } = await play({
    seconds: 100,
    async run() {
      clock += 96;
      return { isGood: true, output: '' };
    },
    now: () => clock,
  });

  expect(said).toMatch(/^counted +96 s .* passed$/m);
  expect(said).toMatch(/^sliced +not run$/m);
  expect(memory.due['sliced']).toBeGreaterThan(20);
});

test('without a time limit every part runs whole', async () => {
  const { ran } = await play({});

  expect(ran).toEqual([
    'COUNT=1000 SEED=5000000 npx vitest run a.test.ts',
    'npm run faults -- ',
    'npx vitest run b.test.ts',
  ]);
});

test('the next run of a day continues after the last seed and the last slice, and a run of another day has its own seeds', async () => {
  const { memory } = await play({ seconds: 100 });
  const used = memory.used.counts['counted']!;
  const next = memory.slice['sliced']!;
  const again = await play({ seconds: 100, memory: structuredClone(memory) });
  const later = await play({ seconds: 100, memory: structuredClone(memory), day: 6 });

  expect(again.ran[0]).toContain(`SEED=${5_000_000 + used} `);
  expect(again.ran.find((command) => command.includes('faults'))).toBe(`npm run faults -- ${next + 1}/3`);
  expect(later.ran[0]).toContain('SEED=6000000 ');
});

test('a failure is repeated alone, reported with its command, and fails the run', async () => {
  const { isGood, said } = await play({
    parts: [counted],
    run: async ({ env }) => ({ isGood: false, output: `seed 7: broken, of ${env['COUNT']}` }),
  });

  expect(isGood).toBe(false);
  expect(said).toContain('seed 7: broken, of 1\n');
  expect(said).toContain('repeat it with:\n  COUNT=1 SEED=7 npx vitest run a.test.ts');
  expect(said).toMatch(/^counted .* FAILED: 1$/m);
});

test('a failure that needs the others of its slice is reported with the whole slice', async () => {
  const { isGood, said } = await play({
    parts: [counted],
    run: async ({ env }) => ({ isGood: env['COUNT'] === '1', output: 'seed 7: broken' }),
  });

  expect(isGood).toBe(false);
  expect(said).toContain('COUNT=1000 SEED=5000000 npx vitest run a.test.ts');
});

test('a part whose build failed has failed, and does not run', async () => {
  const { isGood, ran, said } = await play({ parts: [whole], build: async (names) => names });

  expect({ isGood, ran }).toEqual({ isGood: false, ran: [] });
  expect(said).toMatch(/^whole .*FAILED: build:demo failed$/m);
});
