// A schedule is plain data: the action of each step, with positions as fractions of the choices at that time. So a step can be
// dropped and the other steps keep a meaning, as shrinking needs.
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

export const MODES = ['plain', 'faults', 'same-ms', 'clock-back'] as const;
export type Mode = (typeof MODES)[number];

const WEIGHTS = {
  get: 9,
  list: 12,
  page: 3,
  user: 2,
  create: 9,
  patch: 14,
  put: 3,
  vote: 5,
  remove: 7,
  rename: 3,
  set: 2,
  push: 2,
  invalidateRow: 2,
  invalidateList: 3,
  invalidateLists: 1,
  expireLists: 1,
  reset: 1.2,
  network: 62,
  burst: 8,
  wait: 2.5,
  sweep: 24,
  offline: 1.5,
  focus: 2,
  poll: 1.5,
  unpoll: 0.7,
  mount: 5,
  unmount: 2,
  elsewhere: 1.5,
  // lists of other shapes, calls about many rows, moves and saved states
  shaped: 5,
  mountShaped: 1.2,
  nextPage: 2,
  move: 2.5,
  patchMany: 2,
  removeMany: 1.5,
  createThing: 1.5,
  patchThing: 1.5,
  removeThing: 1,
  reopen: 2,
} as const;

/** Steps about rows with versions. They replace others in some schedules; the rest of the schedule of a seed stays. */
const VERSION_WEIGHTS = {
  note: 3,
  notes: 2,
  patchNote: 3,
  removeNote: 0.7,
  tellNote: 6,
  otherNote: 4,
  mountNote: 1,
} as const;

/** The same for steps about lists of every shape. */
const LIST_WEIGHTS = {
  jobs: 8,
  orders: 4,
  createJob: 3,
  patchJob: 4,
  removeJob: 1,
  otherJob: 0.4,
  mountJob: 1,
  mountOrder: 1,
  tellJob: 1.5,
} as const;

/**
 * The same for steps about rows that were never read, calls that stay in flight, late messages and states, and time without user
 * actions.
 */
const LATE_WEIGHTS = {
  readUnread: 5,
  mountUnread: 2,
  mountUser: 1.5,
  writeUnread: 9,
  close: 2,
  hold: 3,
  idle: 1,
  compose: 4,
  tell: 5,
  saveState: 4,
  bringState: 5,
  linger: 0.6,
} as const;

export type Action =
  | keyof typeof WEIGHTS
  | keyof typeof VERSION_WEIGHTS
  | keyof typeof LIST_WEIGHTS
  | keyof typeof LATE_WEIGHTS;

export interface Step {
  do: Action;
  /** Fractions that pick a target, a value, a fault. */
  at: number;
  with: number;
  fault: number;
  /** Milliseconds before the step; a negative value sets the wall clock back. */
  ms: number;
}

export interface Schedule {
  seed: number;
  mode: Mode;
  isOptimistic: boolean;
  /** Users act only on rows of the server, so that a run without optimistic updates has the same actions. */
  isPaired: boolean;
  /** Share of requests that get a fault. */
  faultRate: number;
  /** True when somebody else changes the server without a message. */
  hasOthers: boolean;
  isDeaf: boolean;
  /** True when the client repeats a PUT or DELETE once after a temporary failure. */
  hasRetries?: boolean;
  /** Expiry times of data and of failures, and the retention of unused data; undefined: no end. */
  lifeMs?: number | undefined;
  errorMs?: number | undefined;
  keepMs?: number | undefined;
  /** Rows that exist on the server from the start, where there are more than usual. */
  itemCount?: number;
  steps: Step[];
}

export interface ScheduleOptions {
  /** Share of the schedules that have steps about late arrivals. */
  readonly lateShare?: number;
}

export const LATE = Object.keys(LATE_WEIGHTS) as Action[]; // cast: as below

/** The actions of these steps, where they have a target: each has to occur in every run. */
export const LATE_STEPS: readonly string[] = [
  ...LATE.filter((step) => step !== 'compose' && step !== 'tell'),
  'renameUnread',
  'idleWhileHeld',
  'tellUnread',
  'tellKnown',
  'tellWhileWriting',
  // the responses to these writes
  'empty',
  'wrongShape',
  'lostAfter',
  '500After',
];

export const LISTED = Object.keys(LIST_WEIGHTS) as Action[]; // cast: as below
export const VERSIONED = Object.keys(VERSION_WEIGHTS) as Action[]; // cast: keys of a constant

/** Picks by weight, with a fraction. */
function createPick(weights: Readonly<Partial<Record<Action, number>>>): (fraction: number) => Action {
  const entries = Object.entries(weights) as [Action, number][]; // cast: keys of a constant
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  return (fraction) => {
    let rest = fraction * total;
    for (const [action, weight] of entries) {
      rest -= weight;
      if (rest < 0) return action;
    }
    return 'network';
  };
}

const pickAction = createPick(WEIGHTS);
const pickVersioned = createPick(VERSION_WEIGHTS);
const pickListed = createPick(LIST_WEIGHTS);
const pickLate = createPick(LATE_WEIGHTS);

