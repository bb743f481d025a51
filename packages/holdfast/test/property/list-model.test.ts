// Lists in pages and orders, in many settings: see test/simulation/list-model.ts.
import fc from 'fast-check';
import { test, vi } from 'vitest';
import { checkLists, setting } from '../simulation/list-model.ts';
import type { Setting } from '../simulation/list-model.ts';

const runs = Number(process.env['RUNS'] ?? (process.env['NIGHTLY'] === undefined ? 120 : 30_000));

/** A row comes while pages in front of the first are read again: the total is that of the page that was read last. */
const createdBetweenPages: Setting = {
  way: 'end',
  isOrdered: true,
  isOptimistic: false,
  isAlone: false,
  steps: 'create more deliver deliver more deliver more deliver more deliver read deliver create deliver'
    .split(' ')
    .map((kind) => ({ kind: kind as Setting['steps'][number]['kind'], at: 0, rank: 0, lane: 'a' })), // cast: its kinds
};

test('a fresh list is the server’s list as far as it is loaded, in pages, orders and races', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await fc.assert(fc.asyncProperty(setting, checkLists), {
    numRuns: runs,
    examples: [[createdBetweenPages]],
  });
  warn.mockRestore();
}, 3_600_000);
