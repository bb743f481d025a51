// `npm run bench [-- --quick]`: builds the library once, runs every part in a process of its own, then the report.
// A part that fails costs no other part its figures: each writes its own as soon as it has them. The parts can also
// run alone: bench:engine, bench:growth, bench:render, bench:memory, bench:size, bench:types, bench:report.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { buildLibrary } from './support/bundle.ts';
import { readOptions } from './support/options.ts';
import { benchFolder } from './support/paths.ts';

const PARTS = ['engine', 'growth', 'render', 'memory', 'size', 'types', 'report'];
/** The slowest part takes a third of this on two quiet cores. */
const PART_LIMIT_MS = 20 * 60_000;

const options = readOptions();
const formatSeconds = (startMs: number) => `${Math.round((performance.now() - startMs) / 1000)} s`;

buildLibrary(options.built);
const failed = PARTS.filter((part, index) => {
  console.log(`\n━━ ${part}, part ${index + 1} of ${PARTS.length}, ${formatSeconds(0)} since the start`);
  const startMs = performance.now();
  const args = [join(benchFolder, part, 'run.ts'), ...process.argv.slice(2), '--built'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', timeout: PART_LIMIT_MS });
  console.log(`━━ ${part} ${status === 0 ? 'took' : 'FAILED after'} ${formatSeconds(startMs)}`);
  return status !== 0;
});
console.log(
  failed.length === 0
    ? `\nfinished in ${formatSeconds(0)}`
    : `\n${failed.join(', ')} failed; the other parts have their figures (${formatSeconds(0)})`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