const rounded = (fraction: number): number => Math.floor(fraction * 1000) / 1000;

export function createSchedule(
  seed: number,
  mode: Mode,
  stepCount: number,
  { lateShare = 0 }: ScheduleOptions = {},
): Schedule {
  const random = createRandom(seed);
  const isPaired = random.chance(0.15);
  const schedule: Schedule = {
    seed,
    mode,
    isOptimistic: isPaired || random.chance(0.7),
    isPaired,
    faultRate:
      mode === 'plain' ? 0 : mode === 'faults' ? 0.05 + random.next() * 0.35 : random.pick([0, 0, 0.1]),
    hasOthers: random.chance(0.2),
    isDeaf: random.chance(0.2),
    lifeMs: random.pick([undefined, undefined, 20_000]),
    errorMs: random.pick([undefined, 1_000, 1_000]),
    // the data of a pending mutation is kept only with optimistic updates: the two runs of a pair would differ
    keepMs: isPaired ? undefined : random.pick([undefined, 2_000]),
    steps: [],
  };
  // readers that are mounted from the start make lists meet changes more often
  schedule.steps.push({ do: 'list', at: 0, with: 0, fault: 0, ms: 0 });
  // many mounted readers get more notifications
  const readers = random.chance(0.25) ? 7 : 0;
  while (schedule.steps.length < stepCount) {
    const action = pickAction(random.next());
    schedule.steps.push({
      do: schedule.steps.length < readers ? 'mount' : action,
      at: rounded(random.next()),
      with: rounded(random.next()),
      fault: rounded(random.next()),
      ms: pickDelay(mode, random.next(), random.next()),
    });
  }
  // the pauses are random, and the two runs of a pair use the random numbers differently
  schedule.hasRetries = !isPaired && random.chance(0.5);
  const versions = createRandom(seed ^ 0x2545f491);
  const isVersioned = versions.chance(0.25);
  const pickOther = isVersioned ? pickVersioned : versions.chance(0.33) ? pickListed : undefined;
  if (!isPaired && pickOther)
    for (const step of schedule.steps.slice(readers + 1))
      if (!step.do.startsWith('network') && versions.chance(0.6)) step.do = pickOther(versions.next());
  // a change and reads of several lists, with responses in any order
  if (!isPaired && pickOther === pickListed && versions.chance(0.5)) {
    const phrase: readonly Action[] = [
      'patchJob',
      'jobs',
      'jobs',
      'mountJob',
      'network',
      'network',
      'network',
    ];
    const start = readers + 1 + versions.below(stepCount - readers - phrase.length - 1);
    for (const [at, action] of phrase.entries()) schedule.steps[start + at]!.do = action; // within
  }
  const late = createRandom(seed ^ 0x1b873593);
  if (!isPaired && !pickOther && late.chance(lateShare)) addLate(schedule, readers + 1, late);
  return schedule;
}

/** Few rows are read at first, so that others arrive for the first time while they are written. */
function addLate(schedule: Schedule, from: number, random: Random): void {
  const { steps } = schedule;
  schedule.itemCount = 5;
  steps[0]!.at = random.pick([0.3, 0.3, 0.5, 0.9]);
  for (const step of steps.slice(from))
    if (step.do !== 'network' && random.chance(0.5)) step.do = pickLate(random.next());
  const phrase = random.pick(PHRASES);
  const start = from + random.below(Math.max(1, steps.length - from - phrase.length));
  const about = rounded(random.next());
  for (const [offset, action] of phrase.entries()) {
    const step = steps[start + offset];
    if (!step) break;
    step.do = action;
    // about one row, or all of them; the request that was sent last advances
    if (/Unread|list|compose/.test(action)) step.at = action === 'list' ? 0 : about;
    if (action === 'network') Object.assign(step, { at: 0.999, fault: 0.999 });
  }
}

/** Sequences that are rare in random schedules. */
const PHRASES: readonly (readonly Action[])[] = [
  ['readUnread', 'network', 'writeUnread', 'network', 'network', 'network'],
  ['list', 'network', 'writeUnread', 'network', 'network', 'network'],
  ['mountUnread', 'network', 'writeUnread', 'network', 'network', 'network'],
  ['shaped', 'network', 'writeUnread', 'network', 'network', 'network'],
  ['writeUnread', 'compose', 'tell', 'network', 'network'],
  ['compose', 'patch', 'network', 'get', 'network', 'tell', 'network', 'network'],
  ['saveState', 'create', 'network', 'network', 'bringState'],
  ['saveState', 'writeUnread', 'network', 'network', 'bringState'],
  ['saveState', 'invalidateLists', 'bringState'],
  ['hold', 'expireLists', 'idle'],
  ['mount', 'network', 'network', 'linger', 'idle'],
  ['list', 'network', 'network', 'mountUser', 'linger', 'linger'],
];

function pickDelay(mode: Mode, first: number, second: number): number {
  if (mode === 'same-ms') return 0;
  if (mode === 'clock-back' && first > 0.9) return -Math.ceil(second * 3_600_000);
  return first < 0.5 ? 0 : 1 + Math.floor(second * 50);
}
