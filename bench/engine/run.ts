// `npm run bench -- engine [--quick] [--only=W1,N2]`: the engine scenarios beside the peers, as ratios.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { buildLibrary, bundleForNode, nodeFlags } from '../support/bundle.ts';
import { formatRatio, formatTable, formatTime } from '../support/format.ts';
import { LaneProcess } from '../support/lane-process.ts';
import { readOptions } from '../support/options.ts';
import type { BenchOptions } from '../support/options.ts';
import { benchFolder } from '../support/paths.ts';
import { readResults, writeResults } from '../support/results.ts';
import type { DepthResult } from './depth.ts';
import { keyOf, LanePool, raceAll } from './race-lanes.ts';
import { ROUNDS } from './result.ts';
import type { CatalogEntry, EngineResult } from './result.ts';

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

async function runScenario(entry: CatalogEntry, pool: LanePool, rounds: number): Promise<EngineResult> {
  const { id, lanes, title, variants } = entry;
  if (variants.length > 0) return { id, title, entries: await raceAll(entry, pool, rounds), depths: [] };
  const depths: DepthResult[] = [];
  for (const { name } of lanes) {
    const lane = pool.lane(keyOf({ name, variant: 0 }), name);
    depths.push(...((await lane.ask({ ask: 'depth' })) as DepthResult[])); // cast: see LaneQuestion
  }
  return { id, title, entries: [], depths };
}

/** Run the scenarios, print them, and write results/engine.json. */
export async function runEngine({ contestants, only, quick }: BenchOptions): Promise<void> {
  const bundle = await bundleForNode(join(benchFolder, 'engine/lane.ts'), 'engine');
  const mode = quick ? 'quick' : 'full';
  const listed = execFileSync(process.execPath, [...nodeFlags, bundle, 'list', mode], { encoding: 'utf8' });
  const scenarios = JSON.parse(listed) as CatalogEntry[]; // cast: written by engine/lane
  const known = scenarios.map(({ id }) => id);
  const isWanted = ({ name }: { name: string }): boolean =>
    contestants.length === 0 || contestants.includes(name);
  // a partial run replaces its own scenarios and keeps the others; each is kept as soon as it is measured
  let all = only.length > 0 ? (readResults<EngineResult[]>('engine', quick)?.content ?? []) : [];
  const failed: string[] = [];
  const pool = new LanePool((name) => new LaneProcess(bundle, [name, mode]));
  for (const entry of scenarios) {
    const { id, lanes } = entry;
    if (only.length > 0 && !only.includes(id)) continue;
    const limit = setTimeout(() => pool.close(), SCENARIO_LIMIT_MS);
    try {
      const result = await runScenario({ ...entry, lanes: lanes.filter(isWanted) }, pool, ROUNDS[mode]);
      print(result);
      if (contestants.length > 0) continue; // a closer look, not a result
      all = [...all.filter((other) => other.id !== id), result].toSorted(
        (left, right) => known.indexOf(left.id) - known.indexOf(right.id),
      );
      writeResults('engine', quick, all);
    } catch (error) {
      console.error(`${id}: ${String(error)}`);
      failed.push(id);
      pool.close(); // whoever ended answers no further scenario either
    } finally {
      clearTimeout(limit);
      if (!quick) pool.close();
    }
  }
  pool.close();
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
}

if (import.meta.main) {
  const options = readOptions();
  buildLibrary(options.built);
  await runEngine(options);
}
