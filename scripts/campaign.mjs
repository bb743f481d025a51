// The large run of the simulator: `npm run campaign` runs 40,000 schedules in all modes from a seed drawn now and
// printed; `npm run campaign -- 200000 12345` runs that many from that seed. The models of lists run a tenth as often, or
// as often as RUNS says. Each prints how often its steps were played. Replay one failure with
// SIM_SEED=… SIM_MODE=… npx vitest run --project node packages/holdfast/test/simulation/simulation-order.test.ts
import { spawnSync } from 'node:child_process';

const [count = '40000', seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
const tenth = String(Math.ceil(Number(count) / 10));
console.log(`campaign: ${count} schedules from seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'node',
    'packages/holdfast/test/simulation/simulation-order.test.ts',
    'packages/holdfast/test/simulation/simulation-clock.test.ts',
    'packages/holdfast/test/property/list-model.test.ts',
  ],
  { stdio: 'inherit', env: { RUNS: tenth, ...process.env, SIM_SCHEDULES: count, SIM_BASE: seed } },
);
process.exitCode = status ?? 1;
