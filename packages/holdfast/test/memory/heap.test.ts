// Heap figures, from a process of its own with forced collections. The large run, as in the targets:
//   HEAP_IDS=200000 HEAP_OPERATIONS=200000 npx vitest run --project process packages/holdfast/test/memory/heap.test.ts
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ids = process.env['HEAP_IDS'] ?? '4000';
const operations = process.env['HEAP_OPERATIONS'] ?? '2000';
const sources = join(import.meta.dirname, '../../src');
const MEGABYTE = 1_048_576;
/** The large run takes minutes on a quiet machine. After this time the run and its process are ended. */
const PATIENCE_MS = 1_800_000;

interface Figures {
  ids: { growthBytes: number; size: number };
  reset: { growthBytes: number; collected: number; watched: number };
  soak: { size: number; timers: number; operations: number; growthBytes: number };
}

let folder = '';
let figures: Figures;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-heap-'));
  const outfile = join(folder, 'library.mjs');
  await build({
    entryPoints: [join(sources, 'index.ts')],
    alias: { '#env': join(sources, 'env.production.ts') },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    outfile,
    tsconfigRaw: {},
  });
  const script = join(import.meta.dirname, 'heap.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', script, outfile, ids, operations],
    { timeout: PATIENCE_MS },
  );
  figures = JSON.parse(stdout) as Figures; // cast: what the script prints
}, PATIENCE_MS + 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('ids that were read or written and released leave nothing behind', () => {
  expect(figures.ids.size).toBe(0);
  expect(figures.ids.growthBytes).toBeLessThan(MEGABYTE);
});

test('a reset frees the memory: the old objects are collected', () => {
  expect(figures.reset.growthBytes).toBeLessThan(MEGABYTE);
  expect(figures.reset.collected).toBeGreaterThanOrEqual(figures.reset.watched * 0.99);
});

test('a day of readers, writes and failures ends idle and empty', () => {
  expect(figures.soak).toMatchObject({ size: 0, timers: 0, operations: Number(operations) });
  expect(figures.soak.growthBytes).toBeLessThan(MEGABYTE);
});
