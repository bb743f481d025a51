// Pages rendered at the same time, in a separate process with forced collections. The figures are those of the performance
// targets.
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const sources = join(import.meta.dirname, '../../src');
// below the repository, so that React is found
const folder = join(
  import.meta.dirname,
  '../../../../node_modules/.cache',
  `holdfast-renders-${process.pid}`,
);
const MEGABYTE = 1_048_576;

interface Figures {
  count: number;
  strangers: number;
  incomplete: number;
  /** Visitors who went away before the page was whole. */
  left: number;
  growthBytes: number;
  timers: number;
  mostRequests: number;
}

let figures: Figures;
beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, 'renders.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'server-renders.tsx')],
    alias: {
      '#env': join(sources, 'env.production.ts'),
      'holdfast/react/server': join(sources, 'react-server.ts'),
      'holdfast/react': join(sources, 'react.ts'),
      holdfast: join(sources, 'index.ts'),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    external: ['react', 'react-dom', 'react/*', 'react-dom/*'],
    outfile,
    tsconfigRaw: {},
  });
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', outfile], { env });
  figures = JSON.parse(stdout) as Figures; // cast: what the script prints
  console.log(stdout.trim());
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a thousand renders at the same time share nothing', () => {
  expect(figures).toMatchObject({ count: 1_000, strangers: 0, incomplete: 0, left: 100 });
  expect(figures.mostRequests).toBeGreaterThanOrEqual(1_000);
});

test('a thousand renders leave no timer and no memory behind', () => {
  expect(figures.timers).toBe(0);
  expect(figures.growthBytes).toBeLessThan(2 * MEGABYTE);
});
