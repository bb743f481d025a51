// Times one contestant in one operation at every size, smallest first, and writes what it has after each: if this
// process has to be stopped, the figures so far are on disk. Bundled and started by growth/run.
import { writeFileSync } from 'node:fs';

import { contestants } from '../contestants/all.ts';
import type { Contestant } from '../contestants/contestant.ts';
import { formatTime } from '../support/format.ts';
import { Lane } from '../support/lane.ts';
import { readSpread } from '../support/statistics.ts';
import { operations } from './operations.ts';
import type { Operation } from './operations.ts';
import { JUDGED, readLimitMs } from './result.ts';
import type { GrowthLane, GrowthPoint, GrowthResult } from './result.ts';

const SIZES = [100, 1000, 10_000, 100_000];
const QUICK_SIZES = [50, 100, 200];
const FULL = {
  rounds: 9,
  minRounds: 1,
  sampleMs: 4,
  warmupMs: 80,
  warmupRuns: 60,
  budgetMs: 150,
};
const QUICK = {
  rounds: 2,
  minRounds: 1,
  sampleMs: 1,
  warmupMs: 5,
  warmupRuns: 1,
  budgetMs: 100,
};
/** Making the store and running once: who would need more at the next size is left out there. */
const PATIENCE_MS = 2000;

function listLanes(): GrowthLane[] {
  return operations.flatMap(({ scenario, variant }, operation) =>
    contestants
      .filter((contestant) => !contestant.isFloor && scenario.createTrial(contestant, 10, variant))
      .map(({ name }) => ({ operation, contestant: name })),
  );
}

/** What the store and one run may take at the next size, by the growth so far: linear at least. */
function predictMs(
  tried: readonly { readonly size: number; readonly firstMs: number }[],
  size: number,
): number {
  const [before, last] = tried.slice(-2);
  if (!before || !last) return 0;
  return last.firstMs * Math.max(size / last.size, last.firstMs / before.firstMs);
}

async function measure(
  { scenario, variant }: Operation,
  contestant: Contestant,
  isQuick: boolean,
  write: (points: readonly GrowthPoint[]) => void,
): Promise<void> {
  const sizes = isQuick ? QUICK_SIZES : SIZES;
  const tried: { size: number; firstMs: number }[] = [];
  const points: GrowthPoint[] = [];
  const limitMs = readLimitMs(contestant.name, isQuick);
  const stopped = `stopped: all sizes together took more than ${limitMs / 1000} s`;
  for (const size of sizes) {
    // what stands there if this process does not live to replace it
    const rest = sizes.slice(points.length).map((later) => ({ size: later, samples: 0, leftOut: stopped }));
    write([...points, ...rest]);
    const predictedMs = predictMs(tried, size);
    // a quick run must give every figure: at its sizes one pause of the machine would pass for steep growth
    if (predictedMs > PATIENCE_MS && contestant.name !== JUDGED && !isQuick) {
      const leftOut = `its store and one run would take about ${formatTime(predictedMs * 1e6)}`;
      return write([...points, ...rest.map((point) => ({ ...point, leftOut }))]);
    }
    const trial = scenario.createTrial(contestant, size, variant);
    if (!trial) throw new Error(`${contestant.name} cannot do ${scenario.id}`);
    const options = isQuick ? QUICK : FULL;
    const lane = new Lane(trial, contestant.name === JUDGED ? { ...options, budgetMs: Infinity } : options);
    const { firstMs, rounds } = await lane.calibrate();
    const times: number[] = [];
    while (times.length < rounds) times.push(await lane.sample());
    tried.push({ size, firstMs });
    points.push({ size, time: readSpread(times).lower, samples: times.length });
  }
  write(points);
}

const [index = '', name = '', path = '', mode = ''] = process.argv.slice(2);
const operation = operations[Number(index)];
const contestant = contestants.find((candidate) => candidate.name === name);
if (index === 'list') console.log(JSON.stringify(listLanes()));
else if (!operation || !contestant) throw new Error(`no operation ${index} or no contestant ${name}`);
else {
  await measure(operation, contestant, mode === 'quick', (points) => {
    const result: GrowthResult = {
      operation: operation.name,
      contestant: name,
      points,
      expected: operation.expected,
    };
    writeFileSync(path, JSON.stringify(result));
  });
}
process.exit(0); // peers keep timers that would hold the process
