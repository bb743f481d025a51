// One contestant of the engine scenarios in a process of its own, as it is in an application: neither the heap nor the
// garbage nor the compiled code of another library is in its way. Bundled and started by engine/run.ts, which asks it
// one thing at a time: `list` gives the catalog, a name answers questions.
import { contestants } from '../contestants/all.ts';
import type { Contestant } from '../contestants/contestant.ts';
import { Lane } from '../support/lane.ts';
import type { Calibration } from '../support/lane.ts';
import { answerQuestions } from '../support/lane-process.ts';
import type { Trial } from '../support/trial.ts';
import { bulkScenarios } from './bulk.ts';
import { changeScenarios } from './change.ts';
import { editScenarios } from './edits.ts';
import { checkedScenarios } from './checked.ts';
import { measureDepth } from './depth.ts';
import { ingestScenarios } from './ingest.ts';
import { listScenarios } from './lists.ts';
import { pageScenarios } from './pages.ts';
import { queryScenarios } from './queries.ts';
import { REFERENCE, ROUNDS } from './result.ts';
import type { CatalogEntry, LaneQuestion } from './result.ts';
import type { Counts, Scenario, Variant } from './scenario.ts';

/** The peers that targets are set against take part in every round; slower ones in as many as their budget gives. */
const UNLIMITED = [REFERENCE, 'data-client 0.18', 'data-client 0.10', 'TanStack Query'];
const FULL = { rounds: ROUNDS.full, minRounds: 5, sampleMs: 8, warmupMs: 200, warmupRuns: 60, budgetMs: 800 };
const QUICK = { rounds: ROUNDS.quick, minRounds: 3, sampleMs: 1, warmupMs: 10, warmupRuns: 1, budgetMs: 800 };
/** Checks read every field of every row, and peers may be slow: a smaller table shows a wrong answer as well. */
const CHECK_SIZE = 500;
const DEEPEST = 100_000;
const DEEPEST_QUICK = 1000;
/** Enough to see whether a contestant can do something at all. */
const SMALLEST = 10;

const [name = '', mode = ''] = process.argv.slice(2);
const isQuick = mode === 'quick';
const scenarios: readonly Scenario[] = [
  ...ingestScenarios,
  ...changeScenarios,
  ...editScenarios,
  ...listScenarios,
  ...pageScenarios,
  ...queryScenarios,
  ...bulkScenarios,
  ...checkedScenarios,
];

function listLanes({ createFloors, createTrial, tooSlow = [], variants }: Scenario): CatalogEntry['lanes'] {
  const label = variants[0]?.label ?? '';
  const able = contestants.filter(
    (contestant) => !tooSlow.includes(contestant.name) && createTrial(contestant, SMALLEST, label),
  );
  const floors = [...(createFloors?.(SMALLEST).keys() ?? [])].map((floor) => ({ name: floor, remark: '' }));
  return [...able.map(describe), ...floors];
}

function describe({ name: contestant, remark = '' }: Contestant): CatalogEntry['lanes'][number] {
  return { name: contestant, remark };
}

function createCatalog(): CatalogEntry[] {
  const timed = scenarios.map((scenario) => ({
    id: scenario.id,
    title: scenario.title,
    variants: scenario.variants.map(({ label, quickSize, size }) => ({
      label,
      size: isQuick ? quickSize : size,
    })),
    lanes: listLanes(scenario),
  }));
  const title = 'how deep entities may nest and refer, up to 100,000';
  const deep = contestants.filter(({ chain }) => chain).map(describe);
  return [...timed, { id: 'S2', title, variants: [], lanes: deep }];
}

/** Checks the answer, if there is one to check, and gives what is timed. */
async function enter(
  scenario: Scenario,
  { label, quickSize, size: fullSize }: Variant,
): Promise<{ trial: Trial; counts: Counts }> {
  const size = isQuick ? quickSize : fullSize;
  const contestant = contestants.find((candidate) => candidate.name === name);
  const trial = contestant
    ? scenario.createTrial(contestant, size, label)
    : scenario.createFloors?.(size).get(name);
  if (!trial) throw new Error(`${name} cannot do ${scenario.id}`);
  const counts = contestant ? await scenario.check(contestant, Math.min(size, CHECK_SIZE), label) : {};
  return { trial, counts };
}

let lane: Lane | undefined;

async function calibrate(id: string, index: number): Promise<Calibration & { readonly counts: Counts }> {
  const scenario = scenarios.find((candidate) => candidate.id === id);
  const variant = scenario?.variants[index];
  if (!scenario || !variant) throw new Error(`no scenario ${id}`);
  const { trial, counts } = await enter(scenario, variant);
  const options = isQuick ? QUICK : FULL;
  lane = new Lane(trial, UNLIMITED.includes(name) ? { ...options, budgetMs: Infinity } : options);
  return { ...(await lane.calibrate()), counts };
}

if (name === 'list') console.log(JSON.stringify(createCatalog()));
else {
  answerQuestions(async (question) => {
    const { ask, scenario, variant } = question as LaneQuestion; // cast: sent by engine/run.ts
    if (ask === 'calibrate') return calibrate(scenario, variant);
    if (ask === 'sample') return lane?.sample();
    const itself = contestants.filter((contestant) => contestant.name === name);
    return measureDepth(itself, isQuick ? DEEPEST_QUICK : DEEPEST);
  });
}
