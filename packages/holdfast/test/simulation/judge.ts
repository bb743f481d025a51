// The verdicts of the models on one build of the library, for the script that puts faults into copies of it.
import { playRandom } from '../second-model/schedule.ts';
import { runCampaign, runOnce } from './campaign.ts';
import { createHoldfast } from './holdfast-subject.ts';
import type { Schedule } from './schedule.ts';

export { judgeChecks } from './checked-model.ts';
export { judgeLists } from './list-model.ts';
export { judgeCoverage } from './coverage-model.ts';
export { judgeLocal } from './local-model.ts';
export { judgeMap } from './map-model.ts';
export { judgeRoles } from './role-lists.ts';
export { judgeSeveral } from './several-lists.ts';
export { judgeConflicts } from './conflicts.ts';
export { judgeHttp } from './http-laws.ts';
export { judgeInspected } from './inspected.ts';
export { judgeSources } from './source-model.ts';
export { judgeSessions } from './sessions.ts';

/** The first violation within this many schedules, and how many it took; the named schedules run after them. */
export async function judge(
  count: number,
  named: readonly Schedule[],
): Promise<{ message: string | undefined; schedules: number }> {
  const { failures, schedules } = await runCampaign({
    createSubject: createHoldfast,
    seed: 4_711_000,
    count,
    steps: 50,
    maxFailures: 1,
  });
  const message = failures[0]?.violation.message;
  if (message !== undefined) return { message, schedules };
  for (const schedule of named) {
    const { violation } = await runOnce(schedule, createHoldfast);
    if (violation) return { message: `by a named schedule: ${violation.message}`, schedules };
  }
  return { message: undefined, schedules };
}

/** Plays the schedules of the second model until one fails. */
export async function judgeSecond(
  count: number,
): Promise<{ message: string | undefined; schedules: number }> {
  for (let seed = 1; seed <= count; seed += 1) {
    const { wrong } = await playRandom(seed);
    if (wrong.length > 0) return { message: wrong[0], schedules: seed };
  }
  return { message: undefined, schedules: count };
}
