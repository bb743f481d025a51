// Runs one engine scenario in this process: check every contestant, race them, write the result as JSON to the
// path given. Bundled and started by engine/run, one process per scenario, so that scenarios cannot disturb
// one another's compiled code or heap.
import { writeFileSync } from 'node:fs';

import { contestants as everyone } from '../contestants/all.ts';
import { race } from '../support/race.ts';
import { readSpread } from '../support/statistics.ts';
import type { Trial } from '../support/trial.ts';
import { changeScenarios } from './change.ts';
import { measureDepth } from './depth.ts';
import { ingestScenarios } from './ingest.ts';
import { listScenarios } from './lists.ts';
import type { EngineEntry, EngineResult } from './result.ts';
import type { Counts, Scenario, Variant } from './scenario.ts';

const REFERENCE = 'holdfast';
/** The peers that targets are set against take part in every round; slower ones in as many as their budget gives. */
const UNLIMITED = [REFERENCE, 'data-client 0.18', 'data-client 0.10', 'TanStack Query'];
const FULL = {
  rounds: 11,
  minRounds: 5,
  sampleMs: 8,
  warmupMs: 200,
  warmupRuns: 60,
  budgetMs: 800,
  unlimited: UNLIMITED,
};
const QUICK = {
  rounds: 3,
  minRounds: 3,
  sampleMs: 1,
  warmupMs: 10,
  warmupRuns: 1,
  budgetMs: 800,
  unlimited: UNLIMITED,
};
/** Checks read every field of every row, and peers may be slow: a smaller table shows a wrong answer as well. */
const CHECK_SIZE = 500;
const DEEPEST = 100_000;
const DEEPEST_QUICK = 1000;

const [id = '', path = '', mode = '', names = ''] = process.argv.slice(2);
const contestants = everyone.filter(({ name }) => names === '' || names.split(',').includes(name));

const scenarios: readonly Scenario[] = [...ingestScenarios, ...changeScenarios, ...listScenarios];

function raceVariant(scenario: Scenario, variant: Variant, isQuick: boolean): EngineEntry[] {
  const size = isQuick ? variant.quickSize : variant.size;
  const trials = new Map<string, Trial>();
  const counts = new Map<string, Counts>();
  for (const contestant of contestants) {
    if (scenario.tooSlow?.includes(contestant.name)) continue;
    const trial = scenario.createTrial(contestant, size, variant.label);
    if (!trial) continue;
    counts.set(contestant.name, scenario.check(contestant, Math.min(size, CHECK_SIZE), variant.label));
    trials.set(contestant.name, trial);
  }
  for (const [name, trial] of scenario.createFloors?.(size) ?? []) trials.set(name, trial);
  const samples = race(trials, isQuick ? QUICK : FULL);
  const reference = samples.get(REFERENCE)?.byRound ?? [];
  return Array.from(samples, ([contestant, { byRound }]) => {
    const ratios = byRound.flatMap((time, round) => {
      const base = reference[round];
      return time !== undefined && base !== undefined ? [time / base] : [];
    });
    return {
      contestant,
      variant: variant.label,
      size,
      nanoseconds: readSpread(byRound.filter((time) => time !== undefined)),
      timesReference: readSpread(ratios),
      counts: counts.get(contestant) ?? {},
      remark: contestants.find(({ name }) => name === contestant)?.remark ?? '',
    };
  });
}

function runScenario(isQuick: boolean): EngineResult {
  if (id === 'S2') {
    const depths = measureDepth(contestants, isQuick ? DEEPEST_QUICK : DEEPEST);
    return { id, title: 'how deep entities may nest and refer, up to 100,000', entries: [], depths };
  }
  const scenario = scenarios.find((candidate) => candidate.id === id);
  if (!scenario) throw new Error(`no scenario ${id}`);
  const entries = scenario.variants.flatMap((variant) => raceVariant(scenario, variant, isQuick));
  return { id, title: scenario.title, entries, depths: [] };
}

if (id === 'list') console.log([...scenarios.map((scenario) => scenario.id), 'S2'].join(','));
else writeFileSync(path, JSON.stringify(runScenario(mode === 'quick')));
// peers keep timers (expiry, garbage) that would hold the process
process.exit(0);
