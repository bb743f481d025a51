// `npm run bench:engine [-- --quick] [-- --only=W1,N2]`: the engine scenarios beside the peers, as ratios.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildLibrary, bundleForNode, nodeFlags } from '../support/bundle.ts';
import { formatRatio, formatTable, formatTime } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder, buildFolder } from '../support/paths.ts';
import { readResults, writeResults } from '../support/results.ts';
import type { EngineResult } from './result.ts';

/** The slowest scenario takes a tenth of this on two quiet cores. */
const SCENARIO_LIMIT_MS = 5 * 60_000;

function print(result: EngineResult): void {
  console.log(`\n${result.id}  ${result.title}`);
  if (result.depths.length > 0) {
    const rows = result.depths.map((depth) => [depth.contestant, `${depth.nested}`, `${depth.references}`]);
    console.log(formatTable([['', 'nested', 'references'], ...rows]));
    return;
  }
  const rows = result.entries.map((entry) => [
    `  ${entry.contestant}${entry.variant && `, ${entry.variant}`}`,
    formatRatio(entry.timesReference.median),
    `(${formatRatio(entry.timesReference.lower)}–${formatRatio(entry.timesReference.upper)})`,
    formatTime(entry.nanoseconds.median),
    Object.entries(entry.counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', '),
  ]);
  console.log(formatTable([['', 'of holdfast', 'quartiles', 'per run', 'counts'], ...rows]));
}

/** Run the scenarios, print them, and write results/engine.json. */
export async function runEngine(options: BenchOptions): Promise<void> {
  const bundle = await bundleForNode(join(benchFolder, 'engine/main.ts'), 'engine');
  const node = (...args: string[]) =>
    execFileSync(process.execPath, [...nodeFlags, bundle, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: SCENARIO_LIMIT_MS,
    });
  const known = node('list').trim().split(',');
  const wanted = known.filter((id) => options.only.length === 0 || options.only.includes(id));
  // a partial run replaces its own scenarios and keeps the others; each is kept as soon as it is measured
  let all =
    options.only.length > 0 ? (readResults<EngineResult[]>('engine', options.quick)?.content ?? []) : [];
  const failed: string[] = [];
  for (const id of wanted) {
    const path = join(buildFolder, `engine-${id}.json`);
    try {
      node(id, path, options.quick ? 'quick' : 'full', options.contestants.join(','));
    } catch {
      failed.push(id); // its own words are on the screen
      continue;
    }
    const result = JSON.parse(readFileSync(path, 'utf8')) as EngineResult; // cast: written by engine/main
    print(result);
    if (options.contestants.length > 0) continue; // a closer look, not a result
    all = [...all.filter((other) => other.id !== id), result].toSorted(
      (left, right) => known.indexOf(left.id) - known.indexOf(right.id),
    );
    writeResults('engine', options.quick, all);
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runEngine(options);
}
