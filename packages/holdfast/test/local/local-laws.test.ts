// Local queries in many schedules: see test/simulation/local-model.ts.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { checkLocal, LOCAL_STEPS, localSetting } from '../simulation/local-model.ts';

const runs = Number(process.env['RUNS'] ?? 150);
// the same runs every time; the nightly gives other seeds
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

test('a query that calls itself complete is what the server has, whatever crosses on the way', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const played = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(localSetting, (given) => checkLocal(given, played)),
    { numRuns: runs, seed },
  );
  warn.mockRestore();
  if (process.env['RUNS']) console.log(JSON.stringify([...played]));

  expect(LOCAL_STEPS.filter((step) => !played.has(step))).toEqual([]);
}, 3_600_000);

const first = { at: 0, list: 0, lane: 'a', done: false, rank: 0 } as const;

test('a search is not complete while a row has other fields than those by which the server found the row', async () => {
  await checkLocal({
    server: 'whole',
    knowledge: 'told',
    isOptimistic: false,
    steps: [
      { ...first, kind: 'read', list: 4 },
      { ...first, kind: 'read' },
      { ...first, kind: 'newest' },
      // The server moves c3 into lane a, and then handles the search, which was requested first.
      { ...first, kind: 'other', at: 7 },
      { ...first, kind: 'newest' },
    ],
  });
});

test('a list whose responses leave its own filter out covers no further filter', async () => {
  await checkLocal({
    server: 'thin',
    knowledge: 'told',
    isOptimistic: false,
    steps: [
      { ...first, kind: 'read', list: 3 },
      { ...first, kind: 'newest' },
      { ...first, kind: 'told' },
      // The server moves c1 into lane b and sets `done`; only the lane comes with the next response.
      { ...first, kind: 'other', at: 5, lane: 'b', done: true },
      { ...first, kind: 'read' },
      { ...first, kind: 'newest' },
    ],
  });
});
