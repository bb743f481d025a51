// `npm run bench [-- --quick]`: builds the library once, runs every part in a process of its own, then the report.
// A part that fails costs no other part its figures: each writes its own as soon as it has them. `npm run bench -- engine growth` runs
// those parts, with the options behind them. Some run only by name: `copies`, and what is measured of the built demo and of the panel.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { buildLibrary } from './support/bundle.ts';
import { readOptions } from './support/options.ts';
import { benchFolder } from './support/paths.ts';

const PARTS = ['engine', 'growth', 'render', 'memory', 'size', 'types', 'report'];
/** These have arguments of their own, and no part in the report. */
const ALONE: Readonly<Record<string, string>> = {
  copies: 'engine/copies.ts',
  panel: '../scripts/open-panel.ts',
  lcp: '../scripts/lcp.ts',
  frames: '../scripts/frames.ts',
};
/** The slowest part takes a third of this on two quiet cores. */
const PART_LIMIT_MS = 20 * 60_000;

const formatSeconds = (startMs: number) => `${Math.round((performance.now() - startMs) / 1000)} s`;

const args = process.argv.slice(2);
const [first = ''] = args;
const alone = ALONE[first];
const end = args.findIndex((arg) => arg.startsWith('-'));
const named = end === -1 ? args : args.slice(0, end);
const unknown = named.filter((name) => !PARTS.includes(name));

if (alone !== undefined) {
  const { status } = spawnSync(process.execPath, [join(benchFolder, alone), ...args.slice(1)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else if (unknown.length > 0) {
  console.error(
    `no such part: ${unknown.join(', ')}. There are ${[...PARTS, ...Object.keys(ALONE)].join(', ')}.`,
  );
  process.exitCode = 1;
} else
  runParts(named.length > 0 ? PARTS.filter((part) => named.includes(part)) : PARTS, args.slice(named.length));

function runParts(parts: readonly string[], options: readonly string[]): void {
  const { built } = readOptions(options);
  if (parts.some((part) => part !== 'report')) buildLibrary(built);
  const failed = parts.filter((part, index) => {
    console.log(`\n━━ ${part}, part ${index + 1} of ${parts.length}, ${formatSeconds(0)} since the start`);
    const startMs = performance.now();
    const command = [
      join(benchFolder, part, 'run.ts'),
      ...options.filter((option) => option !== '--built'),
      '--built',
    ];
    const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', timeout: PART_LIMIT_MS });
    console.log(`━━ ${part} ${status === 0 ? 'took' : 'FAILED after'} ${formatSeconds(startMs)}`);
    return status !== 0;
  });
  console.log(
    failed.length === 0
      ? `\nfinished in ${formatSeconds(0)}`
      : `\n${failed.join(', ')} failed; the other parts have their figures (${formatSeconds(0)})`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}
