// The table of CONTRIBUTING.md: what runs in `npm test`, what in `npm test -- --all`, what in the nightly run. Made of the lists that
// those commands run; `npx node scripts/what-runs.ts` writes it, and a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STEPS } from './check.list.ts';
import { PARTS } from './nightly.list.ts';

const page = join(import.meta.dirname, '../CONTRIBUTING.md');
const START = '<!-- written by scripts/what-runs.ts -->\n';
const END = '<!-- end -->\n';

/** In `npm test`, in `npm test -- --all`, in the nightly run. */
const PLACES = {
  test: ['yes', 'yes', ''],
  all: ['', 'yes', ''],
  quick: ['yes', 'in others', ''],
  name: ['', '', ''],
} as const;

function createTable(): string {
  const parts = PARTS.map(({ name }) => `\`${name}\``).join(', ');
  const rows = [
    ...STEPS.map(({ name, does, when }) => [`\`${name}\``, does, ...PLACES[when]]),
    [
      parts,
      'the long runs, by seeds of the day; `scripts/nightly.list.ts` says of each what it finds',
      '',
      '',
      'yes',
    ],
  ];
  const lines = rows.map((row) => `| ${row.join(' | ')} |`.replaceAll('  ', ' '));
  return [
    '| name | what it finds | `test` | `--all` | nightly |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

/** CONTRIBUTING.md as it is, and as it would be with the table of now. */
export function readPage(): { readonly is: string; readonly wanted: string } {
  const is = readFileSync(page, 'utf8');
  const start = is.indexOf(START) + START.length;
  const end = is.indexOf(END);
  if (start < START.length || end < start) throw new Error('CONTRIBUTING.md has no place for the table');
  return { is, wanted: is.slice(0, start) + createTable() + is.slice(end) };
}

if (import.meta.main) writeFileSync(page, readPage().wanted);
