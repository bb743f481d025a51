// The large run of the simulator: `npm run campaign` runs 40,000 schedules in all modes from a seed drawn now and
// printed; `npm run campaign -- 200000 12345` runs that many from that seed. Replay one failure with
// SIM_SEED=… SIM_MODE=… npx vitest run --project node packages/holdfast/test/simulation/simulation-order.test.ts
import { spawnSync } from 'node:child_process';

const [count = '40000', seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
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
  ],
  { stdio: 'inherit', env: { ...process.env, SIM_SCHEDULES: count, SIM_BASE: seed } },
);
process.exitCode = status ?? 1;
