// `npm run bench:report`: makes docs/benchmarks.md from the results on disk.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatTable } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import { benchFolder, buildFolder, rootFolder } from '../support/paths.ts';
import { Measured } from './measured.ts';
import {
  writeEngine,
  writeGrowth,
  writeMemory,
  writeRender,
  writeSize,
  writeTargets,
  writeTypes,
} from './sections.ts';
import { readTargets } from './targets.ts';

function writeHead({ environment }: Measured): string {
  const versions = Object.entries(environment?.versions ?? {})
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  return `# Benchmarks

Holdfast beside its peers, in one run on one machine. Trust the ratios: absolute times belong to this machine. Repeat it with
\`npm run bench\`; \`npm run bench -- --quick\` proves in two minutes that everything still runs, without judging times. How each
figure is made is in \`bench/\`: contestants take turns in interleaved rounds, in one process per table, and every answer is checked
before anything is timed.

- date: ${environment?.date.slice(0, 10) ?? 'unknown'}
- machine: ${environment?.cores} × ${environment?.processor}, ${environment?.memoryGb} GB, ${environment?.platform}
- Node ${environment?.node} (V8 ${environment?.v8})
- versions: ${versions}

data-client takes part in two lines. "data-client 0.18" is \`@data-client/normalizr\` 0.18.1 with an entity written by hand after its
protocol; "data-client 0.10" is the newest matching set that installs: normalizr and core 0.10.0, endpoint and rest 0.9.9, react 0.10.0.
Apollo and urql work field by field, as GraphQL asks, and TanStack Query and SWR do not normalize: they are shown for scale.
`;
}

/** Write the page and print the targets; a quick run's page goes to the build folder, not to the docs. */
export function runReport(quick: boolean): void {
  const measured = new Measured(quick);
  const notesPath = join(benchFolder, 'report/notes.md');
  const notes = existsSync(notesPath) ? readFileSync(notesPath, 'utf8').trim() : '';
  const page = [
    writeHead(measured),
    writeTargets(measured),
    notes,
    writeEngine(measured),
    writeGrowth(measured),
    writeRender(measured),
    writeMemory(measured),
    writeSize(measured),
    writeTypes(measured),
  ];
  const path = quick ? join(buildFolder, 'benchmarks.md') : join(rootFolder, 'docs/benchmarks.md');
  writeFileSync(path, `${page.filter(Boolean).join('\n\n')}\n`);
  if (quick) return; // its times are of tiny tables: nothing to judge
  const rows = readTargets(measured).map((row) => [
    row.id,
    row.claim,
    row.figure,
    row.isMet === undefined ? 'not measured' : row.isMet ? 'met' : 'MISSED',
  ]);
  console.log(`\n${formatTable([['', 'target', 'measured', ''], ...rows])}`);
}

if (import.meta.main) runReport(readOptions().quick);
