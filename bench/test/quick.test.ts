// Runs the whole bench at its smallest size: every contestant of every scenario gives the right answer and a
// figure. Times are not judged; a machine under load would make such a test lie. Part of `npm run nightly`, which sets NIGHTLY.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';

import type { EngineResult } from '../engine/result.ts';
import type { GrowthResult } from '../growth/result.ts';
import type { MemoryContent } from '../memory/result.ts';
import type { RenderResult } from '../render/result.ts';
import type { SizeResult } from '../size/result.ts';
import { rootFolder } from '../support/paths.ts';
import { readResults } from '../support/results.ts';
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
    const run = spawnSync('node', ['bench/run.ts', '--quick', '--built'], {
      cwd: rootFolder,
      encoding: 'utf8',
    });
    if (run.status !== 0) throw new Error(run.stdout.slice(-2000) + run.stderr.slice(-4000));
  }, 1_800_000);

  test('every engine scenario has a figure for the library and for a competitor or a lower bound', () => {
    const results = read<EngineResult[]>('engine');
    const ids = [
      'B1',
      'B2',
      'B3',
      'C1',
      'C2',
      'D1',
      'D2',
      'E1',
      'E2',
      'G1',
      'K1',
      'L1',
      'L2',
      'N1',
      'N2',
      'N3',
      'O1',
      'Q1',
      'Q2',
      'Q3',
      'Q4',
      'Q5',
      'S1',
      'S2',
      'V1',
      'W1',
      'W2',
      'W3',
      'W4',
      'W5',
    ];
    const namesOf = ({ entries, depths }: EngineResult) =>
      new Set([...entries, ...depths].map(({ contestant }) => contestant));
    const withoutUs = results.filter((result) => !namesOf(result).has('holdfast')).map(({ id }) => id);
    const alone = results.filter((result) => namesOf(result).size < 2).map(({ id }) => id);
    const withoutFigure = results
      .flatMap(({ entries }) => entries)
      .filter(({ nanoseconds }) => !(nanoseconds.median > 0));

    expect(results.map(({ id }) => id).toSorted()).toEqual(ids);
    expect({ withoutUs, alone, withoutFigure }).toEqual({ withoutUs: [], alone: [], withoutFigure: [] });
  });

  test('every rendering scenario has a figure for the library and for seven others', () => {
    const results = read<RenderResult[]>('render');
    const incomplete = results.filter(
      ({ entries }) =>
        entries.length !== 8 ||
        entries[0]?.contestant !== 'holdfast' ||
        entries.some(({ milliseconds }) => !(milliseconds.median > 0)),
    );

    expect(results.length).toBeGreaterThan(6);
    expect(incomplete).toEqual([]);
  });

  test('growth, memory, size and types have figures from this run', () => {
    const parts = ['engine', 'growth', 'memory', 'render', 'size', 'types'];
    const old = parts.filter((part) => (readResults(part, true)?.environment.date ?? '') < startedAt);
    const { largeResponse, perEntity } = read<MemoryContent>('memory');
    const { checks } = read<TypesContent>('types');
    const figures = [
      ...read<GrowthResult[]>('growth').flatMap(({ operation, contestant, points }) =>
        points.map(({ size, time, leftOut }) => ({
          of: [operation, contestant, size, leftOut],
          figure: time,
        })),
      ),
      ...largeResponse.map(({ contestant, storeAndReadMs }) => ({
        of: [contestant],
        figure: storeAndReadMs,
      })),
      ...read<SizeResult[]>('size').map(({ name, gzip }) => ({ of: [name], figure: gzip })),
      ...checks.flatMap(({ program, types, totalSeconds }) => [
        { of: [program, 'types'], figure: types },
        { of: [program, 'total'], figure: totalSeconds },
      ]),
    ];
    // These may be 0: the compiler prints its check time in milliseconds, and a few imports take less than half of one. A
    // heap's growth is a difference, from which memory that the process itself gave back goes off.
    const numbers = [
      ...checks.map(({ program, checkSeconds }) => ({ of: [program, 'check'], figure: checkSeconds })),
      ...perEntity.flatMap(({ contestant, shape, stored, read: opened }) => [
        { of: [contestant, shape, 'stored'], figure: stored },
        { of: [contestant, shape, 'read'], figure: opened },
      ]),
    ];

    expect(old).toEqual([]);
    expect(figures.filter(({ figure = 0 }) => !(figure > 0))).toEqual([]);
    expect(numbers.filter(({ figure }) => !Number.isFinite(figure))).toEqual([]);
    expect(numbers.length).toBeGreaterThan(20);
  });
});
