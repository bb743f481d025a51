// `npm run bench -- growth`: how the cost of each operation grows from 100 to 100,000 rows, with the exponent.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { buildLibrary, bundleForNode, nodeFlags } from '../support/bundle.ts';
import { formatTable, formatTime } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder, buildFolder } from '../support/paths.ts';
import { writeResults } from '../support/results.ts';
import { readGrowth, readLimitMs } from './result.ts';
import type { GrowthLane, GrowthResult } from './result.ts';

function print(results: readonly GrowthResult[]): void {
  const sizes = results[0]?.points.map(({ size }) => size.toLocaleString('en-US')) ?? [];
  const rows = results.map((result) => {
    const { exponent, lastStep, isSteep } = readGrowth(result);
    return [
      `  ${result.contestant}`,
      ...result.points.map(({ time = Number.NaN }) => formatTime(time)),
      exponent?.toFixed(2) ?? '–',
      lastStep?.toFixed(2) ?? '–',
      isSteep ? `ABOVE ${result.expected}` : `${result.expected}`,
    ];
  });
  const head = [results[0]?.operation ?? '', ...sizes, 'exponent', 'last step', 'work'];
  console.log(`\n${formatTable([head, ...rows])}`);
  for (const { contestant, points } of results) {
    const left = points.find(({ leftOut }) => leftOut);
    if (left) console.log(`  ${contestant} from ${left.size.toLocaleString('en-US')} on: ${left.leftOut}`);
  }
}

/** Measure every operation and contestant in a process of its own; results/growth.json is written as they end. */
export async function runGrowth(options: BenchOptions): Promise<void> {
  const bundle = await bundleForNode(join(benchFolder, 'growth/main.ts'), 'growth');
  const path = join(buildFolder, 'growth-lane.json');
  const listed = execFileSync(process.execPath, [...nodeFlags, bundle, 'list'], { encoding: 'utf8' });
  const lanes = JSON.parse(listed) as GrowthLane[]; // cast: written by growth/main
  const results: GrowthResult[] = [];
  const failed: string[] = [];
  for (const operation of new Set(lanes.map((lane) => lane.operation))) {
    const taking = lanes.filter((lane) => lane.operation === operation);
    // who runs at all is seen by the quick run of the engine
    const rivals = options.quick ? taking.slice(0, 2) : taking;
    const measured = rivals.flatMap(({ contestant }): GrowthResult[] => {
      rmSync(path, { force: true });
      const args = [...nodeFlags, bundle, `${operation}`, contestant, path, options.quick ? 'quick' : 'full'];
      const { status, signal } = spawnSync(process.execPath, args, {
        stdio: 'inherit',
        timeout: readLimitMs(contestant, options.quick),
      });
      if (status !== 0 && !signal) failed.push(`operation ${operation}, ${contestant}`);
      try {
        return [JSON.parse(readFileSync(path, 'utf8')) as GrowthResult]; // cast: written by growth/main
      } catch {
        return [];
      }
    });
    print(measured);
    results.push(...measured);
    writeResults('growth', options.quick, results);
  }
  if (failed.length > 0) throw new Error(`growth failed for ${failed.join('; ')}`);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runGrowth(options);
}
