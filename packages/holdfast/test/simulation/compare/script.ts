// The schedule of a comparison: plain data, like that of the simulator (../schedule.ts), with more actions and no checks.
import { createRandom } from '../random.ts';
import { MODES } from '../schedule.ts';
import type { Mode } from '../schedule.ts';

const WEIGHTS = {
  fetch: 20,
  fetchIfStale: 3,
  write: 34,
  network: 70,
  wait: 3,
  sweep: 8,
  mount: 9,
  mountQuery: 4,
  mountPending: 1.5,
  unmount: 3,
  retry: 1,
  ensure: 1,
  set: 3,
  setResponse: 3,
  setError: 0.7,
  invalidate: 4,
  invalidateAll: 1,
  expireAll: 1,
  reset: 0.8,
  rehydrate: 1,
  hydrate: 0.7,
  poll: 1,
  unpoll: 0.6,
  offline: 1.2,
  focus: 1.5,
  restart: 0.6,
  elsewhere: 4,
  snapshot: 1,
} as const;

export type ScriptAction = keyof typeof WEIGHTS;

export interface ScriptStep {
  do: ScriptAction;
  /** Fractions that pick a target, a value, a fault: positions in the choices at that time. */
  at: number;
  with: number;
  fault: number;
  /** Milliseconds before the step; a negative value sets the wall clock back. */
  ms: number;
}

export interface Script {
  seed: number;
  mode: Mode;
  isOptimistic: boolean;
  faultRate: number;
  hasOthers: boolean;
  isDeaf: boolean;
  /** Everything is read after every n-th step, because unread data is computed later, on other paths. */
  readEvery: number;
  /** Whether a subscriber reads when it is called. */
  readsWhenCalled: boolean;
  retries: boolean;
  lifeMs?: number | undefined;
  errorMs?: number | undefined;
  keepMs?: number | undefined;
  steps: ScriptStep[];
}

const ACTIONS = Object.keys(WEIGHTS) as ScriptAction[]; // cast: keys of a constant
const TOTAL = ACTIONS.reduce((sum, action) => sum + WEIGHTS[action], 0);

function pickAction(fraction: number): ScriptAction {
  let rest = fraction * TOTAL;
  for (const action of ACTIONS) {
    rest -= WEIGHTS[action];
    if (rest < 0) return action;
  }
  return 'network';
}

const rounded = (fraction: number): number => Math.floor(fraction * 1000) / 1000;

export function createScript(seed: number, stepCount: number): Script {
  const random = createRandom(seed);
  const mode = MODES[seed % MODES.length]!;
  const script: Script = {
    seed,
    mode,
    isOptimistic: random.chance(0.7),
    faultRate: mode === 'faults' ? 0.05 + random.next() * 0.35 : random.pick([0, 0, 0.1]),
    hasOthers: random.chance(0.3),
    isDeaf: random.chance(0.2),
    readEvery: random.pick([1, 1, 3, 100]),
    readsWhenCalled: random.chance(0.5),
    retries: random.chance(0.2),
    lifeMs: random.pick([undefined, undefined, 20_000]),
    errorMs: random.pick([undefined, 1_000, 1_000]),
    keepMs: random.pick([undefined, 2_000]),
    steps: [],
  };
  const readers = random.chance(0.4) ? 8 : 2;
  while (script.steps.length < stepCount) {
    const action = pickAction(random.next());
    script.steps.push({
      do: script.steps.length < readers ? 'mount' : action,
      at: rounded(random.next()),
      with: rounded(random.next()),
      fault: rounded(random.next()),
      ms: pickDelay(mode, random.next(), random.next()),
    });
  }
  return script;
}

function pickDelay(mode: Mode, first: number, second: number): number {
  if (mode === 'same-ms') return 0;
  if (mode === 'clock-back' && first > 0.92) return -Math.ceil(second * 3_600_000);
  return first < 0.5 ? 0 : 1 + Math.floor(second * 50);
}
