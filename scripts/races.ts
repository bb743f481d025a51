// Many races in the built demo. `npm run races` plays each race of the first screen a hundred times at each of three latencies without a
// page, and five times in a browser, and lets a hundred visitors loose on each bad network; it ends with 1 when a single one ended wrong.
// `-- --plays=10 --runs=10 --at-once=4` are other numbers, `--plays-at-once=10` asks less of a busy machine, `--seed=7` draws the visitors'
// steps from that seed, `--only=Storm` and `--only=late-read` run one of them.
import { parseArgs } from 'node:util';
import { RACES } from '../apps/demo/web/src/races/all-races.ts';
import { openDemo } from '../e2e/support/demo.ts';
import { openFirstScreen, playAt, playRace } from '../e2e/support/first-screen.ts';
import { race, SWITCHES } from '../e2e/support/races.ts';
import type { RaceResult } from '../e2e/support/races.ts';
import { createRandom } from '../packages/holdfast/test/simulation/random.ts';

const { values } = parseArgs({
  options: {
    plays: { type: 'string', default: '100' },
    runs: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '6' },
    'plays-at-once': { type: 'string', default: '50' },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
});
const random = values.seed === undefined ? Math.random : createRandom(Number(values.seed)).next;
const pages = Number(values['at-once']);
const isWanted = (name: string): boolean => values.only === undefined || values.only === name;

const demo = await openDemo({ seed: { issues: 150 } });

/** Tells how many ended right. */
function tell(name: string, found: readonly (readonly string[])[], { startedMs, more = '' }: Told): void {
  for (const [index, problems] of found.entries())
    for (const problem of problems) console.log(`${name} ${index + 1}: ${problem}`);
  const right = found.filter((problems) => problems.length === 0).length;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${name}: ${right} of ${found.length} ended right (${more}${seconds} s)`);
  if (right < found.length) process.exitCode = 1;
}

interface Told {
  startedMs: number;
  more?: string;
}

const LATENCIES_MS = [0, 300, 1_500];
const PLAYS_IN_BROWSER = 5;

for (const one of RACES) {
  if (!isWanted(one.id)) continue;
  for (const latencyMs of LATENCIES_MS) {
    const startedMs = performance.now();
    const found: (readonly string[])[] = [];
    while (found.length < Number(values.plays)) {
      const plays = Math.min(Number(values['plays-at-once']), Number(values.plays) - found.length);
      found.push(...(await Promise.all(Array.from({ length: plays }, () => playAt(demo, one, latencyMs)))));
    }
    tell(`${one.id} at ${latencyMs} ms`, found, { startedMs });
  }
  const startedMs = performance.now();
  const page = await openFirstScreen(demo);
  const found: (readonly string[])[] = [];
  while (found.length < Math.min(PLAYS_IN_BROWSER, Number(values.plays)))
    found.push(await playRace(demo, page, one));
  await page.context().close();
  tell(`${one.id} in a browser`, found, { startedMs });
}
for (const network of SWITCHES) {
  if (!isWanted(network)) continue;
  const startedMs = performance.now();
  const results: RaceResult[] = [];
  while (results.length < Number(values.runs)) {
    const visitors = Math.min(pages, Number(values.runs) - results.length);
    results.push(...(await race(demo, network, random, visitors)));
  }
  const sum = (what: 'calls' | 'failed'): number => results.reduce((total, one) => total + one[what], 0);
  tell(
    network,
    results.map(({ problems }) => problems),
    { startedMs, more: `${sum('calls')} calls, ${sum('failed')} failed, ` },
  );
  for (const [index, { problems, log }] of results.entries())
    for (const line of problems.length > 0 ? log : []) console.log(`${network} ${index + 1} sent: ${line}`);
}
for (const problem of await demo.leave()) {
  console.log(`the page logged: ${problem}`);
  process.exitCode = 1;
}
await demo.close();
