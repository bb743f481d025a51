// Runs in the browser: mounts each contestant's page, times writes until they are in the DOM, counts renders.
// Bundled by render/run, which calls `window.runScenario`.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

import { createIssueRows } from '../payloads/issues.ts';
import { createRandom } from '../payloads/random.ts';
import { readSpread } from '../support/statistics.ts';
import type { RenderContestant } from './client.ts';
import { apollo } from './clients/apollo.tsx';
import { dataClient } from './clients/data-client.tsx';
import { holdfast } from './clients/holdfast.tsx';
import { plainReact } from './clients/plain-react.tsx';
import { reduxToolkit } from './clients/redux-toolkit.tsx';
import { setState } from './clients/set-state.tsx';
import { swr } from './clients/swr.tsx';
import { tanstackQuery } from './clients/tanstack-query.tsx';
import type { RenderResult } from './result.ts';
import { renderScenarios } from './scenarios.ts';
import type { RenderScenario, Stage } from './scenarios.ts';
import { Page, renders } from './view.tsx';

declare global {
  interface Window {
    runScenario: (id: string, isQuick: boolean) => Promise<RenderResult>;
    scenarioIds: readonly string[];
  }
}

const contestants: readonly RenderContestant[] = [
  holdfast,
  dataClient,
  tanstackQuery,
  swr,
  reduxToolkit,
  apollo,
  plainReact,
  setState,
];
/** How much of a scenario is measured. Unmeasured rounds come first: see `README.md`. */
interface Pace {
  readonly warmups: number;
  /** Rounds go on for `budgetMs`, but never end before `leastRounds`. */
  readonly leastRounds: number;
  readonly budgetMs: number;
  /** Who is far behind takes part in one of so many rounds. */
  readonly farEvery: number;
  readonly turns: Turns;
  readonly warmupTurns: Turns;
}

/** What a contestant does in one round. */
interface Turns {
  readonly changes: number;
  readonly mounts: number;
}

const ROUND: Turns = { changes: 8, mounts: 3 };
const WARMUP: Turns = { changes: 12, mounts: 3 };
const ONCE: Turns = { changes: 2, mounts: 1 };
const JUDGED: Pace = {
  warmups: 6,
  leastRounds: 13,
  budgetMs: 14_000,
  farEvery: 3,
  turns: ROUND,
  warmupTurns: WARMUP,
};
const UNJUDGED: Pace = { ...JUDGED, leastRounds: 9, budgetMs: 6000, farEvery: 2 };
/** Ten thousand rows warm the code in one go, and a mount of them takes half a second and varies little. */
const MANY: Pace = {
  ...JUDGED,
  warmups: 2,
  leastRounds: 5,
  budgetMs: 10_000,
  farEvery: 1,
  turns: { changes: 8, mounts: 1 },
  warmupTurns: { changes: 8, mounts: 1 },
};
const QUICK: Pace = { ...MANY, warmups: 1, leastRounds: 1, budgetMs: 0, turns: ONCE, warmupTurns: ONCE };
const MANY_ROWS = 2000;
/** Far behind is who took so many times as long as the quickest in the last unmeasured round that it was in. */
const FAR = 3;
/** Whose changes take so long makes no more than a few per round, and if it is far behind warms up in two rounds. */
const SLOW_ROUND_MS = 500;
const LEAST_CHANGES = 3;
const LEAST_WARMUPS = 2;
const TIMEOUT_MS = 20_000;

interface Sample {
  readonly milliseconds: number;
  readonly rows: number;
  readonly hooks: number;
}

/**
 * Each contestant's last client, alive between its rounds, as an application's is: where nothing of a class is alive, a
 * collection of the others' garbage forgets its shape and the code compiled for it.
 */
const alive = new Map<string, unknown>();

const channel = new MessageChannel();

/**
 * Nothing pending in the page: effects, late commits and idle work of the last change are over. Ends in a task that no
 * timer started: after a chain of timers the browser makes every further one wait 4 ms, also those in which some libraries
 * commit, and a response from the network comes in no such chain.
 */
async function settle(): Promise<void> {
  // longer than the zero-length timers in which some libraries commit
  await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
}

/** Time from the call to the first DOM mutation after which `isDone` holds. */
async function timeUntilSeen(
  container: HTMLElement,
  send: () => void,
  isDone: () => boolean,
): Promise<Sample> {
  const before = { ...renders };
  const milliseconds = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the change never reached the DOM')), TIMEOUT_MS);
    const observer = new MutationObserver(() => {
      if (!isDone()) return;
      resolve(performance.now() - startMs);
      clearTimeout(timer);
      observer.disconnect();
    });
    observer.observe(container, { childList: true, subtree: true, characterData: true });
    const startMs = performance.now();
    send();
  });
  await settle();
  return { milliseconds, rows: renders.rows - before.rows, hooks: renders.hooks - before.hooks };
}

