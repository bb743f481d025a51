// `npm run bench:growth`: how the cost of each operation grows from 100 to 100,000 rows, with the exponent.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildLibrary, bundleForNode } from '../support/bundle.ts';
import { formatTable, formatTime } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder, buildFolder } from '../support/paths.ts';
import { writeResults } from '../support/results.ts';
import { operations } from './operations.ts';
import { TOLERANCE } from './result.ts';
import type { GrowthResult } from './result.ts';

function print(results: readonly GrowthResult[]): void {
  const sizes = results[0]?.points.map(({ size }) => size.toLocaleString('en-US')) ?? [];
  const rows = results.map((result) => [
    `${result.operation}: ${result.contestant}`,
    ...result.points.map(({ time }) => formatTime(time)),
    result.exponent.toFixed(2),
    result.exponent > result.expected + TOLERANCE ? `above ${result.expected}` : '',
  ]);
  console.log(`\n${formatTable([['growth', ...sizes, 'exponent', ''], ...rows])}`);
}

/** Measure every operation in a process of its own and write results/growth.json. */
export async function runGrowth(options: BenchOptions): Promise<void> {
  const bundle = await bundleForNode(join(benchFolder, 'growth/main.ts'), 'growth');
  const results = operations.flatMap((_, index) => {
    const path = join(buildFolder, `growth-${index}.json`);
    const args = [
      '--expose-gc',
      '--max-old-space-size=6000',
      bundle,
      `${index}`,
      path,
      options.quick ? 'quick' : 'full',
    ];
    execFileSync(process.execPath, args, { stdio: 'inherit' });
    return JSON.parse(readFileSync(path, 'utf8')) as GrowthResult[]; // cast: written by growth/main
  });
  print(results);
  writeResults('growth', options.quick, results);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runGrowth(options);
}
