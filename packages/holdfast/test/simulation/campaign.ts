// Runs many schedules of one client and counts: how many, how fast, what broke. Schedules marked as paired are run twice, with
// and without optimistic updates, and must have the same end.
import { createSchedule, MODES } from './schedule.ts';
import type { Mode, Schedule } from './schedule.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import type { CreateSubject } from './subject.ts';
import { Violation } from './violation.ts';

export interface Failure {
  schedule: Schedule;
  violation: Violation;
}

export interface Tally {
  schedules: number;
  paired: number;
  requests: number;
  failures: Failure[];
  /** How often each of the steps about late arrivals was played. */
  played: Map<string, number>;
}

/** Share of the schedules with late steps, among those with no other special steps. */
export const LATE_SHARE = 0.6;

export interface CampaignOptions {
  createSubject: CreateSubject;
  seed: number;
  count: number;
  steps: number;
  modes?: readonly Mode[];
  /** Stops after this many failures: a broken build need not fail a thousand times. */
  maxFailures?: number;
  /** Called at once, so that a run that is stopped has reported its failures. */
  onFailure?: (failure: Failure) => void;
}

/** One schedule, twice if it is paired. */
export async function runOnce(
  schedule: Schedule,
  createSubject: CreateSubject,
): Promise<{ violation?: Violation; requests: number; played: ReadonlyMap<string, number> }> {
  const first = await simulate(schedule, createSubject);
  const { played } = first;
  if (first.violation) return { violation: first.violation, requests: first.requests, played };
  if (!schedule.isPaired) return { requests: first.requests, played };
  const second = await simulate(schedule, createSubject, { isOptimistic: false });
  const requests = first.requests + second.requests;
  if (second.violation) return { violation: second.violation, requests, played };
  if (first.ending === second.ending) return { requests, played };
  return {
    violation: new Violation('I7', `with optimism\n${first.ending}\nwithout\n${second.ending}`),
    requests,
    played,
  };
}

export async function runCampaign(options: CampaignOptions): Promise<Tally> {
  const { createSubject, seed, count, steps, modes = MODES, maxFailures = 5 } = options;
  const tally: Tally = { schedules: 0, paired: 0, requests: 0, failures: [], played: new Map() };
  while (tally.schedules < count && tally.failures.length < maxFailures) {
    const mode = modes[tally.schedules % modes.length]!;
    const schedule = createSchedule(seed + tally.schedules, mode, steps, { lateShare: LATE_SHARE });
    const { violation, requests, played } = await runOnce(schedule, createSubject);
    tally.schedules++;
    tally.requests += requests;
    for (const [step, times] of played) tally.played.set(step, (tally.played.get(step) ?? 0) + times);
    if (schedule.isPaired) tally.paired++;
    if (!violation) continue;
    tally.failures.push({ schedule, violation });
    options.onFailure?.({ schedule, violation });
  }
  return tally;
}

/** The smallest schedule that still breaks the same invariant. */
export async function shrinkFailure(failure: Failure, createSubject: CreateSubject): Promise<Schedule> {
  return shrink(failure.schedule, async (candidate) => {
    const { violation } = await runOnce(candidate, createSubject);
    return violation?.invariant === failure.violation.invariant;
  });
}

/** The report that a person needs to reproduce the failure. */
export function describe(failure: Failure, small?: Schedule): string {
  const { schedule, violation } = failure;
  const lines = [`${violation.message}`, `replay: SIM_SEED=${schedule.seed} SIM_MODE=${schedule.mode}`];
  if (small) lines.push(`smallest: ${JSON.stringify(small)}`);
  return lines.join('\n');
}