/** Mount one page; gives the time of ingest and first render, the stage, and the way to take it down. */
async function mount(contestant: RenderContestant, scenario: RenderScenario, stored: number) {
  const rows = createIssueRows(stored);
  const shown = Math.min(scenario.shown ?? stored, stored);
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const client = contestant.createClient(scenario.reading);
  alive.set(contestant.name, client);
  const hookedIds = scenario.places
    ? Array.from({ length: scenario.places }, () => rows[0]?.id ?? '')
    : rows.map((row) => row.id);
  let show: (() => void) | undefined;
  const onReady = (open: () => void) => (show = open);
  root.render(createElement(Page, { client, reading: scenario.reading, shown, hookedIds, onReady }));
  // the empty page must be there, with its effects run, before the clock starts
  do await settle();
  while (!show);
  await settle();
  const expected = scenario.reading === 'both' ? shown + hookedIds.length : shown;
  const live = container.getElementsByTagName('tr');
  // a collection takes as long as a mount: one that is due to what came before must not fall into this
  globalThis.gc?.({ type: 'minor' });
  const sample = await timeUntilSeen(
    container,
    () => {
      client.ingest(rows);
      show?.();
    },
    () => live.length === expected,
  );
  // a list of its own: actions edit it, and what was ingested belongs to the cache
  const stage: Stage = { client, container, rows: [...rows], shown };
  const unmount = async () => {
    root.unmount();
    container.remove();
    await settle();
  };
  return { sample, stage, unmount };
}

async function sampleRound(
  contestant: RenderContestant,
  scenario: RenderScenario,
  stored: number,
  turns: Turns,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  if (!scenario.act) {
    for (let turn = 0; turn < turns.mounts; turn += 1) {
      const { sample, unmount } = await mount(contestant, scenario, stored);
      samples.push(sample);
      await unmount();
    }
    return samples;
  }
  const { stage, unmount } = await mount(contestant, scenario, stored);
  globalThis.gc?.({ type: 'minor' });
  const startMs = performance.now();
  const isSlow = () => performance.now() - startMs > SLOW_ROUND_MS;
  for (let turn = 0; turn < turns.changes && (turn < LEAST_CHANGES || !isSlow()); turn += 1) {
    const { send, isDone } = scenario.act(stage, turn);
    samples.push(await timeUntilSeen(stage.container, send, isDone));
  }
  await unmount();
  return samples;
}

/** Another order each time, the same in every run: nobody always comes after the same one. */
function* orders(contestants: readonly RenderContestant[]): Generator<readonly RenderContestant[], never> {
  const random = createRandom(1);
  for (;;) {
    const left = [...contestants];
    yield contestants.flatMap(() => left.splice(random(left.length), 1));
  }
}

const median = (values: readonly number[]) => readSpread(values).median;
/** A round's figure is its quickest turn: whatever else runs on the machine only adds. */
const timeOf = (taken: readonly Sample[]) => Math.min(...taken.map((sample) => sample.milliseconds));

function paceOf(scenario: RenderScenario, stored: number, isQuick: boolean): Pace {
  if (isQuick) return QUICK;
  if (stored > MANY_ROWS) return MANY;
  return scenario.isJudged ? JUDGED : UNJUDGED;
}

async function runScenario(id: string, isQuick: boolean): Promise<RenderResult> {
  const scenario = renderScenarios.find((candidate) => candidate.id === id);
  if (!scenario) throw new Error(`no scenario ${id}`);
  const stored = isQuick ? scenario.quickStored : scenario.stored;
  const pace = paceOf(scenario, stored, isQuick);
  const taking = contestants.filter(({ name }) => isQuick || !scenario.tooSlow?.includes(name));
  /** By round; nothing where one who is far behind sat it out. */
  const samples = new Map(taking.map(({ name }) => [name, new Map<number, Sample[]>()]));
  const order = orders(taking);
  const slow = new Set<string>();
  const far = new Set<string>();
  let endMs = Infinity;
  for (let round = -pace.warmups; ; round += 1) {
    if (round === 0) endMs = performance.now() + pace.budgetMs;
    if (round >= pace.leastRounds && performance.now() > endMs) break;
    const times = new Map<string, number>();
    for (const contestant of order.next().value) {
      const { name } = contestant;
      if (round < 0 ? slow.has(name) && far.has(name) : round % pace.farEvery > 0 && far.has(name)) continue;
      const startMs = performance.now();
      const turns = round < 0 ? pace.warmupTurns : pace.turns;
      const taken = await sampleRound(contestant, scenario, stored, turns).catch((error: unknown) => {
        throw new Error(`${name} ${id}: ${String(error)}`);
      });
      if (round >= 0) samples.get(name)?.set(round, taken);
      else times.set(name, timeOf(taken));
      if (round >= LEAST_WARMUPS - pace.warmups - 1 && performance.now() - startMs > SLOW_ROUND_MS)
        slow.add(name);
    }
    // the library itself is in every round: the others are measured by it
    for (const [name, time] of times) {
      if (name !== holdfast.name && time > FAR * Math.min(...times.values())) far.add(name);
      else far.delete(name);
    }
  }
  const reference = samples.get(holdfast.name);
  const entries = taking.map(({ name }) => {
    const byRound = [...(samples.get(name) ?? [])];
    const all = byRound.flatMap(([, taken]) => taken);
    return {
      contestant: name,
      milliseconds: readSpread(all.map((sample) => sample.milliseconds)),
      timesReference: readSpread(
        byRound.map(([round, taken]) => timeOf(taken) / timeOf(reference?.get(round) ?? [])),
      ),
      rows: median(all.map((sample) => sample.rows)),
      hooks: median(all.map((sample) => sample.hooks)),
    };
  });
  return { id, title: scenario.title, entries };
}

window.runScenario = runScenario;
window.scenarioIds = renderScenarios.map((scenario) => scenario.id);
