// Times one operation at every size, all sizes and contestants interleaved, and fits the exponent. Bundled and
// started by growth/run.
import { writeFileSync } from 'node:fs';

import { contestants } from '../contestants/all.ts';
import { race } from '../support/race.ts';
import { fitExponent, readSpread } from '../support/statistics.ts';
import type { Trial } from '../support/trial.ts';
import { operations } from './operations.ts';
import type { Operation } from './operations.ts';
import type { GrowthResult } from './result.ts';

const SIZES = [100, 1000, 10_000, 100_000];
const QUICK_SIZES = [50, 200];
const FULL = { rounds: 3, sampleMs: 5, warmupMs: 60, warmupRuns: 1 };
const QUICK = { rounds: 2, sampleMs: 1, warmupMs: 5, warmupRuns: 1 };

function measure(operation: Operation, isQuick: boolean): GrowthResult[] {
  const trials = new Map<string, Trial>();
  const labelOf = (name: string, size: number) => `${name} ${size}`;
  const sizes = isQuick ? QUICK_SIZES : SIZES;
  const taking = contestants.filter(({ name }) => operation.contestants.includes(name));
  for (const contestant of taking) {
    for (const size of sizes) {
      const trial = operation.scenario.createTrial(contestant, size, operation.variant);
      if (trial) trials.set(labelOf(contestant.name, size), trial);
    }
  }
  const samples = race(trials, isQuick ? QUICK : FULL);
  return taking.map(({ name }) => {
    const points = sizes.map((size) => ({
      size,
      time: readSpread((samples.get(labelOf(name, size))?.byRound ?? []).filter((time) => time !== undefined))
        .median,
    }));
    return {
      operation: operation.name,
      contestant: name,
      points,
      exponent: fitExponent(points),
      expected: operation.expected,
    };
  });
}

const [index = '', path = '', mode = ''] = process.argv.slice(2);
const operation = operations[Number(index)];
if (!operation) throw new Error(`no operation ${index}`);
writeFileSync(path, JSON.stringify(measure(operation, mode === 'quick')));
process.exit(0); // peers keep timers that would hold the process
