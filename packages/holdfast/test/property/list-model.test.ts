// Lists in pages and orders, in many settings: see test/simulation/list-model.ts.
import fc from 'fast-check';
import { test, vi } from 'vitest';
import { checkLists, setting } from '../simulation/list-model.ts';

const runs = Number(process.env['RUNS'] ?? (process.env['NIGHTLY'] === undefined ? 120 : 30_000));

test('a fresh list is the server’s list as far as it is loaded, in pages, orders and races', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await fc.assert(fc.asyncProperty(setting, checkLists), { numRuns: runs });
  warn.mockRestore();
}, 3_600_000);
