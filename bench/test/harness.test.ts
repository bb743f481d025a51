// The parts of the harness that decide what a figure means: answers, exponents, budgets, reasons.
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readGrowth } from '../growth/result.ts';
import { readNotes } from '../report/verdict.ts';
import { Lane } from '../support/lane.ts';
import { LaneProcess } from '../support/lane-process.ts';
import { race } from '../support/race.ts';
import { findDifference } from '../support/same-answer.ts';
import { fitExponent } from '../support/statistics.ts';
import { defineTrial } from '../support/trial.ts';

describe('responses', () => {
  test('a wrong response is reported with its path, and an added field is not a difference', () => {
    const expected = [{ id: '1', tags: [{ id: 'a' }] }];

    expect(findDifference([{ id: '1', tags: [{ id: 'a', __typename: 'Tag' }] }], expected)).toBeUndefined();
    expect(findDifference([{ id: '1', tags: [{ id: 'b' }] }], expected)).toBe(
      '$.0.tags.0.id: expected a, found b',
    );
    expect(findDifference([{ id: '1', tags: [] }], expected)).toBe('$.0.tags: expected 1 members, found 0');
  });
});

describe('a race', () => {
  const options = { rounds: 6, minRounds: 2, sampleMs: 1, warmupMs: 1, warmupRuns: 1, budgetMs: 30 };
  const waiting = defineTrial({
    prepare: () => 20,
    run(milliseconds) {
      const endMs = performance.now() + milliseconds;
      while (performance.now() < endMs);
    },
  });
  const countSamples = (byRound: readonly unknown[] = []) =>
    byRound.filter((time) => time !== undefined).length;

  test('a slow trial takes part in as many rounds as its budget allows, and a trial without a budget in all of them', async () => {
    const lanes = new Map([
      ['ours', new Lane(waiting, { ...options, budgetMs: Infinity })],
      ['slow', new Lane(waiting, options)],
    ]);
    const samples = await race(lanes, options.rounds);

    expect(countSamples(samples.get('ours')?.byRound)).toBe(6);
    expect(countSamples(samples.get('slow')?.byRound)).toBe(2);
    expect(samples.get('slow')?.byRound).toHaveLength(6);
  });

  test('a state serves as many runs as the trial declares, and every run has its own turn', async () => {
    const served: number[] = [];
    const turns: number[] = [];
    const trial = defineTrial({
      runsPerState: 3,
      prepare: () => served.push(0) - 1,
      run(index, turn) {
        served[index] = (served[index] ?? 0) + 1;
        turns.push(turn);
      },
    });
    await race(new Map([['', new Lane(trial, options)]]), options.rounds);

    expect(served.length).toBeGreaterThan(1);
    expect(served.slice(0, -1).filter((runs) => runs !== 3)).toEqual([]);
    expect(turns).toEqual(Array.from(turns, (_, index) => index));
  });
});

describe('growth', () => {
  const sizes = [10, 100, 1000];
  const grow = (expected: number, toTime: (size: number) => number) =>
    readGrowth({
      operation: '',
      contestant: '',
      expected,
      points: sizes.map((size) => ({ size, time: toTime(size), samples: 1 })),
    });

  test('the exponent of a quadratic curve is 2 and of a flat one 0', () => {
    expect(fitExponent(sizes.map((size) => ({ size, time: 3 * size ** 2 })))).toBeCloseTo(2);
    expect(fitExponent(sizes.map((size) => ({ size, time: 5 })))).toBeCloseTo(0);
  });

  test('an operation is steep when it grows faster than its work, and not when it grows with it', () => {
    expect(grow(0, (size) => size).isSteep).toBe(true);
    expect(grow(1, (size) => size).isSteep).toBe(false);
    expect(grow(1, (size) => size ** 1.5).isSteep).toBe(true);
    expect(grow(0, () => 7)).toMatchObject({ isSteep: false });
  });

  test('two sizes give the growth of the last step and no exponent', () => {
    const growth = readGrowth({
      operation: '',
      contestant: '',
      expected: 0,
      points: [
        { size: 10, time: 1, samples: 9 },
        { size: 100, time: 10, samples: 1 },
        { size: 1000, samples: 0, leftOut: 'too slow' },
      ],
    });

    expect(growth.exponent).toBeUndefined();
    expect(growth.lastStep).toBeCloseTo(1);
    expect(growth.isSteep).toBe(false);
  });
});

describe('reasons', () => {
  test('one paragraph is the reason for every row that it names, with its lines joined', () => {
    const notes = readNotes('Intro.\n\n- **N1, S1.** First\n  and second.\n- **50 MB.** Third: **bold**.\n');

    expect([...notes]).toEqual([
      ['N1', 'First and second.'],
      ['S1', 'First and second.'],
      ['50 MB', 'Third: **bold**.'],
    ]);
  });
});

test('a process that has ended between two requests refuses the next one', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lane-'));
  const script = join(folder.path, 'lane.mjs');
  await writeFile(script, "process.on('message', () => process.send('answer', () => process.exit()));");
  const lane = new LaneProcess(script, []);
  expect(await lane.ask({})).toBe('answer');

  // in one go, so that word of the end has not come yet
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);

  await expect(lane.ask({})).rejects.toThrow('the process ended');
});
