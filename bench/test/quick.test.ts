// Runs the whole bench at its smallest size: every contestant of every scenario gives the right answer and a
// figure. Times are not judged; a machine under load would make such a test lie.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';

import type { EngineResult } from '../engine/result.ts';
import type { GrowthResult } from '../growth/result.ts';
import type { MemoryContent } from '../memory/result.ts';
import type { RenderResult } from '../render/result.ts';
import type { SizeResult } from '../size/result.ts';
import { rootFolder } from '../support/paths.ts';
import { readResults } from '../support/results.ts';
import { findDifference } from '../support/same-answer.ts';
import { fitExponent } from '../support/statistics.ts';
import type { TypesContent } from '../types/result.ts';

const read = <T>(part: string): T => {
  const results = readResults<T>(part, true);
  if (!results) throw new Error(`the quick run left no results for ${part}`);
  return results.content;
};

describe('the quick run', () => {
  let startedAt = '';

  beforeAll(() => {
    startedAt = new Date().toISOString();
    const run = spawnSync('node', ['bench/run.ts', '--quick'], { cwd: rootFolder, encoding: 'utf8' });
    expect(run.status, run.stdout.slice(-2000) + run.stderr.slice(-4000)).toBe(0);
  }, 600_000);

  test('every engine scenario has a figure for the library and for a peer or a floor', () => {
    const results = read<EngineResult[]>('engine');
    expect(results.map(({ id }) => id).toSorted()).toEqual(
      [
        'C1',
        'C2',
        'D1',
        'D2',
        'G1',
        'K1',
        'N1',
        'N2',
        'N3',
        'O1',
        'Q1',
        'S1',
        'S2',
        'W1',
        'W2',
        'W3',
        'W4',
      ].toSorted(),
    );
    for (const { id, entries, depths } of results) {
      const names = new Set([...entries, ...depths].map(({ contestant }) => contestant));
      expect(names, id).toContain('holdfast');
      expect(names.size, id).toBeGreaterThan(1);
      for (const entry of entries)
        expect(entry.nanoseconds.median, `${id} ${entry.contestant}`).toBeGreaterThan(0);
    }
  });

  test('every rendering scenario has a figure for the library and for six others', () => {
    for (const { id, entries } of read<RenderResult[]>('render')) {
      expect(
        entries.map(({ contestant }) => contestant),
        id,
      ).toContain('holdfast');
      expect(entries, id).toHaveLength(7);
      for (const entry of entries)
        expect(entry.milliseconds.median, `${id} ${entry.contestant}`).toBeGreaterThan(0);
    }
  });

  test('growth, memory, size and types have figures of this run', () => {
    expect(readResults('growth', true)?.environment.date.localeCompare(startedAt)).toBe(1);
    for (const { points } of read<GrowthResult[]>('growth'))
      for (const { time } of points) expect(time).toBeGreaterThan(0);
    for (const { contestant, read: bytes } of read<MemoryContent>('memory').perEntity) {
      expect(Number.isFinite(bytes), contestant).toBe(true);
    }
    for (const { name, gzip } of read<SizeResult[]>('size')) expect(gzip, name).toBeGreaterThan(500);
    for (const { checkSeconds } of read<TypesContent>('types').checks)
      expect(checkSeconds).toBeGreaterThan(0);
  });
});

describe('the harness', () => {
  test('a wrong answer is named by its path, an added field is not a difference', () => {
    const expected = [{ id: '1', tags: [{ id: 'a' }] }];

    expect(findDifference([{ id: '1', tags: [{ id: 'a', __typename: 'Tag' }] }], expected)).toBeUndefined();
    expect(findDifference([{ id: '1', tags: [{ id: 'b' }] }], expected)).toBe(
      '$.0.tags.0.id: expected a, found b',
    );
    expect(findDifference([{ id: '1', tags: [] }], expected)).toBe('$.0.tags: expected 1 members, found 0');
  });

  test('the exponent of a quadratic curve is 2 and of a flat one 0', () => {
    const sizes = [10, 100, 1000];

    expect(fitExponent(sizes.map((size) => ({ size, time: 3 * size ** 2 })))).toBeCloseTo(2);
    expect(fitExponent(sizes.map((size) => ({ size, time: 5 })))).toBeCloseTo(0);
  });
});
