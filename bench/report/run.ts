// `npm run bench -- report`: makes docs/benchmarks.md from the results on disk.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatTable } from '../support/format.ts';
import { readOptions } from '../support/options.ts';
import { buildFolder, rootFolder } from '../support/paths.ts';
import { Measured } from './measured.ts';
import {
  writeEngine,
  writeGrowth,
  writeMemory,
  writeOverview,
  writeRender,
  writeSize,
  writeTypes,
} from './sections.ts';
import type { AddPicture } from './sections.ts';
import { readTargets } from './targets.ts';
import { listUnexplained, writeVerdict } from './verdict.ts';

function writeHead(measured: Measured, addPicture: AddPicture): string {
  const { environments } = measured;
  const [environment] = environments.values();
  // by part, so that figures of an earlier run cannot pass for new ones
  const dates = Array.from(
    environments,
    ([part, { date }]) => `${part} ${date.slice(0, 16).replace('T', ' ')}`,
  );
  const versions = Object.entries(environment?.versions ?? {})
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  return `# Benchmarks

${writeOverview(measured, addPicture)}

This page compares Holdfast with its peers. All figures are from one machine. Trust
the ratios; the absolute times belong to this machine. Contestants take turns in interleaved rounds, and every result is checked before anything is timed.
\`bench/README.md\` says how each figure is made.

Run \`npm run bench\` to measure again. \`npm run bench -- --quick\` takes two minutes and proves only that everything still runs.

<details>
<summary>Machine, versions and dates</summary>

- measured (UTC): ${dates.join(', ')}
- machine: ${environment?.cores} × ${environment?.processor}, ${environment?.memoryGb} GB, ${environment?.platform}
- Node ${environment?.node} (V8 ${environment?.v8})
- versions: ${versions}

</details>

data-client takes part twice. "data-client 0.18" is \`@data-client/normalizr\` 0.18.1. We wrote its entity class ourselves, and it follows the
package's protocol. "data-client 0.10" is the newest set of matching packages that installs: normalizr and core 0.10.0, endpoint and
rest 0.9.9, react 0.10.0.

Some contestants do other work than Holdfast. Apollo and urql work field by field, as GraphQL asks. TanStack Query and SWR do not normalize.
`;
}

/** Write the page and print the targets; a quick run's page goes to the build folder, not to the docs. */
export function runReport(quick: boolean): void {
  const measured = new Measured(quick);
  const folder = quick ? buildFolder : join(rootFolder, 'docs');
  const pictures = join(folder, 'benchmarks');
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const addPicture: AddPicture = (name, title, svg) => {
    writeFileSync(join(pictures, `${name}.svg`), svg);
    return `![${title}](benchmarks/${name}.svg)`;
  };
  const page = [
    writeHead(measured, addPicture),
    writeVerdict(measured),
    writeEngine(measured, addPicture),
    writeGrowth(measured, addPicture),
    writeRender(measured, addPicture),
    writeMemory(measured, addPicture),
    writeSize(measured),
    writeTypes(measured),
  ];
  writeFileSync(join(folder, 'benchmarks.md'), `${page.filter(Boolean).join('\n\n')}\n`);
  if (quick) return; // its times are of tiny tables: nothing to judge
  const rows = readTargets(measured).map((row) => [
    row.id,
    row.claim,
    row.figure,
    row.isMet === undefined ? 'not measured' : row.isMet ? 'met' : 'MISSED',
  ]);
  console.log(`\n${formatTable([['', 'target', 'measured', ''], ...rows])}`);
  const unexplained = listUnexplained(measured);
  if (unexplained.length > 0)
    console.log(`\nno reason in bench/report/notes.md for ${unexplained.join(', ')}`);
}

if (import.meta.main) runReport(readOptions().quick);
