// Writes the proofs of the start page, with the date of their run: `node scripts/docs/proofs.ts`. It plays the races of the demo, lets the
// simulator try random schedules, and moves a card in a browser. Needs the built library and demo, and ten minutes;
// `--plays=10 --schedules=100` are smaller numbers, and `--races=FILE` counts what a run of `npm run races` has printed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RACES } from '../../apps/demo/web/src/races/all-races.ts';
import { openDemo } from '../../e2e/support/demo.ts';
import { openFirstScreen } from '../../e2e/support/first-screen.ts';
import { card, column } from '../../e2e/support/harbor.ts';
import { docs, repository } from './pages.ts';

export interface Proofs {
  /** `2026-11-19`. */
  readonly date: string;
  readonly races: Ends;
  readonly schedules: Ends;
  /** What the demo has counted after a card was moved. */
  readonly cost: string;
}

export interface Ends {
  readonly right: number;
  readonly all: number;
}

const number = (value: number): string => value.toLocaleString('en-US');
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

interface Weight {
  readonly name: string;
  readonly bytes: number;
}

/** What each library costs an application, from one run of the bench. */
function readWeights(): { weights: Weight[]; date: string } {
  const { environment, content } = JSON.parse(
    readFileSync(join(repository, 'bench/results/size.json'), 'utf8'),
  ) as { environment: { date: string }; content: { name: string; gzip: number }[] };
  const weigh = (name: string, start: string): Weight => ({
    name,
    bytes: content.find((each) => each.name.startsWith(start))?.gzip ?? Number.NaN,
  });
  return {
    weights: [
      weigh('Holdfast', 'holdfast, an application'),
      weigh('SWR', 'SWR: with mutations'),
      weigh('TanStack Query', 'TanStack Query: with'),
      weigh('RTK Query', 'RTK Query'),
      weigh('Apollo Client', 'Apollo Client'),
    ],
    date: environment.date.slice(0, 10),
  };
}

/** A bar for each library, the smallest first. */
function writeWeights(weights: readonly Weight[]): string {
  const most = Math.max(...weights.map(({ bytes }) => bytes));
  const rows = weights
    .toSorted((a, b) => a.bytes - b.bytes)
    .map(({ name, bytes }) => {
      const part = ((100 * bytes) / most).toFixed(1);
      const own = name === 'Holdfast' ? ' class="is-ours"' : '';
      return `<tr${own}><th scope="row">${name}</th><td><i style="--part:${part}%"></i></td><td>${kilobytes(bytes)}</td></tr>`;
    });
  return `<table class="land-weights"><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

/** The proofs as the page has them. */
export function writeProofs({ date, races, schedules, cost }: Proofs): string {
  const { weights, date: measured } = readWeights();
  const own = weights.find(({ name }) => name === 'Holdfast')?.bytes ?? Number.NaN;
  const cards = [
    [
      `${number(races.right)} of ${number(races.all)}`,
      'races end right',
      `The ${RACES.length} races of the demo are played again and again, at a latency of 0, 300 and 1,500 ms. Each end is compared with the rows of the server.`,
    ],
    [
      `${number(schedules.right)} of ${number(schedules.all)}`,
      'random schedules end right',
      'A simulator runs the shipped code with reads, writes, failures and late responses, and an oracle says how each schedule must end. A seed repeats a schedule.',
    ],
    [
      /^\d+ requests?/.exec(cost)?.[0] ?? '',
      'moves a card between lists',
      `Counted by the demo after one drag: ${cost}. The board, a table and the counts follow.`,
    ],
  ];
  return [
    '<div class="land-proofs">',
    ...cards.map(([figure, label, text]) => `<div>\n\n**${figure}** ${label}\n\n${text}\n\n</div>`),
    '</div>',
    '### What it costs',
    '<div class="land-costs">\n<div>',
    `**${kilobytes(own)}** is what an application ships: one resource, a provider, a reading hook and a controller, minified and gzipped, without React. The library is large because the rules for late responses, lists and optimistic updates are code. [What the bytes are](decisions/010-what-the-bytes-are.md) has the parts, and the [benchmarks](benchmarks.md) say where Holdfast is slower.`,
    '</div>\n<div>',
    writeWeights(weights),
    '</div>\n</div>',
    `\`scripts/docs/proofs.ts\` counted this on ${date}. The sizes are of ${measured}, from the [benchmarks](benchmarks.md#size).`,
  ].join('\n\n');
}

const PLACE = /(<!-- written by scripts\/docs\/proofs\.ts -->\n)[^]*?(<!-- end -->)/;

function run(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(command, args, {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
}

/** Adds up the lines `… 100 of 100 ended right …`. */
export function countRaces(output: string): Ends {
  const lines = [...output.matchAll(/ at [\d,]+ ms: (\d+) of (\d+) ended right/g)];
  return {
    right: lines.reduce((sum, [, right]) => sum + Number(right), 0),
    all: lines.reduce((sum, [, , all]) => sum + Number(all), 0),
  };
}

/** Adds up the lines `… 25 schedules of 50 steps …, 0 failed …` of the simulator's modes. */
export function countSchedules(output: string): Ends {
  const lines = [...output.matchAll(/, (\d+) schedules of \d+ steps.*?, (\d+) failed/g)];
  const all = lines.reduce((sum, [, count]) => sum + Number(count), 0);
  return { right: all - lines.reduce((sum, [, , failed]) => sum + Number(failed), 0), all };
}

async function moveCard(): Promise<string> {
  const demo = await openDemo({ seed: { issues: 60 } });
  const page = await openFirstScreen(demo);
  const shown = await page.locator('[data-card]').first().getAttribute('data-card');
  const { id } = await demo.given({ projectId: shown?.split('-')[0] });
  const moved = card(column(page, 'Doing'), id);
  await moved.waitFor();
  // what the new card has made the page load has come
  await page.waitForTimeout(2_000);
  await moved.dragTo(column(page, 'In review').getByRole('heading'));
  const line = page.locator('.home-cost').filter({ hasText: 'nothing loaded again' });
  const text = (await line.innerText()).replace(/^[^]*?(?=\d+ requests?)/, '');
  await demo.leave();
  await demo.close();
  return text;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      plays: { type: 'string', default: '100' },
      /** A file with what a run of `npm run races` has printed on this day, in place of playing them again. */
      races: { type: 'string' },
      schedules: { type: 'string', default: '1000' },
    },
  });
  const simulation = 'packages/holdfast/test/simulation';
  const proofs: Proofs = {
    date: new Date().toISOString().slice(0, 10),
    cost: await moveCard(),
    schedules: countSchedules(
      run(
        'npx',
        [
          'vitest',
          'run',
          '--project',
          'node',
          `${simulation}/simulation-order.test.ts`,
          `${simulation}/simulation-clock.test.ts`,
        ],
        { SIM_SCHEDULES: values.schedules, SIM_BASE: String(Date.now() % 1e9), SIM_TABLE: '1' },
      ),
    ),
    races: countRaces(
      values.races === undefined
        ? run('node', ['scripts/races.ts', `--plays=${values.plays}`, '--runs=1'])
        : readFileSync(values.races, 'utf8'),
    ),
  };
  const file = join(docs, 'index.md');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      PLACE,
      (_, start: string, end: string) => `${start}\n${writeProofs(proofs)}\n\n${end}`,
    ),
  );
  console.log(proofs);
}
