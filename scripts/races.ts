// Many races in the built demo: `npm run races -- --runs=100 --at-once=6` runs each bad network that often and ends with 1
// when a single one ended wrong. `--only=Storm` runs one of the two.
import { parseArgs } from 'node:util';
import { openDemo } from '../e2e/support/demo.ts';
import { race, SWITCHES } from '../e2e/support/races.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '6' },
    only: { type: 'string' },
  },
});
const runs = Number(values.runs);
const pages = Number(values['at-once']);

const demo = await openDemo({ seed: { issues: 150 } });
for (const network of SWITCHES) {
  if (values.only !== undefined && values.only !== network) continue;
  const startedMs = performance.now();
  const count = { right: 0, calls: 0, failed: 0 };
  let next = 0;
  const runAll = async (): Promise<void> => {
    while (next < runs) {
      const number = (next += 1);
      const { calls, failed, problems } = await race(demo, network, Math.random);
      count.calls += calls;
      count.failed += failed;
      if (problems.length === 0) count.right += 1;
      for (const problem of problems) console.log(`${network} ${number}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: pages }, runAll));
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(
    `${network}: ${count.right} of ${runs} ended right (${count.calls} calls, ${count.failed} failed, ${seconds} s)`,
  );
  if (count.right < runs) process.exitCode = 1;
}
for (const problem of await demo.leave()) {
  console.log(`the page logged: ${problem}`);
  process.exitCode = 1;
}
await demo.close();
