// Many races in the built demo. `npm run races` plays each race of the first screen fifty times and lets a hundred visitors loose on
// each bad network; it ends with 1 when a single one ended wrong. `-- --plays=10 --runs=10 --at-once=4` are other numbers,
// `--only=Storm` and `--only=late-read` run one of them.
import { parseArgs } from 'node:util';
import { RACES } from '../apps/demo/web/src/races/all-races.ts';
import { openDemo } from '../e2e/support/demo.ts';
import { openFirstScreen, playRace } from '../e2e/support/first-screen.ts';
import { race, SWITCHES } from '../e2e/support/races.ts';

const { values } = parseArgs({
  options: {
    plays: { type: 'string', default: '50' },
    runs: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '6' },
    only: { type: 'string' },
  },
});
const pages = Number(values['at-once']);
const isWanted = (name: string): boolean => values.only === undefined || values.only === name;

const demo = await openDemo({ seed: { issues: 150 } });

/** One of several that run at once. */
interface Runner {
  run(): Promise<readonly string[]>;
  end(): Promise<void>;
}

/** Runs one so often, several at once, and tells how many ended right. */
async function repeat(
  name: string,
  { runs, atOnce }: { runs: number; atOnce: number },
  begin: () => Promise<Runner>,
  tell: () => string = () => '',
): Promise<void> {
  const startedMs = performance.now();
  let [next, right] = [0, 0];
  const runAll = async (): Promise<void> => {
    const runner = await begin();
    while (next < runs) {
      const number = (next += 1);
      const problems = await runner.run();
      if (problems.length === 0) right += 1;
      for (const problem of problems) console.log(`${name} ${number}: ${problem}`);
    }
    await runner.end();
  };
  await Promise.all(Array.from({ length: atOnce }, runAll));
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${name}: ${right} of ${runs} ended right (${tell()}${seconds} s)`);
  if (right < runs) process.exitCode = 1;
}

/** A race is about order, and a browser on a busy machine is late with everything: few of them at once. */
const playsAtOnce = Math.min(pages, 2);
for (const one of RACES) {
  if (!isWanted(one.id)) continue;
  await repeat(one.id, { runs: Number(values.plays), atOnce: playsAtOnce }, async () => {
    const page = await openFirstScreen(demo);
    return { run: () => playRace(demo, page, one), end: () => page.context().close() };
  });
}
for (const network of SWITCHES) {
  if (!isWanted(network)) continue;
  const count = { calls: 0, failed: 0 };
  const run = async (): Promise<readonly string[]> => {
    const { calls, failed, problems } = await race(demo, network, Math.random);
    count.calls += calls;
    count.failed += failed;
    return problems;
  };
  const runner = { run, end: () => Promise.resolve() };
  await repeat(
    network,
    { runs: Number(values.runs), atOnce: pages },
    () => Promise.resolve(runner),
    () => `${count.calls} calls, ${count.failed} failed, `,
  );
}
for (const problem of await demo.leave()) {
  console.log(`the page logged: ${problem}`);
  process.exitCode = 1;
}
await demo.close();
