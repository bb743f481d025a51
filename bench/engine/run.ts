// `npm run bench:engine [-- --quick] [-- --only=W1,N2]`: the engine scenarios beside the peers, as ratios.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildLibrary, bundleForNode } from '../support/bundle.ts';
import { formatRatio, formatTable, formatTime } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder, buildFolder } from '../support/paths.ts';
import { readResults, writeResults } from '../support/results.ts';
import type { EngineResult } from './result.ts';

// without the last two, a full collection of one contestant's garbage throws away the code of another that sits out
const FLAGS = [
  '--expose-gc',
  '--max-old-space-size=6000',
  '--no-flush-bytecode',
  '--retain-maps-for-n-gc=100000',
];

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
    execFileSync(process.execPath, [...FLAGS, bundle, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const known = node('list').trim().split(',');
  const wanted = known.filter((id) => options.only.length === 0 || options.only.includes(id));
  const measured: EngineResult[] = [];
  for (const id of wanted) {
    const path = join(buildFolder, `engine-${id}.json`);
    node(id, path, options.quick ? 'quick' : 'full', options.contestants.join(','));
    const result = JSON.parse(readFileSync(path, 'utf8')) as EngineResult; // cast: written by engine/main
    print(result);
    measured.push(result);
  }
  if (options.contestants.length > 0) return; // a closer look, not a result
  // a partial run replaces its own scenarios and keeps the others
  const earlier =
    options.only.length > 0 ? (readResults<EngineResult[]>('engine', options.quick)?.content ?? []) : [];
  const kept = earlier.filter((result) => !wanted.includes(result.id));
  const all = [...kept, ...measured].toSorted(
    (left, right) => known.indexOf(left.id) - known.indexOf(right.id),
  );
  writeResults('engine', options.quick, all);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runEngine(options);
}
