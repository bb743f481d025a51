// Row I0: `npm run bench -- copies OLD [--quick] [--only=W1,N2]`. Every engine row of this build, of a second copy of it, and of
// another build: OLD, a packed tarball or an unpacked package. For a change that should cost nothing to those who do not use it: the
// other build may differ by as much as two copies of the same code do. Tells, and keeps no results.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { buildLibrary, bundleForNode, nodeFlags } from '../support/bundle.ts';
import { formatTable } from '../support/format.ts';
import { LaneProcess } from '../support/lane-process.ts';
import { readOptions } from '../support/options.ts';
import { benchFolder } from '../support/paths.ts';
import { LanePool, raceAll } from './race-lanes.ts';
import { REFERENCE, ROUNDS } from './result.ts';
import type { CatalogEntry, EngineEntry } from './result.ts';

const AGAIN = 'the same build again';
const OTHER = 'the other build';

const [given = '', ...rest] = process.argv.slice(2);
if (given === '' || given.startsWith('--')) throw new Error('Name a build: a tarball or a package.');
const { quick, only, built } = readOptions(rest);
const mode = quick ? 'quick' : 'full';
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-copies-'));

function unpack(path: string): string {
  if (!statSync(path).isFile()) return path;
  execFileSync('tar', ['-xzf', path, '-C', scratch]);
  return join(scratch, 'package');
}

/** Relative: by how much its time differs, whichever is the longer. */
const differenceOf = ({ timesReference: { median } }: EngineEntry): number =>
  Math.max(median, 1 / median) - 1;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

try {
  buildLibrary(built);
  const entry = join(benchFolder, 'engine/lane.ts');
  const own = await bundleForNode(entry, 'engine');
  const dist = join(unpack(resolve(given)), 'dist');
  const other = await bundleForNode(entry, 'engine-other', {
    holdfast: join(dist, 'index.js'),
    'holdfast/validate': join(dist, 'validate.js'),
  });
  const listed = execFileSync(process.execPath, [...nodeFlags, own, 'list', mode], { encoding: 'utf8' });
  const scenarios = JSON.parse(listed) as CatalogEntry[]; // cast: written by engine/lane
  const pool = new LanePool((name) => new LaneProcess(name === OTHER ? other : own, [REFERENCE, mode]));
  const all: EngineEntry[] = [];
  for (const scenario of scenarios) {
    const isAsked = only.length === 0 || only.includes(scenario.id);
    // depths are counted, not timed
    if (!isAsked || scenario.variants.length === 0) continue;
    const lanes = [REFERENCE, AGAIN, OTHER].map((name) => ({ name, remark: '' }));
    const entries = await raceAll({ ...scenario, lanes }, pool, ROUNDS[mode]);
    pool.close();
    const lines = entries.map((one) => [
      `  ${one.contestant}${one.variant && `, ${one.variant}`}`,
      one.timesReference.median.toFixed(3),
      `(${one.timesReference.lower.toFixed(3)}–${one.timesReference.upper.toFixed(3)})`,
    ]);
    console.log(`\n${scenario.id}  ${scenario.title}`);
    console.log(formatTable([['', 'of this build', 'quartiles'], ...lines]));
    all.push(...entries);
  }
  for (const name of [AGAIN, OTHER]) {
    const differences = all.filter(({ contestant }) => contestant === name).map(differenceOf);
    const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
    console.log(
      `${name}: differs by ${percent(mean)} on average, by ${percent(Math.max(...differences))} at most`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
